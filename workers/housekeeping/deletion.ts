/** What a chore of housekeeping is, and the most common kind: deleting old rows by their keys. */
import * as v from 'valibot'
import { type Fragment, type Pool, rows, sql } from '../../lib/platform/postgres/postgres.ts'

/** `doBatch` returns how many rows it removed or did. Fewer than `rowsMax` means that none are left. */
export type Chore = {
  readonly name: string
  readonly doBatch: (pool: Pool, rowsMax: number) => Promise<number>
  /** Replaces `doBatch` while nothing may be removed, because PostgreSQL's clock jumped. */
  readonly doWithoutRemoval?: (pool: Pool) => Promise<unknown>
}

const Removed = v.object({ removed: v.number() })

/** Deletes rows of the table. `old` selects `tenant_id` and key of all old rows; a batch takes the first. */
export function deletion({
  table,
  name = table,
  key = 'id',
  old,
}: {
  readonly table: string
  /** The chore's name, where a table has several chores. */
  readonly name?: string
  /** The column that is the key within a tenant. */
  readonly key?: string
  readonly old: Fragment
}): Chore & { readonly table: string } {
  return {
    name,
    table,
    doBatch: async (pool, rowsMax) => {
      const { removed } = await pool.one(rows(Removed)`
        with old as (
          ${old}
          limit ${rowsMax}
        ), gone as (
          delete from ${sql.identifier([table])} r using old
          where r.tenant_id = old.tenant_id and ${sql.identifier(['r', key])} = ${sql.identifier(['old', key])}
          returning 1
        )
        select count(*)::int as removed from gone`)
      return removed
    },
  }
}
