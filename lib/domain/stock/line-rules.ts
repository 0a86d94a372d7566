/**
 * What the lines of adjustments and transfers share: finding the variant and the batch that a line names, and wording its
 * refusals. Pure: no I/O and no clock.
 */

import { invalid, noSuch, type Refusal } from '../../kit/api/errors.ts'
import { noSuchVariant } from '../catalogue/no-such-variant.ts'
import type { Batch, Stock, Variant } from './stock.ts'

/** The batch that a line names: by id, or by a number that may be new; null when it names none. */
export type Named = { readonly number: string; readonly batch: Batch | undefined } | null

/** How a variant is called in messages. */
export const nameOf = (variant: Pick<Variant, 'sku' | 'title'>): string => variant.sku ?? variant.title

/** The variant of a line, archived or not. Refuses `validation_failed` for an absent one and for a service. */
export function variantOf(
  stock: Stock,
  line: { readonly at: string; readonly itemVariantId: string },
): Variant | Refusal {
  const variant = stock.variants.get(line.itemVariantId)
  if (variant === undefined) return noSuchVariant(`${line.at}.item_variant_id`, line.itemVariantId)
  if (variant.itemType === 'SERVICE')
    return invalid(`${line.at}.item_variant_id`, `${nameOf(variant)} is a service and holds no stock`)
  return variant
}

/** The batch that a line names by id. Refuses `validation_failed` when the variant has none of this id. */
export function batchById(
  stock: Stock,
  variant: Variant,
  line: { readonly at: string; readonly batchId: string },
): Batch | Refusal {
  const batch = stock.batches.get(line.batchId)
  return batch !== undefined && batch.itemVariantId === variant.id
    ? batch
    : noSuch(`${line.at}.batch_id`, `batch of ${nameOf(variant)}`)
}

/** For a posting that would leave the bounds of quantities or values. */
export function overflow(field: string): Refusal {
  return invalid(field, 'the stock would reach 1000000000, or its value more than can be kept')
}
