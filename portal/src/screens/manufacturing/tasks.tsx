/** The production tasks of all orders: what is to be done. */
import type { ProductionTask } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { listQuery } from '../../lists.ts'
import { column } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { CodesFilter, RecordFilter, useFilters } from '../../patterns/filters.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { useApi } from '../../session.tsx'
import { TASK_STATUSES } from './statuses.ts'

const route = getRouteApi('/production-tasks')

const columns: Columns<Exact<ProductionTask>> = [
  column.shown('Operation', ({ operation_title, manufacturing_order_id }) => (
    <DocumentLink kind="MANUFACTURING_ORDER" id={manufacturing_order_id} className="row-link wraps">
      {operation_title}
    </DocumentLink>
  )),
  column.status('Status', ({ status }) => status),
  column.quantity('Planned hours', ({ planned_duration }) => planned_duration),
  column.quantity('Actual hours', ({ actual_duration }) => actual_duration, 'sm'),
  column.instant('Started', ({ started_at }) => started_at, 'sm'),
  column.instant('Done', ({ completed_at }) => completed_at, 'md'),
]

const OPERATIONS_MAX = 1_000

export function Tasks() {
  const api = useApi()
  const { search, filter, onClear } = useFilters(route)
  const operations = useQuery({
    queryKey: ['operations', 'all'],
    queryFn: ({ signal }) => api.operations.list({ limit: 200 }, { signal }).toArray({ max: OPERATIONS_MAX }),
    staleTime: 300_000,
  })
  return (
    <ListPage
      title="Production tasks"
      query={listQuery(['production-tasks'], search, (query, options) => api.productionTasks.list(query, options))}
      columns={columns}
      onClear={onClear}
      whenEmpty="There are no tasks. An order whose recipe has operations brings a task for each."
      filters={
        <>
          <CodesFilter label="Status" of={TASK_STATUSES} {...filter('status')} />
          <RecordFilter label="Operation" of={operations.data ?? []} {...filter('operation_id')} />
        </>
      }
    />
  )
}
