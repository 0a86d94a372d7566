/**
 * The tables that have rows of tenants, as the catalogue of a database tells them: a table that is added later is moved with the
 * others. Which rows they have is nobody's business here.
 */
import type pg from 'pg'

/** Of a database rather than of a tenant: the directory of cells, and who is to forget keys there. */
const OF_THE_DATABASE = ['cell_keys', 'cell_tenants', 'key_changes', 'tenant_moves']
/** Says where a tenant lives: it is written by itself (source.ts, target.ts). */
export const PRESENCE = 'tenant_streams'
/**
 * Written without the tenant's lock, by requests that read, by mails and by operators: copied when nobody writes them in the source any
 * more. All
 * others are written by units of work alone, or may be read at any time: what is done twice in them is done once.
 */
export const WRITTEN_LATE = ['mails', 'operator_actions', 'security_recent']

export type TenantTable = {
  /** As statements name it. */
  readonly name: string
  readonly columns: readonly string[]
  /** What holds its rows: itself, or its partitions. */
  readonly parts: readonly string[]
}

/** In an order in which rows may be written: whatever a foreign key names comes before. */
export async function tenantTables(client: pg.Client): Promise<readonly TenantTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; parts: string[]; refers: string[] }>(
    `with tables as (
       select c.oid, c.relname as name from pg_class c
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and exists (select from pg_attribute where attrelid = c.oid and attname = 'tenant_id' and not attisdropped)
         and c.relname <> all ($1)
     )
     select t.name,
       array(
         select quote_ident(attname) from pg_attribute
         where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
       ) as columns,
       array(select relid::regclass::text from pg_partition_tree(t.oid) where isleaf) as parts,
       array(
         select o.name::text from pg_constraint f join tables o on o.oid = f.confrelid
         where f.conrelid = t.oid and f.contype = 'f' and o.oid <> t.oid
       ) as refers
     from tables t order by t.name`,
    [OF_THE_DATABASE],
  )
  const ordered: TenantTable[] = []
  const isThere = (name: string) => ordered.some(table => table.name === name)
  for (let left = rows; left.length > 0; ) {
    const next = left.filter(({ refers }) => refers.every(isThere))
    if (next.length === 0) throw new Error(`foreign keys go round in ${left.map(({ name }) => name).join(', ')}`)
    ordered.push(
      ...next.map(({ name, columns, parts }) => ({ name, columns, parts: parts.length > 0 ? parts : [name] })),
    )
    left = left.filter(table => !next.includes(table))
  }
  return ordered
}
