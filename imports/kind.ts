/**
 * What a kind of import is: its columns, the scopes of its key, and what happens to its rows. The command line and the portal share kinds.
 */
import type { Columns } from './columns.ts'
import type { CellFault } from './rows.ts'
import type { Service } from './service.ts'
import type { Fields } from './values.ts'

/** The result of a row: made now, changed, already there with the row's values, or refused. */
export type Outcome = 'created' | 'changed' | 'known' | Refused
export type Refused = { readonly faults: readonly CellFault[] }

export const refused = (column: string | null, reason: string): Refused => ({ faults: [{ column, reason }] })

export type RowOutcome = { readonly line: number; readonly outcome: Outcome }

/** A row of a file that could be read, and the line on which it begins. */
export type Row = { readonly line: number; readonly body: Fields }

export type ImportKind = {
  /** The value of `--kind`. */
  readonly name: string
  readonly title: string
  /** What a row is and when it counts as already there, for the help. */
  readonly about: string
  readonly columns: Columns
  /** Other headings of columns in files, plain (headings.ts), with the names of the columns. */
  readonly aliases?: Readonly<Record<string, string>>
  /** The scopes of the key for an import of this kind. */
  readonly scopes: readonly string[]
  /** Those that write, where a file has these columns. */
  readonly createScopes: (columns: readonly (string | null)[]) => readonly string[]
  /** Columns of which two rows never have the same, unless the import changes records. */
  readonly unique: readonly string[]
  /** How many rows make one of the key's documents of a day; null: they make none. */
  readonly rowsInDocument: number | null
  /** The further scope of an import that changes records; absent: this kind changes none. */
  readonly updateScope?: string
  readonly open: (service: Service, how?: ImportOptions) => Importer
}

/** `update`: records that are there are changed, in what the row has. */
export type ImportOptions = { readonly update: boolean }

/** One import. Several records run at once. Rows that share a name run one after another, in the order of the file. */
export type Importer = {
  /** The names of the records that a row finds or makes: skus, references (in-order.ts). Absent: `take` writes nothing. */
  readonly names?: (body: Fields) => readonly string[] | Promise<readonly string[]>
  /** Whether a row is of the same record as the row before it. Such rows are taken together. */
  readonly joins?: (row: Fields, before: Fields) => boolean
  /** What became of the rows, which are one record. A row without an outcome is kept, and `rest` gives its result. */
  readonly take: (rows: readonly Row[]) => Promise<readonly RowOutcome[]>
  /** Called for a row that could not be read. */
  readonly onUnreadable?: (line: number) => void
  /** The writes of the kept rows, after all rows were taken. */
  readonly rest?: () => readonly Write[]
}

/** Writes that share a name run one after another, in order. */
export type Write = { readonly names: readonly string[]; readonly write: () => Promise<readonly RowOutcome[]> }

/** Kept rows are in memory. */
export const KEPT_ROWS_MAX = 100_000
