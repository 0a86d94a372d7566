/**
 * Purchase units: converts quantities and prices in boxes of 12 to stock units and back. Pure (docs/rules/purchasing.md, "Purchase units").
 */
import { invalid, type Refusal } from '../../kit/api/errors.ts'
import {
  CONVERSION_RATE_PLACES,
  type ConversionRate,
  divideRounded,
  each,
  formatMicro,
  formatScaled,
  MICRO_PLACES,
  type Micro,
  parseMicro,
  powerOfTen,
  type UnitPrice,
} from '../../platform/decimal.ts'

/** The rate of a line in stock units. */
export const ONE: ConversionRate = powerOfTen(CONVERSION_RATE_PLACES)
/** Quantities and prices are less than these. */
const QUANTITY_LIMIT = parseMicro('1000000000')
const PRICE_LIMIT = parseMicro('1000000000000')

/** Stock units in steps of 10^-15: all decimals of a number of purchase units times a rate. */
export type Exact = bigint

export const exactly = (quantity: Micro): Exact => quantity * ONE
/** Converts purchase units to exact stock units. */
export const exactUnits = (units: Micro, rate: ConversionRate): Exact => units * rate
/** Rounded to the 6 decimals of a quantity. */
export const inStockUnits = (exact: Exact): Micro => divideRounded(exact, ONE)

/** The units of a line. A line in stock units has no purchase price, and a rate of 1. */
type InUnits = {
  readonly price: Micro
  readonly conversion_rate: ConversionRate
  readonly purchase_price: Micro | null
}

/** The whole quantity of an order's line. */
export const exactOf = (line: {
  readonly quantity: Micro
  readonly purchase_quantity: Micro | null
  readonly conversion_rate: ConversionRate
}): Exact =>
  line.purchase_quantity === null ? exactly(line.quantity) : exactUnits(line.purchase_quantity, line.conversion_rate)

/**
 * The quantity and price from which amounts and costs are calculated. A line in purchase units uses those and their price; its stock units
 * and their price are rounded.
 */
export function pricedGoods(
  { price, conversion_rate: rate, purchase_price: whole }: InUnits,
  exact: Exact,
): UnitPrice & { readonly quantity: bigint } {
  if (whole === null) return { quantity: exact / ONE, ...each(price) }
  return { quantity: exact, price: whole, per: rate * powerOfTen(MICRO_PLACES) }
}

/**
 * Converts purchase units to stock units, rounded to 6 decimals. `field` is the field of the body, `name` the product. Refuses
 * `validation_failed` if the result is 0, and beyond the limit of quantities.
 */
export function stockQuantity(
  units: Micro,
  line: { readonly rate: ConversionRate; readonly field: string; readonly name: string },
): Micro | Refusal {
  const { rate, field, name } = line
  const quantity = inStockUnits(exactUnits(units, rate))
  const words = `${formatMicro(units)} * ${formatScaled(rate, CONVERSION_RATE_PLACES)} of ${name}`
  if (quantity === 0n) return invalid(field, `${words} comes to 0`)
  return quantity < QUANTITY_LIMIT
    ? quantity
    : invalid(field, `${words} must be less than ${formatMicro(QUANTITY_LIMIT)}`)
}

/** Converts exact stock units to purchase units; null if the result has more than 6 decimals. */
export const purchaseUnits = (exact: Exact, rate: ConversionRate): Micro | null =>
  exact % rate === 0n ? exact / rate : null

/** The price of one stock unit, to 6 decimals. */
export const priceOfOne = (purchasePrice: Micro, rate: ConversionRate): Micro =>
  divideRounded(purchasePrice * ONE, rate)

/** The price of a purchase unit, to 6 decimals. */
export const priceOfUnit = (price: Micro, rate: ConversionRate): Micro => divideRounded(price * rate, ONE)

/** Refuses `validation_failed` for a price beyond the limit. */
export const refusePrice = (price: Micro, field: string, name: string): Refusal | null =>
  price < PRICE_LIMIT ? null : invalid(field, `the price of ${name} must be less than ${formatMicro(PRICE_LIMIT)}`)
