/** A purchase order: its lines, what arrived of it, and its steps. */
import { Anchor, Group, Stack } from '@mantine/core'
import type { PurchaseOrder as Order, PurchaseReceipt } from '@millrace/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { dayText, Instant, moneyText, quantityText, Status } from '../../format.tsx'
import { columnsOf, DataTable } from '../../patterns/data-table.tsx'
import { Columns, DetailHead, DetailPage, Facts, Section } from '../../patterns/detail-page.tsx'
import { EventTimeline, type Happening } from '../../patterns/event-timeline.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { PathLink } from '../../patterns/path-link.tsx'
import { usePlaceTitle } from '../../patterns/places.ts'
import { Totals } from '../../patterns/totals.tsx'
import { What } from '../../patterns/what.tsx'
import { useApi, useSession } from '../../session.tsx'
import { PurchaseOrderSteps } from './steps.tsx'

const route = getRouteApi('/purchase-orders/$id')
const RECEIPTS_MAX = 200

type Line = Exact<Order>['items'][number] & { readonly currency: string }

const column = columnsOf<Line>()
const columns = column.columns([
  column.accessor('title', {
    header: 'What',
    cell: ({ row: { original } }) => (
      <What title={original.title} sku={original.sku} ids={[original.item_id, original.item_variant_id]} />
    ),
  }),
  column.accessor('quantity', {
    header: 'Quantity',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  column.accessor('received_quantity', {
    header: 'Received',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  column.accessor('price', {
    header: 'Price',
    cell: ({ row: { original } }) => moneyText(original.price, original.currency),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
  column.accessor('tax_rate', {
    header: 'Tax',
    cell: ({ getValue }) => `${quantityText(getValue())} %`,
    meta: { align: 'right', visibleFrom: 'md' },
  }),
  column.accessor('line_amount', {
    header: 'Amount',
    cell: ({ row: { original } }) => moneyText(original.line_amount, original.currency),
    meta: { align: 'right', visibleFrom: 'sm' },
  }),
])

type Receipt = Exact<PurchaseReceipt>
type ReceiptLine = Receipt['items'][number] & { readonly receipt: Receipt; readonly place: string }

const received = columnsOf<ReceiptLine>()
const receivedColumns = received.columns([
  received.accessor(({ receipt }) => receipt.number, {
    id: 'number',
    header: 'Receipt',
    cell: ({ getValue }) => <span className="whole">{getValue()}</span>,
  }),
  received.accessor('title', {
    header: 'What',
    cell: ({ row: { original } }) => <What title={original.title} sku={original.sku} />,
  }),
  received.accessor('quantity', {
    header: 'Quantity',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  received.accessor('batch_number', {
    header: 'Batch',
    cell: ({ row: { original } }) =>
      original.batch_id === null ? (
        '–'
      ) : (
        <PathLink to={`/trace/${original.batch_id}`}>{original.batch_number}</PathLink>
      ),
  }),
  received.accessor('expiry_date', {
    header: 'Expires',
    cell: ({ getValue }) => <span className="whole">{dayText(getValue())}</span>,
    meta: { visibleFrom: 'md' },
  }),
  received.accessor('place', {
    header: 'At',
    cell: ({ row: { original } }) => `${original.place}${original.quarantine ? ', in quarantine' : ''}`,
    meta: { visibleFrom: 'sm' },
  }),
])

export function PurchaseOrder() {
  const api = useApi()
  const { id } = route.useParams()
  const query = queryOptions({
    queryKey: ['purchase-orders', 'one', id] as readonly unknown[],
    queryFn: ({ signal }) => api.purchaseOrders.get(id, { signal }),
  })
  return (
    <DetailPage kind="Purchase order" query={query}>
      {order => <Shown order={order} />}
    </DetailPage>
  )
}

function Shown({ order }: { readonly order: Exact<Order> }) {
  const { api, me } = useSession()
  const placeTitle = usePlaceTitle()
  const { number, supplier, status, delivery_status, currency } = order
  const receipts = useQuery({
    queryKey: ['purchase-receipts', 'of', order.id],
    queryFn: ({ signal }) =>
      api.purchaseOrders.listReceipts(order.id, { limit: RECEIPTS_MAX }, { signal }).then(({ data }) => data),
  })
  const arrived = (receipts.data ?? []).flatMap(receipt =>
    receipt.items.map(item => ({ ...item, receipt, place: placeTitle(receipt.storage_place_id) })),
  )
  return (
    <Stack gap="md">
      <DetailHead
        title={number}
        status={
          <Group gap="xs">
            <Status code={status} />
            <Status code={delivery_status} />
          </Group>
        }
        steps={<PurchaseOrderSteps order={order} />}
      />
      <Facts
        facts={[
          [
            'Supplier',
            <Anchor
              key="supplier"
              size="sm"
              renderRoot={props => <Link to="/purchase-orders" search={{ supplier_id: supplier.id }} {...props} />}
            >
              {supplier.title}
            </Anchor>,
          ],
          ['Country', supplier.country_code],
          ['Ordered', dayText(order.date)],
          ['Expected', order.expected_date && dayText(order.expected_date)],
          ['Currency', currency === me.currency ? null : `${currency}, at ${quantityText(order.exchange_rate)}`],
          ['Reference', order.external_ref],
          ['Completed', order.completed_at && <Instant at={order.completed_at} />],
          ['Closed because', order.close_reason],
          ['Notes', order.notes],
        ]}
      />
      <Columns
        wide={
          <>
            <Section title="Lines">
              <DataTable
                label="Lines"
                columns={columns}
                rows={order.items.map(item => ({ ...item, currency }))}
                rowId={line => line.id}
              />
              <Totals of={order} />
            </Section>
            <Section title="Receipts">
              {receipts.error ? (
                <Failure error={receipts.error} onRetry={() => receipts.refetch()} />
              ) : arrived.length === 0 ? (
                <Empty>Nothing has arrived yet. Receive books what does, whole or in part.</Empty>
              ) : (
                <DataTable label="Receipts" columns={receivedColumns} rows={arrived} rowId={line => line.id} />
              )}
            </Section>
          </>
        }
        narrow={<EventTimeline happenings={happeningsOf(order, receipts.data ?? [])} />}
      />
    </Stack>
  )
}

function happeningsOf(order: Exact<Order>, receipts: readonly Receipt[]): Happening[] {
  const isClosed = order.status === 'DONE' && order.delivery_status !== 'RECEIVED'
  return [
    { key: 'created', at: order.created_at, title: 'Created' },
    ...receipts.map(({ id, number, created_at, items }) => ({
      key: `receipt ${id}`,
      at: created_at,
      title: `Received with ${number}`,
      text: items.map(({ quantity, title }) => `${quantityText(quantity)} × ${title}`).join(', '),
    })),
    ...(isClosed && order.completed_at !== null
      ? [{ key: 'closed', at: order.completed_at, title: 'Closed short', text: order.close_reason }]
      : []),
  ]
}
