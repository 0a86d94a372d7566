/**
 * What a line or a charge of a sales order costs, with its taxes: exact, and rounded once where docs/rules/sales.md says so.
 * Pure: no I/O and no clock. Costs of stock are not its business.
 */
import {
  divideRounded,
  HUNDRED_PERCENT,
  MICRO_PLACES,
  type Micro,
  type Percent,
  powerOfTen,
  type UnitPrice,
} from '../../platform/decimal.ts'
import { minorUnitDigits } from './currencies.ts'
import { AMOUNT_PLACES, type Amount } from './money.ts'

/** How the size of a tax is rounded: a tax of -0.5 is rounded as 0.5. */
export type RoundingMode = 'HALF_UP' | 'DOWN' | 'UP'

/** How an order computes its amounts. The rule is the same for all of its lines and charges. */
export type AmountRule = {
  readonly currency: string
  /** Prices, discounts and charges include their tax. */
  readonly pricesIncludeTax: boolean
  readonly taxRoundingMode: RoundingMode
}

/** `amount`: the tax as the shop computed it; null: it follows from the rate. */
export type GivenTax = { readonly rate: Percent; readonly amount: Amount | null }

/** `amount` is without tax. `taxes` are in the order in which they were given. */
export type Amounts = { readonly amount: Amount; readonly taxAmount: Amount; readonly taxes: readonly Amount[] }

export type Goods = UnitPrice & {
  readonly quantity: Micro
  readonly discount: Percent
  readonly discountAmount: Micro
}

/** A number of currency units. The denominator is above 0. */
type Ratio = { readonly numerator: bigint; readonly denominator: bigint }

/** Rounded to the minor unit of the currency. */
export function toMinorUnit(
  { numerator, denominator }: Ratio,
  currency: string,
  mode: RoundingMode = 'HALF_UP',
): Amount {
  const digits = minorUnitDigits(currency)
  return divided(numerator * powerOfTen(digits), denominator, mode) * powerOfTen(AMOUNT_PLACES - digits)
}

function divided(numerator: bigint, denominator: bigint, mode: RoundingMode): bigint {
  if (mode === 'HALF_UP') return divideRounded(numerator, denominator)
  const size = numerator < 0n ? -numerator : numerator
  const quotient = (mode === 'UP' ? size + denominator - 1n : size) / denominator
  return numerator < 0n ? -quotient : quotient
}

/** A price or an amount of a body, rounded to the minor unit. */
export const rounded = (price: Micro, currency: string): Amount =>
  toMinorUnit({ numerator: price, denominator: powerOfTen(MICRO_PLACES) }, currency)

/** What the goods cost, before anything is rounded. */
const exactPrice = ({ quantity, price, per, discount, discountAmount }: Goods): Ratio => ({
  numerator: quantity * price * (HUNDRED_PERCENT - discount) - discountAmount * HUNDRED_PERCENT * per,
  denominator: HUNDRED_PERCENT * per * powerOfTen(MICRO_PLACES),
})

/** What the goods cost in the price mode of their order (with or without tax); never below 0. */
export function priceOf(goods: Goods, currency: string): Amount {
  const price = toMinorUnit(exactPrice(goods), currency)
  return price < 0n ? 0n : price
}

/** The greatest discount amount that a line may have: the price of its goods without that discount. */
export const discountAmountMax = (goods: Goods, currency: string): Amount =>
  priceOf({ ...goods, discountAmount: 0n }, currency)

/** What one unit costs with all discounts: `round(exact price of the line / quantity, 6)`, not below 0. */
export function pricePerUnit(goods: Goods): Micro {
  const { numerator, denominator } = exactPrice(goods)
  if (numerator <= 0n) return 0n
  return divideRounded(numerator * powerOfTen(2 * MICRO_PLACES), denominator * goods.quantity)
}

/** The amounts of a line of a purchase order, whose prices are without tax: rounded half up, the tax from the rounded amount. */
export function lineAmounts(
  line: Omit<Goods, 'discountAmount'> & { readonly taxRate: Percent; readonly currency: string },
): Pick<Amounts, 'amount' | 'taxAmount'> {
  const { currency, taxRate } = line
  const amount = priceOf({ ...line, discountAmount: 0n }, currency)
  return {
    amount,
    taxAmount: taxOn(amount, taxRate, { currency, pricesIncludeTax: false, taxRoundingMode: 'HALF_UP' }),
  }
}

/**
 * The amounts of a line or charge that costs `price` in the price mode of its order. null: prices include taxes, and the given taxes are
 * more than the price.
 */
export function amountsOf(price: Amount, taxes: readonly GivenTax[], rule: AmountRule): Amounts | null {
  const given = taxes.some(({ amount }) => amount !== null) ? taxes.map(({ amount }) => amount ?? 0n) : null
  if (!rule.pricesIncludeTax) {
    const each = given ?? taxes.map(({ rate }) => taxOn(price, rate, rule))
    return { amount: price, taxAmount: sum(each), taxes: each }
  }
  const rates = taxes.map(({ rate }) => rate)
  const taxAmount = given === null ? taxOn(price, sum(rates), rule) : sum(given)
  const isBeyond = price < 0n ? taxAmount < price : taxAmount > price
  if (isBeyond) return null
  return { amount: price - taxAmount, taxAmount, taxes: given ?? spread(taxAmount, rates, rule.currency) }
}

/** The tax on a price, or the tax in it. */
const taxOn = (price: Amount, rate: Percent, rule: AmountRule): Amount =>
  toMinorUnit(exactTax(price, rate, rule), rule.currency, rule.taxRoundingMode)

const exactTax = (price: Amount, rate: Percent, { pricesIncludeTax }: AmountRule): Ratio => ({
  numerator: price * rate,
  denominator: (HUNDRED_PERCENT + (pricesIncludeTax ? rate : 0n)) * powerOfTen(AMOUNT_PLACES),
})

/**
 * Splits a tax amount over the taxes of these rates. The k-th tax is `round(amount * (r1 + ... + rk) / R)` less the taxes before it, half
 * up; 0 where R is 0.
 */
export function spread(taxAmount: Amount, rates: readonly Percent[], currency: string): Amount[] {
  const all = sum(rates)
  let [reached, before] = [0n, 0n]
  return rates.map(rate => {
    reached += rate
    const until =
      all === 0n
        ? 0n
        : toMinorUnit({ numerator: taxAmount * reached, denominator: all * powerOfTen(AMOUNT_PLACES) }, currency)
    const share = until - before
    before = until
    return share
  })
}

/**
 * Taxes that are rounded once for all entries of one rate (`tax_rounding: ORDER`). The i-th entry of a rate gets the rounded tax of the
 * first i entries together, less the taxes of the entries before it. `entries` are the lines, then the charges, with their price in the
 * price mode.
 */
export function orderTaxes(
  entries: readonly { readonly price: Amount; readonly rate: Percent }[],
  rule: AmountRule,
): readonly Amount[] {
  const reached = new Map<Percent, { price: Amount; tax: Amount }>()
  return entries.map(({ price, rate }) => {
    const before = reached.get(rate) ?? { price: 0n, tax: 0n }
    const until = before.price + price
    const tax = taxOn(until, rate, rule)
    reached.set(rate, { price: until, tax })
    return tax - before.tax
  })
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
