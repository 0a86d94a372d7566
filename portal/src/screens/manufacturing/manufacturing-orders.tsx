/** The list of manufacturing orders. */
import type { ManufacturingOrder } from '@millrace/client'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { dayText, quantityText, Status, words } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { columnsOf } from '../../patterns/data-table.tsx'
import { CodeFilter, CodesFilter, DayFilter, TextFilter, VariantFilter } from '../../patterns/filters.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { PathLink } from '../../patterns/path-link.tsx'
import { variantTitle } from '../../patterns/what.tsx'
import { codesOf } from '../../search.ts'
import { useApi } from '../../session.tsx'
import { NewManufacturingOrder } from './new-manufacturing-order.tsx'
import { STATUSES, TYPES } from './statuses.ts'

const route = getRouteApi('/manufacturing-orders')

const column = columnsOf<Exact<ManufacturingOrder>>()
const columns = column.columns([
  column.accessor('number', {
    header: 'Number',
    cell: ({ row: { original } }) => (
      <Link className="row-link" to="/manufacturing-orders/$id" params={{ id: original.id }}>
        {original.number}
      </Link>
    ),
  }),
  column.accessor(({ item_variant }) => variantTitle(item_variant), { id: 'what', header: 'What' }),
  column.accessor('status', { header: 'Status', cell: ({ getValue }) => <Status code={getValue()} /> }),
  column.accessor('quantity', {
    header: 'Planned',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
  column.accessor('released_quantity', {
    header: 'Made',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
  column.accessor('planned_start_date', {
    header: 'Starts',
    cell: ({ getValue }) => dayText(getValue()),
    meta: { visibleFrom: 'sm' },
  }),
  column.accessor('production_date', {
    header: 'Due',
    cell: ({ getValue }) => dayText(getValue()),
    meta: { visibleFrom: 'md' },
  }),
  column.accessor('type', {
    header: 'For',
    cell: ({ getValue }) => words(getValue()).replace('Make to ', ''),
    meta: { visibleFrom: 'md' },
  }),
])

export function ManufacturingOrders() {
  const api = useApi()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof typeof search) => (value: string | undefined) =>
    navigate({ search: before => ({ ...before, [name]: value }), replace: true })
  const { order, status, type, ...filters } = search
  const query = listQuery(['manufacturing-orders'], search, (paged, options) =>
    api.manufacturingOrders.list(
      {
        ...filters,
        ...paged,
        status: codesOf<(typeof STATUSES)[number]>(status),
        type: codesOf<(typeof TYPES)[number]>(type)?.[0],
        order: order === 'asc' ? 'asc' : 'desc',
      },
      options,
    ),
  )
  const isFiltered = Object.values(search).some(value => value !== undefined)
  return (
    <ListPage
      title="Manufacturing orders"
      query={query}
      columns={columns}
      rowId={({ id }) => id}
      actions={
        <>
          <PathLink to="/production-tasks">All tasks</PathLink>
          <NewManufacturingOrder />
        </>
      }
      onClear={isFiltered ? () => navigate({ search: {} }) : undefined}
      whenEmpty="Nothing is made yet. Make an order here, or send them to POST /manufacturing-orders."
      filters={
        <>
          <CodesFilter label="Status" of={STATUSES} value={search.status} onChange={set('status')} />
          <CodeFilter label="Kind" of={TYPES} value={search.type} onChange={set('type')} />
          <VariantFilter value={search.item_variant_id} onChange={set('item_variant_id')} of="is_producible" />
          <TextFilter label="Number" value={search.number} onChange={set('number')} />
          <DayFilter label="Starts from" value={search.planned_start_after} onChange={set('planned_start_after')} />
          <DayFilter label="Starts before" value={search.planned_start_before} onChange={set('planned_start_before')} />
        </>
      }
    />
  )
}
