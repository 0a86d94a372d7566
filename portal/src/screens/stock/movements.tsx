/** The movements of a variant, as a plot of the stock on hand, and as a table. */
import { Button, Group, Skeleton, Text } from '@mantine/core'
import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Decimal, type ExactApi, isZero, minus, sum } from '../../exact.ts'
import { countText, instantText, words } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { entriesQuery } from '../../patterns/batches.tsx'
import { Amount, column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { Closed } from '../../patterns/lacking.tsx'
import { BatchLink, DocumentLink } from '../../patterns/links.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { PlaceTitle, usePlaceTitle } from '../../patterns/places.tsx'
import { Plot } from '../../patterns/plot.tsx'
import type { Point } from '../../patterns/plot-props.ts'
import { Section } from '../../patterns/section.tsx'
import { Below } from '../../patterns/small.tsx'
import { type Source, withSources } from '../../patterns/sources.ts'
import { Quantity } from '../../patterns/units.tsx'
import type { Availability, StockMovement } from '../../records.ts'
import { useSession } from '../../session.tsx'

const PAGE_ROWS = 100
/** With more lines the plot is unreadable, so it shows the sum of all places. */
const LINES_MAX = 4

type Row = StockMovement & { readonly source: Source | null; readonly batch: string | null }

const columns: Columns<Row> = [
  column.instant('When', ({ created_at }) => created_at),
  column.shown('What', row => <What row={row} />),
  column.place('Place', ({ storage_place_id }) => storage_place_id, 'sm'),
  column.shown('Batch', ({ batch_id, batch }) => <BatchLink id={batch_id} number={batch} />, 'md'),
  column.figure('Quantity', row => <Change row={row} />),
  column.amount('Value', ({ value }) => value, 'md'),
  column.quantity('There after', ({ quantity_after }) => quantity_after, 'sm'),
  column.shown('Document by', row => told(row)?.by, 'lg'),
]

/** The reason and the user. A reversal has its own. */
const told = ({ kind, source }: Row) => (kind === 'REVERSAL' ? source?.reversal : source)

function What({ row }: { readonly row: Row }) {
  const { kind, source, source_type, source_id, storage_place_id } = row
  const why = [told(row)?.reason, kind === 'REVERSAL' ? null : source?.notes].filter(Boolean).join(' · ')
  return (
    <>
      {words(kind)}{' '}
      <DocumentLink inText kind={source_type} id={source_id}>
        {source?.number ?? words(source_type)}
      </DocumentLink>
      {source?.reversal && kind !== 'REVERSAL' && ', reversed'}
      {why !== '' && (
        <Text span size="xs" display="block" className="address" lineClamp={3}>
          {why}
        </Text>
      )}
      <Below hiddenFrom="lg">{told(row)?.by}</Below>
      <Below hiddenFrom="sm">
        <PlaceTitle id={storage_place_id} />
      </Below>
    </>
  )
}

/** The change: only of the value, as for landed costs, if no quantity moved. */
const Change = ({ row }: { readonly row: Row }) =>
  isZero(row.quantity) ? (
    <>
      {row.value.startsWith('-') ? '' : '+'}
      <Amount of={row.value} />
    </>
  ) : (
    <Quantity of={row.quantity} goods={row} withSign />
  )

/** Levels of one variant by place. */
export const availabilityQuery = (api: ExactApi, item_variant_id: string) =>
  queryOptions({
    queryKey: ['availability', 'of', item_variant_id] as readonly unknown[],
    queryFn: ({ signal }) => api.availability.list({ item_variant_id, limit: 200 }, { signal }).toArray({ max: 5_000 }),
  })

export function Movements({ variantId }: { readonly variantId: string }) {
  const session = useSession()
  const { api, can } = session
  const isAllowed = can('read:stock')
  const placeTitle = usePlaceTitle()
  const query = listQuery(['stock-movements', 'of'], { item_variant_id: variantId }, async (asked, options) => {
    const { data, next_cursor } = await api.stockMovements.list({ ...asked, limit: PAGE_ROWS }, options)
    return { data: await withSources(session, data, options), next_cursor }
  })
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...query,
    enabled: isAllowed,
  })
  const { data: now } = useQuery({ ...availabilityQuery(api, variantId), enabled: isAllowed })
  const { data: entries } = useQuery({ ...entriesQuery(api, variantId), enabled: isAllowed })
  const movements = useMemo(() => data?.pages.flatMap(page => page.data) ?? [], [data])
  const lines = useMemo(
    () => (now && movements.length > 0 ? linesOf(movements, now, hasNextPage, placeTitle) : null),
    [movements, now, hasNextPage, placeTitle],
  )
  const rows = useMemo(() => {
    const batches = new Map(entries?.data.map(({ batch_id, batch_number }) => [batch_id, batch_number]))
    return movements.map(movement => ({ ...movement, batch: batches.get(movement.batch_id) ?? null }))
  }, [movements, entries])

  if (error) return <Failure error={error} title="Its movements could not be read" onRetry={() => refetch()} />
  return (
    <>
      {lines && <Plot title="On hand" {...lines} atText={instantText} shape="steps" />}
      <Section title="Movements">
        {!isAllowed ? (
          <Closed scope="read:stock" />
        ) : data === undefined ? (
          <Skeleton h={120} m="md" />
        ) : rows.length === 0 ? (
          <Empty>Nothing has moved yet.</Empty>
        ) : (
          <>
            <DataTable label="Movements" columns={columns} rows={rows} />
            <Group gap="sm" p="sm">
              <Text size="sm" c="dimmed">
                {hasNextPage ? `The newest ${countText(rows.length)}` : `${countText(rows.length)} in all`}
              </Text>
              {hasNextPage && (
                <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
                  Older ones
                </Button>
              )}
            </Group>
          </>
        )}
      </Section>
    </>
  )
}

/** The stock on hand after each moment with a movement: by place, or in total if there are too many places. */
function linesOf(
  movements: readonly StockMovement[],
  now: readonly Availability[],
  hasOlder: boolean,
  placeTitle: (id: string | null) => string,
): { readonly series: readonly string[]; readonly points: readonly Point[] } {
  const places = [
    ...new Set([
      ...now.filter(({ quantity }) => hasOlder && quantity !== '0').map(row => row.storage_place_id),
      ...movements.map(row => row.storage_place_id),
    ]),
  ]
  const isByPlace = places.length <= LINES_MAX
  const series = isByPlace ? places.map(placeTitle) : ['All places']
  const lineOf = (place: string | null) => (isByPlace ? places.indexOf(place) : 0)
  // If all movements are loaded, the stock begins at 0. Otherwise it begins at the present stock less these movements.
  const held: Decimal[] = series.map((_, line) => {
    if (!hasOlder) return '0'
    const there = now.filter(row => lineOf(row.storage_place_id) === line).map(row => row.quantity ?? '0')
    const brought = movements.filter(row => lineOf(row.storage_place_id) === line).map(row => row.quantity)
    return minus(sum(there), sum(brought))
  })
  const points = new Map<string, Point>()
  for (const { created_at, storage_place_id, quantity } of movements.toReversed()) {
    const line = lineOf(storage_place_id)
    held[line] = sum([held[line] ?? '0', quantity])
    points.set(created_at, { at: created_at, values: [...held] })
  }
  // The last step ends now.
  const at = new Date().toISOString()
  if (!points.has(at)) points.set(at, { at, values: [...held] })
  return { series, points: [...points.values()] }
}
