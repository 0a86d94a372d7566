/** Owns short ways to write the lines of a document. */
import type { Loose } from './command-context.ts'

/** A line of a document: so much of a variant. `more` are further fields. */
export const itemLine = (item_variant_id: Loose, quantity: Loose, more: object = {}) => ({
  item_variant_id,
  quantity,
  ...more,
})
