/**
 * The sales order that a command sees and changes, in memory; rules make a new one of it rather than writing into it. It
 * must not do I/O.
 */
import type { Cost, Micro } from '../../decimal.ts'
import type { OrderedLine } from '../../stock/order-line.ts'
import type { deliveryStatuses, orderStatuses } from './schemas.ts'

export type OrderStatus = (typeof orderStatuses)[number]
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export type Line = OrderedLine & {
  readonly id: string
  readonly storagePlaceId: string | null
  readonly packed: Micro
  readonly shipped: Micro
  /** Stock value of all that left for this line. */
  readonly shippedValue: Cost
}

export type Order = {
  readonly id: string
  readonly number: string
  readonly status: OrderStatus
  readonly deliveryStatus: DeliveryStatus
  readonly currency: string
  readonly priority: number
  readonly notes: string | null
  readonly externalRef: string | null
  /** False: no change may reserve more than is available. */
  readonly allowBackorder: boolean
  readonly deliveryDate: string | null
  readonly shippedAt: string | null
  readonly cancelledAt: string | null
  readonly cancelReason: string | null
  readonly lines: readonly Line[]
}

export const leftToShip = (line: Line): Micro => line.quantity - line.shipped

/** The quantity less the greater of what is packed and what is shipped (contract 2). */
export const leftToPack = (line: Line): Micro => line.quantity - greater(line.packed, line.shipped)

/** The order with these lines in the places of those with the same ids. */
export function withLines(order: Order, changed: ReadonlyMap<string, Line>): Order {
  return { ...order, lines: order.lines.map(line => changed.get(line.id) ?? line) }
}

/** Whether nothing has changed; lines that stay are the same objects. */
export function isSame(before: Order, after: Order): boolean {
  const names = Object.keys(before) as (keyof Order)[]
  return (
    names.every(name => name === 'lines' || before[name] === after[name]) &&
    before.lines.length === after.lines.length &&
    before.lines.every((line, index) => line === after.lines[index])
  )
}

// Math.min and Math.max know no bigint.
export function lesser(a: Micro, b: Micro): Micro {
  if (a < b) return a
  return b
}
function greater(a: Micro, b: Micro): Micro {
  if (a > b) return a
  return b
}
