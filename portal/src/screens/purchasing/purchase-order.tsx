/** A purchase order: its lines, what arrived of it, and its steps. */
import { Group } from '@mantine/core'
import type { LandedCost, PurchaseOrder as Order, PurchaseReceipt } from '@millrace/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Exact } from '../../exact.ts'
import { dayText, Instant, quantityText } from '../../format.tsx'
import { amountColumns, column } from '../../patterns/columns.tsx'
import { type Columns as ColumnsOf, DataTable } from '../../patterns/data-table.tsx'
import { Columns, RecordOf, RecordPage } from '../../patterns/detail-page.tsx'
import { EventTimeline, type Happening } from '../../patterns/event-timeline.tsx'
import { BatchLink, ButtonLink, DocumentLink } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { OrderStatuses, type Priced, PricedLines } from '../../patterns/priced-order.tsx'
import { Reversed } from '../../patterns/reversal.tsx'
import { Lines } from '../../patterns/units.tsx'
import { useSession } from '../../session.tsx'
import { BookLandedCost } from './book-landed-cost.tsx'
import { landedColumns } from './landed-costs.tsx'
import { ReverseReceipt } from './reverse-receipt.tsx'
import { PurchaseOrderSteps } from './steps.tsx'

const route = getRouteApi('/purchase-orders/$id')
const RECEIPTS_MAX = 200
const LANDED_MAX = 200

const columns: ColumnsOf<Priced<Exact<Order>['items'][number]>> = [
  column.what('What', line => line),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.quantity('Received', ({ received_quantity }) => received_quantity),
  column.shown(
    'Bought as',
    ({ purchase_quantity, purchase_unit_name }) =>
      purchase_quantity !== null && `${quantityText(purchase_quantity)} × ${purchase_unit_name ?? 'purchase unit'}`,
    'md',
  ),
  ...amountColumns,
]

type Receipt = Exact<PurchaseReceipt>

type Received = Receipt['items'][number] & {
  readonly receipt: Receipt
  /** The receipt's landed costs and its steps; of its first line alone. */
  readonly more: ReactNode
}

const receivedColumns: ColumnsOf<Received> = [
  column.shown('Receipt', ({ receipt, more }) => (
    <>
      <span className="whole">{receipt.number}</span> {more}
      <Reversed of={receipt} />
    </>
  )),
  column.what('What', ({ title, sku }) => ({ title, sku })),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.shown('Batch', ({ batch_id, batch_number }) => <BatchLink id={batch_id} number={batch_number} />),
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

export const PurchaseOrder = () => (
  <RecordOf route={route} kind="Purchase order" name="purchase-orders" of={api => api.purchaseOrders}>
    {order => <Shown order={order} />}
  </RecordOf>
)

function Shown({ order }: { readonly order: Exact<Order> }) {
  const { api, me } = useSession()
  const { supplier, currency } = order
  const receipts = queryOptions({
    queryKey: ['purchase-receipts', 'of', order.id] as readonly unknown[],
    queryFn: async ({ signal }) =>
      (await api.purchaseOrders.listReceipts(order.id, { limit: RECEIPTS_MAX }, { signal })).data,
  })
  const { data: received = [] } = useQuery(receipts)
  const costs = queryOptions({
    queryKey: ['landed-costs', 'of', order.id] as readonly unknown[],
    queryFn: async ({ signal }) =>
      (await api.landedCosts.list({ purchase_order_id: order.id, limit: LANDED_MAX }, { signal })).data,
  })
  const { data: landed = [] } = useQuery(costs)
  return (
    <RecordPage
      title={order.number}
      of={order}
      status={<OrderStatuses of={order} />}
      steps={
        <>
          <PurchaseOrderSteps order={order} />
          <ButtonLink to={`/print/purchase-orders/${order.id}`}>Print</ButtonLink>
        </>
      }
      facts={[
        [
          'Supplier',
          <DocumentLink key="supplier" kind="SUPPLIER" id={supplier.id}>
            {supplier.title}
          </DocumentLink>,
        ],
        ['Country', supplier.country_code],
        ['Ordered', dayText(order.date)],
        ['Expected', order.expected_date && dayText(order.expected_date)],
        ['At', order.storage_place_id && <PlaceTitle id={order.storage_place_id} />],
        ['Currency', currency === me.currency ? null : `${currency}, at ${quantityText(order.exchange_rate)}`],
        ['Reference', order.external_ref],
        ['Completed', order.completed_at && <Instant at={order.completed_at} />],
        ['Closed because', order.close_reason],
        ['Notes', order.notes],
      ]}
    >
      <Columns
        wide={
          <>
            <PricedLines of={order} columns={columns} />
            <Panel
              title="Receipts"
              scope="read:purchase"
              query={receipts}
              whenEmpty="Nothing has arrived yet. Receive books what does, whole or in part."
            >
              {data => (
                <DataTable
                  label="Receipts"
                  columns={receivedColumns}
                  rows={data.flatMap(receipt =>
                    receipt.items.map((item, index) => ({
                      ...item,
                      receipt,
                      more: index === 0 && <OfReceipt receipt={receipt} order={order} landed={landed} />,
                    })),
                  )}
                />
              )}
            </Panel>
            <Panel
              title="Landed costs"
              scope="read:purchase"
              query={costs}
              whenEmpty="No freight or duty has been booked on a receipt of this order."
            >
              {data => <DataTable label="Landed costs" columns={landedColumns} rows={data} />}
            </Panel>
          </>
        }
        narrow={<EventTimeline happenings={happeningsOf(order, received)} />}
      />
    </RecordPage>
  )
}

type OfReceiptProps = {
  readonly receipt: Receipt
  readonly order: Exact<Order>
  readonly landed: readonly Exact<LandedCost>[]
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

function happeningsOf(order: Exact<Order>, receipts: readonly Receipt[]): Happening[] {
  const isClosed = order.status === 'DONE' && order.delivery_status !== 'RECEIVED'
  return [
    { key: 'created', at: order.created_at, title: 'Created', by: order.created_by_user_name },
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
    ...(isClosed && order.completed_at !== null
      ? [{ key: 'closed', at: order.completed_at, title: 'Closed short', text: order.close_reason }]
      : []),
  ]
}
