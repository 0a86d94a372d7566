/**
 * Moving average cost: what an inflow adds to the value of a variant at a place, and what an outflow takes. Pure: no I/O
 * and no clock.
 */
import { type Cost, costOf, divideRounded, type Micro, powerOfTen } from '../../platform/decimal.ts'

/** What a variant holds at a place: Q and V of docs/rules/stock.md. */
export type Holding = { readonly quantity: Micro; readonly value: Cost }

/** `round(V / Q, 4)` in the 4 decimals of a cost; null when there is no stock. */
export function averageCost({ quantity, value }: Holding): Cost | null {
  return quantity === 0n ? null : divideRounded(value * powerOfTen(6), quantity)
}

/** What an outflow takes: `round(q * V / Q, 4)`, and the whole rest of V when it empties the place. Needs 0 < q <= Q. */
export function outflowValue(holding: Holding, quantity: Micro): Cost {
  return quantity === holding.quantity ? holding.value : divideRounded(quantity * holding.value, holding.quantity)
}

/**
 * What an inflow without a given cost adds: its share at the average as it is, `round(q * V / Q, 4)`; at an empty place the
 * purchase price, else 0.
 */
export function defaultInflowValue(holding: Holding, quantity: Micro, purchasePrice: Micro | null): Cost {
  return holding.quantity === 0n
    ? costOf(quantity, purchasePrice ?? 0n)
    : divideRounded(quantity * holding.value, holding.quantity)
}

/** The unit cost to show for what is posted at the average: in millionths; at an empty place the purchase price, else 0. */
export function usualUnitCost(holding: Holding, purchasePrice: Micro | null): Micro {
  const average = averageCost(holding)
  return average === null ? (purchasePrice ?? 0n) : average * powerOfTen(2)
}
