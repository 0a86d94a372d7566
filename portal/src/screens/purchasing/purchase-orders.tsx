/** The list of purchase orders. */
import type { PurchaseOrder } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { listQuery } from '../../lists.ts'
import { column, numberColumn } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { CodesFilter, DayFilter, PartnerFilter, TextFilter, useFilters } from '../../patterns/filters.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { useApi } from '../../session.tsx'
import { NewPurchaseOrder } from './new-purchase-order.tsx'
import { DELIVERY_STATUSES, STATUSES } from './statuses.ts'

const route = getRouteApi('/purchase-orders')

const columns: Columns<Exact<PurchaseOrder>> = [
  numberColumn('PURCHASE_ORDER'),
  column.shown('Supplier', ({ supplier }) => supplier.title),
  column.status('Status', ({ status }) => status, 'sm'),
  column.status('Delivery', ({ delivery_status }) => delivery_status),
  column.day('Expected', ({ expected_date }) => expected_date, 'sm'),
  column.day('Ordered', ({ date }) => date, 'md'),
  column.money('Total', ({ total_amount_with_tax, currency }) => [total_amount_with_tax, currency], 'sm'),
]

export function PurchaseOrders() {
  const api = useApi()
  const { search, filter, onClear } = useFilters(route)
  return (
    <ListPage
      title="Purchase orders"
      query={listQuery(['purchase-orders'], search, (query, options) => api.purchaseOrders.list(query, options))}
      columns={columns}
      actions={
        <>
          <PathLink to="/purchase-receipts">All receipts</PathLink>
          <PathLink to="/landed-costs">Landed costs</PathLink>
          <NewPurchaseOrder />
        </>
      }
      onClear={onClear}
      whenEmpty="There are no purchase orders yet. Make one here, or send them to POST /purchase-orders."
      filters={
        <>
          <CodesFilter label="Status" of={STATUSES} {...filter('status')} />
          <CodesFilter label="Delivery" of={DELIVERY_STATUSES} {...filter('delivery_status')} />
          <PartnerFilter of="suppliers" label="Supplier" {...filter('supplier_id')} />
          <TextFilter label="Number" {...filter('number')} />
          <DayFilter label="Expected from" {...filter('expected_after')} />
          <DayFilter label="Expected before" {...filter('expected_before')} />
        </>
      }
    />
  )
}
