/** A sales order: its lines, totals, what happened to it, and its steps. */
import type { SalesOrder as Order } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { dayText, Instant, quantityText } from '../../format.tsx'
import { addressOf } from '../../patterns/addresses.tsx'
import { amountColumns, column } from '../../patterns/columns.tsx'
import type { Columns as ColumnsOf } from '../../patterns/data-table.tsx'
import { Columns, RecordOf, RecordPage } from '../../patterns/detail-page.tsx'
import { ButtonLink, DocumentLink, What } from '../../patterns/links.tsx'
import { OrderStatuses, type Priced, PricedLines } from '../../patterns/priced-order.tsx'
import { NewSalesReturn } from '../returns/new-sales-return.tsx'
import { type Coverage, Covered, useCoverage } from './coverage.tsx'
import { SalesOrderSteps } from './steps.tsx'
import { SalesOrderTimeline } from './timeline.tsx'

const route = getRouteApi('/sales-orders/$id')

type Line = Priced<Exact<Order>['items'][number] & { readonly coverage: Coverage | undefined }>

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

export const SalesOrder = () => (
  <RecordOf route={route} kind="Sales order" name="sales-orders" of={api => api.salesOrders}>
    {order => <Shown order={order} />}
  </RecordOf>
)

function Shown({ order }: { readonly order: Exact<Order> }) {
  const { customer, items } = order
  const coverage = useCoverage(order)
  const lines = { ...order, items: items.map(item => ({ ...item, coverage: coverage.get(item.id) })) }
  return (
    <RecordPage
      title={order.number}
      of={order}
      status={<OrderStatuses of={order} />}
      steps={
        <>
          <SalesOrderSteps order={order} />
          <NewSalesReturn order={order} />
          {order.status === 'OPEN' && <ButtonLink to={`/print/pick-lists/${order.id}`}>Pick list</ButtonLink>}
        </>
      }
      facts={[
        [
          'Customer',
          <DocumentLink key="customer" kind="CUSTOMER" id={customer.id}>
            {customer.title}
          </DocumentLink>,
        ],
        ['Country', customer.country_code],
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
      ]}
    >
      <Columns wide={<PricedLines of={lines} columns={columns} />} narrow={<SalesOrderTimeline order={order} />} />
    </RecordPage>
  )
}
