/**
 * What the lines of adjustments and transfers share: finding the variant and the batch that a line names, and wording its
 * refusals. Pure: no I/O and no clock (contract 2, "Stock adjustment", "Stock transfer").
 */
import { invalid, noSuch, type Refusal } from '../api/errors.ts'
import { formatMicro } from '../decimal.ts'
import type { Batch, Book, Variant } from './book.ts'
import type { Shortage } from './picking-rules.ts'

/** How a variant is called in messages. */
export const nameOf = (variant: Pick<Variant, 'sku' | 'title'>): string => variant.sku ?? variant.title

/** The variant of a line, archived or not. Refuses `validation_failed` for an absent one and for a service. */
export function variantOf(
  book: Book,
  line: { readonly at: string; readonly itemVariantId: string },
): Variant | Refusal {
  const variant = book.variants.get(line.itemVariantId)
  if (variant === undefined) return noSuch(`${line.at}.item_variant_id`, 'variant')
  if (variant.itemType === 'SERVICE')
    return invalid(`${line.at}.item_variant_id`, `${nameOf(variant)} is a service and holds no stock`)
  return variant
}

/** The batch that a line names by id. Refuses `validation_failed` when the variant has none of this id. */
export function batchById(
  book: Book,
  variant: Variant,
  line: { readonly at: string; readonly batchId: string },
): Batch | Refusal {
  const batch = book.batches.get(line.batchId)
  return batch !== undefined && batch.itemVariantId === variant.id
    ? batch
    : noSuch(`${line.at}.batch_id`, `batch of ${nameOf(variant)}`)
}

/** `OAK-1: 5 needed, 3 on hand, of which 1 cannot be taken` */
export function shortageWords(variant: Pick<Variant, 'sku' | 'title'>, { needed, takeable, onHand }: Shortage): string {
  const words = `${nameOf(variant)}: ${formatMicro(needed)} needed, ${formatMicro(onHand)} on hand`
  return takeable === onHand ? words : `${words}, of which ${formatMicro(onHand - takeable)} cannot be taken`
}

/** For a posting that would leave the bounds of quantities or values. */
export function overflow(field: string): Refusal {
  return invalid(field, 'the stock would reach 1000000000, or its value more than can be kept')
}
