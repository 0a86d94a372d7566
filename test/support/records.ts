/** Owns short ways to write the lines of a document, and to look at the fields of records. */
import type { Loose } from './command-context.ts'

/** A line of a document: so much of a variant. `more` are further fields. */
export const itemLine = (item_variant_id: Loose, quantity: Loose, more: object = {}) => ({
  item_variant_id,
  quantity,
  ...more,
})

/** The named field of each row. */
export const column = (rows: readonly Loose[], name: string): Loose[] => rows.map(row => row[name])

/** The named fields of each row, as arrays: short to compare. */
export const columns = (rows: readonly Loose[], ...names: string[]): unknown[][] =>
  rows.map(row => names.map(name => row[name] as unknown))
