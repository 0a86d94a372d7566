/** The production tasks of all orders: what is to be done. */
import type { ProductionTask } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { Instant, quantityText, Status } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { columnsOf } from '../../patterns/data-table.tsx'
import { CodesFilter, RecordFilter } from '../../patterns/filters.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { codesOf } from '../../search.ts'
import { useApi } from '../../session.tsx'
import { TASK_STATUSES } from './statuses.ts'

const route = getRouteApi('/production-tasks')

const column = columnsOf<Exact<ProductionTask>>()
const columns = column.columns([
  column.accessor('operation_title', {
    header: 'Operation',
    cell: ({ row: { original } }) => (
      <Link className="row-link title" to="/manufacturing-orders/$id" params={{ id: original.manufacturing_order_id }}>
        {original.operation_title}
      </Link>
    ),
  }),
  column.accessor('status', { header: 'Status', cell: ({ getValue }) => <Status code={getValue()} /> }),
  column.accessor('planned_duration', {
    header: 'Planned hours',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  column.accessor('actual_duration', {
    header: 'Actual hours',
    cell: ({ row: { original } }) => (original.actual_duration === null ? '–' : quantityText(original.actual_duration)),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
  column.accessor('started_at', {
    header: 'Started',
    cell: ({ getValue }) => <Instant at={getValue()} />,
    meta: { visibleFrom: 'sm' },
  }),
  column.accessor('completed_at', {
    header: 'Done',
    cell: ({ getValue }) => <Instant at={getValue()} />,
    meta: { visibleFrom: 'md' },
  }),
])

const OPERATIONS_MAX = 1_000

export function Tasks() {
  const api = useApi()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof typeof search) => (value: string | undefined) =>
    navigate({ search: before => ({ ...before, [name]: value }), replace: true })
  const operations = useQuery({
    queryKey: ['operations', 'all'],
    queryFn: ({ signal }) => api.operations.list({ limit: 200 }, { signal }).toArray({ max: OPERATIONS_MAX }),
    staleTime: 300_000,
  })
  const { order, status, ...filters } = search
  const query = listQuery(['production-tasks'], search, (paged, options) =>
    api.productionTasks.list(
      {
        ...filters,
        ...paged,
        status: codesOf<(typeof TASK_STATUSES)[number]>(status),
        order: order === 'asc' ? 'asc' : 'desc',
      },
      options,
    ),
  )
  const isFiltered = Object.values(search).some(value => value !== undefined)
  return (
    <ListPage
      title="Production tasks"
      query={query}
      columns={columns}
      rowId={({ id }) => id}
      onClear={isFiltered ? () => navigate({ search: {} }) : undefined}
      whenEmpty="There are no tasks. An order whose recipe has operations brings a task for each."
      filters={
        <>
          <CodesFilter label="Status" of={TASK_STATUSES} value={search.status} onChange={set('status')} />
          <RecordFilter
            label="Operation"
            of={operations.data ?? []}
            value={search.operation_id}
            onChange={set('operation_id')}
          />
        </>
      }
    />
  )
}
