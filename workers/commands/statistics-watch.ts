/**
 * Makes PostgreSQL analyze tables that have grown much since the last time (docs/decisions/0005-plans-for-huge-tenants.md). Autovacuum does
 * so within a minute. Until then a plan from when the table was empty reads all rows of a tenant instead of one by its key.
 */
import * as v from 'valibot'
import { type Pool, rows, sql, statement } from '../../lib/platform/postgres/postgres.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { type Repeating, repeat } from '../repeat.ts'
import type { Cells } from '../worker-process.ts'

const EVERY_MS = 3_000
/** The same as autovacuum_analyze_threshold: every plan reads so few rows quickly. */
const ROWS_MIN = 50
/** Samples 3,000 rows instead of 30,000. Autovacuum takes the database's own number soon afterwards. */
const STATISTICS_TARGET = 10

type Services = { readonly cells: Cells; readonly log: Log }

export function startStatisticsWatch({ cells, log }: Services): Repeating {
  const look = async () => {
    for (const { name: cell, pool } of cells)
      await analyzeGrown(pool).catch(error => log.warn({ err: error, cell }, 'analyzing tables failed'))
  }
  return repeat(look, { pauseMs: () => EVERY_MS })
}

/**
 * Analyzes the tables with at least twice as many rows as at the last time. Updates do not count: a small table that changes all the time
 * would be analyzed again and again, and each connection would plan its statements again. Tables that another session analyzes are left
 * out. @returns their names
 */
export async function analyzeGrown(pool: Pool): Promise<string[]> {
  const grown = await pool.any(rows(v.object({ name: v.string() }))`
    select c.relname as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = current_schema() and s.n_live_tup - greatest(c.reltuples, 0) > greatest(c.reltuples, ${ROWS_MIN})
    order by c.relname`)
  for (const { name } of grown)
    await pool.transaction(async connection => {
      await connection.query(
        statement`select set_config('default_statistics_target', ${STATISTICS_TARGET}::text, true)`,
      )
      await connection.query(statement`analyze (skip_locked) ${sql.identifier([name])}`)
    })
  return grown.map(({ name }) => name)
}
