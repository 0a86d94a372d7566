/** Batches as other records name them: by number, and chosen among those of a variant. */
import { Select } from '@mantine/core'
import type { StockEntry } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { type Decimal, type Exact, sum } from '../exact.ts'
import { dayText, quantityText } from '../format.tsx'
import { useSession } from '../session.tsx'
import { BatchLink } from './links.tsx'
import { placeId } from './places.tsx'

/** By its number, for what names its id alone. */
export function BatchOf({ id }: { readonly id: string | null }) {
  const { api, can } = useSession()
  const { data } = useQuery({
    queryKey: ['batches', 'one', id],
    queryFn: ({ signal }) => api.batches.get(id ?? '', { signal }),
    enabled: id !== null && can('read:stock'),
  })
  return <BatchLink id={id} number={data?.number ?? null} />
}

type Entry = Exact<StockEntry>

/** What lies at a place, of one batch or of all. */
export function onHand(
  entries: readonly Entry[],
  place: string,
  batch: string,
  name: 'quantity' | 'quarantine_quantity' = 'quantity',
): Decimal {
  return sum(
    entries
      .filter(row => row.storage_place_id === placeId(place) && (batch === '' || row.batch_id === batch))
      .map(row => row[name]),
  )
}

type BatchInputProps = {
  readonly entries: readonly Entry[]
  readonly place: string
  readonly value?: string
  readonly onChange: (batch: string) => void
  readonly placeholder: string
}

/** The batches of a place, those with stock first. */
export function BatchInput({ entries, place, value, onChange, ...props }: BatchInputProps) {
  const here = entries.filter(row => row.storage_place_id === placeId(place))
  const batches = new Map(
    entries.flatMap(({ batch_id, batch_number, expiry_date }) =>
      batch_id === null ? [] : [[batch_id, { batch_number, expiry_date }] as const],
    ),
  )
  return (
    <Select
      {...props}
      label="Batch"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear Batch' }}
      value={value || null}
      onChange={batch => onChange(batch ?? '')}
      data={[...batches].map(([id, { batch_number, expiry_date }]) => ({
        value: id,
        label: `${batch_number}${expiry_date === null ? '' : `, to ${dayText(expiry_date)}`}: ${quantityText(onHand(here, place, id))}`,
      }))}
    />
  )
}
