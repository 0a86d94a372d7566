/** The list of purchase orders. */
import type { PurchaseOrder } from '@millrace/client'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { dayText, moneyText, Status } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { columnsOf } from '../../patterns/data-table.tsx'
import { CodesFilter, DayFilter, SupplierFilter, TextFilter } from '../../patterns/filters.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { PathLink } from '../../patterns/path-link.tsx'
import { codesOf } from '../../search.ts'
import { useApi } from '../../session.tsx'
import { NewPurchaseOrder } from './new-purchase-order.tsx'
import { DELIVERY_STATUSES, STATUSES } from './statuses.ts'

const route = getRouteApi('/purchase-orders')

const column = columnsOf<Exact<PurchaseOrder>>()
const columns = column.columns([
  column.accessor('number', {
    header: 'Number',
    cell: ({ row: { original } }) => (
      <Link className="row-link" to="/purchase-orders/$id" params={{ id: original.id }}>
        {original.number}
      </Link>
    ),
  }),
  column.accessor(({ supplier }) => supplier.title, { id: 'supplier', header: 'Supplier' }),
  column.accessor('status', {
    header: 'Status',
    cell: ({ getValue }) => <Status code={getValue()} />,
    meta: { visibleFrom: 'sm' },
  }),
  column.accessor('delivery_status', { header: 'Delivery', cell: ({ getValue }) => <Status code={getValue()} /> }),
  column.accessor('expected_date', {
    header: 'Expected',
    cell: ({ getValue }) => dayText(getValue()),
    meta: { visibleFrom: 'sm' },
  }),
  column.accessor('date', {
    header: 'Ordered',
    cell: ({ getValue }) => dayText(getValue()),
    meta: { visibleFrom: 'md' },
  }),
  column.accessor('total_amount_with_tax', {
    header: 'Total',
    cell: ({ row: { original } }) => moneyText(original.total_amount_with_tax, original.currency),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
])

export function PurchaseOrders() {
  const api = useApi()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof typeof search) => (value: string | undefined) =>
    navigate({ search: before => ({ ...before, [name]: value }), replace: true })
  const { order, status, delivery_status, ...filters } = search
  const query = listQuery(['purchase-orders'], search, (paged, options) =>
    api.purchaseOrders.list(
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
      title="Purchase orders"
      query={query}
      columns={columns}
      rowId={({ id }) => id}
      actions={
        <>
          <PathLink to="/purchase-receipts">All receipts</PathLink>
          <NewPurchaseOrder />
        </>
      }
      onClear={isFiltered ? () => navigate({ search: {} }) : undefined}
      whenEmpty="There are no purchase orders yet. Make one here, or send them to POST /purchase-orders."
      filters={
        <>
          <CodesFilter label="Status" of={STATUSES} value={search.status} onChange={set('status')} />
          <CodesFilter
            label="Delivery"
            of={DELIVERY_STATUSES}
            value={search.delivery_status}
            onChange={set('delivery_status')}
          />
          <SupplierFilter value={search.supplier_id} onChange={set('supplier_id')} />
          <TextFilter label="Number" value={search.number} onChange={set('number')} />
          <DayFilter label="Expected from" value={search.expected_after} onChange={set('expected_after')} />
          <DayFilter label="Expected before" value={search.expected_before} onChange={set('expected_before')} />
        </>
      }
    />
  )
}
