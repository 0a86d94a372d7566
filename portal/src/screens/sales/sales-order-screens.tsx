/** Sales orders: their list, and a page for each with lines, totals, history and steps. */
import { isZero, sum } from '../../exact.ts'
import { dayText, Instant, moneyText, quantityText } from '../../format.tsx'
import { addressOf } from '../../patterns/addresses.tsx'
import { column, numberColumn } from '../../patterns/columns.tsx'
import { type Columns, TableSection } from '../../patterns/data-table.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { ButtonLink, linkTo } from '../../patterns/links.tsx'
import { OrderStatuses, PricedLines, type ShownCharge } from '../../patterns/priced-order.tsx'
import { useRelated } from '../../patterns/related.tsx'
import { taxTexts, taxWords } from '../../patterns/taxes.tsx'
import { variantTitle } from '../../patterns/titles.ts'
import type { ManufacturingOrder, SalesOrder as Order, SalesReturn } from '../../records.ts'
import { manufacturingOrders } from '../manufacturing/nouns.ts'
import { NewSalesReturn } from '../returns/new-sales-return.tsx'
import { ReturnsOfOrder, refundedOf, returnedOf, useReturns } from '../returns/of-order.tsx'
import { columnsFor } from './columns.tsx'
import { CanShip, useCovering } from './coverage.tsx'
import { needsOf } from './coverage-rules.ts'
import { ManyOrders } from './many.tsx'
import { NewSalesOrder } from './new-sales-order.tsx'
import { salesOrders } from './nouns.ts'
import { roundingModes, roundings } from './price-mode.tsx'
import { SalesOrderSteps } from './steps.tsx'
import { happeningsOf, useDocuments } from './timeline.tsx'

const madeColumns: Columns<ManufacturingOrder> = [
  numberColumn(manufacturingOrders),
  column.shown('What', ({ item_variant }) => variantTitle(item_variant)),
  column.status('Status', ({ status }) => status),
  column.quantity('Planned', ({ quantity }) => quantity, 'sm'),
  column.day('Due', ({ production_date }) => production_date, 'sm'),
]

export const { List, Page } = documentScreens(salesOrders, {
  columns: [
    numberColumn(salesOrders),
    column.shown('Customer', ({ customer }) => customer.title),
    column.status('Status', ({ status }) => status, 'sm'),
    { header: 'Availability', cell: order => <CanShip order={order} /> },
    column.status('Delivery', ({ delivery_status }) => delivery_status, 'sm'),
    column.day('Due', ({ delivery_date }) => delivery_date, 'sm'),
    column.instant('Created', ({ created_date }) => created_date, 'xl'),
    column.money('Total', ({ total_amount_with_tax, currency }) => [total_amount_with_tax, currency], 'sm'),
  ],
  actions: <NewSalesOrder />,
  many: orders => <ManyOrders orders={orders} />,
  whenEmpty: 'There are no sales orders yet. Make one here, or let your shop send them to POST /sales-orders.',
  useMore: order => ({
    covering: useCovering(order, needsOf(order)),
    returns: useReturns(order),
    documents: useDocuments(order),
    made: useRelated(manufacturingOrders, { sales_order_id: order.id }),
  }),
  status: order => <OrderStatuses of={order} />,
  steps: (order, { returns }) => (
    <>
      <SalesOrderSteps order={order} />
      <NewSalesReturn order={order} returns={returns} />
      {order.status === 'OPEN' && (
        <>
          <ButtonLink to="/sales-orders/pick" search={{ ids: order.id }}>
            Pick
          </ButtonLink>
          <ButtonLink to={`/print/pick-lists/${order.id}`}>Pick list</ButtonLink>
        </>
      )}
    </>
  ),
  facts: (order, { returns }) => [
    ['Customer', linkTo('CUSTOMER', order.customer.id, order.customer.title)],
    ['Country', order.customer.country_code],
    ['Ship to', addressOf(order.shipping_address)],
    ['Bill to', addressOf(order.billing_address)],
    ['Ordered', order.ordered_at && dayText(order.ordered_at)],
    ['Due', order.delivery_date && dayText(order.delivery_date)],
    ['Priority', isZero(order.priority) ? null : quantityText(order.priority)],
    ['Reference', order.external_ref],
    ['Prices', taxWords(order.prices_include_tax)],
    ['Taxes are rounded', roundingText(order)],
    ['Exchange rate', order.exchange_rate === '1' ? null : order.exchange_rate && quantityText(order.exchange_rate)],
    ...refundFacts(order, returns),
    ['Created', <Instant key="created" at={order.created_date} />],
    ['Shipped', order.shipped_at && <Instant at={order.shipped_at} />],
    ['Cancelled', order.cancelled_at && <Instant at={order.cancelled_at} />],
    ['Cancelled by', order.cancelled_by_user_name],
    ['Reason', order.cancel_reason],
    ['Notes', order.notes],
  ],
  related: (order, { covering, returns = [], made }) => {
    const items = order.items.map(item => ({
      ...item,
      sale: order,
      covering: covering(item.id),
      ...returnedOf(item.id, returns),
    }))
    const hasReturns = items.some(({ returned, awaited }) => !isZero(sum([returned, awaited])))
    return (
      <>
        <PricedLines
          of={{ ...order, items, charges: order.charges.map(chargeOf(order)) }}
          columns={columnsFor(order, hasReturns)}
        />
        {made.length > 0 && <TableSection title="Made to order" columns={madeColumns} rows={made} leads />}
        <ReturnsOfOrder order={order} returns={returns} />
      </>
    )
  },
  beside: (_, { documents: { error, refetch } }) =>
    error && <Failure error={error} title="Its packings and shipments could not be read" onRetry={() => refetch()} />,
  history: happeningsOf,
})

/** Null for the usual rounding: each line, to the nearest. */
const roundingText = ({ tax_rounding: where, tax_rounding_mode: how }: Order): string | null =>
  where === 'LINE' && how === 'HALF_UP' ? null : `${roundings[where]}, ${roundingModes[how].toLowerCase()}`

/** Empty for an order without refunds. */
function refundFacts(order: Order, returns: readonly SalesReturn[] = []): [string, string][] {
  const { refunded, left } = refundedOf(order, returns)
  if (isZero(refunded)) return []
  return [
    ['Refunded with tax', moneyText(refunded, order.currency)],
    ['Left to refund with tax', moneyText(left, order.currency)],
  ]
}

const chargeOf =
  ({ prices_include_tax, currency }: Order) =>
  (charge: Order['charges'][number]): ShownCharge => ({
    id: charge.id,
    title: charge.title,
    amount: prices_include_tax ? charge.amount_with_tax : charge.amount,
    notes: [
      `${taxWords(prices_include_tax)}; tax ${taxTexts(charge, currency).join(', ')}`,
      ...(charge.external_ref === null ? [] : [`Reference ${charge.external_ref}`]),
    ],
  })
