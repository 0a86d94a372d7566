/**
 * What the lines of purchase and sales orders share: the variant as it is when it is ordered, its price, and what follows from
 * that. Pure: no I/O and no clock.
 */

import { invalid, type Refusal } from '../../kit/api/errors.ts'
import { each, type Micro, type Percent } from '../../platform/decimal.ts'
import { lineAmounts } from '../accounting/money.ts'
import { noSuchVariant } from '../catalogue/no-such-variant.ts'
import { nameOf } from './line-rules.ts'
import type { Stock, Variant } from './stock.ts'

/** Words of fields that lines of both kinds of orders have. */
export const DISCOUNT = 'what the price is lowered by, in percent'
export const LINE_AMOUNT =
  "quantity * price * (100 - discount_percent) / 100, rounded half up to the currency's minor unit"

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
  if (variant === undefined) return noSuchVariant(field, itemVariantId)
  if (variant.archived) return invalid(field, `${nameOf(variant)} is archived`)
  if (!variant[flags[use]]) return invalid(field, `${nameOf(variant)} is not ${use}`)
  return variant
}

/** Quantity, price, discount and tax rate of a line with the amounts that follow. */
export function amountsOf(line: {
  readonly quantity: Micro
  readonly price: Micro
  readonly discount_percent: Percent
  readonly tax_rate: Percent
  readonly currency: string
}) {
  const { quantity, price, discount_percent, tax_rate, currency } = line
  const { amount, taxAmount } = lineAmounts({
    quantity,
    ...each(price),
    discount: discount_percent,
    taxRate: tax_rate,
    currency,
  })
  return { quantity, price, discount_percent, tax_rate, line_amount: amount, line_tax_amount: taxAmount }
}

/** The fields that a new line has of its variant. */
export const variantFields = (variant: Variant) => ({
  item_id: variant.itemId,
  item_variant_id: variant.id,
  sku: variant.sku,
  title: variant.title,
  holds_stock: holdsStock(variant),
})

/** The fields that a new line has of its variant and of the body; the price is the body's, else `listPrice`, else 0. */
export function pricedLine(
  variant: Variant,
  order: {
    readonly item: {
      readonly quantity: Micro
      readonly price?: Micro | undefined
      readonly discount_percent: Percent
      readonly tax_rate: Percent
    }
    readonly listPrice: Micro | null
    readonly currency: string
  },
) {
  const { item, listPrice, currency } = order
  return {
    ...variantFields(variant),
    ...amountsOf({ ...item, price: item.price ?? listPrice ?? 0n, currency }),
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
