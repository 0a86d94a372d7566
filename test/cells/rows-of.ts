/** The rows of a tenant in a cell, table by table, for all tables in the catalogue. A copy must have all of them. */
import pg from 'pg'
import { connectionString } from '../../lib/platform/postgres/address.ts'

const OF_THE_DATABASE = ['key_changes', 'cell_tenants', 'cell_keys', 'tenant_moves', 'tenant_changes', 'tenant_watches']

/**
 * For each table the number of its rows and a digest of them. Leaves out what says that the tenant is being moved. @param except tables
 * that are not read.
 */
export async function rowsOf(
  databaseUrl: string,
  tenantId: string,
  except: readonly string[] = [],
): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: connectionString(databaseUrl) })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and c.relname <> all ($1) order by 1`,
      [[...OF_THE_DATABASE, ...except]],
    )
    const found: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ digest: string }>(
        `select count(*)::text || ' ' || coalesce(md5(string_agg(t.row, ' ' order by t.row)), '') as digest
         from (select (to_jsonb(t) - 'moving')::text as row from ${name} t where tenant_id = $1) t`,
        [tenantId],
      )
      found[name] = rows[0]?.digest ?? ''
    }
    return found
  } finally {
    await client.end()
  }
}
