/**
 * Amounts of document lines, exact, half up per line to the currency's minor unit. Pure: no I/O and no clock; costs of stock
 * are not its business, they keep 4 decimals.
 */
import {
  COST_PLACES,
  divideRounded,
  HUNDRED_PERCENT,
  MICRO_PLACES,
  type Micro,
  PERCENT_PLACES,
  type Percent,
  parseScaled,
  powerOfTen,
  type UnitPrice,
} from '../../platform/decimal.ts'
import { minorUnitDigits } from './currencies.ts'

/** Ten-thousandths of a document's currency: every minor unit is a whole number of them. */
export type Amount = bigint

export const AMOUNT_PLACES = COST_PLACES

export const parsePercent = (text: string): Percent => parseScaled(text, PERCENT_PLACES)

const AMOUNT = powerOfTen(MICRO_PLACES - AMOUNT_PLACES)
/** An amount as a price, which has more decimals, and such a price as the amount. */
export const asPrice = (amount: Amount): Micro => amount * AMOUNT
export const asAmount = (price: Micro): Amount => price / AMOUNT

/** `line_amount` and `line_tax_amount`. */
export type LineAmounts = { readonly amount: Amount; readonly taxAmount: Amount }

/** numerator / denominator of a currency unit, rounded half up to its minor unit. */
function toMinorUnit(ratio: { readonly numerator: bigint; readonly denominator: bigint }, currency: string): Amount {
  const digits = minorUnitDigits(currency)
  return divideRounded(ratio.numerator * powerOfTen(digits), ratio.denominator) * powerOfTen(AMOUNT_PLACES - digits)
}

/** A price less its discount, rounded to the decimals of a price: `round(price * (100 - discount) / 100, 6)`. */
export const discountedPrice = (price: Micro, discount: Percent): Micro =>
  divideRounded(price * (HUNDRED_PERCENT - discount), HUNDRED_PERCENT)

/**
 * The amounts of one line: quantity times unit price less the discount, rounded once; the tax from that rounded amount, rounded.
 * Quantity and price in millionths, discount and tax rate in ten-thousandths of a percent.
 */
export function lineAmounts(
  line: UnitPrice & {
    readonly quantity: Micro
    readonly discount: Percent
    readonly taxRate: Percent
    readonly currency: string
  },
): LineAmounts {
  const { quantity, price, per, discount, taxRate, currency } = line
  const amount = toMinorUnit(
    {
      numerator: quantity * price * (HUNDRED_PERCENT - discount),
      denominator: HUNDRED_PERCENT * per * powerOfTen(MICRO_PLACES),
    },
    currency,
  )
  const denominator = HUNDRED_PERCENT * powerOfTen(AMOUNT_PLACES)
  return { amount, taxAmount: toMinorUnit({ numerator: amount * taxRate, denominator }, currency) }
}
