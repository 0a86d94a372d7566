/**
 * What an open purchase order expects, and where (docs/rules/purchasing.md). Pure.
 */
import type { Micro } from '../../platform/decimal.ts'
import type { PositionNeed } from '../stock/position-load.ts'
import { adjustPlanned } from '../stock/posting-rules.ts'
import { positionOf, type Stock } from '../stock/stock.ts'
import type { Line, Order } from './orders/noun.ts'

/** Where the line's open quantity is expected stock. */
export const expectedAt = (order: Order, line: Line): PositionNeed => ({
  itemVariantId: line.item_variant_id,
  storagePlaceId: order.storage_place_id,
})

/** Releases what a line expected. Nothing for a service. */
export function releaseExpected(
  stock: Stock,
  { order, line, quantity }: { readonly order: Order; readonly line: Line; readonly quantity: Micro },
): void {
  if (!line.holds_stock) return
  // A release only lowers, so it cannot overflow.
  adjustPlanned(stock, { position: positionOf(stock, expectedAt(order, line)), expected: -quantity })
}
