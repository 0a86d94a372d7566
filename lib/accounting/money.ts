/**
 * Amounts of document lines and their totals, exact, half up per line to the currency's minor unit. Pure: no I/O and no
 * clock; costs of stock are not its business, they keep 4 decimals.
 */
import {
  COST_PLACES,
  divideRounded,
  formatScaled,
  MICRO_PLACES,
  type Micro,
  parseScaled,
  powerOfTen,
} from '../decimal.ts'
import { minorUnitDigits } from './currencies.ts'

/** Ten-thousandths of a document's currency: every minor unit is a whole number of them. Print with `formatAmount`. */
export type Amount = bigint
/** Ten-thousandths of a percent. */
export type TaxRate = bigint

const TAX_RATE_PLACES = 4
const AMOUNT_PLACES = COST_PLACES

export const parseTaxRate = (text: string): TaxRate => parseScaled(text, TAX_RATE_PLACES)
export const formatAmount = (amount: Amount): string => formatScaled(amount, AMOUNT_PLACES)

/** `line_amount`, `line_tax_amount` and `line_amount_with_tax`. */
export type LineAmounts = { readonly amount: Amount; readonly taxAmount: Amount; readonly amountWithTax: Amount }

/** `total_amount`, `tax_amount` and `total_amount_with_tax`. */
export type Totals = LineAmounts

/** numerator / denominator of a currency unit, rounded half up to its minor unit. */
function toMinorUnit(ratio: { readonly numerator: bigint; readonly denominator: bigint }, currency: string): Amount {
  const digits = minorUnitDigits(currency)
  return divideRounded(ratio.numerator * powerOfTen(digits), ratio.denominator) * powerOfTen(AMOUNT_PLACES - digits)
}

/**
 * The amounts of one line: quantity times price, rounded; the tax from that rounded amount, rounded; their sum.
 * Quantity and price in millionths, the tax rate in ten-thousandths of a percent.
 */
export function lineAmounts(line: {
  readonly quantity: Micro
  readonly price: Micro
  readonly taxRate: TaxRate
  readonly currency: string
}): LineAmounts {
  const { quantity, price, taxRate, currency } = line
  const amount = toMinorUnit({ numerator: quantity * price, denominator: powerOfTen(2 * MICRO_PLACES) }, currency)
  const percent = powerOfTen(AMOUNT_PLACES + TAX_RATE_PLACES + 2)
  const taxAmount = toMinorUnit({ numerator: amount * taxRate, denominator: percent }, currency)
  return { amount, taxAmount, amountWithTax: amount + taxAmount }
}

/** The totals of a document: the sums of its lines' amounts, never computed from sums of quantities. */
export function totalsOf(lines: Iterable<LineAmounts>): Totals {
  let [amount, taxAmount] = [0n, 0n]
  for (const line of lines) {
    amount += line.amount
    taxAmount += line.taxAmount
  }
  return { amount, taxAmount, amountWithTax: amount + taxAmount }
}
