/** A Shopify order as the body of `POST /sales-orders` (docs/guides/shops.md). */
import { type Counted, charge, line, type Rule, type ShopTax } from './amounts.ts'
import type { Charge, OrderBody, OrderLine, RefOptions } from './bodies.ts'
import { amount, type Decimal, micro, minorUnit, percentOf, ShopFieldError, sum, toNumber, toText } from './decimal.ts'
import type { ShopifyAddress, ShopifyLineItem, ShopifyOrder, ShopifyTaxLine } from './shopify.ts'
import { address, customer, fullName, notes, someOf, text } from './texts.ts'

export type ShopifyOptions = RefOptions & {
  /** The id of the variant of a line whose `sku` does not name it; undefined leaves it to the `sku`. */
  readonly variantOf?: ((line: ShopifyLineItem) => string | undefined) | undefined
}

/**
 * The body of `POST /sales-orders` for an order as it was placed.
 * @throws ShopFieldError where a figure of the shop cannot be said exactly, also where its lines do not come to `total_price`.
 */
export function shopifyOrder(order: ShopifyOrder, options: ShopifyOptions = {}): OrderBody {
  const { prefix = '' } = options
  const rule: Rule = { unit: minorUnit(order.currency), includesTax: order.taxes_included }
  const items: Counted<OrderLine>[] = []
  const charges: Counted<Charge>[] = []
  let tips = 0n
  for (const [at, item] of order.line_items.entries()) {
    const field = `line_items[${at}]`
    const counted = lineOf(item, field, rule, options)
    if (isTip(item)) {
      tips += counted.withTax
      charges.push(tipOf(item, field, rule))
    } else items.push(counted)
    charges.push(...dutiesOf(item, field, rule))
  }
  charges.push(...shippingOf(order, rule), ...restOf(order, tips, rule))
  if (items.length === 0) throw new ShopFieldError('line_items', 'has nothing but tips')

  const total = amount(order.total_price, 'total_price', rule.unit)
  const counted = sum([...items, ...charges].map(({ withTax }) => withTax))
  if (total !== counted)
    throw new ShopFieldError('total_price', `is ${toText(total)}, but lines and charges come to ${toText(counted)}`)
  const shown = order.billing_address ?? order.shipping_address
  return {
    external_ref: `${prefix}${order.id}`,
    customer: customer({
      titles: [fullName(order.customer), fullName(shown), shown?.company, order.email, order.name],
      email: order.customer?.email ?? order.email,
      phone: order.customer?.phone ?? order.phone,
      country_code: shown?.country_code,
      external_ref: order.customer == null ? undefined : `${prefix}${order.customer.id}`,
    }),
    currency: order.currency,
    prices_include_tax: order.taxes_included,
    ...someOf({ ordered_at: order.created_at ?? undefined, notes: notes(order.note) }),
    metadata: someOf({ shop_order: text(order.name) }) ?? {},
    shipping_address: addressOf(order.shipping_address),
    billing_address: addressOf(order.billing_address),
    items: items.map(({ said }) => said),
    charges: charges.map(({ said }) => said),
    expected_total_amount_with_tax: toNumber(total, 'total_price'),
  }
}

/** Only tips have a payment gateway, which may be null. */
const isTip = (item: ShopifyLineItem): boolean =>
  item.variant_id == null && (item.tip_payment_gateway !== undefined || item.tip_payment_method !== undefined)

function lineOf(item: ShopifyLineItem, field: string, rule: Rule, { variantOf }: ShopifyOptions): Counted<OrderLine> {
  return line(
    {
      names: namesOf(item, field, variantOf?.(item)),
      external_ref: String(item.id),
      quantity: micro(item.quantity, `${field}.quantity`),
      price: micro(item.price, `${field}.price`),
      discount: discountOf(item, field),
      taxes: taxesOf(item.tax_lines, field, rule),
    },
    field,
    rule,
  )
}

function namesOf(item: ShopifyLineItem, field: string, item_variant_id: string | undefined) {
  if (item_variant_id !== undefined) return { item_variant_id }
  if (item.gift_card === true || item.variant_id == null)
    return { title: text(item.name, item.title) ?? 'Without a title' }
  const sku = text(item.sku)
  if (sku === undefined) throw new ShopFieldError(`${field}.sku`, 'is empty: name the variant with variantOf')
  return { sku }
}

/** Discounts of lines and of the whole order alike: Shopify has spread them. */
function discountOf(item: Pick<ShopifyLineItem, 'discount_allocations' | 'total_discount'>, field: string): bigint {
  const { discount_allocations: allocations, total_discount } = item
  if (allocations == null) return micro(total_discount, `${field}.total_discount`)
  return sum(allocations.map((one, at) => micro(one.amount, `${field}.discount_allocations[${at}].amount`)))
}

const taxesOf = (taxes: readonly ShopifyTaxLine[] | null | undefined, field: string, { unit }: Rule): ShopTax[] =>
  (taxes ?? []).map(({ title, rate, price }, at) => ({
    title,
    rate: percentOf(rate, `${field}.tax_lines[${at}].rate`),
    amount: amount(price, `${field}.tax_lines[${at}].price`, unit),
  }))

const tipOf = (item: ShopifyLineItem, field: string, rule: Rule): Counted<Charge> =>
  charge(
    {
      title: text(item.name, item.title) ?? 'Tip',
      external_ref: `tip:${item.id}`,
      price: amount(item.price, `${field}.price`, rule.unit),
      taxes: taxesOf(item.tax_lines, field, rule),
    },
    field,
    rule,
  )

const dutiesOf = (item: ShopifyLineItem, field: string, rule: Rule): Counted<Charge>[] =>
  (item.duties ?? []).map((duty, at) => {
    const name = `${field}.duties[${at}]`
    const price = amount(duty.shop_money?.amount, `${name}.shop_money.amount`, rule.unit)
    const taxes = taxesOf(duty.tax_lines, name, rule)
    return charge({ title: 'Duty', external_ref: `duty:${duty.id}`, price, taxes }, name, rule)
  })

const shippingOf = (order: ShopifyOrder, rule: Rule): Counted<Charge>[] =>
  (order.shipping_lines ?? []).flatMap((shipping, at) => {
    if (shipping.is_removed === true) return []
    const field = `shipping_lines[${at}]`
    const price = amount(shipping.price, `${field}.price`, rule.unit) - discountOf(shipping, field)
    const taxes = taxesOf(shipping.tax_lines, field, rule)
    return charge({ title: shipping.title, external_ref: `shipping:${shipping.id}`, price, taxes }, field, rule)
  })

/** Tips that are no lines, and fees. */
function restOf(order: ShopifyOrder, tips: bigint, rule: Rule): Counted<Charge>[] {
  const of = (title: string, value: Decimal | null | undefined, field: string, less = 0n): Counted<Charge>[] => {
    const price = amount(value, field, rule.unit) - less
    return price > 0n ? [charge({ title, price }, field, rule)] : []
  }
  const fees = order.original_total_additional_fees_set?.shop_money?.amount
  return [
    ...of('Tip', order.total_tip_received, 'total_tip_received', tips),
    ...of('Additional fees', fees, 'original_total_additional_fees_set'),
  ]
}

const addressOf = (of: ShopifyAddress | null | undefined) =>
  address(of, {
    line_1: of?.address1,
    line_2: of?.address2,
    region: of?.province,
    zip: of?.zip,
    country_code: of?.country_code,
  })
