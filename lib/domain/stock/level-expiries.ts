/** Copies the expiry dates of batches to levels that were stored before levels repeated them (sql/000044_levels_by_expiry.sql). */
import * as v from 'valibot'
import { type Pool, rows } from '../../platform/postgres/postgres.ts'

/**
 * Does up to so many levels and answers how many. It waits for no other transaction: a level that one holds is left for the next time.
 */
export async function copyExpiries(pool: Pool, levelsMax: number): Promise<number> {
  const { copied } = await pool.one(rows(v.object({ copied: v.number() }))`
    with unknown as materialized (
      select tenant_id, id from stock_levels where batch_id is not null and expires_on is null
      order by tenant_id, id
      limit ${levelsMax}
      for no key update skip locked
    ), copied as (
      update stock_levels l
      set expires_on = coalesce((select expiry_date from batches where tenant_id = l.tenant_id and id = l.batch_id), 'infinity')
      from unknown
      where l.tenant_id = unknown.tenant_id and l.id = unknown.id
      returning 1
    )
    select count(*)::int as copied from copied`)
  return copied
}
