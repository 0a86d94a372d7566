/**
 * What a kind of import is: its columns, the scopes of its key, and what happens to its rows. All kinds share reading files, running rows
 * in parallel, and counting.
 */
import type { JsonObject } from '../../platform/json.ts'
import type { Columns, Fault } from './columns.ts'
import type { Service } from './service.ts'

/** The result of a row: made now, changed, already there with the row's values, or refused. */
export type Outcome = 'created' | 'changed' | 'known' | Fault

export type RowOutcome = { readonly line: number; readonly outcome: Outcome }

export type ImportKind = {
  /** The value of `--kind`. */
  readonly name: string
  /** What a row is and when it counts as already there, for the help. */
  readonly about: string
  readonly columns: Columns
  /** Other names of columns in files, with the names of the columns. */
  readonly aliases?: Readonly<Record<string, string>>
  /** The scopes of the key for an import of this kind. */
  readonly scopes: readonly string[]
  /** The further scope of an import that changes records; absent: this kind changes none. */
  readonly updateScope?: string
  readonly open: (service: Service, how?: ImportOptions) => Importer
}

/** `update`: records that are there are changed, in what the row has. */
export type ImportOptions = { readonly update: boolean }

/** One import. Several rows run at once. Rows that share a name run one after another, in the order of the file. */
export type Importer = {
  /** The names of the records that a row finds or makes: skus, references (in-order.ts). Absent: `take` writes nothing. */
  readonly names?: (body: JsonObject) => readonly string[] | Promise<readonly string[]>
  /** Null: the row is kept, and `rest` gives its result. */
  readonly take: (row: { readonly line: number; readonly body: JsonObject }) => Promise<Outcome | null>
  /** Called for a row that could not be read. */
  readonly onUnreadable?: (line: number) => void
  /** The writes of the kept rows, after all rows were taken. */
  readonly rest?: () => readonly Write[]
}

/** Writes that share a name run one after another, in order. */
export type Write = { readonly names: readonly string[]; readonly write: () => Promise<readonly RowOutcome[]> }

/** Kept rows are in memory. */
export const KEPT_ROWS_MAX = 100_000
