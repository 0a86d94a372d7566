/**
 * Lets Citus keep a schema on one of its nodes, and move it to another (docs/decisions/0010). Runs migrations in such a schema. It names no
 * table.
 */
import type pg from 'pg'

/** Whether the schema is distributed already. */
export async function isOnNodes(client: pg.Client, schema: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from pg_dist_schema d join pg_namespace n on n.oid = d.schemaid where n.nspname = $1',
    [schema],
  )
  return rowCount === 1
}

/** Distributes a schema after it was filled, because many statements of the first migrations run on local tables only. */
export async function distribute(client: pg.Client, schema: string): Promise<void> {
  for (const { name, column } of await counted(client, schema))
    await client.query(`alter table ${name} alter column ${column} drop default`)
  await withSearchPath(client, schema)
  await client.query('select citus_schema_distribute($1::regnamespace)', [schema])
  await onShards(client, schema)
}

/**
 * Runs a migration in a distributed schema, within a transaction. Citus forwards the text that it gets, so each statement is sent alone.
 * Settings of columns are left out: Citus rejects them, and does not make the generic plans that they serve (CONTRIBUTING.md says what else
 * a migration must leave out).
 */
export async function runOnNodes(client: pg.Client, schema: string, text: string): Promise<void> {
  for (const statement of statementsOf(text).filter(each => !isColumnSetting.test(each))) await client.query(statement)
  const [faulty] = await counted(client, schema)
  if (faulty) throw new Error(`${faulty.name}.${faulty.column} must not count by default: nodes count on their own`)
  await withSearchPath(client, schema)
  await onShards(client, schema)
}

const isColumnSetting = /^alter\s+table\s+\S+\s+alter\s+column\s+\S+\s+set\s*\([^()]*\)$/i
const parts = /--[^\n]*|\/\*.*?\*\/|'[^']*'|"[^"]*"|\$(\w*)\$.*?\$\1\$|[^-/'"$;]+|./gs

/** The statements of a text, without the comments between them. Bodies of functions are in $$. */
export function statementsOf(text: string): string[] {
  const statements = ['']
  for (const [part] of text.matchAll(parts)) {
    if (part === ';') statements.push('')
    else if (!/^(?:--|\/\*)/.test(part)) statements.push(statements.pop() + part)
  }
  return statements.map(statement => statement.trim()).filter(statement => statement !== '')
}

/**
 * Columns whose default counts up. A node would take ids from a range of its own, so the coordinator gives them. A statement that forgets
 * its id fails.
 */
async function counted(client: pg.Client, schema: string): Promise<{ name: string; column: string }[]> {
  const { rows } = await client.query<{ name: string; column: string }>(
    `select c.oid::regclass::text as name, quote_ident(a.attname) as column
     from pg_attrdef d join pg_class c on c.oid = d.adrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
     where c.relnamespace = $1::regnamespace and pg_get_expr(d.adbin, d.adrelid) like 'nextval(%'`,
    [schema],
  )
  return rows
}

/** Nodes run functions, also those of triggers, in their own sessions, which have no search path. */
async function withSearchPath(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select p.oid::regprocedure::text as name
     from pg_proc p join pg_language l on l.oid = p.prolang
     where p.pronamespace = $1::regnamespace and not exists (select from unnest(p.proconfig) setting where setting like 'search_path=%')
       and (l.lanname = 'plpgsql' or (p.prosqlbody is null and p.prosrc ~ '\\mfrom\\M'))`,
    [schema],
  )
  for (const { name } of rows) await client.query(`alter function ${name} set search_path = ${schema}`)
}

/**
 * Functions of triggers, and functions that statements call, run on the node within a statement. Citus cannot plan another statement there.
 * So these functions name the shards, whose names stay the same when they move.
 */
async function onShards(client: pg.Client, schema: string): Promise<void> {
  const shards = await client.query<{ name: string; shard: string }>(
    `select c.relname as name, c.relname || '_' || s.shardid as shard
     from pg_dist_shard s join pg_class c on c.oid = s.logicalrelid where c.relnamespace = $1::regnamespace`,
    [schema],
  )
  const shardOf = new Map(shards.rows.map(({ name, shard }) => [name, shard]))
  const named = new RegExp(`\\b(?:${[...shardOf.keys()].join('|')})\\b`, 'g')
  // A body that is bound to its tables is stored as a text, which is bound where it runs.
  const functions = await client.query<{ definition: string }>(
    `select case when p.prosqlbody is null then pg_get_functiondef(p.oid) else format(
         'create or replace function %s(%s) returns %s language sql stable set search_path = %I as $body$ %s $body$',
         p.oid::regproc, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), $1::text,
         regexp_replace(pg_get_function_sqlbody(p.oid), '^\\s*RETURN', 'select')
       ) end as definition
     from pg_proc p join pg_language l on l.oid = p.prolang
     where p.pronamespace = $1::text::regnamespace and (p.prorettype = 'trigger'::regtype or l.lanname = 'sql')`,
    [schema],
  )
  await client.query('set check_function_bodies = off')
  for (const { definition } of functions.rows) {
    const onShard = definition.replaceAll(named, name => shardOf.get(name) ?? name)
    if (onShard !== definition) await client.query(onShard)
  }
  await client.query('reset check_function_bodies')
}
