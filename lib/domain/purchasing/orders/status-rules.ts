/**
 * The statuses of purchase orders: how they follow from the lines, and which fields of a done order may change. Pure: no I/O and no clock
 * (docs/rules/purchasing.md).
 */
import { type Refusal, refuse } from '../../../kit/api/errors.ts'
import { given } from '../../../kit/documents/command.ts'
import { type DeliveryStatus, type Line, notEditable, type Order, type OrderChange } from './noun.ts'

/** The status follows from single lines, never from totals: 10 of one line and 0 of another are not half of the order. */
function deliveryStatusOf(lines: readonly Line[]): DeliveryStatus {
  if (lines.every(line => line.received_quantity === line.quantity)) return 'RECEIVED'
  return lines.some(line => line.received_quantity > 0n) ? 'PARTIALLY_RECEIVED' : 'NOT_RECEIVED'
}

/** The open order after its lines changed, with its delivery status. If nothing is left to receive, the order ends as of `now`. */
export function settled(order: Order, now: string): Order {
  const changed = { ...order, delivery_status: deliveryStatusOf(order.items) }
  return changed.delivery_status === 'RECEIVED' ? { ...changed, status: 'DONE', completed_at: now } : changed
}

/**
 * The order with the lines that remain after a receipt is reversed. The order is open again, unless a caller closed it: then the rest is
 * not expected. A done order with lines left to receive was closed by a caller.
 */
export function reopened(order: Order, lines: readonly Line[]): Order {
  const isClosed = order.status === 'DONE' && order.delivery_status !== 'RECEIVED'
  const items = lines.map(line => {
    const isOpen = !isClosed || line.received_quantity === line.quantity
    return line.is_open === isOpen ? line : { ...line, is_open: isOpen }
  })
  const changed = { ...order, items, delivery_status: deliveryStatusOf(items) }
  return isClosed ? changed : { ...changed, status: 'OPEN', completed_at: null }
}

/** The fields of an order that may change in any status. */
const ALWAYS: ReadonlySet<string> = new Set(['notes', 'external_ref', 'metadata'] satisfies (keyof OrderChange)[])

/** Refuses `purchase_order_not_editable` for a done order and a body with other fields than those that may change in any status. */
export function refuseDone({ number, status }: Pick<Order, 'number' | 'status'>, body: OrderChange): Refusal | null {
  if (status === 'OPEN' || Object.keys(given(body)).every(name => ALWAYS.has(name))) return null
  return refuse(notEditable, `the purchase order ${number} is done: only notes, external_ref and metadata change`)
}
