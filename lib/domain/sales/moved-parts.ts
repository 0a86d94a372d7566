/** The components of a kit's line that a shipment or return moved: an entry for each batch. */
import { cost, identifier, quantity, reference, text } from '../../kit/fields/kinds.ts'
import type { PartsOf } from '../../kit/fields/parts.ts'
import { Variant } from '../catalogue/variant.ts'
import { Batch } from '../stock/batches/noun.ts'

export const movedParts = {
  item_variant_id: reference(Variant),
  sku: text().orNull(),
  title: text(),
  quantity: quantity(),
  batch_id: reference(Batch).orNull(),
  batch_number: identifier().orNull(),
  /** The stock value that moved; null for a service, and before the move. */
  value: cost().orNull().hidden(),
}
export type MovedPart = PartsOf<typeof movedParts>[number]
