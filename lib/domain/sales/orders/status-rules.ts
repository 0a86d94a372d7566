/**
 * The statuses of sales orders as tables: which transitions there are, and how the delivery status follows from the lines. Pure: no I/O and
 * no clock (docs/rules/sales.md).
 */
import { type Refusal, refuse } from '../../../kit/api/errors.ts'
import { type DeliveryStatus, type Line, notEditable, type Order, type OrderEvent, type OrderStatus } from './noun.ts'

/** The statuses that may follow each status. */
const moves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  OPEN: ['DONE', 'CANCELLED'],
  DONE: [],
  CANCELLED: [],
}

/** How much of the lines is shipped (or packed): every line in full, no line at all, or less than all. */
type Share = 'all' | 'some' | 'none'

/** The delivery status: by the shipped share, then by the packed share. */
const byShare: Readonly<Record<Share, Readonly<Record<Share, DeliveryStatus>>>> = {
  all: { all: 'SHIPPED', some: 'SHIPPED', none: 'SHIPPED' },
  some: { all: 'PARTIALLY_SHIPPED', some: 'PARTIALLY_SHIPPED', none: 'PARTIALLY_SHIPPED' },
  none: { all: 'PACKED', some: 'PARTIALLY_PACKED', none: 'NOT_SHIPPED' },
}

function shareOf(lines: readonly Line[], done: (line: Line) => bigint): Share {
  if (lines.every(line => done(line) >= line.quantity)) return 'all'
  return lines.some(line => done(line) > 0n) ? 'some' : 'none'
}

export function deliveryStatusOf(lines: readonly Line[]): DeliveryStatus {
  return byShare[shareOf(lines, line => line.shipped_quantity)][shareOf(lines, line => line.packed_quantity)]
}

/** An order with a final status is finished: refuses `sales_order_not_editable`. */
export function refuseFinished(order: Pick<Order, 'number' | 'status'>): Refusal | null {
  if (moves[order.status].length > 0) return null
  return refuse(notEditable, `The sales order ${order.number} is ${order.status}`)
}

/** The order after its lines changed, with its delivery status. If nothing is left to ship, the order ends as of `shippedAt`. */
export function settled(order: Order, shippedAt: string): Order {
  const changed = { ...order, delivery_status: deliveryStatusOf(order.items) }
  return changed.delivery_status === 'SHIPPED' ? { ...changed, status: 'DONE', shipped_at: shippedAt } : changed
}

/**
 * The order with the lines that remain after a shipment is reversed. The order is open again, unless a caller set it DONE: then the rest is
 * not needed. A done order with lines left to ship was set DONE by a caller.
 */
export function reopened(order: Order, lines: readonly Line[]): Order {
  const isEnded = order.status === 'DONE' && order.delivery_status !== 'SHIPPED'
  const items = lines.map(line => {
    const isOpen = !isEnded || line.shipped_quantity === line.quantity
    return line.is_open === isOpen ? line : { ...line, is_open: isOpen }
  })
  const changed = { ...order, items, delivery_status: deliveryStatusOf(items), shipped_at: null }
  return isEnded ? changed : { ...changed, status: 'OPEN' }
}

/** The event of a change, which follows from the order's new status. */
export function eventOf({ status, delivery_status: deliveryStatus }: Order): OrderEvent {
  if (status === 'OPEN') return 'updated'
  if (status === 'CANCELLED') return 'cancelled'
  return deliveryStatus === 'SHIPPED' ? 'shipped' : 'done'
}
