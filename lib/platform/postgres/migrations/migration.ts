/** What the parts of the migration runner share: a migration, the phase that it is of, and a run over those that are not applied. */
import type pg from 'pg'

export type Migration = { readonly name: string; readonly text: string; readonly checksum: string }

/**
 * The version whose processes a migration needs, where it would break those of the version before: it is applied once these are gone.
 * Undefined: it is applied while the version before serves. (docs/operations.md, "What a change must keep to")
 */
export const rolloutBefore = ({ text }: Pick<Migration, 'text'>): string | undefined =>
  /^-- after the rollout of (\d+\.\d+\.\d+)\b/.exec(text)?.[1]

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
