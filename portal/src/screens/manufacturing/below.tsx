/**
 * What stands below a manufacturing order: its materials, whether they are there, were taken and what that cost; its tasks with hours and
 * costs, planned and actual; and what came out of it, with its batches.
 */
import { type Decimal, negated, sum } from '../../exact.ts'
import { BatchOf } from '../../patterns/batches.tsx'
import { type Columns, column } from '../../patterns/columns.tsx'
import { TableSection } from '../../patterns/data-table.tsx'
import { What } from '../../patterns/links.tsx'
import { TablePanel } from '../../patterns/panel.tsx'
import type { ManufacturingOrder as Order } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { CanStart, Covered, type Covering, useCovering } from '../sales/coverage.tsx'
import type { Need } from '../sales/coverage-rules.ts'
import { type Movement, movementsQuery, type Task, tasksQuery } from './reads.ts'

type Props = { readonly order: Order }
type Row = Order['items'][number] & { readonly cost: Decimal | null; readonly covering: Covering | undefined }

const materialColumns: Columns<Row> = [
  column.shown(
    'What',
    line => (
      <>
        <What {...line} />
        {line.covering && <Covered of={line.covering} />}
      </>
    ),
    { says: ({ title }) => title },
  ),
  column.quantity('Needed', ({ quantity }) => quantity),
  column.quantity('Taken', ({ actual_quantity }) => actual_quantity),
  column.amount('Cost', ({ cost }) => cost, 'sm'),
]

export function Materials({ order, movements }: Props & { readonly movements: readonly Movement[] }) {
  const covering = useCovering({ id: order.id, delivery_date: order.planned_start_date }, needsOf(order))
  const rows = order.items.map(item => ({
    ...item,
    cost: costOf(order, item.item_variant_id, movements),
    covering: covering(item.id),
  }))
  const known = rows.flatMap(row => row.covering?.coverage ?? [])
  return (
    <TableSection
      title="Materials"
      aside={known.length > 0 && <CanStart of={known} />}
      columns={materialColumns}
      rows={rows}
      whenEmpty="It takes no materials: there was no recipe when it was made."
    />
  )
}

/** What a start would take: nothing once it has started. */
const needsOf = ({ status, items, manufacturing_location_id: storage_place_id }: Order): readonly Need[] =>
  status === 'NOT_STARTED'
    ? items.map(({ quantity: left, ...item }) => ({ ...item, storage_place_id, left, isPart: false }))
    : []

/** What was taken of a variant; movements do not tell between two lines of the same. */
function costOf({ items }: Order, variantId: string, movements: readonly Movement[]): Decimal | null {
  const isOf = ({ item_variant_id }: { readonly item_variant_id: string }) => item_variant_id === variantId
  const taken = movements.filter(movement => movement.kind !== 'MANUFACTURING_OUTPUT' && isOf(movement))
  return taken.length > 0 && items.filter(isOf).length === 1 ? negated(sum(taken.map(({ value }) => value))) : null
}

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
