/** Random carts, and the orders that Shopify and WooCommerce make of them. */
import fc from 'fast-check'
import type { ShopifyOrder, WooOrder } from '../../../client/src/shops/index.ts'

/** Amounts are in cents and rates in millionths (190000 is 19 percent). */
export type Cart = {
  readonly includesTax: boolean
  readonly lines: readonly {
    readonly quantity: number
    readonly price: number
    readonly discount: number
    readonly rates: readonly number[]
  }[]
  readonly orderDiscount: number
  readonly shipping: number
  readonly tip: number
}

const RATES = [0, 25_000, 50_000, 62_500, 70_000, 81_000, 88_750, 99_750, 190_000, 200_000, 210_000, 255_000] as const

export const cart: fc.Arbitrary<Cart> = fc.record({
  includesTax: fc.boolean(),
  lines: fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 40 }),
      price: fc.integer({ min: 0, max: 20_000 }),
      discount: fc.integer({ min: 0, max: 500 }),
      rates: fc.uniqueArray(fc.constantFrom(...RATES), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  orderDiscount: fc.integer({ min: 0, max: 2000 }),
  shipping: fc.integer({ min: 0, max: 2000 }),
  tip: fc.integer({ min: 0, max: 500 }),
})

const decimal = (value: bigint, places: number): string => {
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}
export const money = (cents: bigint | number): string => decimal(BigInt(cents), 2)
const rounded = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator)
/** Half of a minor unit is rounded down. */
const roundedDown = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator - 1n) / (2n * denominator)
const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n)
const MILLION = 1_000_000n

/** What each line costs after its own discount, and its part of the order's discount. The last line takes the rest. */
function discounted({ lines, orderDiscount }: Cart): readonly { own: bigint; ofOrder: bigint; price: bigint }[] {
  const before = lines.map(({ quantity, price, discount }) => {
    const whole = BigInt(quantity * price)
    const own = BigInt(discount) < whole ? BigInt(discount) : whole
    return { own, left: whole - own }
  })
  const all = sum(before.map(({ left }) => left))
  const discount = BigInt(orderDiscount) < all ? BigInt(orderDiscount) : all
  let [reached, given] = [0n, 0n]
  return before.map(({ own, left }) => {
    reached += left
    const until = all === 0n ? 0n : (discount * reached) / all
    const ofOrder = until - given
    given = until
    return { own, ofOrder, price: left - ofOrder }
  })
}

/** The tax of a rate on a price, or the part of it that is included in a price together with the other rates. */
const taxOf = (price: bigint, rate: number, rates: readonly number[], includesTax: boolean): bigint =>
  rounded(price * BigInt(rate), MILLION + (includesTax ? sum(rates.map(BigInt)) : 0n))

export function shopifyOf(cart: Cart): ShopifyOrder {
  const { includesTax, lines, shipping, tip } = cart
  let total = BigInt(shipping) + BigInt(tip)
  const tax_lines = (price: bigint, rates: readonly number[]) =>
    rates.map((rate, at) => {
      const tax = taxOf(price, rate, rates, includesTax)
      if (!includesTax) total += tax
      return { title: `Tax ${at}`, rate: rate / 1_000_000, price: money(tax) }
    })
  const line_items = discounted(cart).map(({ own, ofOrder, price }, at) => {
    const { quantity = 0, price: each = 0, rates = [] } = lines[at] ?? {}
    total += price
    return {
      id: 100 + at,
      variant_id: 200 + at,
      sku: `SKU-${at}`,
      quantity,
      price: money(each),
      discount_allocations: [{ amount: money(own) }, { amount: money(ofOrder) }],
      tax_lines: tax_lines(price, rates),
    }
  })
  const taxes = tax_lines(BigInt(shipping), [190_000])
  return {
    id: 1,
    currency: 'EUR',
    taxes_included: includesTax,
    line_items,
    shipping_lines: [{ id: 300, title: 'Parcel', price: money(shipping), tax_lines: taxes }],
    total_tip_received: money(tip),
    total_price: money(total),
  }
}

/**
 * WooCommerce keeps amounts without tax in millionths. It rounds each tax for each line, or the sum of each rate. If prices include taxes
 * it rounds half a cent of tax down. `dp`: the decimals of its answers.
 */
export function wooOf(cart: Cart, { byLine, dp }: { readonly byLine: boolean; readonly dp: 2 | 6 }): WooOrder {
  const { includesTax, lines, shipping } = cart
  const shown = (micro: bigint) => (dp === 6 ? decimal(micro, 6) : money(rounded(micro, 10_000n)))
  const roundTax = (micro: bigint) => (includesTax ? roundedDown : rounded)(micro, 10_000n)
  const splitOf = (cents: bigint, rates: readonly number[]) => {
    const divisor = MILLION + (includesTax ? sum(rates.map(BigInt)) : 0n)
    const taxes = rates.map(rate => rounded(cents * 10_000n * BigInt(rate), divisor))
    const net = cents * 10_000n - (includesTax ? sum(taxes) : 0n)
    const tax = byLine ? sum(taxes.map(roundTax)) * 10_000n : sum(taxes)
    return { net, taxes, tax }
  }
  const totals = new Map<number, { cart: bigint; shipping: bigint }>()
  let exact = 0n
  const noted = ({ net, taxes }: ReturnType<typeof splitOf>, rates: readonly number[], of: 'cart' | 'shipping') => {
    exact += byLine ? rounded(net, 10_000n) * 10_000n : net
    for (const [at, rate] of rates.entries()) {
      const before = totals.get(rate) ?? { cart: 0n, shipping: 0n }
      const tax = taxes[at] ?? 0n
      totals.set(rate, { ...before, [of]: before[of] + (byLine ? roundTax(tax) * 10_000n : tax) })
    }
  }
  const line_items = discounted(cart).map(({ own, ofOrder, price }, at) => {
    const { quantity = 0, rates = [] } = lines[at] ?? {}
    const [before, after] = [splitOf(price + own + ofOrder, rates), splitOf(price, rates)]
    noted(after, rates, 'cart')
    return {
      id: 100 + at,
      product_id: 200 + at,
      sku: `SKU-${at}`,
      quantity,
      subtotal: shown(before.net),
      subtotal_tax: shown(before.tax),
      total: shown(after.net),
      total_tax: shown(after.tax),
      taxes: rates.map((id, of) => ({
        id,
        total: decimal(after.taxes[of] ?? 0n, 6),
        subtotal: decimal(before.taxes[of] ?? 0n, 6),
      })),
    }
  })
  const sent = splitOf(BigInt(shipping), [190_000])
  noted(sent, [190_000], 'shipping')
  const tax_lines = [...totals].map(([rate_id, { cart, shipping }]) => {
    const [tax, ofShipping] = [rounded(cart, 10_000n), rounded(shipping, 10_000n)]
    exact += (tax + ofShipping) * 10_000n
    return {
      rate_id,
      label: `Tax ${rate_id}`,
      rate_percent: rate_id / 10_000,
      tax_total: money(tax),
      shipping_tax_total: money(ofShipping),
    }
  })
  return {
    id: 1,
    currency: 'EUR',
    prices_include_tax: includesTax,
    line_items,
    shipping_lines: [
      {
        id: 300,
        method_title: 'Parcel',
        total: shown(sent.net),
        total_tax: shown(sent.tax),
        taxes: [{ id: 190_000, total: decimal(sent.taxes[0] ?? 0n, 6) }],
      },
    ],
    fee_lines: [],
    tax_lines,
    total: money(rounded(exact, 10_000n)),
  }
}
