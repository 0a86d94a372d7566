/**
 * The tables with rows of tenants, from a database's catalogue: a table that is added later is moved, too. The content of the rows does not
 * matter here.
 */
import type pg from 'pg'

/** Tables of a database, not of a tenant: the directory of cells, keys to forget there, and the state of moves. */
const OF_THE_DATABASE = ['cell_keys', 'cell_tenants', 'key_changes', 'tenant_changes', 'tenant_moves', 'tenant_watches']
/** Says where a tenant lives. It is written separately (source.ts, target.ts). */
export const PRESENCE = 'tenant_streams'
/**
 * Written without the tenant's lock, by reading requests, mails and operators. They are copied when nobody writes them in the source any
 * more. All other tables are written only by units of work, or may be copied at any time: what is done twice in them counts once.
 */
export const WRITTEN_LATE = ['mails', 'operator_actions', 'security_recent']

export type TenantTable = {
  /** Its name in statements. */
  readonly name: string
  readonly columns: readonly string[]
  /** The tables that contain its rows: itself, or its partitions. */
  readonly parts: readonly string[]
  /** The columns of its primary key except `tenant_id`; null: it has no primary key. */
  readonly key: readonly { readonly name: string; readonly type: string }[] | null
  /** Whether only its partitions have that key: then no foreign key refers to its rows. */
  readonly isKeyOfParts: boolean
  /** Whether its rows never change. */
  readonly isAppendOnly: boolean
}

/** Reads the tables. `inWritingOrder` sorts them. */
export const TENANT_TABLES = `
  with tables as (
    select c.oid, c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select from pg_attribute where attrelid = c.oid and attname = 'tenant_id' and not attisdropped)
      and c.relname <> all ('{${OF_THE_DATABASE.join()}}')
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
    ) as refers,
    coalesce(k.id <> t.oid, true) as "isKeyOfParts", case when k.id is not null then coalesce(k.key, '[]') end as key,
    exists (select from pg_trigger where tgrelid = t.oid and tgname = 'append_only') as "isAppendOnly"
  from tables t left join lateral (
    select i.indrelid as id, (
      select json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod)) order by c.place)
      from unnest(i.indkey) with ordinality as c (number, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = c.number
      where c.place <= i.indnkeyatts and a.attname <> 'tenant_id'
    ) as key
    from pg_index i
    where i.indisprimary and (i.indrelid = t.oid or i.indrelid in (select relid from pg_partition_tree(t.oid)))
    order by i.indrelid <> t.oid limit 1
  ) k on true
  order by t.name`

/** In an order in which rows may be written: the target of a foreign key comes before. */
export async function tenantTables(client: pg.Client): Promise<readonly TenantTable[]> {
  const { rows } = await client.query<TenantTable & { readonly refers: readonly string[] }>(TENANT_TABLES)
  return inWritingOrder(rows).map(({ refers: _, ...table }) => ({
    ...table,
    parts: table.parts.length > 0 ? table.parts : [table.name],
  }))
}

export function inWritingOrder<T extends { readonly name: string; readonly refers: readonly string[] }>(
  tables: readonly T[],
): readonly T[] {
  const ordered: T[] = []
  const isThere = (name: string) => ordered.some(table => table.name === name)
  for (let left = tables; left.length > 0; ) {
    const next = left.filter(({ refers }) => refers.every(isThere))
    if (next.length === 0) throw new Error(`foreign keys go round in ${left.map(({ name }) => name).join(', ')}`)
    ordered.push(...next)
    left = left.filter(table => !next.includes(table))
  }
  return ordered
}
