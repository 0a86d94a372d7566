/** What a chore of housekeeping is, and the kind that most are: deleting old rows by their keys. */
import * as v from 'valibot'
import { type Fragment, type Pool, rows, sql } from '../../lib/platform/postgres/postgres.ts'

/** `doBatch` answers how many rows it removed or did: fewer than `rowsMax`, and there are none left. */
export type Chore = {
  readonly name: string
  readonly doBatch: (pool: Pool, rowsMax: number) => Promise<number>
  /** What is done instead while nothing may be removed, since the clock leapt. */
  readonly doWithoutRemoval?: (pool: Pool) => Promise<unknown>
}

const Removed = v.object({ removed: v.number() })

/** Deletes rows of the table. `old` selects the `tenant_id` and the key of all that are to go; a batch takes the first. */
export function deletion({
  table,
  name = table,
  key = 'id',
  old,
}: {
  readonly table: string
  /** Where a table has several chores. */
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
