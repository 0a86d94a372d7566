/** What the lines and charges of a drafted order come to, by the rules of the service. Computes nothing of its own. */
import { type AmountRule, amountsOf, orderTaxes } from '../../../domain/accounting/amounts-rules.ts'
import type { Amount } from '../../../domain/accounting/money.ts'
import type { Percent } from '../../../platform/decimal.ts'

export type Counting = AmountRule & {
  /** Taxes of one rate are rounded once for all entries. */
  readonly isRoundedTogether: boolean
}

/** What a line or charge costs in the price mode of its order, and the rates on it. */
type Entry = { readonly price: Amount; readonly rates: readonly Percent[] }
export type Counted = { readonly amount: Amount; readonly taxAmount: Amount; readonly taxes: readonly Amount[] }

/** The amounts of lines, then charges, in their order. */
export function counted(entries: readonly Entry[], counting: Counting): readonly Counted[] {
  if (!counting.isRoundedTogether) return entries.map(entry => countedAlone(entry, counting))
  const taxes = orderTaxes(
    entries.map(({ price, rates }) => ({ price, rate: rates.reduce((all, rate) => all + rate, 0n) })),
    counting,
  )
  return entries.map(({ price }, at) => {
    const taxAmount = taxes[at] ?? 0n
    return { amount: counting.pricesIncludeTax ? price - taxAmount : price, taxAmount, taxes: [taxAmount] }
  })
}

function countedAlone({ price, rates }: Entry, rule: AmountRule): Counted {
  const taxes = rates.map(rate => ({ rate, amount: null }))
  // Null only where given taxes are more than the price: these follow from rates.
  return amountsOf(price, taxes, rule) ?? { amount: price, taxAmount: 0n, taxes: [] }
}
