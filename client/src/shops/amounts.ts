/** Lines, charges and totals of an order with taxes as the shop computed them. */
import type { Charge, OrderLine, Tax } from './bodies.ts'
import { costs, type Micro, perPiece, roundedTo, ShopFieldError, size, sum, toNumber, toText } from './decimal.ts'
import { text } from './texts.ts'

/** How all of an order counts. `unit`: the currency's minor unit. */
export type Rule = { readonly unit: Micro; readonly includesTax: boolean }

export type ShopTax = { readonly title: string | null | undefined; readonly rate: Micro; readonly amount: Micro }

/** What a line or charge costs with tax, beside how it is said. */
export type Counted<Said> = { readonly said: Said; readonly withTax: Micro }

/** `total` in the order's price mode, in the minor unit, with all discounts. */
type LineOf = {
  readonly names: Pick<OrderLine, 'item_variant_id' | 'sku' | 'title'>
  readonly external_ref: string
  readonly quantity: Micro
  readonly price: Micro
  readonly discount: Micro
  readonly taxes: readonly ShopTax[]
}

/** @param field of the shop, for what it throws: `line_items[0]`. */
export function line(of: LineOf, field: string, rule: Rule): Counted<OrderLine> {
  const before = costs(of.quantity, of.price, rule.unit)
  if (of.quantity <= 0n) throw new ShopFieldError(`${field}.quantity`, 'must be greater than 0')
  if (of.discount < 0n || of.discount > before)
    throw new ShopFieldError(field, `a discount of ${toText(of.discount)} on goods for ${toText(before)}`)
  const total = lessDiscount(of, rule.unit)
  return {
    withTax: withTax(total, of.taxes, field, rule),
    said: {
      ...of.names,
      quantity: toNumber(of.quantity, `${field}.quantity`),
      price: toNumber(of.price, `${field}.price`),
      ...(of.discount === 0n ? {} : { discount_amount: toNumber(of.discount, field) }),
      ...taxesOf(of.taxes, field),
      external_ref: of.external_ref,
    },
  }
}

const ONE = 1_000_000n

/** The discount may have more decimals than the currency: it is rounded with the goods. */
function lessDiscount({ quantity, price, discount }: LineOf, unit: Micro): Micro {
  const scaled = quantity * price - discount * ONE
  return ((2n * scaled + ONE * unit) / (2n * ONE * unit)) * unit
}

/**
 * The price and discount of a line of which only the sums are known: `quantity * price - discount` rounds to `total`.
 * `subtotal`: before discounts.
 */
export function priceOf(
  of: { readonly quantity: Micro; readonly subtotal: Micro; readonly total: Micro },
  unit: Micro,
): { readonly price: Micro; readonly discount: Micro } {
  const { quantity, total } = of
  const subtotal = roundedTo(of.subtotal, unit) < total ? total : of.subtotal
  const price = perPiece(subtotal, quantity)
  const before = costs(quantity, price, unit)
  // So many pieces that 6 decimals of a price are too few: a price above it, less what that is too much.
  if (before < total || size(before - subtotal) > unit / 2n) {
    const above = (subtotal * ONE + quantity - 1n) / quantity
    return { price: above, discount: (quantity * above) / ONE - total }
  }
  return { price, discount: before - total }
}

/** `price` in the order's price mode, in the minor unit; it may be below 0. */
export function charge(
  of: {
    readonly title: string | null | undefined
    readonly external_ref?: string
    readonly price: Micro
    readonly taxes?: readonly ShopTax[]
  },
  field: string,
  rule: Rule,
): Counted<Charge> {
  const { price, taxes = [], external_ref } = of
  const amount = toNumber(price, field)
  return {
    withTax: withTax(price, taxes, field, rule),
    said: {
      title: text(of.title) ?? 'Charge',
      ...(rule.includesTax ? { amount_with_tax: amount } : { amount }),
      ...taxesOf(taxes, field),
      ...(external_ref === undefined ? {} : { external_ref }),
    },
  }
}

function withTax(price: Micro, taxes: readonly ShopTax[], field: string, { includesTax }: Rule): Micro {
  const tax = sum(taxes.map(({ amount }) => amount))
  const isMirrored = taxes.some(({ amount }) => (price < 0n ? amount > 0n : amount < 0n))
  if (isMirrored || (includesTax && size(tax) > size(price)))
    throw new ShopFieldError(field, `a tax of ${toText(tax)} on ${toText(price)}`)
  return includesTax ? price : price + tax
}

function taxesOf(taxes: readonly ShopTax[], field: string): { taxes?: Tax[] } {
  if (taxes.length === 0) return {}
  return {
    taxes: taxes.map(({ title, rate, amount }) => ({
      title: text(title) ?? 'Tax',
      rate: toNumber(rate, field),
      amount: toNumber(amount, field),
    })),
  }
}
