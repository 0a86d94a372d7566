/**
 * What the lines of purchase and sales orders share: the variant as it is when it is ordered, its price, what follows from
 * that, and the columns of it. Pure: no I/O and no clock (contract 2, "Purchase order", "Sales order").
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
import type { Book, Variant } from './book.ts'
import { nameOf } from './line-rules.ts'

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
  book: Book,
  use: keyof typeof flags,
  { at, itemVariantId }: { readonly at: string; readonly itemVariantId: string },
): Variant | Refusal {
  const variant = book.variants.get(itemVariantId)
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
