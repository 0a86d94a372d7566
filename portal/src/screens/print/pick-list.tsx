/** The pick list of a sales order: what is still to be shipped, place by place, of the batches that expire first. */
import { getRouteApi } from '@tanstack/react-router'
import { isPositive, minus } from '../../exact.ts'
import { dayText } from '../../format.tsx'
import { DetailPage } from '../../patterns/detail-page.tsx'
import { type Pick, picksOf, readEntries } from '../../patterns/picks.ts'
import { usePlaceTitle } from '../../patterns/places.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { SalesOrder as Order } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { addressText, type PrintColumn, PrintTable, Sheet, Tick, Titled } from './sheet.tsx'

const route = getRouteApi('/print/pick-lists/$id')

type Row = Pick & { readonly line: Order['items'][number]; readonly place: string }

/** A line without a variant is in no stock: what its title says is packed all the same. */
const isKeptNowhere = ({ item_variant_id }: Row['line']): boolean => item_variant_id === null

const columns: readonly PrintColumn<Row>[] = [
  { header: 'Place', cell: ({ place }) => place },
  { header: 'What', cell: ({ line }) => <Titled title={line.title} below={[line.sku]} /> },
  {
    header: 'Batch',
    cell: ({ entry, line }) =>
      isKeptNowhere(line) ? (
        '–'
      ) : entry === null ? (
        <strong>Not there</strong>
      ) : (
        <Titled
          title={entry.batch_number ?? '–'}
          below={[entry.expiry_date === null ? null : `to ${dayText(entry.expiry_date)}`]}
        />
      ),
  },
  { header: 'Quantity', cell: ({ line, quantity }) => <Quantity of={quantity} goods={line} />, isNumber: true },
  { header: 'Picked', cell: ({ entry, line }) => (entry !== null || isKeptNowhere(line)) && <Tick /> },
]

/** Where nobody knows what is there. */
const blindColumns: readonly PrintColumn<Row>[] = [
  ...columns.filter(({ header }) => header !== 'Batch' && header !== 'Picked'),
  { header: 'Picked', cell: () => <Tick /> },
]

export function PickList() {
  const { api, can } = useSession()
  const { id } = route.useParams()
  return (
    <DetailPage
      kind="Pick list"
      name={['sales-orders', 'pick-list', id]}
      read={async options => {
        const order = await api.salesOrders.get(id, options)
        const wanted = wantedOf(order)
        const ids = wanted.map(line => line.item_variant_id)
        return { order, entries: can('read:stock') ? await readEntries(api, ids, options) : null, wanted }
      }}
    >
      {({ order, entries, wanted }) => (
        <Shown
          order={order}
          picks={
            entries === null
              ? wanted.map(line => ({ ...line, quantity: line.left, entry: null }))
              : picksOf(wanted, entries)
          }
          isBlind={entries === null}
        />
      )}
    </DetailPage>
  )
}

const leftOf = ({ items }: Order) =>
  items
    .map(item => ({ ...item, left: minus(item.quantity, item.shipped_quantity) }))
    .filter(({ left }) => isPositive(left))

const wantedOf = (order: Order) =>
  leftOf(order).flatMap(({ item_variant_id, ...item }) =>
    item_variant_id === null ? [] : [{ ...item, item_variant_id }],
  )

/** What is picked of no stock. */
const othersOf = (order: Order): Pick[] =>
  leftOf(order)
    .filter(isKeptNowhere)
    .map(({ id, left }) => ({ id, quantity: left, entry: null }))

type Props = { readonly order: Order; readonly picks: readonly Pick[]; readonly isBlind: boolean }

function Shown({ order, picks, isBlind }: Props) {
  const placeTitle = usePlaceTitle()
  const lines = new Map(order.items.map(item => [item.id, item]))
  const rows = [...picks, ...othersOf(order)]
    .flatMap((pick, index) => {
      const line = lines.get(pick.id)
      const place = line && (isKeptNowhere(line) ? '–' : placeTitle(line.storage_place_id))
      return line && place !== undefined ? [{ ...pick, line, place, key: `${index}` }] : []
    })
    .sort((one, other) => one.place.localeCompare(other.place))
  return (
    <Sheet
      kind="Pick list"
      number={order.number}
      back={`/sales-orders/${order.id}`}
      warning={
        order.status !== 'OPEN'
          ? 'This order is not open: nothing of it is to be picked.'
          : isBlind
            ? 'The key may not read stock: batches are not named.'
            : undefined
      }
      facts={[
        ['Customer', order.customer.title],
        ['Ship to', addressText(order.shipping_address)],
        ['Due', order.delivery_date && dayText(order.delivery_date)],
        ['Notes', order.notes],
      ]}
    >
      {order.status === 'OPEN' && <PrintTable title="To pick" columns={isBlind ? blindColumns : columns} rows={rows} />}
    </Sheet>
  )
}
