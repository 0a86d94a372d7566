/**
 * Amounts of document lines, exact, half up per line to the currency's minor unit. Pure: no I/O and no clock; costs of stock
 * are not its business, they keep 4 decimals.
 */
import {
  COST_PLACES,
  divideRounded,
  MICRO_PLACES,
  type Micro,
  parseScaled,
  powerOfTen,
} from '../../platform/decimal.ts'
import { minorUnitDigits } from './currencies.ts'

/** Ten-thousandths of a document's currency: every minor unit is a whole number of them. */
export type Amount = bigint
/** Ten-thousandths of a percent. */
export type TaxRate = bigint

const TAX_RATE_PLACES = 4
const AMOUNT_PLACES = COST_PLACES

export const parseTaxRate = (text: string): TaxRate => parseScaled(text, TAX_RATE_PLACES)

/** `line_amount` and `line_tax_amount`. */
export type LineAmounts = { readonly amount: Amount; readonly taxAmount: Amount }

/** numerator / denominator of a currency unit, rounded half up to its minor unit. */
function toMinorUnit(ratio: { readonly numerator: bigint; readonly denominator: bigint }, currency: string): Amount {
  const digits = minorUnitDigits(currency)
  return divideRounded(ratio.numerator * powerOfTen(digits), ratio.denominator) * powerOfTen(AMOUNT_PLACES - digits)
}

/**
 * The amounts of one line: quantity times price, rounded; the tax from that rounded amount, rounded.
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
  return { amount, taxAmount }
}
