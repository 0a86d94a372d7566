/**
 * Quantities of an order's lines: what is left to ship and to pack, and what changed. Pure.
 */
import type { Micro } from '../../../platform/decimal.ts'
import type { Where } from '../../stock/stock.ts'
import type { Line, Order } from './noun.ts'

export const leftToShip = (line: Line): Micro => line.quantity - line.shipped_quantity

/** The quantity less the greater of what is packed and what is shipped. */
export const leftToPack = (line: Line): Micro => line.quantity - greater(line.packed_quantity, line.shipped_quantity)

/** Where the line reserves and ships. */
export const whereOf = (line: Line): Where => ({
  itemVariantId: line.item_variant_id,
  storagePlaceId: line.storage_place_id,
})

/** The order with these lines in the places of those with the same ids. */
export function withLines(order: Order, changed: ReadonlyMap<string, Line>): Order {
  return { ...order, items: order.items.map(line => changed.get(line.id) ?? line) }
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
