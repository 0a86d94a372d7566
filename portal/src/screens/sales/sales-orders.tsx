/** The list of sales orders. */
import type { SalesOrder } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { column, numberColumn } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { CodesFilter, DayFilter, PartnerFilter, TextFilter } from '../../patterns/filters.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { ListOf } from '../../patterns/list-of.tsx'
import { NewSalesOrder } from './new-sales-order.tsx'
import { DELIVERY_STATUSES, STATUSES } from './statuses.ts'

const route = getRouteApi('/sales-orders')

const columns: Columns<Exact<SalesOrder>> = [
  numberColumn('SALES_ORDER'),
  column.shown('Customer', ({ customer }) => customer.title),
  column.status('Status', ({ status }) => status, 'sm'),
  column.status('Delivery', ({ delivery_status }) => delivery_status),
  column.day('Due', ({ delivery_date }) => delivery_date, 'sm'),
  column.instant('Created', ({ created_date }) => created_date, 'md'),
  column.money('Total', ({ total_amount_with_tax, currency }) => [total_amount_with_tax, currency], 'sm'),
]

export const SalesOrders = () => (
  <ListOf
    title="Sales orders"
    route={route}
    name="sales-orders"
    of={api => api.salesOrders}
    columns={columns}
    actions={
      <>
        <PathLink to="/reservations">Holds</PathLink>
        <PathLink to="/sales-shipments">All shipments</PathLink>
        <NewSalesOrder />
      </>
    }
    whenEmpty="There are no sales orders yet. Make one here, or let your shop send them to POST /sales-orders."
    filters={filter => (
      <>
        <CodesFilter label="Status" of={STATUSES} {...filter('status')} />
        <CodesFilter label="Delivery" of={DELIVERY_STATUSES} {...filter('delivery_status')} />
        <PartnerFilter of="customers" label="Customer" {...filter('customer_id')} />
        <TextFilter label="Number" {...filter('number')} />
        <DayFilter label="Due from" {...filter('delivery_after')} />
        <DayFilter label="Due before" {...filter('delivery_before')} />
      </>
    )}
  />
)
