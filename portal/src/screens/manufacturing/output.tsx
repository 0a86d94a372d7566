/** What came out of a manufacturing order: each entry into the stock, with its batch. */
import type { ManufacturingOrder } from '@millrace/client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Exact } from '../../exact.ts'
import { Instant, moneyText, quantityText } from '../../format.tsx'
import { Closed } from '../../patterns/closed.tsx'
import { columnsOf, DataTable } from '../../patterns/data-table.tsx'
import { Section } from '../../patterns/detail-page.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { PathLink } from '../../patterns/path-link.tsx'
import { usePlaceTitle } from '../../patterns/places.ts'
import { useSession } from '../../session.tsx'
import type { Movement } from './reads.ts'

/** The batches of an order that was completed more often are shown by their id. */
const BATCHES_MAX = 20

type Row = Movement & { readonly place: string; readonly batch: string; readonly currency: string }

const column = columnsOf<Row>()
const columns = column.columns([
  column.accessor('created_at', { header: 'When', cell: ({ getValue }) => <Instant at={getValue()} /> }),
  column.accessor('quantity', {
    header: 'Quantity',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  column.accessor('batch', {
    header: 'Batch',
    cell: ({ row: { original } }) =>
      original.batch_id === null ? '–' : <PathLink to={`/trace/${original.batch_id}`}>{original.batch}</PathLink>,
  }),
  column.accessor('place', { header: 'At', meta: { visibleFrom: 'sm' } }),
  column.accessor('value', {
    header: 'Cost',
    cell: ({ row: { original } }) => moneyText(original.value, original.currency),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
])

type Props = { readonly order: Exact<ManufacturingOrder>; readonly movements: UseQueryResult<Movement[]> }

export function Output({ order, movements: { data = [], error, refetch } }: Props) {
  const { can } = useSession()
  const placeTitle = usePlaceTitle()
  const outputs = data.filter(({ kind }) => kind === 'MANUFACTURING_OUTPUT')
  const batches = useBatchNumbers(outputs)
  const rows = outputs.map(output => ({
    ...output,
    place: placeTitle(output.storage_place_id),
    batch: batches.get(output.batch_id ?? '') ?? output.batch_id ?? '',
    currency: order.actual_cost.currency,
  }))
  return (
    <Section title="Output">
      {!can('read:stock') ? (
        <Closed scope="read:stock" />
      ) : error ? (
        <Failure error={error} onRetry={() => refetch()} />
      ) : rows.length === 0 ? (
        <Empty>Nothing has been made yet. Complete books what is, whole or in part.</Empty>
      ) : (
        <DataTable label="Output" columns={columns} rows={rows} rowId={({ id }) => id} />
      )}
    </Section>
  )
}

function useBatchNumbers(outputs: readonly Movement[]): ReadonlyMap<string, string> {
  const { api } = useSession()
  const ids = [...new Set(outputs.flatMap(({ batch_id }) => batch_id ?? []))].slice(0, BATCHES_MAX)
  const { data } = useQuery({
    queryKey: ['batches', 'numbers', ...ids],
    queryFn: async ({ signal }) => {
      const batches = await Promise.all(ids.map(id => api.batches.get(id, { signal })))
      return new Map(batches.map(({ id, number }) => [id, number]))
    },
    enabled: ids.length > 0,
  })
  return data ?? new Map()
}
