/**
 * Purchase units: how quantities and prices in boxes of 12 become those of stock units. Pure (docs/rules/purchasing.md, "Purchase units").
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
/** Quantities and prices stay below these. */
const QUANTITY_LIMIT = parseMicro('1000000000')
const PRICE_LIMIT = parseMicro('1000000000000')

/** Stock units with all decimals of purchase units times a rate: 10^-15. */
export type Exact = bigint

export const exactly = (quantity: Micro): Exact => quantity * ONE
/** So many purchase units. */
export const exactUnits = (units: Micro, rate: ConversionRate): Exact => units * rate
/** Rounded to the 6 decimals of a quantity. */
export const inStockUnits = (exact: Exact): Micro => divideRounded(exact, ONE)

/** What a line says of its units. In stock units: no purchase price, and a rate of 1. */
type InUnits = {
  readonly price: Micro
  readonly conversion_rate: ConversionRate
  readonly purchase_price: Micro | null
}

/** All of an order's line. */
export const exactOf = (line: {
  readonly quantity: Micro
  readonly purchase_quantity: Micro | null
  readonly conversion_rate: ConversionRate
}): Exact =>
  line.purchase_quantity === null ? exactly(line.quantity) : exactUnits(line.purchase_quantity, line.conversion_rate)

/** What amounts and costs come from: of a line in purchase units these and their price, never stock units or their price, which are rounded. */
export function pricedGoods(
  { price, conversion_rate: rate, purchase_price: whole }: InUnits,
  exact: Exact,
): UnitPrice & { readonly quantity: bigint } {
  if (whole === null) return { quantity: exact / ONE, ...each(price) }
  return { quantity: exact, price: whole, per: rate * powerOfTen(MICRO_PLACES) }
}

/**
 * So many purchase units in stock units, rounded to 6 decimals. `field` is what the body says of them, `name` the product.
 * Refuses `validation_failed` where that is 0, and beyond the bound of quantities.
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

/** So many stock units in purchase units; null where that has more than 6 decimals. */
export const purchaseUnits = (exact: Exact, rate: ConversionRate): Micro | null =>
  exact % rate === 0n ? exact / rate : null

/** What one stock unit costs at the price of a purchase unit, to 6 decimals. */
export const priceOfOne = (purchasePrice: Micro, rate: ConversionRate): Micro =>
  divideRounded(purchasePrice * ONE, rate)

/** What a purchase unit costs at the price of one stock unit, to 6 decimals. */
export const priceOfUnit = (price: Micro, rate: ConversionRate): Micro => divideRounded(price * rate, ONE)

/** Refuses `validation_failed` for a price beyond the bound of prices. */
export const refusePrice = (price: Micro, field: string, name: string): Refusal | null =>
  price < PRICE_LIMIT ? null : invalid(field, `the price of ${name} must be less than ${formatMicro(PRICE_LIMIT)}`)
