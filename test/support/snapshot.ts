/** Owns what a tenant has in the database, all of it: to show that something left nothing. */

import * as v from 'valibot'
import { type Pool, rows, sql } from '../../lib/platform/postgres/postgres.ts'

/** Counts of requests, which a dry run is as well. */
const TELEMETRY = /^security_/

/** Every table with rows of tenants, as long as no table is made. */
async function tablesOf(pool: Pool): Promise<readonly string[]> {
  const found = await pool.any(rows(v.object({ name: v.string() }))`
    select c.relname as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition order by c.relname`)
  return found.map(({ name }) => name).filter(name => !TELEMETRY.test(name))
}

/** All rows of the tenant as text, by table: records, stock, command log, refusals, events, counters, mails, deliveries. */
export async function snapshotOf(pool: Pool, tenantId: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables = await tablesOf(pool)
  const rowsOf = (table: string) => sql.fragment`
    select ${table} as "table", t::text as row from ${sql.identifier([table])} t where tenant_id = ${tenantId}::bigint`
  const all = await pool.any(rows(v.object({ table: v.string(), row: v.string() }))`
    ${sql.join(tables.map(rowsOf), sql.fragment` union all `)} order by 1, 2`)
  const byTable = Map.groupBy(all, ({ table }) => table)
  return Object.fromEntries(tables.map(table => [table, (byTable.get(table) ?? []).map(({ row }) => row)]))
}
