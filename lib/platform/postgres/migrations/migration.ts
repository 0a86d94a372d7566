/** What the parts of the migration runner share: a migration, and a run over those that are not applied. */
import type pg from 'pg'

export type Migration = { readonly name: string; readonly text: string; readonly checksum: string }

/** What goes on, for whoever looks on: `show` for now, `end` for good. */
export type Progress = { readonly show: (text: string) => void; readonly end: (text: string) => void }

export type MigrationRun = {
  readonly client: pg.Client
  /** Opens a further connection to the same database. */
  readonly connect: () => Promise<{ readonly client: pg.Client; readonly end: () => Promise<void> }>
  readonly progress: Progress
  /** How long a migration is tried, in ms; how long an index that is made concurrently waits for one transaction. */
  readonly patienceMs: number
  /** From this size on the work on a table is told, and indexes of it are made concurrently. */
  readonly largeBytes: number
  /** The schema, where Citus has distributed it. */
  readonly onNodes: string | null
}
