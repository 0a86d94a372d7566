/** What is short because goods have expired: the interface counts them as there when it lists what is short. */
import { Alert, List } from '@mantine/core'
import type { List as Paged } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { type Decimal, type ExactApi, isPositive, minus, sum } from '../exact.ts'
import type { Shortage } from '../records.ts'
import { useSession } from '../session.tsx'
import { expiredAt } from './expired.ts'
import { inGroups } from './groups.ts'
import { DocumentLink } from './links.tsx'
import { PlaceTitle } from './places.tsx'
import { outsideOf } from './stock-marks.tsx'
import { Quantity } from './units.tsx'

export type Short = Pick<
  Shortage,
  'item_id' | 'item_variant_id' | 'title' | 'sku' | 'storage_place_id' | 'short_quantity' | 'reserved_quantity'
> & { readonly expired: Decimal }

/** Of older batches that have expired nothing is said. */
const BATCHES_MAX = 200
const PAGE_ROWS = 200
const ROWS_MAX = 5_000

/** At all places. */
export async function readShortOfExpired(
  api: ExactApi,
  options: { readonly signal: AbortSignal },
): Promise<readonly Short[]> {
  const expires_before = new Date().toISOString().slice(0, 10)
  const { data } = await api.batches.list({ expires_before, order: 'desc', limit: BATCHES_MAX }, options)
  const there = data.filter(batch => isPositive(outsideOf(batch)))
  const batches = new Map(there.map(batch => [batch.item_variant_id, batch]))
  const read = <Row,>(ids: readonly string[], list: (ids: readonly string[]) => Paged<Row>) =>
    Promise.all(inGroups([...new Set(ids)]).map(group => list(group).toArray({ max: ROWS_MAX })))
  const [entries, levels] = await Promise.all([
    read(
      there.map(({ id }) => id),
      batch_id => api.stock.list({ batch_id, limit: PAGE_ROWS }, options),
    ),
    read([...batches.keys()], item_variant_id => api.availability.list({ item_variant_id, limit: PAGE_ROWS }, options)),
  ])
  const expired = { entries: entries.flat(), isAll: true }
  return levels.flat().flatMap(level => {
    const batch = batches.get(level.item_variant_id)
    const gone = expiredAt(expired, level)
    const projected = sum([level.available_quantity, level.expected_quantity])
    const short_quantity = minus(gone, projected)
    // Below zero the interface lists it by itself.
    if (!batch || projected.startsWith('-') || !isPositive(short_quantity)) return []
    const { item_id, title, sku } = batch
    return [{ ...level, item_id, title, sku, short_quantity, expired: gone }]
  })
}

export function ShortOfExpired() {
  const { api, can } = useSession()
  const { data = [] } = useQuery({
    queryKey: ['shortages', 'of-expired'],
    queryFn: ({ signal }) => readShortOfExpired(api, { signal }),
    enabled: can('read:stock'),
  })
  return (
    data.length > 0 && (
      <Alert role="status" color="orange" variant="outline" title="Short as well, because goods have expired">
        <List size="sm">
          {data.map(row => (
            <List.Item key={`${row.item_variant_id} ${row.storage_place_id}`}>
              <DocumentLink inText kind="VARIANT" id={`${row.item_id}/${row.item_variant_id}`}>
                {row.title}
              </DocumentLink>{' '}
              at <PlaceTitle id={row.storage_place_id} />: <Quantity of={row.short_quantity} goods={row} /> short,{' '}
              <Quantity of={row.expired} goods={row} /> expired
            </List.Item>
          ))}
        </List>
      </Alert>
    )
  )
}
