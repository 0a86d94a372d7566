/** The list of purchase orders. */
import type { PurchaseOrder } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { column, numberColumn } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { CodesFilter, DayFilter, PartnerFilter, TextFilter } from '../../patterns/filters.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { ListOf } from '../../patterns/list-of.tsx'
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

export const PurchaseOrders = () => (
  <ListOf
    title="Purchase orders"
    route={route}
    name="purchase-orders"
    of={api => api.purchaseOrders}
    columns={columns}
    actions={
      <>
        <PathLink to="/purchase-receipts">All receipts</PathLink>
        <PathLink to="/landed-costs">Landed costs</PathLink>
        <NewPurchaseOrder />
      </>
    }
    whenEmpty="There are no purchase orders yet. Make one here, or send them to POST /purchase-orders."
    filters={filter => (
      <>
        <CodesFilter label="Status" of={STATUSES} {...filter('status')} />
        <CodesFilter label="Delivery" of={DELIVERY_STATUSES} {...filter('delivery_status')} />
        <PartnerFilter of="suppliers" label="Supplier" {...filter('supplier_id')} />
        <TextFilter label="Number" {...filter('number')} />
        <DayFilter label="Expected from" {...filter('expected_after')} />
        <DayFilter label="Expected before" {...filter('expected_before')} />
      </>
    )}
  />
)
