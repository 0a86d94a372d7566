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

/** A line that is picked, a kit, or a component of the kit above it. */
type Row = Pick & {
  readonly is: 'LINE' | 'KIT' | 'PART'
  readonly title: string
  readonly sku: string | null
  readonly item_variant_id: string | null
  readonly place: string
}

/** A line without a variant is in no stock: what its title says is packed all the same. Nor is a kit. */
const isKeptNowhere = ({ is, item_variant_id }: Row): boolean => is === 'KIT' || item_variant_id === null

const columns: readonly PrintColumn<Row>[] = [
  { header: 'Place', cell: ({ place }) => place },
  {
    header: 'What',
    cell: ({ is, title, sku }) =>
      is === 'KIT' ? (
        <strong>
          <Titled title={title} below={[sku, 'a kit of:']} />
        </strong>
      ) : (
        <div className={is === 'PART' ? 'sheet-part' : ''}>
          <Titled title={title} below={[sku]} />
        </div>
      ),
  },
  {
    header: 'Batch',
    cell: row =>
      isKeptNowhere(row) ? (
        '–'
      ) : row.entry === null ? (
        <strong>Not there</strong>
      ) : (
        <Titled
          title={row.entry.batch_number ?? '–'}
          below={[row.entry.expiry_date === null ? null : `to ${dayText(row.entry.expiry_date)}`]}
        />
      ),
  },
  { header: 'Quantity', cell: row => <Quantity of={row.quantity} goods={row} />, isNumber: true },
  { header: 'Picked', cell: row => (row.entry !== null || isKeptNowhere(row)) && <Tick /> },
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
        const ids = wantedOf(order).map(line => line.item_variant_id)
        return { order, entries: can('read:stock') ? await readEntries(api, ids, options) : null }
      }}
    >
      {({ order, entries }) => {
        const wanted = wantedOf(order)
        const blind = wanted.map(line => ({ ...line, quantity: line.left, entry: null }))
        return (
          <Shown order={order} picks={entries === null ? blind : picksOf(wanted, entries)} isBlind={entries === null} />
        )
      }}
    </DetailPage>
  )
}

const leftOf = ({ items }: Order) =>
  items
    .map(item => ({ ...item, left: minus(item.quantity, item.shipped_quantity) }))
    .filter(({ left }) => isPositive(left))

/** What is picked of the stock, of kits their components. */
const wantedOf = (order: Order) =>
  leftOf(order).flatMap(({ id, item_variant_id, storage_place_id, left, components }) =>
    components.length > 0
      ? components
          .map(part => ({
            ...{ id: part.id, item_variant_id: part.item_variant_id, storage_place_id },
            left: minus(part.quantity, part.shipped_quantity),
          }))
          .filter(part => isPositive(part.left))
      : item_variant_id === null
        ? []
        : [{ id, item_variant_id, storage_place_id, left }],
  )

/** In the order of the lines; a kit stands above its components. */
function rowsOf(order: Order, picks: readonly Pick[], placeTitle: (id: string | null) => string): readonly Row[] {
  const byId = Map.groupBy(picks, ({ id }) => id)
  return leftOf(order).flatMap(({ components, left, ...line }): readonly Row[] => {
    const place = line.item_variant_id === null ? '–' : placeTitle(line.storage_place_id)
    const whole = { ...line, place, quantity: left, entry: null }
    if (components.length > 0)
      return [
        { ...whole, is: 'KIT' },
        ...components.flatMap(part =>
          (byId.get(part.id) ?? []).map(pick => ({ ...part, ...pick, place, is: 'PART' as const })),
        ),
      ]
    return line.item_variant_id === null
      ? [{ ...whole, is: 'LINE' }]
      : (byId.get(line.id) ?? []).map(pick => ({ ...line, ...pick, place, is: 'LINE' }))
  })
}

type Props = { readonly order: Order; readonly picks: readonly Pick[]; readonly isBlind: boolean }

function Shown({ order, picks, isBlind }: Props) {
  const placeTitle = usePlaceTitle()
  const rows = rowsOf(order, picks, placeTitle)
    .map((row, index) => ({ ...row, key: `${index}` }))
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
