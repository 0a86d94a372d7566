/** What an order reserves and expects before its start, all at its place. Pure: no I/O and no clock (docs/rules/manufacturing.md). */
import type { Micro } from '../../../platform/decimal.ts'
import { adjustPlanned } from '../../stock/posting-rules.ts'
import { positionKey, positionOf, type Stock, type Where } from '../../stock/stock.ts'
import type { Order } from './noun.ts'

/** An order before its start. */
type Claiming = Pick<Order, 'item_variant_id' | 'manufacturing_location_id' | 'quantity' | 'items'>

const at = (order: Claiming, itemVariantId: string): Where => ({
  itemVariantId,
  storagePlaceId: order.manufacturing_location_id,
})

/** Where the order's output is expected. */
export const outputPosition = (order: Claiming): Where => at(order, order.item_variant_id)

/** The positions of the order's output and of its materials. */
export const claimedPositions = (order: Claiming): Where[] => [
  outputPosition(order),
  ...order.items.map(line => at(order, line.item_variant_id)),
]

type Claim = { readonly where: Where; readonly reserved: Micro; readonly expected: Micro }

/** The claims of an order by position. The output is first, so its event is first. */
function claimsOf(order: Claiming | null): ReadonlyMap<string, Claim> {
  const claims = new Map<string, Claim>()
  const add = (where: Where, { reserved, expected }: Omit<Claim, 'where'>) => {
    const known = claims.get(positionKey(where))
    claims.set(positionKey(where), {
      where,
      reserved: (known?.reserved ?? 0n) + reserved,
      expected: (known?.expected ?? 0n) + expected,
    })
  }
  if (order === null) return claims
  add(outputPosition(order), { reserved: 0n, expected: order.quantity })
  for (const line of order.items) add(at(order, line.item_variant_id), { reserved: line.quantity, expected: 0n })
  return claims
}

/**
 * Changes what is reserved and expected from `before` to `after`. `after` null: releases everything. False: a quantity would pass the limit
 * of the stock.
 */
export function claim(stock: Stock, change: { readonly before: Claiming; readonly after: Claiming | null }): boolean {
  const [before, after] = [claimsOf(change.before), claimsOf(change.after)]
  return [...new Map([...before, ...after])].every(([key, { where }]) => {
    const [old, now] = [before.get(key), after.get(key)]
    const reserved = (now?.reserved ?? 0n) - (old?.reserved ?? 0n)
    const expected = (now?.expected ?? 0n) - (old?.expected ?? 0n)
    if (reserved === 0n && expected === 0n) return true
    return adjustPlanned(stock, { position: positionOf(stock, where), reserved, expected }) === null
  })
}
