/**
 * Purchase units: how quantities and prices in boxes of 12 become those of stock units. Pure (docs/rules/purchasing.md, "Purchase units").
 */
import { invalid, type Refusal } from '../../kit/api/errors.ts'
import {
  divideRounded,
  each,
  formatMicro,
  MICRO_PLACES,
  type Micro,
  parseMicro,
  powerOfTen,
  type UnitPrice,
} from '../../platform/decimal.ts'

/** The rate of a line in stock units. */
export const ONE: Micro = powerOfTen(MICRO_PLACES)
/** Quantities and prices stay below these. */
const QUANTITY_LIMIT = parseMicro('1000000000')
const PRICE_LIMIT = parseMicro('1000000000000')

/** What a line says of its units. In stock units: no purchase price, and a rate of 1. */
type InUnits = {
  readonly price: Micro
  readonly conversion_rate: Micro
  readonly purchase_price: Micro | null
}

/** The price that amounts and costs come from: of a purchase unit as it is, never its share of a stock unit, which is rounded. */
export const unitPriceOf = ({ price, conversion_rate: per, purchase_price: whole }: InUnits): UnitPrice =>
  whole === null ? each(price) : { price: whole, per }

/**
 * So many purchase units in stock units, exactly. `field` is what the body says of them, `name` the product.
 * Refuses `validation_failed` for more than 6 decimals, and beyond the bound of quantities.
 */
export function stockQuantity(
  units: Micro,
  line: { readonly rate: Micro; readonly field: string; readonly name: string },
): Micro | Refusal {
  const { rate, field, name } = line
  const product = units * rate
  const words = `${formatMicro(units)} * ${formatMicro(rate)} of ${name}`
  if (product % ONE !== 0n) return invalid(field, `${words} has more than ${MICRO_PLACES} decimals`)
  const quantity = product / ONE
  return quantity < QUANTITY_LIMIT
    ? quantity
    : invalid(field, `${words} must be less than ${formatMicro(QUANTITY_LIMIT)}`)
}

/** So many stock units in purchase units; null where that has more than 6 decimals. */
export const purchaseUnits = (quantity: Micro, rate: Micro): Micro | null =>
  (quantity * ONE) % rate === 0n ? (quantity * ONE) / rate : null

/** What one stock unit costs at the price of a purchase unit, to 6 decimals. */
export const priceOfOne = (purchasePrice: Micro, rate: Micro): Micro => divideRounded(purchasePrice * ONE, rate)

/** What a purchase unit costs at the price of one stock unit, to 6 decimals. */
export const priceOfUnit = (price: Micro, rate: Micro): Micro => divideRounded(price * rate, ONE)

/** Refuses `validation_failed` for a price beyond the bound of prices. */
export const refusePrice = (price: Micro, field: string, name: string): Refusal | null =>
  price < PRICE_LIMIT ? null : invalid(field, `the price of ${name} must be less than ${formatMicro(PRICE_LIMIT)}`)
