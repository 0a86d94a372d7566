/**
 * Decides on shipments and packings: which lines, how much, and for shipments the stock that leaves. Pure: no I/O and no
 * clock (docs/rules/sales.md).
 */

import { decideEach, invalid, isRefusal, noSuch, type Refusal } from '../../../kit/api/errors.ts'
import { type Cost, formatMicro, type Micro } from '../../../platform/decimal.ts'
import type { Place } from '../../places/noun.ts'
import { refusePlace } from '../../places/rules.ts'
import { causeOf } from '../../stock/cause.ts'
import { nameOf } from '../../stock/line-rules.ts'
import { issue } from '../../stock/posting-rules.ts'
import { Demands, notEnough } from '../../stock/shortage-rules.ts'
import { type Batch, type Cause, positionOf, type Stock } from '../../stock/stock.ts'
import type { MovedPart } from '../moved-parts.ts'
import type { Line, Order } from '../orders/noun.ts'
import { leftToPack, leftToShip, takesStock, whereOf, withLines } from '../orders/quantity-rules.ts'
import { reserve } from '../orders/reservation-rules.ts'
import { settled } from '../orders/status-rules.ts'
import { afterParts, type NamedPart, namedParts, takeKit } from './kit-rules.ts'
import { type HandlingItem, SalesShipment } from './noun.ts'

export type HandlingKind = 'sales_shipment' | 'sales_packing'

/** What to ship or pack of a line. */
export type Entry = {
  readonly line: Line
  readonly quantity: Micro
  /** The place that the goods leave. */
  readonly storagePlaceId: string | null
  /** Undefined: first expired first out. */
  readonly batch: Batch | undefined
  /** Batches of a kit's components. */
  readonly named: readonly NamedPart[]
  /** The entry's place in the body: `items[3]`; null if the body has no items. */
  readonly at: string | null
}

/** A row of the document: a line, or its part from one batch. */
export type HandledRow = {
  readonly line: Line
  readonly batchId: string | null
  readonly storagePlaceId: string | null
  readonly quantity: Micro
  /** The stock value that left; null if no stock moves: for a packing, and for a service. */
  readonly value: Cost | null
  /** The components of a kit that left; empty for a packing. */
  readonly components: readonly MovedPart[]
}

type Handled = { readonly order: Order; readonly rows: readonly HandledRow[] }

const leftOf = { sales_shipment: leftToShip, sales_packing: leftToPack }
const verbs = { sales_shipment: 'ship', sales_packing: 'pack' }

/** All that is left of every line. */
export function everything(kind: HandlingKind, order: Order): readonly Entry[] {
  return order.items
    .map(line => ({
      line,
      quantity: leftOf[kind](line),
      storagePlaceId: placeOfEntry(line, {}),
      batch: undefined,
      named: [],
      at: null,
    }))
    .filter(({ quantity }) => quantity > 0n)
}

/**
 * The entries of the body. Refuses `validation_failed` for a line of another order, a batch of another variant (`namedParts` checks those
 * of a kit), a place that is absent, archived, not for sales or given for a line without stock, and for more than is left of a line over
 * all its entries.
 */
function entriesOf(
  kind: HandlingKind,
  stock: Stock,
  { order, items, places }: Asked & { readonly items: readonly HandlingItem[] },
): readonly Entry[] | Refusal {
  const lines = new Map(order.items.map(line => [line.id, line]))
  const asked = new Map<string, Micro>()
  return decideEach(items, (item, index) => {
    const at = `items[${index}]`
    const line = lines.get(item.sales_order_item_id)
    if (line === undefined) return noSuch(`${at}.sales_order_item_id`, 'line of this order')
    const batch = item.batch_id === null ? undefined : stock.batches.get(item.batch_id)
    if (item.batch_id !== null && batch?.itemVariantId !== line.item_variant_id)
      return noSuch(`${at}.batch_id`, `batch of ${nameOf(line)}`)
    const refused = refuseLeavingFrom(`${at}.storage_place_id`, { line, places, placeId: item.storage_place_id })
    if (refused !== null) return refused
    const { quantity } = item
    const total = (asked.get(line.id) ?? 0n) + quantity
    if (total > leftOf[kind](line))
      return invalid(`${at}.quantity`, `only ${formatMicro(leftOf[kind](line))} are left to ${verbs[kind]}`)
    asked.set(line.id, total)
    const named = namedParts(stock, { at, line, sent: item.components })
    if (isRefusal(named)) return named
    return { line, quantity, storagePlaceId: placeOfEntry(line, item), batch, named, at }
  })
}

/** The place that an entry leaves: the place that the entry names, else the line's; null for a line without stock. */
export const placeOfEntry = (
  line: Line,
  { storage_place_id: given }: Pick<HandlingItem, 'storage_place_id'>,
): string | null => (takesStock(line) ? (given === undefined ? line.storage_place_id : given) : null)

function refuseLeavingFrom(
  field: string,
  {
    line,
    places,
    placeId,
  }: Pick<Asked, 'places'> & { readonly line: Line; readonly placeId?: string | null | undefined },
): Refusal | null {
  if (placeId == null) return null
  if (!takesStock(line)) return invalid(field, 'must not be given: the line holds no stock')
  return refusePlace(field, places.get(placeId), 'sales')
}

