/** The list of sales orders. */
import type { SalesOrder } from '@millrace/client'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { dayText, moneyText, Status } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { columnsOf } from '../../patterns/data-table.tsx'
import { CodesFilter, CustomerFilter, DayFilter, TextFilter } from '../../patterns/filters.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { PathLink } from '../../patterns/path-link.tsx'
import { codesOf } from '../../search.ts'
import { useApi } from '../../session.tsx'
import { NewSalesOrder } from './new-sales-order.tsx'
import { DELIVERY_STATUSES, STATUSES } from './statuses.ts'

const route = getRouteApi('/sales-orders')

const column = columnsOf<Exact<SalesOrder>>()
const columns = column.columns([
  column.accessor('number', {
    header: 'Number',
    cell: ({ row: { original } }) => (
      <Link className="row-link" to="/sales-orders/$id" params={{ id: original.id }}>
        {original.number}
      </Link>
    ),
  }),
  column.accessor(({ customer }) => customer.title, { id: 'customer', header: 'Customer' }),
  column.accessor('status', {
    header: 'Status',
    cell: ({ getValue }) => <Status code={getValue()} />,
    meta: { visibleFrom: 'sm' },
  }),
  column.accessor('delivery_status', { header: 'Delivery', cell: ({ getValue }) => <Status code={getValue()} /> }),
  column.accessor('delivery_date', {
    header: 'Due',
    cell: ({ getValue }) => dayText(getValue()),
    meta: { visibleFrom: 'sm' },
  }),
  column.accessor('created_date', {
    header: 'Created',
    cell: ({ getValue }) => dayText(getValue()),
    meta: { visibleFrom: 'md' },
  }),
  column.accessor('total_amount_with_tax', {
    header: 'Total',
    cell: ({ row: { original } }) => moneyText(original.total_amount_with_tax, original.currency),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
])

export function SalesOrders() {
  const api = useApi()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof typeof search) => (value: string | undefined) =>
    navigate({ search: before => ({ ...before, [name]: value }), replace: true })
  const { order, status, delivery_status, ...filters } = search
  const query = listQuery(['sales-orders'], search, (paged, options) =>
    api.salesOrders.list(
      {
        ...filters,
        ...paged,
        status: codesOf<(typeof STATUSES)[number]>(status),
        delivery_status: codesOf<(typeof DELIVERY_STATUSES)[number]>(delivery_status),
        order: order === 'asc' ? 'asc' : 'desc',
      },
      options,
    ),
  )
  const isFiltered = Object.values(search).some(value => value !== undefined)
  return (
    <ListPage
      title="Sales orders"
      query={query}
      columns={columns}
      rowId={({ id }) => id}
      actions={
        <>
          <PathLink to="/sales-shipments">All shipments</PathLink>
          <NewSalesOrder />
        </>
      }
      onClear={isFiltered ? () => navigate({ search: {} }) : undefined}
      whenEmpty="There are no sales orders yet. Make one here, or let your shop send them to POST /sales-orders."
      filters={
        <>
          <CodesFilter label="Status" of={STATUSES} value={search.status} onChange={set('status')} />
          <CodesFilter
            label="Delivery"
            of={DELIVERY_STATUSES}
            value={search.delivery_status}
            onChange={set('delivery_status')}
          />
          <CustomerFilter value={search.customer_id} onChange={set('customer_id')} />
          <TextFilter label="Number" value={search.number} onChange={set('number')} />
          <DayFilter label="Due from" value={search.delivery_after} onChange={set('delivery_after')} />
          <DayFilter label="Due before" value={search.delivery_before} onChange={set('delivery_before')} />
        </>
      }
    />
  )
}
