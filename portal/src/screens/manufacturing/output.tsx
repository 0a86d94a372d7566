/** What came out of a manufacturing order: each entry into the stock, with its batch. */
import type { ManufacturingOrder } from '@millrace/client'
import type { Exact } from '../../exact.ts'
import { BatchOf } from '../../patterns/batches.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { useApi } from '../../session.tsx'
import { type Movement, movementsQuery } from './reads.ts'

const columns: Columns<Movement> = [
  column.instant('When', ({ created_at }) => created_at),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.shown('Batch', ({ batch_id }) => <BatchOf id={batch_id} />),
  column.place('At', ({ storage_place_id }) => storage_place_id, 'sm'),
  column.cost('Cost', ({ value }) => value, 'sm'),
]

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
