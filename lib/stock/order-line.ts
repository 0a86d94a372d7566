/**
 * What the lines of purchase and sales orders share: the variant as it is when it is ordered, its price, what follows from
 * that, and the columns of it. Pure: no I/O and no clock.
 */
import {
  formatAmount,
  formatTaxRate,
  type LineAmounts,
  lineAmounts,
  parseTaxRate,
  type TaxRate,
  totalsOf,
} from '../accounting/money.ts'
import { invalid, noSuch, type Refusal } from '../api/errors.ts'
import { formatMicro, type Micro, parseMicro } from '../decimal.ts'
import { nameOf } from './line-rules.ts'
import type { Stock, Variant } from './stock.ts'

export type OrderedLine = {
  readonly itemId: string
  readonly itemVariantId: string
  /** As it was when the line was made, like the title. */
  readonly sku: string | null
  readonly title: string
  /** False for a service: it is counted without stock. */
  readonly holdsStock: boolean
  readonly quantity: Micro
  readonly price: Micro
  readonly taxRate: TaxRate
  readonly amounts: LineAmounts
}

/** A service is counted without stock. */
export const holdsStock = (variant: Variant): boolean => variant.itemType !== 'SERVICE'

const flags = { sellable: 'isSellable', purchasable: 'isPurchasable' } as const

/**
 * The variant that a new line names; `at` is where the body speaks of it: `items[3]`.
 * Refuses `validation_failed` for an absent or archived one, and for one that is not sellable (or purchasable).
 */
export function orderedVariant(
  stock: Stock,
  use: keyof typeof flags,
  { at, itemVariantId }: { readonly at: string; readonly itemVariantId: string },
): Variant | Refusal {
  const variant = stock.variants.get(itemVariantId)
  const field = `${at}.item_variant_id`
  if (variant === undefined) return noSuch(field, 'variant')
  if (variant.archived) return invalid(field, `${nameOf(variant)} is archived`)
  if (!variant[flags[use]]) return invalid(field, `${nameOf(variant)} is not ${use}`)
  return variant
}

/** A new line. Its price is the body's, else the variant's own for this kind of order (`listPrice`), else 0. */
export function orderedLine(
  variant: Variant,
  order: {
    readonly item: { readonly quantity: string; readonly price?: string | undefined; readonly tax_rate: string }
    readonly listPrice: Micro | null
    readonly currency: string
  },
): OrderedLine {
  const { item, listPrice, currency } = order
  const quantity = parseMicro(item.quantity)
  const price = item.price === undefined ? (listPrice ?? 0n) : parseMicro(item.price)
  const taxRate = parseTaxRate(item.tax_rate)
  return {
    itemId: variant.itemId,
    itemVariantId: variant.id,
    sku: variant.sku,
    title: variant.title,
    holdsStock: holdsStock(variant),
    quantity,
    price,
    taxRate,
    amounts: lineAmounts({ quantity, price, taxRate, currency }),
  }
}

/** The line's columns, which both tables of lines have. */
export const orderedColumns = (line: OrderedLine) => ({
  item_id: line.itemId,
  item_variant_id: line.itemVariantId,
  sku: line.sku,
  title: line.title,
  holds_stock: line.holdsStock,
  quantity: formatMicro(line.quantity),
  price: formatMicro(line.price),
  tax_rate: formatTaxRate(line.taxRate),
  line_amount: formatAmount(line.amounts.amount),
  line_tax_amount: formatAmount(line.amounts.taxAmount),
})

/** The columns of an order's totals: the sums of its lines. */
export function totalColumns(lines: readonly OrderedLine[]) {
  const { amount, taxAmount } = totalsOf(lines.map(line => line.amounts))
  return { total_amount: formatAmount(amount), tax_amount: formatAmount(taxAmount) }
}

/** Quantity, price and tax rate of a line with the amounts that follow. */
export function amountsOf(line: {
  readonly quantity: Micro
  readonly price: Micro
  readonly tax_rate: TaxRate
  readonly currency: string
}) {
  const { quantity, price, tax_rate, currency } = line
  const { amount, taxAmount } = lineAmounts({ quantity, price, taxRate: tax_rate, currency })
  return { quantity, price, tax_rate, line_amount: amount, line_tax_amount: taxAmount }
}

/** The fields that a new line has of its variant and of the body; the price is the body's, else `listPrice`, else 0. */
export function pricedLine(
  variant: Variant,
  order: {
    readonly item: { readonly quantity: string; readonly price?: string | undefined; readonly tax_rate: string }
    readonly listPrice: Micro | null
    readonly currency: string
  },
) {
  const { item, listPrice, currency } = order
  return {
    item_id: variant.itemId,
    item_variant_id: variant.id,
    sku: variant.sku,
    title: variant.title,
    holds_stock: holdsStock(variant),
    ...amountsOf({
      quantity: parseMicro(item.quantity),
      price: item.price === undefined ? (listPrice ?? 0n) : parseMicro(item.price),
      tax_rate: parseTaxRate(item.tax_rate),
      currency,
    }),
  }
}

/** The totals of lines: sums of their amounts. */
export function lineTotals(lines: readonly { readonly line_amount: bigint; readonly line_tax_amount: bigint }[]) {
  let [total_amount, tax_amount] = [0n, 0n]
  for (const line of lines) {
    total_amount += line.line_amount
    tax_amount += line.line_tax_amount
  }
  return { total_amount, tax_amount }
}
