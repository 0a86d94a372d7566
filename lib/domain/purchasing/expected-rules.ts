/** What an open purchase order brings, and where it is expected (docs/rules/purchasing.md). Pure. */
import { invalid, type Refusal } from '../../kit/api/errors.ts'
import type { Micro } from '../../platform/decimal.ts'
import { nameOf } from '../stock/line-rules.ts'
import { adjustPlanned } from '../stock/posting-rules.ts'
import { positionKey, positionOf, type Stock, type Where } from '../stock/stock.ts'
import type { Line, Order, OrderChange } from './orders/noun.ts'

/** The position where the line's open quantity is expected. */
export const expectedAt = (order: Pick<Order, 'storage_place_id'>, line: Pick<Line, 'item_variant_id'>): Where => ({
  itemVariantId: line.item_variant_id,
  storagePlaceId: order.storage_place_id,
})

/** Releases the expected quantity of a line. A service has none. */
export function releaseExpected(
  stock: Stock,
  { order, line, quantity }: { readonly order: Order; readonly line: Line; readonly quantity: Micro },
): void {
  if (!line.holds_stock) return
  // A release only lowers the expected quantity, so it cannot pass the limit.
  adjustPlanned(stock, { position: positionOf(stock, expectedAt(order, line)), expected: -quantity })
}

/** What an order brings of a variant at a place, with one of the lines. */
type Expected = { readonly where: Where; readonly line: Line; readonly quantity: Micro }

/** The expected quantities of an order by position. Lines of one variant count together. */
function expectedOf(order: Order): ReadonlyMap<string, Expected> {
  const sums = new Map<string, Expected>()
  if (order.status !== 'OPEN') return sums
  for (const line of order.items) {
    if (!line.holds_stock) continue
    const where = expectedAt(order, line)
    const key = positionKey(where)
    const open = line.quantity - line.received_quantity
    sums.set(key, { where, line, quantity: (sums.get(key)?.quantity ?? 0n) + open })
  }
  return sums
}

/**
 * Changes expected stock from what the order expected before the change to what it expects after it. Refuses `validation_failed` for an
 * expected quantity beyond the limit; `field` is the field of the body.
 */
export function moveExpected(
  stock: Stock,
  { field, ...change }: { readonly field: string; readonly before: Order; readonly after: Order },
): Refusal | null {
  const [before, after] = [expectedOf(change.before), expectedOf(change.after)]
  for (const [key, { where, line }] of new Map([...before, ...after])) {
    const expected = (after.get(key)?.quantity ?? 0n) - (before.get(key)?.quantity ?? 0n)
    if (expected === 0n) continue
    if (adjustPlanned(stock, { position: positionOf(stock, where), expected }) !== null)
      return invalid(field, `${nameOf(line)}: more would be expected than can be kept`)
  }
  return null
}

/** The positions that a change may touch: those of the lines in the body and, if the place changes, those of all lines at both places. */
export function expectedPositions(order: Order, body: OrderChange): readonly Where[] {
  const lines = new Map(order.items.map(line => [line.id, line]))
  const named = (body.items ?? []).flatMap(({ id, item_variant_id: added }) => {
    const variantId = id === undefined ? added : lines.get(id)?.item_variant_id
    return variantId === undefined ? [] : [{ item_variant_id: variantId }]
  })
  const moved = body.storage_place_id
  if (moved === undefined || moved === order.storage_place_id) return named.map(line => expectedAt(order, line))
  return [...order.items, ...named].flatMap(line => [
    expectedAt(order, line),
    expectedAt({ storage_place_id: moved }, line),
  ])
}
