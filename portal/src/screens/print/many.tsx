/** Papers of several orders at once: what to pick for all of them on one, by place and sku, then for each; and packing slips. */
import { getRouteApi } from '@tanstack/react-router'
import { type Decimal, sum } from '../../exact.ts'
import { dayText } from '../../format.tsx'
import { readBatches } from '../../patterns/batches.tsx'
import { DetailPage } from '../../patterns/detail-page.tsx'
import { Empty } from '../../patterns/empty.tsx'
import { rowsOf } from '../../patterns/groups.ts'
import { picksOf, readEntries } from '../../patterns/picks.ts'
import { usePlaceTitle } from '../../patterns/places.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { SalesOrder as Order } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { type Need, needsOf } from '../sales/coverage-rules.ts'
import { Slip } from './packing-slip.tsx'
import { addressText, type PrintColumn, PrintTable, Sheet, Tick, Titled } from './sheet.tsx'

const [wave, slips] = [getRouteApi('/print/pick-lists'), getRouteApi('/print/packing-slips')]
const idsOf = ({ ids = '' }: { readonly ids?: string | undefined }): string[] => ids.split(',').filter(Boolean)

/** What is taken of one batch at a place, for one order. */
type Row = Pick<Need, 'item_variant_id' | 'title' | 'sku'> & {
  readonly key: string
  readonly place: string
  readonly order: Order
  /** Null: it is not there; undefined: the key may not know. */
  readonly batch: string | null | undefined
  readonly expires: string | null
  readonly quantity: Decimal
}

type Together = Row & { readonly orders: string }

const columns: readonly PrintColumn<Row>[] = [
  { header: 'Place', cell: ({ place }) => place },
  { header: 'What', cell: ({ title, sku }) => <Titled title={title} below={[sku]} /> },
  {
    header: 'Batch',
    cell: ({ batch, expires }) =>
      batch === null ? (
        <strong>Not there</strong>
      ) : (
        <Titled title={batch ?? '–'} below={[expires && `to ${dayText(expires)}`]} />
      ),
  },
  { header: 'Quantity', cell: row => <Quantity of={row.quantity} goods={row} />, isNumber: true },
  { header: 'Picked', cell: ({ batch }) => batch !== null && <Tick /> },
]

const waveColumns: readonly PrintColumn<Together>[] = [
  ...columns.slice(0, -1),
  { header: 'For', cell: ({ orders }) => orders },
  ...columns.slice(-1),
]

export function PickWave() {
  const { api, can } = useSession()
  const placeTitle = usePlaceTitle()
  const ids = idsOf(wave.useSearch())
  return (
    <DetailPage
      kind="Pick lists"
      name={['sales-orders', 'pick-wave', ...ids]}
      read={async options => {
        const read = await rowsOf(ids, id => api.salesOrders.list({ id, limit: id.length }, options))
        const orders = read.filter(({ status }) => status === 'OPEN')
        const needs = orders.flatMap(order =>
          needsOf(order).map((need, index) => ({ ...need, order, key: `${order.id} ${index}` })),
        )
        const entries = can('read:stock')
          ? await readEntries(
              api,
              needs.map(need => need.item_variant_id),
              options,
            )
          : null
        return {
          orders,
          needs,
          picks:
            entries &&
            picksOf(
              needs.map(need => ({ ...need, id: need.key })),
              entries,
            ),
        }
      }}
    >
      {({ orders, needs, picks }) => {
        const byKey = new Map(needs.map(need => [need.key, need]))
        const taken = picks ?? needs.map(({ key, left }) => ({ id: key, quantity: left, entry: undefined }))
        const rows = taken
          .flatMap(({ id, quantity, entry }, index): Row[] => {
            const need = byKey.get(id)
            if (!need) return []
            const { item_variant_id, title, sku, order, storage_place_id } = need
            const batch = entry ? (entry.batch_number ?? '–') : entry
            return [
              {
                ...{ key: `${index}`, item_variant_id, title, sku, order, quantity, batch },
                ...{ place: placeTitle(storage_place_id), expires: entry?.expiry_date ?? null },
              },
            ]
          })
          .toSorted(byPlaceAndSku)
        if (orders.length === 0) return <Empty>None of these orders is open: nothing of them is to be picked.</Empty>
        return (
          <>
            {orders.length > 1 && (
              <Sheet kind="Pick list" number={`of ${orders.length} orders`} back="/sales-orders">
                <PrintTable title="To pick" columns={waveColumns} rows={togetherOf(rows)} />
              </Sheet>
            )}
            {orders.map(order => (
              <Sheet
                key={order.id}
                kind="Pick list"
                number={order.number}
                back="/sales-orders"
                facts={[
                  ['Customer', order.customer.title],
                  ['Ship to', addressText(order.shipping_address)],
                  ['Due', order.delivery_date && dayText(order.delivery_date)],
                  ['Notes', order.notes],
                ]}
              >
                <PrintTable title="To pick" columns={columns} rows={rows.filter(row => row.order === order)} />
              </Sheet>
            ))}
          </>
        )
      }}
    </DetailPage>
  )
}

const byPlaceAndSku = (one: Row, other: Row): number =>
  one.place.localeCompare(other.place) ||
  (one.sku ?? '').localeCompare(other.sku ?? '') ||
  one.title.localeCompare(other.title)

/** What is taken of one batch for all orders is one row. */
const togetherOf = (rows: readonly Row[]): readonly Together[] =>
  [...Map.groupBy(rows, ({ place, item_variant_id, batch }) => [place, item_variant_id, batch].join(' '))].flatMap(
    ([key, all]) =>
      all.slice(0, 1).map(first => ({
        ...first,
        key,
        quantity: sum(all.map(({ quantity }) => quantity)),
        orders: [...new Set(all.map(({ order }) => order.number))].join(', '),
      })),
  )

export function PackingSlips() {
  const session = useSession()
  const { api } = session
  const ids = idsOf(slips.useSearch())
  return (
    <DetailPage
      kind="Packing slips"
      name={['sales-shipments', 'packing-slips', ...ids]}
      read={async options => {
        const shipments = await rowsOf(ids, id => api.salesShipments.list({ id, limit: id.length }, options))
        const orderIds = shipments.map(({ sales_order_id }) => sales_order_id)
        const [orders, batches] = await Promise.all([
          rowsOf(orderIds, id => api.salesOrders.list({ id, limit: id.length }, options)),
          readBatches(
            session,
            shipments.flatMap(({ items }) => items.map(({ batch_id }) => batch_id)),
          ),
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
