/** The list of sales returns. */
import type { SalesReturn } from '@millrace/client'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { dayText, quantityText, Status } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { columnsOf } from '../../patterns/data-table.tsx'
import { CodesFilter, CustomerFilter, DayFilter, TextFilter } from '../../patterns/filters.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { linesText } from '../../patterns/what.tsx'
import { codesOf } from '../../search.ts'
import { useApi } from '../../session.tsx'
import { STATUSES } from './statuses.ts'

const route = getRouteApi('/sales-returns')

const column = columnsOf<Exact<SalesReturn>>()
const columns = column.columns([
  column.accessor(row => row.sales_return.number, {
    id: 'number',
    header: 'Number',
    cell: ({ row: { original } }) => (
      <Link className="row-link" to="/sales-returns/$id" params={{ id: original.sales_return.id }}>
        {original.sales_return.number}
      </Link>
    ),
  }),
  column.accessor(row => row.sales_return.status, {
    id: 'status',
    header: 'Status',
    cell: ({ getValue }) => <Status code={getValue()} />,
  }),
  column.accessor(row => row.sales_return.sales_order_number, { id: 'order', header: 'Sales order' }),
  column.accessor('items', {
    header: 'What',
    cell: ({ getValue }) => linesText(getValue()),
    meta: { visibleFrom: 'sm' },
  }),
  column.accessor(row => row.sales_return.created_date, {
    id: 'created',
    header: 'Created',
    cell: ({ getValue }) => dayText(getValue()),
    meta: { visibleFrom: 'sm' },
  }),
  column.accessor(row => row.sales_return.return_date, {
    id: 'returned',
    header: 'Returned',
    cell: ({ getValue }) => dayText(getValue()),
    meta: { visibleFrom: 'md' },
  }),
  // In the currency of its order, which the list does not tell.
  column.accessor(row => row.sales_return.refund_amount, {
    id: 'refund',
    header: 'Refund',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right', visibleFrom: 'md' },
  }),
])

export function SalesReturns() {
  const api = useApi()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof typeof search) => (value: string | undefined) =>
    navigate({ search: before => ({ ...before, [name]: value }), replace: true })
  const { order, status, ...filters } = search
  const query = listQuery(['sales-returns'], search, (paged, options) =>
    api.salesReturns.list(
      {
        ...filters,
        ...paged,
        status: codesOf<(typeof STATUSES)[number]>(status),
        order: order === 'asc' ? 'asc' : 'desc',
      },
      options,
    ),
  )
  const isFiltered = Object.values(search).some(value => value !== undefined)
  return (
    <ListPage
      title="Sales returns"
      query={query}
      columns={columns}
      rowId={row => row.sales_return.id}
      onClear={isFiltered ? () => navigate({ search: {} }) : undefined}
      whenEmpty="Nothing has come back yet. Open a shipped sales order and announce what returns of it."
      filters={
        <>
          <CodesFilter label="Status" of={STATUSES} value={search.status} onChange={set('status')} />
          <CustomerFilter value={search.customer_id} onChange={set('customer_id')} />
          <TextFilter label="Number" value={search.number} onChange={set('number')} />
          <DayFilter label="Created from" value={search.created_after} onChange={set('created_after')} />
          <DayFilter label="Created before" value={search.created_before} onChange={set('created_before')} />
        </>
      }
    />
  )
}
