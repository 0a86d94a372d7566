/**
 * What a kind of import is: its columns, what its key may do, and what happens to its rows. Reading files, running rows side
 * by side and counting are the same for all kinds.
 */
import type { JsonObject } from '../../platform/json.ts'
import type { Columns, Fault } from './columns.ts'
import type { Service } from './service.ts'

/** What became of a row: made now, there already as the row asks, or refused. */
export type Outcome = 'created' | 'known' | Fault

export type RowOutcome = { readonly line: number; readonly outcome: Outcome }

export type ImportKind = {
  /** What `--kind` takes. */
  readonly name: string
  /** What a row is and when it is there already, for the help. */
  readonly about: string
  readonly columns: Columns
  /** What the key of an import of this kind may do. */
  readonly scopes: readonly string[]
  readonly open: (service: Service) => Importer
}

/** One import. Rows come several at once; rows that share a name come one after another, in the order of the file. */
export type Importer = {
  /** What the records are called that a row finds or makes: skus, references (in-order.ts). Absent: `take` writes nothing. */
  readonly names?: (body: JsonObject) => readonly string[] | Promise<readonly string[]>
  /** Null: the row is kept, and `rest` tells. */
  readonly take: (row: { readonly line: number; readonly body: JsonObject }) => Promise<Outcome | null>
  /** Hears of a row that could not be read. */
  readonly onUnreadable?: (line: number) => void
  /** The writes of the rows that were kept, once all are taken. */
  readonly rest?: () => readonly Write[]
}

/** Writes that share a name run one after another, in their order. */
export type Write = { readonly names: readonly string[]; readonly write: () => Promise<readonly RowOutcome[]> }

/** Kept rows are held in memory. */
export const KEPT_ROWS_MAX = 100_000
