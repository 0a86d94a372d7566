/** What came out of a manufacturing order: each entry into the stock, with its batch. */
import type { ManufacturingOrder } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import type { Exact } from '../../exact.ts'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { BatchLink } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { useApi } from '../../session.tsx'
import { type Movement, movementsQuery } from './reads.ts'

const columns: Columns<Movement> = [
  column.instant('When', ({ created_at }) => created_at),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.shown('Batch', ({ batch_id }) => <Batch id={batch_id} />),
  column.place('At', ({ storage_place_id }) => storage_place_id, 'sm'),
  column.cost('Cost', ({ value }) => value, 'sm'),
]

/** By its number, which the movement does not tell. */
function Batch({ id }: { readonly id: string | null }) {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['batches', 'one', id],
    queryFn: ({ signal }) => api.batches.get(id ?? '', { signal }),
    enabled: id !== null,
  })
  return <BatchLink id={id} number={data?.number ?? null} />
}

export function Output({ order }: { readonly order: Exact<ManufacturingOrder> }) {
  const api = useApi()
  return (
    <Panel
      title="Output"
      scope="read:stock"
      query={movementsQuery(api, order.id)}
      isEmpty={movements => outputsOf(movements).length === 0}
      whenEmpty="Nothing has been made yet. Complete books what is, whole or in part."
    >
      {movements => <DataTable label="Output" columns={columns} rows={outputsOf(movements)} />}
    </Panel>
  )
}

export const outputsOf = (movements: readonly Movement[]): readonly Movement[] =>
  movements.filter(({ kind }) => kind === 'MANUFACTURING_OUTPUT')
