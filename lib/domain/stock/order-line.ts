/**
 * What lines of purchase and sales orders share: the variant as it is when it is ordered, its price, and the fields that follow. Pure: no
 * I/O and no clock.
 */

import { invalid, type Refusal } from '../../kit/api/errors.ts'
import { noSuchVariant } from '../catalogue/no-such-variant.ts'
import { nameOf } from './line-rules.ts'
import type { Stock, Variant } from './stock.ts'

/** The meaning of a field that lines of both kinds of orders have. */
export const DISCOUNT = 'what the price is lowered by, in percent'

/** Services and kits are counted without stock. */
export const holdsStock = ({ itemType }: Variant): boolean => itemType !== 'SERVICE' && itemType !== 'KIT'

const flags = { sellable: 'isSellable', purchasable: 'isPurchasable' } as const

/**
 * The variant of a new line. `at` is the line's place in the body: `items[3]`. Refuses `validation_failed` for an absent or archived
 * variant, and for one that is not sellable (or purchasable).
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

/** The fields that a new line copies from its variant. */
export const variantFields = (variant: Variant) => ({
  item_id: variant.itemId,
  item_variant_id: variant.id,
  sku: variant.sku,
  title: variant.title,
  holds_stock: holdsStock(variant),
})

/** The totals of lines: sums of their amounts. */
export function lineTotals(lines: readonly { readonly line_amount: bigint; readonly line_tax_amount: bigint }[]) {
  let [total_amount, tax_amount] = [0n, 0n]
  for (const line of lines) {
    total_amount += line.line_amount
    tax_amount += line.line_tax_amount
  }
  return { total_amount, tax_amount }
}
