/** Counting with a scanner, a keyboard or a phone: a SKU, barcode or title, what is there, then the next. Scanners type a text and press Enter. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { newKey } from '@millrace/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { type ExactApi, isPositive, sentTyped } from '../../exact.ts'
import { entriesQuery } from '../../patterns/batches.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { useSession } from '../../session.tsx'

type Found = {
  readonly id: string
  /** What was typed or scanned. */
  readonly code: string
  readonly sku: string | null
  readonly title: string
  readonly unit: string
  readonly hasBatches: boolean
  /** Whether its SKU or barcode is what was typed: a part of a title, or of another barcode, may mean another. */
  readonly isExact: boolean
}

/** More are not offered: more words tell them apart. */
const OFFERED_MAX = 8

/** The one variant that has this SKU, else the one that has this barcode, else those that have these words in their title. */
async function find(api: ExactApi, code: string): Promise<readonly Found[]> {
  for (const name of ['sku', 'barcode', 'q'] as const) {
    const { data } = await api.products.list({ [name]: code, archived: false, limit: 20 })
    const found = data
      .filter(({ type }) => type !== 'SERVICE')
      .flatMap(product =>
        product.variants
          .filter(variant => !variant.archived && (name === 'q' || variant[name] === code))
          .map(({ id, title, sku }) => ({
            ...{ id, code, sku, title: variantTitle({ item_title: product.title, title }) },
            ...{ unit: product.unit_name, hasBatches: product.batch_tracked },
            isExact: name !== 'q',
          })),
      )
    if (found.length > 0) return found
  }
  throw new Error('No variant has this SKU, barcode or title')
}

type Props = { readonly countId: string; readonly place: string | null }

export function Counting({ countId, place }: Props) {
  const { api, can } = useSession()
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const [batch, setBatch] = useState('')
  const [quantity, setQuantity] = useState('')
  const known = useId()
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const inputs = {
    code: useRef<HTMLInputElement>(null),
    batch: useRef<HTMLInputElement>(null),
    quantity: useRef<HTMLInputElement>(null),
  }
  // The same entry again is the same write: of one whose answer was lost nobody knows.
  const attempt = useRef({ entry: '', key: '' })

  const [chosen, setChosen] = useState<Found | null>(null)
  const looking = useMutation<readonly Found[], Error, string>({
    mutationFn: text => find(api, text),
    onSuccess: ([one, another]) => setChosen(one?.isExact && !another ? one : null),
    onError: error => setWrong({ code: error.message }),
  })
  const found = chosen?.code === code.trim() ? chosen : undefined
  const offered = found === undefined && looking.data?.[0]?.code === code.trim() ? looking.data : []
  const { data: entries } = useQuery({
    ...entriesQuery(api, found?.id ?? ''),
    enabled: found?.hasBatches === true && can('read:stock'),
  })
  const { batch: batchInput, quantity: quantityInput } = inputs
  // What is asked next is there only once it is rendered.
  useEffect(() => {
    if (chosen) (chosen.hasBatches ? batchInput : quantityInput).current?.focus()
  }, [chosen, batchInput, quantityInput])

  const counting = useMutation<string, Error, Found>({
    mutationFn: async ({ id, title, unit, hasBatches }) => {
      const item = {
        item_variant_id: id,
        counted_quantity: sentTyped(quantity),
        ...(hasBatches ? { batch_number: batch.trim() } : {}),
      }
      const entry = `${id} ${batch} ${quantity}`
      if (attempt.current.entry !== entry) attempt.current = { entry, key: newKey() }
      await api.stockCounts.update(countId, { items: [item] }, { idempotencyKey: attempt.current.key })
      return `${quantity.trim()} ${unit} × ${title}`
    },
    onSuccess: () => {
      attempt.current = { entry: '', key: '' }
      setCode('')
      setBatch('')
      setQuantity('')
      looking.reset()
      setChosen(null)
      inputs.code.current?.focus()
      queries.invalidateQueries({ queryKey: ['stock-counts'] })
    },
  })

  /** Enter goes on to what is missing; with all of it the entry is counted. */
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (looking.isPending || counting.isPending) return
    setWrong({})
    const text = code.trim()
    if (text === '') return inputs.code.current?.focus()
    if (found === undefined) return looking.mutate(text)
    if (found.hasBatches && batch.trim() === '') {
      setWrong({ batch: 'say which batch' })
      return inputs.batch.current?.focus()
    }
    if (quantity.trim() === '' && document.activeElement !== inputs.quantity.current)
      return inputs.quantity.current?.focus()
    const fault = decimalRules.zeroOrMore(quantity)
    if (fault !== null) return setWrong({ quantity: fault })
    counting.mutate(found)
  }

  const lacking = ['write:inventory.adjustment.create', 'read:catalog'].find(scope => !can(scope))
  if (lacking !== undefined) return <Text p="md">The key lacks the scope {lacking}</Text>
  return (
    <form onSubmit={submit} noValidate aria-label="Count" autoComplete="off">
      <Stack p="md" gap="sm">
        <TextInput
          ref={inputs.code}
          label="SKU, barcode or title"
          description="Scan or type it, then press Enter"
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
          error={wrong['code']}
          autoCapitalize="off"
          enterKeyHint="next"
        />
        {found && <Text fw={500}>{`${found.title}, in ${found.unit}`}</Text>}
        <Offered found={offered} onChoose={setChosen} />
        {found?.hasBatches && (
          <TextInput
            ref={inputs.batch}
            label="Batch number"
            value={batch}
            onChange={event => setBatch(event.currentTarget.value)}
            error={wrong['batch']}
            enterKeyHint="next"
            autoCapitalize="off"
            list={known}
          />
        )}
        <datalist id={known}>
          {entries?.data
            .filter(entry => entry.storage_place_id === place && isPositive(entry.quantity))
            .map(({ id, batch_number }) => batch_number !== null && <option key={id} value={batch_number} />)}
        </datalist>
        <DecimalInput
          ref={inputs.quantity}
          label="Counted"
          value={quantity}
          onChange={event => setQuantity(event.currentTarget.value)}
          error={wrong['quantity']}
          enterKeyHint="done"
        />
        {counting.error && <Failure error={counting.error} />}
        <Group justify="space-between">
          <Text size="sm" role="status">
            {counting.data !== undefined && `Counted ${counting.data}`}
          </Text>
          <Button type="submit" loading={looking.isPending || counting.isPending}>
            {found === undefined ? 'Find' : 'Count it'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type OfferedProps = { readonly found: readonly Found[]; readonly onChoose: (one: Found) => void }

/** Which of several is meant: one press chooses it. */
const Offered = ({ found, onChoose }: OfferedProps) =>
  found.length > 0 && (
    <Stack gap={4} role="group" aria-label="Which one?">
      {found.slice(0, OFFERED_MAX).map(one => (
        <Button key={one.id} variant="default" justify="flex-start" onClick={() => onChoose(one)}>
          {[one.title, one.sku].filter(Boolean).join(' · ')}
        </Button>
      ))}
      {found.length > OFFERED_MAX && (
        <Text size="sm" c="dimmed">
          And more: type more of the title.
        </Text>
      )}
    </Stack>
  )
