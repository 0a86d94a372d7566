/** What the reader of a shop's export is. */
import type { CsvRecord } from './records.ts'

/** Reads an export twice: first `learn` gets all its records, then `header` is known and `read` turns them into rows. */
export type ShopReader = {
  readonly learn: (record: CsvRecord) => void
  /** The columns of the rows that `read` answers. */
  readonly header: () => readonly string[]
  /** Null: the record says nothing of what is imported, such as a further picture. */
  readonly read: (record: CsvRecord) => CsvRecord | null
}

/** The text of the first of these columns that an export has. */
export type CellReader = (record: CsvRecord, ...columns: readonly string[]) => string
