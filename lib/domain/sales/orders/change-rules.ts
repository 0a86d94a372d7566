/**
 * Decides what a PATCH makes of the fields and lines of a sales order. Pure: no I/O and no clock. What follows for status,
 * shipment and reservations is in `patch-rules.ts` (docs/rules/sales.md).
 */
import { invalid, isRefusal, type Refusal } from '../../../kit/api/errors.ts'
import { lineChanges, merged } from '../../../kit/documents/merging.ts'
import { formatMicro } from '../../../platform/decimal.ts'
import { changedCharges, orderTotals } from './charge-rules.ts'
import { changedLine, type LineFacts, newLine } from './line-rules.ts'
import { LINES_MAX, type Line, type Order, type OrderChange, SalesOrder, SalesOrderItem } from './noun.ts'
import { settled } from './status-rules.ts'

/** What of the body's fields can be judged by itself. Refuses `validation_failed`. */
export function refuseBody(body: OrderChange): Refusal | null {
  const { status, delivery_status: deliveryStatus, cancel_reason: reason } = body
  if (status === 'CANCELLED' && deliveryStatus !== undefined)
    return invalid('delivery_status', 'must not stand beside status CANCELLED')
  if (status !== 'CANCELLED' && reason !== undefined && reason !== null)
    return invalid('cancel_reason', 'goes with status CANCELLED')
  return null
}

/**
 * The order with the body's fields, charges and lines. When that leaves nothing to ship, it is SHIPPED and DONE as of `now`.
 * Refuses `validation_failed`: see `changedLine` and `newLine`; a line that is not the order's, a shipped line removed, none
 * or too many left.
 */
export function decideChange(
  facts: LineFacts,
  order: Order,
  { body, now }: { readonly body: OrderChange; readonly now: string },
): Order | Refusal {
  const charges = changedCharges(order, body.charges, () => facts.stock.takeId())
  const fields = { ...merged(SalesOrder, order, body), customer_id: body.customer_id ?? order.customer_id, charges }
  if (body.items === undefined) return charges === order.charges ? fields : { ...fields, ...orderTotals(fields) }
  const { currency } = order
  const change = { list: 'items', noun: 'line of this order', before: order.items, entries: body.items }
  const items = lineChanges(SalesOrderItem, change, {
    added: (item, at) => newLine(facts, { at, item, currency }),
    changed: (line, change, at) => changedLine(facts, { at, line, change, currency }),
    removed: refuseRemoval,
  })
  if (isRefusal(items)) return items
  return refuseCount(items) ?? settled({ ...fields, ...orderTotals({ items, charges }), items }, now)
}

function refuseRemoval({ shipped_quantity: shipped, was_shipped: wasShipped }: Line, at: string): Refusal | null {
  if (shipped > 0n) return invalid(`${at}.remove`, `${formatMicro(shipped)} of the line are shipped: it must stay`)
  return wasShipped ? invalid(`${at}.remove`, 'a reversed shipment names the line: it must stay') : null
}

function refuseCount({ length }: readonly Line[]): Refusal | null {
  if (length === 0) return invalid('items', 'an order keeps at least one line')
  return length > LINES_MAX ? invalid('items', `an order has at most ${LINES_MAX} lines`) : null
}
