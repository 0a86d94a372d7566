/**
 * Has PostgreSQL analyze tables that have grown much since it last did (docs/decisions/0005-plans-for-huge-tenants.md). Autovacuum does so
 * within a minute. Until then a plan that was made while a table was empty reads a tenant's rows where it could look up one by its key.
 */
import * as v from 'valibot'
import { type Pool, rows, sql, statement } from '../../lib/platform/postgres/postgres.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { type Repeating, repeat } from '../repeat.ts'
import type { Cells } from '../worker-process.ts'

const EVERY_MS = 3_000
/** As autovacuum_analyze_threshold: fewer rows are read whole by any plan without loss. */
const ROWS_MIN = 50
/** Looks at 3,000 rows instead of 30,000. Autovacuum looks at as many as the database says, soon afterwards. */
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
 * Analyzes the tables that have twice as many rows as when they were last analyzed. Updates don't count: a small table whose rows change all
 * the time would be analyzed each time, and each connection would plan its statements anew. One that somebody else analyzes is left out.
 * @returns their names.
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
