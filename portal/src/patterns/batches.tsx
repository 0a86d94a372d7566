/** Batches in other records: shown by number, and chosen among those of a variant. */
import { Select } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Decimal, type ExactApi, isPositive, sum } from '../exact.ts'
import { dayText } from '../format.tsx'
import type { StockEntry as Entry } from '../records.ts'
import { type Reader, useSession } from '../session.tsx'
import { IDS_MAX, together } from './groups.ts'
import { BatchLink } from './links.tsx'
import { placeId } from './places.tsx'
import { marksText, outsideOf } from './stock-marks.tsx'
import { withUnit } from './units.tsx'

const readNumber = together(async (api, id) => {
  const { data } = await api.batches.list({ id, limit: IDS_MAX })
  return new Map(data.map(batch => [batch.id, batch.number]))
})

/** The numbers of batches that lines name by their ids alone; empty for a key that may not read stock. */
export async function readBatches({ api, can }: Reader, ids: readonly (string | null)[]) {
  const wanted = can('read:stock') ? ids.filter(id => id !== null) : []
  const numbers = await Promise.all(wanted.map(async id => [id, await readNumber(api, id)] as const))
  return new Map(numbers.flatMap(([id, number]) => (number === null ? [] : [[id, number] as const])))
}

/** The number of a batch, by its id. */
export function BatchOf({ id }: { readonly id: string | null }) {
  const { api, can } = useSession()
  const { data = null } = useQuery({
    queryKey: ['batches', 'number', id],
    queryFn: () => readNumber(api, id ?? ''),
    enabled: id !== null && can('read:stock'),
  })
  return <BatchLink inText id={id} number={data} />
}

/** The stock at a place, of one batch or of all. */
export function onHand(
  entries: readonly Entry[],
  place: string,
  batch: string,
  name: 'quantity' | 'quarantine_quantity' = 'quantity',
): Decimal {
  const isHere = (row: Entry) => row.storage_place_id === placeId(place) && (batch === '' || row.batch_id === batch)
  return sum(entries.filter(isHere).map(row => row[name]))
}

type BatchInputProps = {
  readonly entries: readonly Entry[]
  readonly place: string
  readonly value?: string
  readonly onChange: (batch: string) => void
  readonly placeholder: string
  /** Replaces a visible label. */
  readonly 'aria-label'?: string
  readonly error?: unknown
  /** Whether goods are taken for an order. Then expired and quarantined goods cannot be taken. */
  readonly toPick?: boolean
}

/** The batches at a place, those with stock first. */
export function BatchInput({ entries, place, value, onChange, toPick = false, error, ...props }: BatchInputProps) {
  const here = entries.filter(row => row.storage_place_id === placeId(place))
  const batches = Map.groupBy(
    entries.filter(({ batch_id }) => batch_id !== null),
    ({ batch_id }) => batch_id ?? '',
  )
  return (
    <Select
      {...props}
      {...(props['aria-label'] ? {} : { label: 'Batch' })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${props['aria-label'] ?? 'Batch'}` }}
      error={error as string}
      value={value || null}
      onChange={batch => onChange(batch ?? '')}
      data={[...batches].map(([id, [entry]]) => {
        const marked = {
          is_expired: entry?.is_expired ?? false,
          quantity: onHand(here, place, id),
          quarantine_quantity: onHand(here, place, id, 'quarantine_quantity'),
        }
        const until = entry?.expiry_date ? [`to ${dayText(entry.expiry_date)}`] : []
        return {
          value: id,
          label: `${[entry?.batch_number, ...until, ...marksText(marked)].join(', ')}: ${withUnit(marked.quantity, entry?.unit_name ?? null)}`,
          disabled: toPick && (marked.is_expired || !isPositive(outsideOf(marked))),
        }
      })}
    />
  )
}

/** Rows stay when their stock is 0, and each batch has its own. */
const ENTRIES_MAX = 200

/** The stock entries of one variant, by place and batch. */
export const entriesQuery = (api: ExactApi, item_variant_id: string) =>
  queryOptions({
    queryKey: ['stock', 'of', item_variant_id] as readonly unknown[],
    queryFn: async ({ signal }) =>
      await api.stock.list({ item_variant_id, order: 'desc', limit: ENTRIES_MAX }, { signal }),
  })

type BatchThereProps = Omit<BatchInputProps, 'entries' | 'placeholder' | 'toPick'> & {
  readonly variantId: string | undefined
  readonly children?: ReactNode
}

/** The batches of a variant that an order may take. Shows nothing for a variant without batches. */
export function BatchThere({ variantId, children, ...props }: BatchThereProps) {
  const { api, can } = useSession()
  const { data } = useQuery({
    ...entriesQuery(api, variantId ?? ''),
    enabled: can('read:stock') && variantId !== undefined,
  })
  const entries = data?.data ?? []
  return (
    entries.some(({ batch_id }) => batch_id !== null) && (
      <div>
        <BatchInput {...props} entries={entries} toPick placeholder="Those that expire first" />
        {children}
      </div>
    )
  )
}
