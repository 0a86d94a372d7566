/** Packing slips of shipments: the receiver and the goods of each, without prices. */
import { getRouteApi } from '@tanstack/react-router'
import { dayText } from '../../format.tsx'
import { readBatches } from '../../patterns/batches.tsx'
import { DetailPage } from '../../patterns/detail-page.tsx'
import { rowsOf } from '../../patterns/groups.ts'
import { partText } from '../../patterns/kits.tsx'
import type { SalesOrder, SalesShipment } from '../../records.ts'
import { codesOf } from '../../search.ts'
import { useSession } from '../../session.tsx'
import { addressText, type PrintColumn, PrintTable, quantities, Sheet, Titled } from './sheet.tsx'

const [one, many] = [getRouteApi('/print/packing-slips/$id'), getRouteApi('/print/packing-slips')]

type Row = {
  readonly title: string
  readonly sku: string | null
  readonly batch: string
  readonly item_variant_id: string | null
  readonly quantity: `${number}`
  readonly parts: readonly string[]
}

const columns: readonly PrintColumn<Row>[] = [
  { header: 'What', cell: ({ title, sku, parts }) => <Titled title={title} below={[sku, ...parts]} /> },
  { header: 'Batch', cell: ({ batch }) => batch },
  quantities,
]

export const PackingSlip = () => <Slips ids={[one.useParams().id]} />
export const PackingSlips = () => <Slips ids={codesOf(many.useSearch().ids)} />

function Slips({ ids }: { readonly ids: readonly string[] }) {
  const session = useSession()
  const { api } = session
  return (
    <DetailPage
      kind={ids.length === 1 ? 'Packing slip' : 'Packing slips'}
      name={['sales-shipments', 'packing-slips', ...ids]}
      read={async options => {
        const [only = ''] = ids
        const shipments =
          ids.length === 1
            ? [await api.salesShipments.get(only, options)]
            : await rowsOf(ids, id => api.salesShipments.list({ id, limit: id.length }, options))
        const batchIds = shipments.flatMap(({ items }) => items.map(({ batch_id }) => batch_id))
        const orderIds = shipments.map(({ sales_order_id }) => sales_order_id)
        const [orders, batches] = await Promise.all([
          rowsOf(orderIds, id => api.salesOrders.list({ id, limit: id.length }, options)),
          readBatches(session, batchIds),
        ])
        return { shipments, orders: new Map(orders.map(order => [order.id, order])), batches }
      }}
    >
      {({ shipments, orders, batches }) =>
        shipments.map(shipment => {
          const order = orders.get(shipment.sales_order_id)
          return order && <Slip key={shipment.id} shipment={shipment} order={order} batches={batches} />
        })
      }
    </DetailPage>
  )
}

type Batches = ReadonlyMap<string, string>
type Props = { readonly shipment: SalesShipment; readonly order: SalesOrder; readonly batches: Batches }

function Slip({ shipment, order, batches }: Props) {
  const lines = new Map(order.items.map(item => [item.id, item]))
  const rows = shipment.items.map(({ id, sales_order_item_id, batch_id, item_variant_id, quantity, components }) => {
    const line = lines.get(sales_order_item_id)
    return {
      key: id,
      title: line?.title ?? 'A line that the order has no more',
      sku: line?.sku ?? null,
      batch: batch_id === null ? '–' : (batches.get(batch_id) ?? batch_id),
      item_variant_id,
      quantity,
      parts: components.map(partText),
    }
  })
  return (
    <Sheet
      kind="Packing slip"
      number={shipment.number}
      back={`/sales-orders/${order.id}`}
      warning={shipment.reversed_at === null ? undefined : 'This shipment was reversed.'}
      facts={[
        ['Ship to', addressText(order.shipping_address, order.shipping_address?.name ? '' : order.customer.title)],
        ['Bill to', addressText(order.billing_address)],
        ['Shipped', dayText(shipment.date)],
        ['Sales order', order.number],
        ['Carrier', shipment.carrier],
        ['Tracking number', shipment.tracking_number],
        ['Reference', order.external_ref],
        ['Notes', shipment.notes],
      ]}
    >
      <PrintTable title="In this parcel" columns={columns} rows={rows} />
    </Sheet>
  )
}
