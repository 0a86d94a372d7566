/** Purchase orders: their list, and a page for each with its lines, receipts and steps. */
import { Group } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ExactApi } from '../../exact.ts'
import { dayText, Instant, moneyText, quantityText } from '../../format.tsx'
import { amountColumns, type Columns, column, numberColumn } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { type Happening, reversalOf } from '../../patterns/history.tsx'
import { ButtonLink, DocumentLink, linkTo } from '../../patterns/links.tsx'
import { TablePanel } from '../../patterns/panel.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { OrderStatuses, type Priced, PricedLines } from '../../patterns/priced-order.tsx'
import { Related, useRelated } from '../../patterns/related.tsx'
import { Reversed } from '../../patterns/reversal.tsx'
import { Lines } from '../../patterns/units.tsx'
import type { LandedCost, PurchaseOrder as Order, PurchaseReceipt as Receipt } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { BookLandedCost } from './book-landed-cost.tsx'
import { landedColumns } from './landed-cost-screens.tsx'
import { NewPurchaseOrder } from './new-purchase-order.tsx'
import { landedCosts, purchaseOrders } from './nouns.ts'
import { PurchaseOrderSteps, ReverseReceipt } from './steps.tsx'

const DOCUMENTS_MAX = 200

export const { List, Page } = documentScreens(purchaseOrders, {
  columns: [
    numberColumn(purchaseOrders),
    column.shown('Supplier', ({ supplier }) => supplier.title),
    column.status('Status', ({ status }) => status, 'sm'),
    column.status('Delivery', ({ delivery_status }) => delivery_status),
    column.day('Expected', ({ expected_date }) => expected_date, 'sm'),
    column.day('Ordered', ({ date }) => date, 'md'),
    column.money('Total', ({ total_amount_with_tax, currency }) => [total_amount_with_tax, currency], 'sm'),
  ],
  actions: <NewPurchaseOrder />,
  whenEmpty: 'There are no purchase orders yet. Make one here, or send them to POST /purchase-orders.',
  useMore: useDocuments,
  status: order => <OrderStatuses of={order} />,
  steps: order => (
    <>
      <PurchaseOrderSteps order={order} />
      <ButtonLink to={`/print/purchase-orders/${order.id}`}>Print</ButtonLink>
    </>
  ),
  facts: (order, { me }) => [
    ['Supplier', linkTo('SUPPLIER', order.supplier.id, order.supplier.title)],
    ['Country', order.supplier.country_code],
    ['Ordered', dayText(order.date)],
    ['Expected', order.expected_date && dayText(order.expected_date)],
    ['At', order.storage_place_id && <PlaceTitle id={order.storage_place_id} />],
    ['Currency', order.currency === me.currency ? null : `${order.currency}, at ${quantityText(order.exchange_rate)}`],
    ['Reference', order.external_ref],
    ['Completed', order.completed_at && <Instant at={order.completed_at} />],
    ['Closed because', order.close_reason],
    ['Notes', order.notes],
  ],
  related: (order, { api, landed }) => (
    <>
      <PricedLines of={order} columns={columns} />
      <TablePanel
        title="Receipts"
        scope="read:purchase"
        query={receiptsQuery(api, order.id)}
        columns={receivedColumns}
        rows={receipts =>
          receipts.flatMap(receipt =>
            receipt.items.map((item, index) => ({
              ...item,
              receipt,
              more: index === 0 && <OfReceipt receipt={receipt} order={order} landed={landed} />,
            })),
          )
        }
        whenEmpty="Nothing has arrived yet. Receive books what does, whole or in part."
      />
      <Related
        of={landedCosts}
        by={landedOf(order)}
        columns={landedColumns}
        whenEmpty="No freight or duty has been booked on a receipt of this order."
      />
    </>
  ),
  history: (order, { receipts }) => happeningsOf(order, receipts),
})

function useDocuments(order: Order) {
  const { api, me } = useSession()
  const { data: receipts = [] } = useQuery(receiptsQuery(api, order.id))
  return { api, me, receipts, landed: useRelated(landedCosts, landedOf(order)) }
}

const receiptsQuery = (api: ExactApi, id: string) =>
  queryOptions({
    queryKey: ['purchase-receipts', 'of', id] as readonly unknown[],
    queryFn: async ({ signal }) =>
      (await api.purchaseOrders.listReceipts(id, { limit: DOCUMENTS_MAX }, { signal })).data,
  })

const landedOf = ({ id }: Order) => ({ purchase_order_id: id, order: 'asc', limit: DOCUMENTS_MAX }) as const

const columns: Columns<Priced<Order['items'][number]>> = [
  column.what('What', line => line),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.quantity('Received', ({ received_quantity }) => received_quantity),
  column.shown(
    'Bought as',
    ({ purchase_quantity: quantity, purchase_unit_name: unit, purchase_price: price, currency }) =>
      quantity &&
      `${quantityText(quantity)} × ${unit ?? 'purchase unit'}${price ? ` at ${moneyText(price, currency)}` : ''}`,
    'md',
  ),
  ...amountColumns,
]

type Received = Receipt['items'][number] & {
  readonly receipt: Receipt
  /** The receipt's landed costs and its steps; only in its first line. */
  readonly more: ReactNode
}

const receivedColumns: Columns<Received> = [
  column.shown('Receipt', ({ receipt, more }) => (
    <>
      <span className="whole">{receipt.number}</span> {more}
      <Reversed of={receipt} />
    </>
  )),
  column.what('What', ({ title, sku }) => ({ title, sku })),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.batch('Batch', line => line),
  column.day('Expires', ({ expiry_date }) => expiry_date, 'md'),
  column.shown(
    'At',
    ({ receipt, quarantine }) => (
      <>
        <PlaceTitle id={receipt.storage_place_id} />
        {quarantine && ', in quarantine'}
      </>
    ),
    'sm',
  ),
]

type OfReceiptProps = {
  readonly receipt: Receipt
  readonly order: Order
  readonly landed: readonly LandedCost[]
}

const OfReceipt = ({ receipt, order, landed }: OfReceiptProps) => (
  <Group gap={4}>
    {landed
      .filter(({ purchase_receipt_id }) => purchase_receipt_id === receipt.id)
      .map(({ id, number, reversed_at }) => (
        <DocumentLink key={id} kind="LANDED_COST" id={id} className="whole">
          {reversed_at === null ? number : `${number}, reversed`}
        </DocumentLink>
      ))}
    <BookLandedCost receipt={receipt} />
    <ReverseReceipt receipt={receipt} order={order} />
  </Group>
)

function happeningsOf(order: Order, receipts: readonly Receipt[]): Happening[] {
  const isClosed = order.status === 'DONE' && order.delivery_status !== 'RECEIVED'
  return [
    ...receipts.map(receipt => ({
      key: `receipt ${receipt.id}`,
      at: receipt.created_at,
      by: receipt.created_by_user_name,
      title: `Received with ${receipt.number}`,
      text: (
        <>
          <Lines of={receipt.items} most={receipt.items.length} />
          <Reversed of={receipt} />
        </>
      ),
    })),
    ...receipts.flatMap(reversalOf),
    ...(isClosed && order.completed_at !== null
      ? [{ key: 'closed', at: order.completed_at, title: 'Closed', text: order.close_reason }]
      : []),
  ]
}