/**
 * Ships. Stock leaves each entry's place, but never expired or quarantined stock. Services are only counted. The order ends when nothing is
 * left to ship. Refuses `insufficient_stock` and names each short sku with the needed and the on-hand quantity; `validation_failed` as
 * `takeKit` does.
 */
function ship(
  stock: Stock,
  shipment: { readonly cause: Cause; readonly order: Order; readonly entries: readonly Entry[] },
): Handled | Refusal {
  const { cause, order, entries } = shipment
  const rows: HandledRow[] = []
  const demands = new Demands()
  let after = order
  for (const entry of entries) {
    const taken = entry.line.components.length > 0 ? shipKit(after, entry) : takeStock(stock, cause, { entry, demands })
    if (isRefusal(taken)) return taken
    rows.push(...taken)
    after = addRows(after, taken, shippedLine)
  }
  const { short } = demands
  if (short.length > 0) return notEnough('insufficient_stock', short)
  return { order: settled(after, cause.documentDate), rows }

  /** An entry takes what earlier entries left. */
  function shipKit({ items }: Order, entry: Entry): readonly HandledRow[] | Refusal {
    const line = items.find(({ id }) => id === entry.line.id) ?? entry.line
    const components = takeKit(stock, cause, { entry: { ...entry, line }, demands })
    if (isRefusal(components)) return components
    const value = takesStock(line) ? components.reduce((sum, part) => sum + (part.value ?? 0n), 0n) : null
    const { quantity, storagePlaceId } = entry
    return [{ line, batchId: null, storagePlaceId, quantity, value, components }]
  }
}

export type HandlingDocument = {
  readonly kind: HandlingKind
  readonly id: string
  readonly date: string
}

/** The order of the request, and the places that the body names; absent ones have no entry. */
type Asked = { readonly order: Order; readonly places: ReadonlyMap<string, Place> }

/**
 * The shipment or packing of a body's items, by default of all that is left, and the reservations after it. Refuses `validation_failed`
 * when nothing is left and as `entriesOf` does, and `insufficient_stock`.
 */
export function decideHandling(
  stock: Stock,
  document: HandlingDocument,
  { order, items, places }: Asked & { readonly items: readonly HandlingItem[] | undefined },
): Handled | Refusal {
  const { kind } = document
  const entries = items === undefined ? everything(kind, order) : entriesOf(kind, stock, { order, items, places })
  if (isRefusal(entries)) return entries
  if (entries.length === 0) return invalid('items', `nothing is left to ${verbs[kind]}`)
  const handled = handle(stock, document, { order, entries })
  return isRefusal(handled) ? handled : (reserve(stock, { before: order, after: handled.order }) ?? handled)
}

/** Ships or packs the entries. The caller changes the reservations afterwards (`reserve`). Refuses as `ship` does. */
export function handle(
  stock: Stock,
  { kind, id, date }: HandlingDocument,
  { order, entries }: { readonly order: Order; readonly entries: readonly Entry[] },
): Handled | Refusal {
  if (kind === 'sales_packing') return pack(order, entries, date)
  return ship(stock, { cause: causeOf(SalesShipment, 'SALES_SHIPMENT', { id, date }), order, entries })
}

/** Counts the entry's demand, and takes as much as is in stock. */
function takeStock(
  stock: Stock,
  cause: Cause,
  { entry, demands }: { readonly entry: Entry; readonly demands: Demands },
): readonly HandledRow[] {
  const { line, quantity, storagePlaceId, batch, at } = entry
  if (!line.holds_stock) return [{ line, batchId: null, storagePlaceId, quantity, value: null, components: [] }]
  const position = positionOf(stock, { ...whereOf(line), storagePlaceId })
  const named = batch === undefined ? null : { number: batch.number, batch }
  const demand = demands.of(line, { position, named, condition: 'sellable' })
  const { takes, missing } = issue(stock, cause, { position, quantity, batch, condition: 'sellable' })
  demand.needed += quantity
  demand.missing += missing
  if (missing > 0n && at !== null) demand.field ??= `${at}.quantity`
  return takes.map(take => ({
    line,
    batchId: take.level.batch?.id ?? null,
    storagePlaceId,
    quantity: take.quantity,
    value: take.value,
    components: [],
  }))
}

/** Packs: only counts on the lines change, no stock moves. `date` is the date of the packing. */
function pack(order: Order, entries: readonly Entry[], date: string): Handled {
  const rows = entries.map(({ line, quantity, storagePlaceId, batch }) => ({
    line,
    batchId: batch?.id ?? null,
    storagePlaceId,
    quantity,
    value: null,
    components: [],
  }))
  return { order: settled(addRows(order, rows, packedLine), date), rows }
}

type Change = (line: Line, row: HandledRow) => Line
const shippedLine: Change = (line, { quantity, value, components }) => ({
  ...line,
  components: components.length === 0 ? line.components : afterParts(line, components, 1n),
  shipped_quantity: line.shipped_quantity + quantity,
  shipped_value: line.shipped_value + (value ?? 0n),
})
const packedLine: Change = (line, { quantity }) => ({ ...line, packed_quantity: line.packed_quantity + quantity })

function addRows(order: Order, rows: readonly HandledRow[], change: Change): Order {
  const before = new Map(order.items.map(line => [line.id, line]))
  const changed = new Map<string, Line>()
  for (const row of rows)
    changed.set(row.line.id, change(changed.get(row.line.id) ?? before.get(row.line.id) ?? row.line, row))
  return withLines(order, changed)
}
