/** Counting with a scanner or a keyboard: a SKU or barcode, what is there, then the next. Scanners type a text and press Enter. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { newKey } from '@millrace/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type ExactApi, sentTyped } from '../../exact.ts'
import { Failure } from '../../patterns/failure.tsx'
import { DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { useSession } from '../../session.tsx'

type Found = { readonly id: string; readonly code: string; readonly title: string; readonly hasBatches: boolean }

/** The one variant that has this SKU, else the one that has this barcode. @throws Error in words for a person */
async function find(api: ExactApi, code: string): Promise<Found> {
  for (const name of ['sku', 'barcode'] as const) {
    const { data } = await api.products.list({ [name]: code, archived: false, limit: 20 })
    const found = data.flatMap(product =>
      product.variants
        .filter(variant => !variant.archived && variant[name] === code)
        .map(({ id, title }) => ({
          ...{ id, code, title: variantTitle({ item_title: product.title, title }) },
          hasBatches: product.batch_tracked,
        })),
    )
    if (found.length > 1) throw new Error(`${found.length} variants have this barcode: type the SKU`)
    if (found[0]) return found[0]
  }
  throw new Error('No variant has this SKU or barcode')
}

export function Counting({ countId }: { readonly countId: string }) {
  const { api, can } = useSession()
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const [batch, setBatch] = useState('')
  const [quantity, setQuantity] = useState('')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const inputs = {
    code: useRef<HTMLInputElement>(null),
    batch: useRef<HTMLInputElement>(null),
    quantity: useRef<HTMLInputElement>(null),
  }
  // The same entry again is the same write: of one whose answer was lost nobody knows.
  const attempt = useRef({ entry: '', key: '' })

  const looking = useMutation<Found, Error, string>({
    mutationFn: text => find(api, text),
    onError: error => setWrong({ code: error.message }),
  })
  const found = looking.data?.code === code.trim() ? looking.data : undefined
  const { batch: batchInput, quantity: quantityInput } = inputs
  // What is asked next is there only once it is rendered.
  useEffect(() => {
    if (looking.data) (looking.data.hasBatches ? batchInput : quantityInput).current?.focus()
  }, [looking.data, batchInput, quantityInput])

  const counting = useMutation<string, Error, Found>({
    mutationFn: async ({ id, title, hasBatches }) => {
      const item = {
        item_variant_id: id,
        counted_quantity: sentTyped(quantity),
        ...(hasBatches ? { batch_number: batch.trim() } : {}),
      }
      const entry = `${id} ${batch} ${quantity}`
      if (attempt.current.entry !== entry) attempt.current = { entry, key: newKey() }
      await api.stockCounts.update(countId, { items: [item] }, { idempotencyKey: attempt.current.key })
      return `${quantity.trim()} × ${title}`
    },
    onSuccess: () => {
      attempt.current = { entry: '', key: '' }
      setCode('')
      setBatch('')
      setQuantity('')
      looking.reset()
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
          label="SKU or barcode"
          description="Scan or type it, then press Enter"
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
          error={wrong['code']}
          autoCapitalize="off"
          enterKeyHint="next"
        />
        {found && <Text fw={500}>{found.title}</Text>}
        {found?.hasBatches && (
          <TextInput
            ref={inputs.batch}
            label="Batch number"
            value={batch}
            onChange={event => setBatch(event.currentTarget.value)}
            error={wrong['batch']}
            enterKeyHint="next"
          />
        )}
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
