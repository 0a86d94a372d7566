/** Quantities of an order's lines: what is left to ship and to pack. Pure. */
import type { Micro } from '../../../platform/decimal.ts'
import type { Where } from '../../stock/stock.ts'
import type { Line, Order } from './noun.ts'

export const leftToShip = (line: Line): Micro => line.quantity - line.shipped_quantity

/** The quantity less the greater of what is packed and what is shipped. */
export const leftToPack = (line: Line): Micro => line.quantity - greater(line.packed_quantity, line.shipped_quantity)

/** Where the line reserves and ships; null: the line has no variant. */
export const placeOf = ({ item_variant_id: itemVariantId, storage_place_id: storagePlaceId }: Line): Where | null =>
  itemVariantId === null ? null : { itemVariantId, storagePlaceId }

/** Where a line that holds stock reserves and ships. */
export function whereOf(line: Line): Where {
  const where = placeOf(line)
  if (where === null) throw new Error(`the line ${line.id} names no variant`)
  return where
}

/** Whether stock leaves for the line: its own, or components of its kit. */
export const takesStock = ({ holds_stock, components }: Line): boolean =>
  holds_stock || components.some(part => part.holds_stock)

/** The order with these lines instead of the lines with the same ids. */
export function withLines(order: Order, changed: ReadonlyMap<string, Line>): Order {
  return { ...order, items: order.items.map(line => changed.get(line.id) ?? line) }
}

// Math.min and Math.max do not take bigints.
export function lesser(a: Micro, b: Micro): Micro {
  if (a < b) return a
  return b
}
export function greater(a: Micro, b: Micro): Micro {
  if (a > b) return a
  return b
}
