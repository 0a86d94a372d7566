/**
 * Moving average cost: the value that an inflow adds to a variant at a place, and the value that an outflow takes. Pure: no I/O and no
 * clock.
 */
import { type Cost, costOf, divideRounded, type Micro, powerOfTen } from '../../platform/decimal.ts'

/** The stock of a variant at a place: Q and V in docs/rules/stock.md. */
export type Holding = { readonly quantity: Micro; readonly value: Cost }

/** `round(V / Q, 4)`; null without stock. */
export function averageCost({ quantity, value }: Holding): Cost | null {
  return quantity === 0n ? null : divideRounded(value * powerOfTen(6), quantity)
}

/** The value that an outflow takes: `round(q * V / Q, 4)`, or all of V when it takes all of Q. Needs 0 < q <= Q. */
export function outflowValue(holding: Holding, quantity: Micro): Cost {
  return quantity === holding.quantity ? holding.value : divideRounded(quantity * holding.value, holding.quantity)
}

/** The value that an inflow without a cost adds: `round(q * V / Q, 4)`. Without stock the purchase price counts, else 0. */
export function defaultInflowValue(holding: Holding, quantity: Micro, purchasePrice: Micro | null): Cost {
  return holding.quantity === 0n
    ? costOf(quantity, purchasePrice ?? 0n)
    : divideRounded(quantity * holding.value, holding.quantity)
}

/** The unit cost of a posting at the average, in millionths. Without stock the purchase price counts, else 0. */
export function usualUnitCost(holding: Holding, purchasePrice: Micro | null): Micro {
  const average = averageCost(holding)
  return average === null ? (purchasePrice ?? 0n) : average * powerOfTen(2)
}
