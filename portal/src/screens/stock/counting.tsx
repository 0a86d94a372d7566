/**
 * Counting with a scanner, a keyboard or a phone: a code, SKU or title, then the quantity, then the next one. Scanners type a text and
 * press Enter.
 */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { ApiError, newKey } from '@millrace/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { type Decimal, isPositive, sent, sum, typed } from '../../exact.ts'
import { entriesQuery } from '../../patterns/batches.tsx'
import { useCamera } from '../../patterns/camera.tsx'
import { Failure, failureText } from '../../patterns/failure.tsx'
import { useFirstFocus } from '../../patterns/form-focus.ts'
import { DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { withUnit } from '../../patterns/units.tsx'
import { useSession } from '../../session.tsx'
import { type Counted, findCounted } from './counted.ts'

/** The most variants to choose from. More words narrow the choice. */
const OFFERED_MAX = 8
/** Another person may count at the same moment, so a conflict is tried again. */
const TRIES = 5

type Attempt = {
  readonly entry: string
  readonly key: string
  readonly total: Decimal
  readonly ifMatch: object
  /** Whether the quantity is added to the one counted before. */
  readonly isMore: boolean
}

const NOTHING = { code: '', batch: '', expiry: '', quantity: '' }

type Props = { readonly countId: string; readonly place: string | null }

export function Counting({ countId, place }: Props) {
  const { api, can } = useSession()
  const queries = useQueryClient()
  const [values, setValues] = useState(NOTHING)
  const { code, batch, expiry, quantity } = values
  const set = (changed: Partial<typeof NOTHING>) => setValues(before => ({ ...before, ...changed }))
  const known = useId()
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const inputs = {
    code: useRef<HTMLInputElement>(null),
    batch: useRef<HTMLInputElement>(null),
    quantity: useRef<HTMLInputElement>(null),
  }
  // The same entry again uses the same key: if its answer was lost, it may have been booked.
  const attempt = useRef<Attempt | null>(null)

  const [chosen, setChosen] = useState<Counted | null>(null)
  const looking = useMutation<readonly Counted[], Error, string>({
    mutationFn: text => findCounted({ api, can }, text),
    onSuccess: ([one, another]) => choose(one?.isExact && !another ? one : null),
    onError: error => {
      setWrong({ code: failureText(error) })
      // What a scanner types next takes the place of a code that nothing has.
      inputs.code.current?.select()
    },
  })
  function choose(one: Counted | null) {
    setChosen(one)
    set({ batch: one?.batch ?? '', expiry: one?.expiry ?? '' })
  }
  const { button, view } = useCamera({
    onCode: read => {
      set({ code: read })
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
  useFirstFocus(inputs.code)
  // What is asked next is there only once it is rendered.
  useEffect(() => {
    if (chosen) (chosen.hasBatches && chosen.batch === '' ? batchInput : quantityInput).current?.focus()
  }, [chosen, batchInput, quantityInput])

  const { data: lines = [] } = useQuery({
    queryKey: ['stock-counts', 'items', countId, 'of', found?.id ?? ''],
    queryFn: ({ signal }) => linesOf(found?.id ?? '', { signal }),
    enabled: found !== undefined,
  })
  const linesOf = (item_variant_id: string, options = {}) =>
    api.stockCounts.listItems(countId, { item_variant_id, limit: 200 }, options).toArray({ max: 2_000 })
  const ofBatch = ({ batch_number }: { readonly batch_number: string | null }) => (batch_number ?? '') === batch.trim()
  const before = lines.find(ofBatch)

  const counting = useMutation<string, Error, { readonly what: Counted; readonly isAnew?: boolean }>({
    mutationFn: async ({ what: { id, title, unit, hasBatches }, isAnew = false }) => {
      const entry = [id, batch, expiry, quantity, isAnew].join(' ')
      const told = `${quantity.trim()} ${unit} × ${title}`
      for (let tries = 1; ; tries++) {
        if (attempt.current?.entry !== entry) {
          const count = await api.stockCounts.get(countId)
          const there = isAnew ? undefined : (await linesOf(id)).find(ofBatch)
          const total = sum([typed(quantity) ?? '0', there?.counted_quantity ?? '0'])
          attempt.current = { entry, key: newKey(), total, ifMatch: count, isMore: there !== undefined }
        }
        const { key, total, ifMatch, isMore } = attempt.current
        const item = {
          item_variant_id: id,
          counted_quantity: sent(total),
          ...(hasBatches ? { batch_number: batch.trim() } : {}),
          ...(hasBatches && expiry !== '' ? { expiry_date: expiry } : {}),
        }
        try {
          await api.stockCounts.update(countId, { items: [item] }, { idempotencyKey: key, ifMatch })
          return isMore ? `${told}, ${withUnit(total, unit)} in all` : told
        } catch (error) {
          if (!(error instanceof ApiError && error.code === 'precondition_failed') || tries === TRIES) throw error
          attempt.current = null
        }
      }
    },
    onSuccess: () => {
      attempt.current = null
      setValues(NOTHING)
      looking.reset()
      choose(null)
      inputs.code.current?.focus()
      queries.invalidateQueries({ queryKey: ['stock-counts'] })
    },
  })

  /** Enter moves to the next missing input. If none is missing, the entry is counted. */
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
    count(found)
  }
  const count = (what: Counted, isAnew = false) => {
    const fault = decimalRules.zeroOrMore(quantity)
    if (fault !== null) return setWrong({ quantity: fault })
    counting.mutate({ what, isAnew })
  }

  const input = (name: keyof typeof NOTHING) => ({
    ...{ value: values[name], error: wrong[name] },
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => set({ [name]: value }),
  })

  const lacking = ['write:inventory.adjustment.create', 'read:catalog'].find(scope => !can(scope))
  if (lacking !== undefined) return <Text p="md">The key lacks the scope {lacking}</Text>
  return (
    <form onSubmit={submit} noValidate aria-label="Count" autoComplete="off">
      <Stack p="md" gap="sm">
        <TextInput
          ref={inputs.code}
          label="SKU, barcode or name"
          description="Scan or type it, then press Enter"
          {...input('code')}
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
            {...input('batch')}
            enterKeyHint="next"
            autoCapitalize="off"
            list={known}
          />
        )}
        {found?.hasBatches && found.expiry !== '' && <TextInput type="date" label="Expires" {...input('expiry')} />}
        <datalist id={known}>
          {entries?.data
            .filter(entry => entry.storage_place_id === place && isPositive(entry.quantity))
            .map(({ id, batch_number }) => batch_number !== null && <option key={id} value={batch_number} />)}
        </datalist>
        <DecimalInput
          ref={inputs.quantity}
          label="Counted"
          {...input('quantity')}
          enterKeyHint="done"
          description={
            found && before && `${withUnit(before.counted_quantity, found.unit)} are counted already: more is added`
          }
        />
        {counting.error && <Failure error={counting.error} />}
        <Group justify="space-between">
          <Text size="sm" role="status">
            {counting.data !== undefined && `Counted ${counting.data}`}
          </Text>
          {found && before && (
            <Button variant="default" disabled={counting.isPending} onClick={() => count(found, true)}>
              Count anew
            </Button>
          )}
          <Button type="submit" loading={looking.isPending || counting.isPending}>
            {found === undefined ? 'Find' : before ? 'Add to it' : 'Count it'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type OfferedProps = { readonly found: readonly Counted[]; readonly onChoose: (one: Counted) => void }

/** The choice between several variants. One press chooses one. */
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
