/** A WooCommerce order as the body of `POST /sales-orders` (docs/guides/shops.md). */
import { type Counted, charge, line, priceOf, type Rule, type ShopTax } from './amounts.ts'
import type { Charge, OrderBody, OrderLine, RefOptions } from './bodies.ts'
import {
  amount,
  type Micro,
  micro,
  minorUnit,
  nearestMicro,
  roundedTo,
  ShopFieldError,
  size,
  sum,
  toNumber,
  toText,
} from './decimal.ts'
import { address, customer, fullName, notes, someOf, text } from './texts.ts'
import type { WooAddress, WooCharge, WooLineItem, WooOrder } from './woo.ts'
import { exactOf, given, taxesOf } from './woo-taxes.ts'

export type WooOptions = RefOptions & {
  /** The id of the variant of a line whose `sku` does not name it; undefined leaves it to the `sku`. */
  readonly variantOf?: ((line: WooLineItem) => string | undefined) | undefined
}

/**
 * The body of `POST /sales-orders` for an order as it was placed. Where the shop's rounded lines do not come to its own total, by less than
 * their rounding, a charge "Rounding" has the rest.
 * @throws ShopFieldError where a figure of the shop cannot be said exactly.
 */
export function wooOrder(order: WooOrder, options: WooOptions = {}): OrderBody {
  const { prefix = '' } = options
  const rule: Rule = { unit: minorUnit(order.currency), includesTax: order.prices_include_tax }
  const [goods, fees, shipping] = [order.line_items, order.fee_lines ?? [], order.shipping_lines ?? []]
  if (goods.length === 0) throw new ShopFieldError('line_items', 'is empty')
  const taxes = taxesOf([...goods, ...fees], order, { total: 'tax_total', unit: rule.unit })
  const shippingTaxes = taxesOf(shipping, order, { total: 'shipping_tax_total', unit: rule.unit })
  const items = goods.map((item, at) => lineOf(item, taxes[at] ?? [], `line_items[${at}]`, { rule, options }))
  const charges = [
    ...shipping.map((one, at) => chargeOf(one, 'shipping', shippingTaxes[at] ?? [], `shipping_lines[${at}]`, rule)),
    ...fees.map((one, at) => chargeOf(one, 'fee', taxes[goods.length + at] ?? [], `fee_lines[${at}]`, rule)),
  ]
  const total = amount(order.total, 'total', rule.unit)
  charges.push(...roundingOf([...items, ...charges], total, rule))
  const { billing } = order
  return {
    external_ref: `${prefix}${order.id}`,
    customer: customer({
      titles: [fullName(billing), billing?.company, billing?.email, order.number],
      email: billing?.email,
      phone: billing?.phone,
      country_code: billing?.country,
      // The customer id 0 means a guest.
      external_ref: Number(order.customer_id ?? 0) === 0 ? undefined : `${prefix}${order.customer_id}`,
    }),
    currency: order.currency,
    prices_include_tax: order.prices_include_tax,
    ...someOf({
      ordered_at: order.date_created_gmt == null ? undefined : `${order.date_created_gmt}Z`,
      notes: notes(order.customer_note),
    }),
    metadata: someOf({ shop_order: text(order.number) }) ?? {},
    shipping_address: addressOf(order.shipping),
    billing_address: addressOf(billing),
    items: items.map(({ said }) => said),
    charges: charges.map(({ said }) => said),
    expected_total_amount_with_tax: toNumber(total, 'total'),
  }
}

/**
 * What a line or charge costs in the price mode, in the minor unit. `tax`: as the shop rounded it. A shop that rounds by line has rounded
 * `total_tax`, and adds it to the rounded `total`; another rounds the sum.
 */
export function priceIn(
  of: Pick<WooLineItem, 'total' | 'total_tax' | 'taxes'>,
  tax: Micro,
  field: string,
  { unit, includesTax }: Rule,
): Micro {
  const total = nearestMicro(of.total, `${field}.total`)
  if (!includesTax) return roundedTo(total, unit)
  if (nearestMicro(of.total_tax, `${field}.total_tax`) % unit === 0n) return roundedTo(total, unit) + tax
  return roundedTo(total + sum(given(of).map(exactOf)), unit)
}

function lineOf(
  item: WooLineItem,
  taxes: readonly ShopTax[],
  field: string,
  { rule, options }: { readonly rule: Rule; readonly options: WooOptions },
): Counted<OrderLine> {
  const quantity = micro(item.quantity, `${field}.quantity`)
  if (quantity <= 0n) throw new ShopFieldError(`${field}.quantity`, 'must be greater than 0')
  const total = priceIn(item, sum(taxes.map(tax => tax.amount)), field, rule)
  const goods = priceOf({ quantity, subtotal: subtotalIn(item, total, field, rule), total }, rule.unit)
  const names = namesOf(item, field, options.variantOf?.(item))
  return line({ names, external_ref: String(item.id), quantity, ...goods, taxes }, field, rule)
}

/** What the line costs before its discounts, in the price mode. */
function subtotalIn(item: WooLineItem, total: Micro, field: string, { unit, includesTax }: Rule): Micro {
  const subtotal = nearestMicro(item.subtotal, `${field}.subtotal`)
  if (subtotal === nearestMicro(item.total, `${field}.total`)) return includesTax ? total : subtotal
  if (!includesTax) return subtotal
  const tax = nearestMicro(item.subtotal_tax, `${field}.subtotal_tax`)
  if (tax % unit === 0n) return roundedTo(subtotal, unit) + tax
  const exact = given(item).map(one => nearestMicro(one.subtotal, `${field}.taxes.subtotal`))
  return roundedTo(subtotal + sum(exact), unit)
}

function namesOf(item: WooLineItem, field: string, item_variant_id: string | undefined) {
  if (item_variant_id !== undefined) return { item_variant_id }
  // 0 is an article that the shop has no product for, or no more.
  if (Number(item.product_id ?? 0) === 0) return { title: text(item.name) ?? 'Without a title' }
  const sku = text(item.sku)
  if (sku === undefined) throw new ShopFieldError(`${field}.sku`, 'is empty: name the variant with variantOf')
  return { sku }
}

function chargeOf(
  of: WooCharge,
  kind: 'shipping' | 'fee',
  taxes: readonly ShopTax[],
  field: string,
  rule: Rule,
): Counted<Charge> {
  const price = priceIn(of, sum(taxes.map(tax => tax.amount)), field, rule)
  return charge({ title: text(of.method_title, of.name), external_ref: `${kind}:${of.id}`, price, taxes }, field, rule)
}

/** Each figure that the shop rounded may be off by half a minor unit. */
function roundingOf(counted: readonly Counted<Charge | OrderLine>[], total: Micro, rule: Rule): Counted<Charge>[] {
  const all = sum(counted.map(({ withTax }) => withTax))
  const price = total - all
  if (price === 0n) return []
  const figures = counted.reduce((count, { said }) => count + 1 + (said.taxes?.length ?? 0), 0)
  if (2n * size(price) > BigInt(figures) * rule.unit)
    throw new ShopFieldError('total', `is ${toText(total)}, but lines and charges come to ${toText(all)}`)
  return [charge({ title: 'Rounding', price }, 'total', rule)]
}

const addressOf = (of: WooAddress | null | undefined) =>
  address(of, {
    line_1: of?.address_1,
    line_2: of?.address_2,
    region: of?.state,
    zip: of?.postcode,
    country_code: of?.country,
  })
