/** Needs with a statement per question: for commands that are seldom asked for. */
import type { Source } from '../kit/documents/load.ts'
import type { Need } from '../kit/documents/needs.ts'
import type { Query, TextRow } from '../platform/postgres/round-trip.ts'

type OwnQuestion<T> = {
  /** What it asks, and about what. */
  readonly name: string
  /** What it reads of that commands change. Where an earlier one of the unit of work did, the next unit tells. */
  readonly tables: readonly string[]
  readonly query: (tenantId: string) => Query
  readonly read: (rows: readonly TextRow[]) => T
}

export const ownRows = <T>({ name, tables, query, read }: OwnQuestion<T>): Need<T> => {
  let source: OwnRows | undefined
  return {
    ask: (load, tenantId) => {
      source = load.source(`${name} of ${tenantId}`, () => new OwnRows(query(tenantId)))
    },
    see: work => {
      for (const table of tables) work.refuseChanged(table)
      return read(source?.rows ?? [])
    },
  }
}

class OwnRows implements Source {
  rows: readonly TextRow[] = []
  readonly #query: Query
  constructor(query: Query) {
    this.#query = query
  }
  query(): Query {
    return this.#query
  }
  take(rows: readonly TextRow[]): void {
    this.rows = rows
  }
}
