/** The notes of checked backups in the main cell's database (sql/000001_tenants.sql). */
import * as v from 'valibot'
import { type Connection, type Pool, rows, statement } from '../../platform/postgres/postgres.ts'

type Note = {
  readonly cell: string
  /** ISO-8601; null: the backup contains no command. */
  readonly reaches: string | null
  readonly ok: boolean
}

export async function noteCheck(main: Pool, { cell, reaches, ok }: Note): Promise<void> {
  await main.query(statement`
    insert into backup_checks (cell, reaches, ok) values (${cell}, ${reaches}::timestamptz, ${ok})`)
}

const Checked = v.object({
  cell: v.string(),
  checked_at: v.string(),
  check_age_seconds: v.number(),
  /** Null: the backup contains no command. */
  data_age_seconds: v.nullable(v.number()),
})
export type CheckedBackup = v.InferOutput<typeof Checked>

/** The last backup without a fault, for each cell. */
export const lastGoodChecks = (main: Connection): Promise<readonly CheckedBackup[]> =>
  main.any(rows(Checked)`
    select distinct on (cell) cell, iso(checked_at) as checked_at, extract(epoch from now() - checked_at)::float8 as check_age_seconds,
      extract(epoch from now() - reaches)::float8 as data_age_seconds
    from backup_checks where ok order by cell, checked_at desc`)
