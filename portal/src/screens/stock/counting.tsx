/** Counting with a scanner, a keyboard or a phone: a code, SKU or title, what is there, then the next. Scanners type a text and press Enter. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { newKey } from '@millrace/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { type ExactApi, isPositive, sentTyped } from '../../exact.ts'
import { entriesQuery } from '../../patterns/batches.tsx'
import { useCamera } from '../../patterns/camera.tsx'
import { Failure, failureText } from '../../patterns/failure.tsx'
import { DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { batchIn, variantsIn } from '../../patterns/scans.ts'
import { variantTitle } from '../../patterns/titles.ts'
import { distance, NEAR, variantsMeant } from '../../patterns/variants.ts'
import type { Product, Scan } from '../../records.ts'
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
  /** As the code says. */
  readonly batch: string
  /** The last day of a batch that is new, as the code says. */
  readonly expiry: string
}

/** More are not offered: more words tell them apart. */
const OFFERED_MAX = 8

type Asking = { readonly api: ExactApi; readonly can: (scope: string) => boolean }

/** The variants that the code means, else those that have these words in their title. */
async function find({ api, can }: Asking, code: string): Promise<readonly Found[]> {
  const scan = can('read:stock') ? await api.scan({ code }) : null
  const scanned = variantsIn(scan)
  // Without the right to ask what a code means it is looked for in the lists.
  const queries = [
    ...(scanned.length > 0 ? [{ item_variant_id: [...scanned] }] : []),
    ...(scan === null ? [{ sku: code }, { barcode: code }] : []),
    { q: code },
  ]
  for (const query of queries) {
    const { data } = await api.products.list({ ...query, archived: false, limit: 20 })
    const isExact = !('q' in query)
    const typed = { text: code, scanned }
    const isMeant = (product: Product) => (variant: Product['variants'][number]) =>
      !isExact || distance(product, variant, typed) <= NEAR.barcode
    const found = data
      .filter(({ type }) => type !== 'SERVICE')
      .flatMap(product =>
        variantsMeant(product, typed)
          .filter(isMeant(product))
          .map(({ id, title, sku }) => ({
            ...{ id, code, sku, title: variantTitle({ item_title: product.title, title }) },
            ...{ unit: product.unit_name, hasBatches: product.batch_tracked, isExact, batch: '', expiry: '' },
            ...(scan !== null && isExact && product.batch_tracked ? batchOf(scan, id) : {}),
          })),
      )
    if (found.length > 0) return found
  }
  throw new Error('No variant has this SKU, barcode or name')
}

function batchOf(scan: Scan, variantId: string): Pick<Found, 'batch' | 'expiry'> {
  const { number, expiry } = batchIn(scan, variantId)
  return { batch: number, expiry }
}

type Props = { readonly countId: string; readonly place: string | null }

export function Counting({ countId, place }: Props) {
  const { api, can } = useSession()
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const [batch, setBatch] = useState('')
  const [expiry, setExpiry] = useState('')
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
    mutationFn: text => find({ api, can }, text),
    onSuccess: ([one, another]) => choose(one?.isExact && !another ? one : null),
    onError: error => setWrong({ code: failureText(error) }),
  })
  function choose(one: Found | null) {
    setChosen(one)
    setBatch(one?.batch ?? '')
    setExpiry(one?.expiry ?? '')
  }
  const { button, view } = useCamera({
    onCode: read => {
      setCode(read)
      setWrong({})
      looking.mutate(read)
    },
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
    if (chosen) (chosen.hasBatches && chosen.batch === '' ? batchInput : quantityInput).current?.focus()
  }, [chosen, batchInput, quantityInput])

  const counting = useMutation<string, Error, Found>({
    mutationFn: async ({ id, title, unit, hasBatches }) => {
      const item = {
        item_variant_id: id,
        counted_quantity: sentTyped(quantity),
        ...(hasBatches ? { batch_number: batch.trim() } : {}),
        ...(hasBatches && expiry !== '' ? { expiry_date: expiry } : {}),
      }
      const entry = `${id} ${batch} ${expiry} ${quantity}`
      if (attempt.current.entry !== entry) attempt.current = { entry, key: newKey() }
      await api.stockCounts.update(countId, { items: [item] }, { idempotencyKey: attempt.current.key })
      return `${quantity.trim()} ${unit} × ${title}`
    },
    onSuccess: () => {
      attempt.current = { entry: '', key: '' }
      setCode('')
      setQuantity('')
      looking.reset()
      choose(null)
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
          label="SKU, barcode or name"
          description="Scan or type it, then press Enter"
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
          error={wrong['code']}
          autoCapitalize="off"
          enterKeyHint="next"
          rightSection={button}
        />
        {view}
        {found && <Text fw={500}>{`${found.title}, in ${found.unit}`}</Text>}
        <Offered found={offered} onChoose={choose} />
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
        {found?.hasBatches && found.expiry !== '' && (
          <TextInput
            type="date"
            label="Expires"
            value={expiry}
            onChange={event => setExpiry(event.currentTarget.value)}
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
          And more: type more of the name.
        </Text>
      )}
    </Stack>
  )
