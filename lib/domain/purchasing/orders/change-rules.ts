/**
 * Decides how a PATCH changes the fields and lines of a purchase order. Pure: no I/O and no clock (docs/rules/purchasing.md).
 * `../expected-rules.ts` changes the expected stock.
 */
import { invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import type { RecordOf } from '../../../kit/documents/document.ts'
import { lineChanges, merged } from '../../../kit/documents/merging.ts'
import { formatMicro } from '../../../platform/decimal.ts'
import { refusePartner } from '../../partners/chosen.ts'
import { type Partner, Supplier } from '../../partners/noun.ts'
import type { Place } from '../../places/noun.ts'
import { refusePlace } from '../../places/rules.ts'
import { lineTotals } from '../../stock/order-line.ts'
import { changedLine, type LineFacts, newLine } from './line-rules.ts'
import { LINES_MAX, type Line, type Order, type OrderChange, PurchaseOrder, PurchaseOrderItem } from './noun.ts'
import { settled } from './status-rules.ts'

/**
 * The data that a change depends on: the stock with the variants of the lines, the items of the supplier that the order will have, and the
 * supplier and place that the body names.
 */
type Facts = LineFacts & {
  readonly supplier: RecordOf<Partner> | null
  readonly place: Place | null
}

/**
 * The order with the body's fields and lines. When the changed lines leave nothing to receive, the order becomes RECEIVED and DONE as of
 * `now`. Refuses `validation_failed` for another supplier that is absent, archived, or comes after a receipt; for another place that is
 * absent, archived or not for purchases; for a line of another order, a removed line that has receipts, no lines and too many lines; and as
 * `newLine` and `changedLine` do.
 */
export function decideChange(
  facts: Facts,
  order: Order,
  { body, now }: { readonly body: OrderChange; readonly now: string },
): Order | Refusal {
  const refused = refuseSupplier(facts, order, body) ?? refuseNewPlace(facts, order, body)
  if (refused !== null) return refused
  const supplier_id = body.supplier_id ?? order.supplier_id
  const isElsewhere = supplier_id !== order.supplier_id
  const before = isElsewhere ? order.items.map(line => suppliedBy(facts, line)) : order.items
  const fields = { ...merged(PurchaseOrder, order, body), supplier_id, items: before }
  if (body.items === undefined) return fields
  const { stock } = facts
  const { currency } = order
  const change = { list: 'items', noun: 'line of this order', before, entries: body.items }
  const items = lineChanges(PurchaseOrderItem, change, {
    added: (item, at) => newLine(facts, { at, item, currency }),
    changed: (line, change, at) => changedLine(stock, { at, line, change, currency }),
    removed: refuseRemoval,
  })
  if (isRefusal(items)) return items
  return refuseCount(items) ?? settled({ ...fields, ...lineTotals(items), items }, now)
}

/** The line with the sku of the order's new supplier. Prices stay. */
function suppliedBy({ itemOf }: LineFacts, line: Line): Line {
  const supplier_sku = itemOf(line.item_variant_id)?.supplier_sku ?? null
  return supplier_sku === line.supplier_sku ? line : { ...line, supplier_sku }
}

function refuseSupplier({ supplier }: Facts, order: Order, { supplier_id: id }: OrderChange): Refusal | null {
  if (id === undefined || id === order.supplier_id) return null
  if (order.items.some(hasReceipt)) return invalid('supplier_id', 'cannot change: goods of the order were received')
  return refusePartner(Supplier, supplier)
}

function refuseNewPlace({ place }: Facts, order: Order, { storage_place_id: id }: OrderChange): Refusal | null {
  return id == null || id === order.storage_place_id ? null : refusePlace('storage_place_id', place, 'purchases')
}

/** A receipt has the line, reversed or not. */
const hasReceipt = (line: Line): boolean => line.received_quantity > 0n || line.was_received

function refuseRemoval(line: Line, at: string): Refusal | null {
  if (!hasReceipt(line)) return null
  const received = line.received_quantity
  const why = received > 0n ? `${formatMicro(received)} of the line are received` : 'a reversed receipt names the line'
  return invalid(`${at}.remove`, `${why}: it must stay`)
}

function refuseCount({ length }: readonly Line[]): Refusal | null {
  if (length === 0) return invalid('items', 'an order keeps at least one line')
  return length > LINES_MAX ? invalid('items', `an order has at most ${LINES_MAX} lines`) : null
}
