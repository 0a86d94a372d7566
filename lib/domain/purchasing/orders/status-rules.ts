/**
 * The statuses of purchase orders: how they follow from the lines, and what may still change of an order that is done. Pure: no I/O and
 * no clock (docs/rules/purchasing.md).
 */
import { type Refusal, refuse } from '../../../kit/api/errors.ts'
import { given } from '../../../kit/documents/command.ts'
import type { DeliveryStatus, Line, Order, OrderChange } from './noun.ts'

/** By lines, never by totals: 10 of one line and none of another are not "half". */
function deliveryStatusOf(lines: readonly Line[]): DeliveryStatus {
  if (lines.every(line => line.received_quantity === line.quantity)) return 'RECEIVED'
  return lines.some(line => line.received_quantity > 0n) ? 'PARTIALLY_RECEIVED' : 'NOT_RECEIVED'
}

/** The open order after its lines changed: its delivery status, and its end as of `now` where nothing is outstanding any more. */
export function settled(order: Order, now: string): Order {
  const changed = { ...order, delivery_status: deliveryStatusOf(order.items) }
  return changed.delivery_status === 'RECEIVED' ? { ...changed, status: 'DONE', completed_at: now } : changed
}

/** What of an order changes in any status. */
const ALWAYS: ReadonlySet<string> = new Set(['notes', 'external_ref'] satisfies (keyof OrderChange)[])

/** Refuses `purchase_order_not_editable` for an order that is done and a body that names more than what changes in any status. */
export function refuseDone({ number, status }: Pick<Order, 'number' | 'status'>, body: OrderChange): Refusal | null {
  if (status === 'OPEN' || Object.keys(given(body)).every(name => ALWAYS.has(name))) return null
  return refuse(
    'purchase_order_not_editable',
    `the purchase order ${number} is done: only notes and external_ref change`,
  )
}
