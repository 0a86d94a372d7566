/**
 * The taxes of a line or charge: which fields a body may have, and their amounts. Pure: no I/O and no clock (docs/rules/sales.md,
 * "Amounts").
 */
import { invalid, type Refusal } from '../../../kit/api/errors.ts'
import { isGiven, type Tax } from '../../../kit/fields/taxes.ts'
import { formatCost, HUNDRED_PERCENT, type Percent, parseCost, parseMicro } from '../../../platform/decimal.ts'
import { type AmountRule, amountsOf, rounded } from '../../accounting/amounts-rules.ts'
import { minorUnitDigits } from '../../accounting/currencies.ts'
import { type Amount, asPrice, parsePercent } from '../../accounting/money.ts'
import type { Order } from './noun.ts'

/** The fields of an order that decide how its amounts are calculated. */
export type Terms = Pick<Order, 'currency' | 'prices_include_tax' | 'tax_rounding' | 'tax_rounding_mode'>

export const ruleOf = (terms: Terms): AmountRule => ({
  currency: terms.currency,
  pricesIncludeTax: terms.prices_include_tax,
  taxRoundingMode: terms.tax_rounding_mode,
})

type Sent = { readonly tax_rate?: Percent | undefined; readonly taxes?: readonly Tax[] | undefined }
/** The taxes of a line or charge: one rate, or several taxes. `tax_rate` is the sum of their rates. */
type Taxed = { readonly tax_rate: Percent; readonly taxes: readonly Tax[] }

const RATES_MAX: Percent = 2n * HUNDRED_PERCENT
const rateOf = (taxes: readonly Tax[]): Percent => taxes.reduce((sum, { rate }) => sum + parsePercent(rate), 0n)

/** Checks the taxes of an entry alone. Refuses `validation_failed`. */
export function refuseTaxes(at: string, { tax_rate, taxes }: Sent): Refusal | null {
  if (taxes === undefined) return null
  if (tax_rate !== undefined) return invalid(`${at}.taxes`, 'must not stand beside tax_rate')
  if (rateOf(taxes) > RATES_MAX) return invalid(`${at}.taxes`, 'the rates must be 200 or less together')
  const missing = taxes.some(isGiven) ? taxes.findIndex(tax => !isGiven(tax)) : -1
  if (missing === -1) return null
  return invalid(`${at}.taxes[${missing}].amount`, 'is required: amounts are given for all taxes or for none')
}

/** The taxes of a body as a record stores them; undefined if the body has none. */
export function sentTaxes({ tax_rate, taxes }: Sent): Taxed | undefined {
  if (taxes !== undefined) return { tax_rate: rateOf(taxes), taxes }
  return tax_rate === undefined ? undefined : { tax_rate, taxes: [] }
}

/**
 * The amounts of a line or charge whose price is `price` in the price mode of its order. Refuses `validation_failed` for tax amounts where
 * the order rounds taxes together, and for tax amounts with too many decimals, of the wrong sign, or above the price that includes them.
 */
export function taxed(
  { at, price, terms }: { readonly at: string; readonly price: Amount; readonly terms: Terms },
  { tax_rate, taxes }: Taxed,
): { readonly amount: Amount; readonly taxAmount: Amount; readonly taxes: readonly Tax[] } | Refusal {
  if (taxes.length > 0 && terms.tax_rounding === 'ORDER')
    return invalid(`${at}.taxes`, 'do not go with tax_rounding ORDER: give tax_rate')
  const refused = refuseGiven({ at, price, terms }, taxes)
  if (refused !== null) return refused
  const asked =
    taxes.length === 0
      ? [{ rate: tax_rate, amount: null }]
      : taxes.map(tax => ({ rate: parsePercent(tax.rate), amount: isGiven(tax) ? parseCost(tax.amount ?? '0') : null }))
  const amounts = amountsOf(price, asked, ruleOf(terms))
  if (amounts === null)
    return invalid(`${at}.taxes`, `the amounts must be ${formatCost(price)} or less together: so much it costs`)
  return {
    ...amounts,
    taxes: taxes.map((tax, index) => ({
      title: tax.title,
      rate: tax.rate,
      amount: formatCost(amounts.taxes[index] ?? 0n),
      given: isGiven(tax),
    })),
  }
}

function refuseGiven(
  { at, price, terms: { currency } }: { readonly at: string; readonly price: Amount; readonly terms: Terms },
  taxes: readonly Tax[],
): Refusal | null {
  for (const [index, tax] of taxes.entries()) {
    if (!isGiven(tax)) continue
    const field = `${at}.taxes[${index}].amount`
    const amount = parseMicro(tax.amount ?? '0')
    if (asPrice(rounded(amount, currency)) !== amount)
      return invalid(field, `must have at most ${minorUnitDigits(currency)} decimals in ${currency}`)
    if (price < 0n ? amount > 0n : amount < 0n) return invalid(field, `must be 0 or ${price < 0n ? 'less' : 'more'}`)
  }
  return null
}
