/** Sales orders: their list, and a page each with lines, totals, what happened to the order, and its steps. */
import { dayText, Instant, quantityText } from '../../format.tsx'
import { addressOf } from '../../patterns/addresses.tsx'
import { amountColumns, type Columns as ColumnsOf, column, numberColumn } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { ButtonLink, linkTo, PathLink, What } from '../../patterns/links.tsx'
import { OrderStatuses, type Priced, PricedLines } from '../../patterns/priced-order.tsx'
import type { SalesOrder as Order } from '../../records.ts'
import { NewSalesReturn } from '../returns/new-sales-return.tsx'
import { type Coverage, Covered, useCoverage } from './coverage.tsx'
import { NewSalesOrder } from './new-sales-order.tsx'
import { salesOrders } from './nouns.ts'
import { SalesOrderSteps } from './steps.tsx'
import { SalesOrderTimeline } from './timeline.tsx'

export const { List, Page } = documentScreens(salesOrders, {
  columns: [
    numberColumn(salesOrders),
    column.shown('Customer', ({ customer }) => customer.title),
    column.status('Status', ({ status }) => status, 'sm'),
    column.status('Delivery', ({ delivery_status }) => delivery_status),
    column.day('Due', ({ delivery_date }) => delivery_date, 'sm'),
    column.instant('Created', ({ created_date }) => created_date, 'md'),
    column.money('Total', ({ total_amount_with_tax, currency }) => [total_amount_with_tax, currency], 'sm'),
  ],
  actions: (
    <>
      <PathLink to="/reservations">Holds</PathLink>
      <PathLink to="/sales-shipments">All shipments</PathLink>
      <NewSalesOrder />
    </>
  ),
  whenEmpty: 'There are no sales orders yet. Make one here, or let your shop send them to POST /sales-orders.',
  useMore: useCoverage,
  status: order => <OrderStatuses of={order} />,
  steps: order => (
    <>
      <SalesOrderSteps order={order} />
      <NewSalesReturn order={order} />
      {order.status === 'OPEN' && <ButtonLink to={`/print/pick-lists/${order.id}`}>Pick list</ButtonLink>}
    </>
  ),
  facts: order => [
    ['Customer', linkTo('CUSTOMER', order.customer.id, order.customer.title)],
    ['Country', order.customer.country_code],
    ['Ship to', addressOf(order.shipping_address)],
    ['Bill to', addressOf(order.billing_address)],
    ['Ordered', order.ordered_at && dayText(order.ordered_at)],
    ['Due', order.delivery_date && dayText(order.delivery_date)],
    ['Priority', quantityText(order.priority)],
    ['Reference', order.external_ref],
    ['Created', <Instant key="created" at={order.created_date} />],
    ['Shipped', order.shipped_at && <Instant at={order.shipped_at} />],
    ['Cancelled', order.cancelled_at && <Instant at={order.cancelled_at} />],
    ['Cancelled by', order.cancelled_by_user_name],
    ['Reason', order.cancel_reason],
    ['Notes', order.notes],
  ],
  related: (order, coverage) => {
    const items = order.items.map(item => ({ ...item, coverage: coverage.get(item.id) }))
    return <PricedLines of={{ ...order, items }} columns={columns} />
  },
  beside: order => <SalesOrderTimeline order={order} />,
})

type Line = Priced<Order['items'][number] & { readonly coverage: Coverage | undefined }>

const columns: ColumnsOf<Line> = [
  column.shown('What', line => (
    <>
      <What {...line} />
      {line.coverage && <Covered of={line.coverage} />}
    </>
  )),
  column.place('From', ({ storage_place_id }) => storage_place_id, 'md'),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.quantity('Packed', ({ packed_quantity }) => packed_quantity),
  column.quantity('Shipped', ({ shipped_quantity }) => shipped_quantity),
  ...amountColumns,
]
