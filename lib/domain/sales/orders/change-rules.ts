/**
 * Decides what a PATCH makes of the fields and lines of a sales order. Pure: no I/O and no clock; what follows for status,
 * shipment and reservations is in `patch-rules.ts` (docs/rules/sales.md).
 */
import { decideEach, invalid, isRefusal, noSuch, type Refusal } from '../../../kit/api/errors.ts'
import { formatMicro } from '../../../platform/decimal.ts'
import { lineTotals } from '../../stock/order-line.ts'
import type { Line, Order } from './document.ts'
import { changedLine, type LineFacts, newLine } from './line-rules.ts'
import { LINES_MAX, type OrderChange, type OrderItemChange } from './schemas.ts'
import { settled } from './status-rules.ts'

/** What of the body can be judged by itself. Refuses `validation_failed`. */
export function refuseBody(body: OrderChange): Refusal | null {
  const { status, delivery_status: deliveryStatus, cancel_reason: reason } = body
  if (status === 'CANCELLED' && deliveryStatus !== undefined)
    return invalid('delivery_status', 'must not stand beside status CANCELLED')
  if (status !== 'CANCELLED' && reason !== undefined && reason !== null)
    return invalid('cancel_reason', 'goes with status CANCELLED')
  const seen = new Set<string>()
  const judged = decideEach(body.items ?? [], (item, index) => {
    const at = `items[${index}]`
    if (item.id === undefined) return refuseAddition(at, item)
    if (seen.has(item.id)) return invalid(`${at}.id`, 'the line appears twice')
    seen.add(item.id)
    return refuseAmendment(at, item)
  })
  return isRefusal(judged) ? judged : null
}

function refuseAddition(at: string, item: OrderItemChange): Refusal | null {
  if (item.remove) return invalid(`${at}.remove`, 'goes with the id of a line')
  if (item.item_variant_id === undefined) return invalid(`${at}.item_variant_id`, 'is required for a new line')
  if (item.quantity === undefined) return invalid(`${at}.quantity`, 'is required for a new line')
  return null
}

function refuseAmendment(at: string, item: OrderItemChange): Refusal | null {
  if (item.item_variant_id !== undefined)
    return invalid(`${at}.item_variant_id`, 'cannot change: remove the line and add another')
  const changes = [item.quantity, item.price, item.tax_rate, item.storage_place_id]
  if (item.remove && changes.some(change => change !== undefined))
    return invalid(`${at}.remove`, 'must not stand beside a change of the line')
  return null
}

/**
 * The order with the body's fields and lines. When that leaves nothing to ship, it is SHIPPED and DONE as of `now`.
 * Refuses `validation_failed`: see `changedLine` and `newLine`; a line that is not the order's, a shipped line removed, none
 * or too many left.
 */
export function decideChange(
  facts: LineFacts,
  order: Order,
  { body, now }: { readonly body: OrderChange; readonly now: string },
): Order | Refusal {
  const fields = {
    ...order,
    notes: body.notes === undefined ? order.notes : body.notes,
    priority: body.priority ?? order.priority,
    delivery_date: body.delivery_date === undefined ? order.delivery_date : body.delivery_date,
    external_ref: body.external_ref === undefined ? order.external_ref : body.external_ref,
    customer_id: body.customer_id ?? order.customer_id,
  }
  if (body.items === undefined) return fields
  const lines = decideLines(facts, order, body.items)
  return isRefusal(lines) ? lines : settled({ ...fields, ...lineTotals(lines), items: lines }, now)
}

function decideLines(facts: LineFacts, order: Order, items: readonly OrderItemChange[]): readonly Line[] | Refusal {
  const { currency } = order
  const lines = new Map(order.items.map(line => [line.id, line]))
  const decided = decideEach(items, (item, index) => {
    const at = `items[${index}]`
    const stored = item.id === undefined ? undefined : lines.get(item.id)
    if (item.id !== undefined && stored === undefined) return noSuch(`${at}.id`, 'line of this order')
    if (stored !== undefined && item.remove) {
      if (stored.shipped_quantity > 0n)
        return invalid(`${at}.remove`, `${formatMicro(stored.shipped_quantity)} of the line are shipped: it must stay`)
      return lines.delete(stored.id)
    }
    const line =
      stored === undefined
        ? addedLine(facts, { at, item, currency })
        : changedLine(facts, { at, line: stored, change: item, currency })
    return isRefusal(line) ? line : lines.set(line.id, line)
  })
  if (isRefusal(decided)) return decided
  if (lines.size === 0) return invalid('items', 'an order keeps at least one line')
  if (lines.size > LINES_MAX) return invalid('items', `an order has at most ${LINES_MAX} lines`)
  return [...lines.values()]
}

function addedLine(
  facts: LineFacts,
  task: { readonly at: string; readonly item: OrderItemChange; readonly currency: string },
): Line | Refusal {
  const { at, item, currency } = task
  const { item_variant_id, quantity, price, storage_place_id, tax_rate = '0' } = item
  // `refuseBody` has seen to it; the types don't know.
  if (item_variant_id === undefined || quantity === undefined) return invalid(at, 'is no new line')
  return newLine(facts, { at, item: { item_variant_id, quantity, price, tax_rate, storage_place_id }, currency })
}
