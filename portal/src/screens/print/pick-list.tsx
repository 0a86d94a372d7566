/** Pick lists: one of several orders together, by place and sku, and one of each order, by place, with the batches that expire first. */
import { getRouteApi } from '@tanstack/react-router'
import { sum } from '../../exact.ts'
import { dayText } from '../../format.tsx'
import { DetailPage } from '../../patterns/detail-page.tsx'
import { usePlaceTitle } from '../../patterns/places.tsx'
import { codesOf } from '../../search.ts'
import { useSession } from '../../session.tsx'
import { isKeptNowhere, type PickRow, placeOf, readPicks } from '../sales/to-pick.ts'
import { addressText, type PrintColumn, PrintTable, quantities, Sheet, Tick, Titled } from './sheet.tsx'

const [one, many] = [getRouteApi('/print/pick-lists/$id'), getRouteApi('/print/pick-lists')]

type Row = PickRow & { readonly place: string }
type Together = Row & { readonly orders: string }

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
    cell: ({ entry }) =>
      entry === null ? (
        <strong>Not there</strong>
      ) : (
        <Titled
          title={entry?.batch_number ?? '–'}
          below={[entry?.expiry_date ? `to ${dayText(entry.expiry_date)}` : null]}
        />
      ),
  },
  quantities,
  { header: 'Picked', cell: ({ entry }) => entry !== null && <Tick /> },
]

const waveColumns: readonly PrintColumn<Together>[] = [
  ...columns.slice(0, -1),
  { header: 'For', cell: ({ orders }) => orders },
  ...columns.slice(-1),
]

const withoutBatch = <Of,>(all: readonly PrintColumn<Of>[]) => all.filter(({ header }) => header !== 'Batch')

export const PickList = () => <Papers ids={[one.useParams().id]} />
export const PickWave = () => <Papers ids={codesOf(many.useSearch().ids)} />

function Papers({ ids }: { readonly ids: readonly string[] }) {
  const session = useSession()
  const placeTitle = usePlaceTitle()
  return (
    <DetailPage
      kind={ids.length === 1 ? 'Pick list' : 'Pick lists'}
      name={['sales-orders', 'pick-lists', ...ids]}
      read={options => readPicks(session, ids, options)}
    >
      {({ orders, rows: read, isBlind }) => {
        const rows = read
          .map((row): Row => ({ ...row, place: placeOf(row, placeTitle) }))
          .toSorted((row, other) => row.place.localeCompare(other.place))
        const shown = isBlind ? withoutBatch : <Of,>(all: readonly PrintColumn<Of>[]) => all
        return (
          <>
            {orders.length > 1 && (
              <Sheet kind="Pick list" number={`of ${orders.length} orders`} back="/sales-orders">
                <PrintTable title="To pick" columns={shown(waveColumns)} rows={togetherOf(rows)} />
              </Sheet>
            )}
            {orders.map(order => (
              <Sheet
                key={order.id}
                kind="Pick list"
                number={order.number}
                back={orders.length > 1 ? '/sales-orders' : `/sales-orders/${order.id}`}
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
                {order.status === 'OPEN' && (
                  <PrintTable title="To pick" columns={shown(columns)} rows={rows.filter(row => row.order === order)} />
                )}
              </Sheet>
            ))}
          </>
        )
      }}
    </DetailPage>
  )
}

/** The picks of one batch for all orders are one row. */
const togetherOf = (rows: readonly Row[]): readonly Together[] =>
  [
    ...Map.groupBy(
      rows.filter(row => !isKeptNowhere(row)),
      ({ place, item_variant_id, entry }) => [place, item_variant_id, entry === null ? 'none' : entry?.id].join(' '),
    ),
  ]
    .flatMap(([key, all]) =>
      all.slice(0, 1).map(first => ({
        ...first,
        ...{ key, is: 'LINE' as const },
        quantity: sum(all.map(({ quantity }) => quantity)),
        orders: [...new Set(all.map(({ order }) => order.number))].join(', '),
      })),
    )
    .toSorted(
      (row, other) =>
        row.place.localeCompare(other.place) ||
        (row.sku ?? '').localeCompare(other.sku ?? '') ||
        row.title.localeCompare(other.title),
    )
