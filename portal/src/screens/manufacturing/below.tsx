/** What stands below a manufacturing order: its tasks with hours and costs, planned and actual, and what came out of it, with its batches. */
import { BatchOf } from '../../patterns/batches.tsx'
import { type Columns, column } from '../../patterns/columns.tsx'
import { TablePanel } from '../../patterns/panel.tsx'
import type { ManufacturingOrder } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { type Movement, movementsQuery, type Task, tasksQuery } from './reads.ts'

/** A task costs what its planned hours cost until actual ones are reported. */
const taskColumns = (booked: string): Columns<Task> => [
  column.shown('Operation', ({ operation_title }) => operation_title),
  column.status('Status', ({ status }) => status),
  column.number('Planned hours', ({ planned_duration }) => planned_duration, 'sm'),
  column.number('Actual hours', ({ actual_duration }) => actual_duration, 'sm'),
  column.amount('Planned cost', ({ planned_cost }) => planned_cost),
  column.amount(
    booked,
    ({ actual_cost, planned_cost, status }) => actual_cost ?? (status === 'NOT_STARTED' ? null : planned_cost),
    'sm',
  ),
]

const [costSoFar, finalCost] = [taskColumns('Cost so far'), taskColumns('Final cost')]

type Props = { readonly order: ManufacturingOrder }

export const OrderTasks = ({ order }: Props) => (
  <TablePanel
    title="Tasks"
    scope="read:manufacturing"
    query={tasksQuery(useApi(), order.id)}
    columns={order.actual_cost.is_final ? finalCost : costSoFar}
    rows={tasks => tasks}
    whenEmpty="It has no tasks: its recipe has no operations."
  />
)

const outputColumns: Columns<Movement> = [
  column.instant('When', ({ created_at }) => created_at),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.shown('Batch', ({ batch_id }) => <BatchOf id={batch_id} />),
  column.place('At', ({ storage_place_id }) => storage_place_id, 'sm'),
  column.amount('Cost', ({ value }) => value, 'sm'),
]

export const Output = ({ order }: Props) => (
  <TablePanel
    title="Output"
    scope="read:stock"
    query={movementsQuery(useApi(), order.id)}
    columns={outputColumns}
    rows={outputsOf}
    whenEmpty="Nothing has been made yet. Complete books what is, whole or in part."
  />
)

export const outputsOf = (movements: readonly Movement[]): readonly Movement[] =>
  movements.filter(({ kind }) => kind === 'MANUFACTURING_OUTPUT')
