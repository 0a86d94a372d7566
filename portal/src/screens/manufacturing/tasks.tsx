/** The production tasks of all orders: what is to be done. */
import { getRouteApi } from '@tanstack/react-router'
import type { ExactApi } from '../../exact.ts'
import { listQuery } from '../../lists.ts'
import { type Columns, column } from '../../patterns/columns.tsx'
import { CodesFilter, RecordFilter, useFilters } from '../../patterns/filters.tsx'
import { rowsOf } from '../../patterns/groups.ts'
import { DocumentLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import { Lines } from '../../patterns/units.tsx'
import type { ManufacturingOrder, ProductionTask } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { useOperations } from '../recipes/operation-steps.tsx'
import { TASK_STATUSES } from './nouns.ts'

const route = getRouteApi('/production-tasks')

type Row = ProductionTask & { readonly order: ManufacturingOrder | undefined }

const columns: Columns<Row> = [
  column.shown('Operation', ({ operation_title, manufacturing_order_id }) => (
    <DocumentLink kind="MANUFACTURING_ORDER" id={manufacturing_order_id} className="row-link wraps">
      {operation_title}
    </DocumentLink>
  )),
  column.shown('Order', ({ order }) => order?.number),
  column.shown(
    'Makes',
    ({ order }) =>
      order && (
        <Lines of={[{ ...order, item_variant_id: order.item_variant.id, title: variantTitle(order.item_variant) }]} />
      ),
  ),
  column.status('Status', ({ status }) => status),
  column.number('Planned hours', ({ planned_duration }) => planned_duration, 'sm'),
  column.number('Actual hours', ({ actual_duration }) => actual_duration, 'sm'),
  column.instant('Started', ({ started_at }) => started_at, 'sm'),
  column.instant('Done', ({ completed_at }) => completed_at, 'md'),
]

export function Tasks() {
  const api = useApi()
  const { search, filter, onClear } = useFilters(route)
  return (
    <ListPage
      title="Production tasks"
      query={listQuery(['production-tasks'], search, async (query, options) => {
        const { data, next_cursor } = await api.productionTasks.list(query, options)
        return { data: await withOrders(api, data, options), next_cursor }
      })}
      columns={columns}
      onClear={onClear}
      whenEmpty="There are no tasks. An order whose recipe has operations brings a task for each."
      filters={
        <>
          <CodesFilter label="Status" of={TASK_STATUSES} {...filter('status')} />
          <RecordFilter label="Operation" of={useOperations()} {...filter('operation_id')} />
        </>
      }
    />
  )
}

/** A task names its order by id alone. */
async function withOrders(
  api: ExactApi,
  tasks: readonly ProductionTask[],
  options: { readonly signal: AbortSignal },
): Promise<Row[]> {
  const ids = tasks.map(task => task.manufacturing_order_id)
  const found = await rowsOf(ids, id => api.manufacturingOrders.list({ id, limit: id.length }, options))
  const orders = new Map(found.map(order => [order.id, order]))
  return tasks.map(task => ({ ...task, order: orders.get(task.manufacturing_order_id) }))
}
