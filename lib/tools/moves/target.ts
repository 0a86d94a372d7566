/** What a move does in the cell that the tenant goes to: it copies the tenant's rows there, and begins its life there. */
import type pg from 'pg'
import { copyRows } from './copy.ts'
import { livesIn } from './reach.ts'
import { clear, inTransaction } from './source.ts'
import { PRESENCE, type TenantTable, tenantTables, WRITTEN_LATE } from './tables.ts'

export type Ends = { readonly source: pg.Client; readonly target: pg.Client }
type Copied = { readonly tenantId: string; readonly onRows: (rows: number) => void }

/**
 * Ids of the target are above all of the source from now on, so that those of the tenant rise, and its generation is none that the
 * source had before its last one: what Redis remembers of a tenant belongs to generations, and of an earlier one commits may be gone.
 */
export async function raise({ source, target }: Ends, cellNumber: number): Promise<void> {
  const { rows: above } = await source.query<{ id: string; generation: string }>(
    'select (select last_value from ids)::text as id, (select max(generation) from generations)::text as generation',
  )
  const { id = '0', generation = '1' } = above[0] ?? {}
  await inTransaction(target, async () => {
    const { rows } = await target.query<{ is_below: boolean }>('select last_value < $1::bigint as is_below from ids', [
      id,
    ])
    if (rows[0]?.is_below) await target.query('select step_ids($1::integer, $2::bigint)', [cellNumber, id])
    await target.query('select pg_advisory_xact_lock(7236114)')
    // Nothing was lost here, so that no numbers are left out.
    await target.query(
      `insert into generations (generation, cluster, timeline, event_gap)
       select greatest(generation + 1, $1::bigint), cluster, timeline, 0
       from (select * from generations order by generation desc limit 1) last where generation < $1::bigint`,
      [generation],
    )
  })
}

/** Whether the tenant was copied in the rest of this id. */
export async function isCopied(
  target: pg.Client,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
) {
  const { rowCount } = await target.query(`select from tenants where tenant_id = $1 and moving ->> 'move' = $2`, [
    tenantId,
    id,
  ])
  return rowCount !== 0
}

/**
 * Copies what the tenant has but for what is written late, in one transaction of each side; its writes rest. It does not live here by
 * that: what is to be its row of `tenant_streams` waits in its row of `tenants`.
 */
export async function copy({ source, target }: Ends, { tenantId, onRows }: Copied): Promise<void> {
  await clear(target, tenantId) // what a move left that was given up
  const tables = (await tablesOfBoth({ source, target })).filter(
    ({ name }) => name !== PRESENCE && !WRITTEN_LATE.includes(name),
  )
  const snapshot = 'begin isolation level repeatable read, read only'
  const work = async () => {
    await beginCopy(target)
    await copyTables({ source, target }, tables, { tenantId, onRows })
    // Numbers that generations of the source leave out are noted with it; from here on those of the target count.
    const { rows } = await target.query<{ moving: string }>(
      `select jsonb_build_object('move', moving -> 'move', 'stream', (moving -> 'stream') || jsonb_build_object(
         'generation', (select max(generation) from generations)))::text as moving
       from tenants where tenant_id = $1`,
      [tenantId],
    )
    await target.query('update tenants set moving = $2::jsonb where tenant_id = $1', [tenantId, rows[0]?.moving])
  }
  await inTransaction(source, () => inTransaction(target, work), snapshot)
}

/** The tenant lives here from now on, with what was written late. Again it does nothing. */
export async function arrive(
  { source, target }: Ends,
  { tenantId, onRows, onTransaction }: Copied & { readonly onTransaction: (transaction: string) => Promise<void> },
): Promise<void> {
  await inTransaction(target, async () => {
    const { rows } = await target.query<{ transaction: string; stream: string }>(
      `select pg_current_xact_id()::text as transaction, (moving -> 'stream')::text as stream
       from tenants where tenant_id = $1 and moving is not null for update`,
      [tenantId],
    )
    const [row] = rows
    if (row === undefined) {
      if (await livesIn(target, tenantId)) return
      throw new Error(`the copy of tenant ${tenantId} is gone (a failover?), which its source still has`)
    }
    // Before anybody can find what it writes.
    await onTransaction(row.transaction)
    await beginCopy(target)
    const late = (await tablesOfBoth({ source, target })).filter(({ name }) => WRITTEN_LATE.includes(name))
    await copyTables({ source, target }, late, { tenantId, onRows })
    const { rows: types } = await target.query<{ names: string; columns: string }>(
      `select string_agg(quote_ident(attname), ', ' order by attnum) as names,
         string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as columns
       from pg_attribute where attrelid = '${PRESENCE}'::regclass and attnum > 0 and not attisdropped`,
    )
    await target.query(
      `insert into ${PRESENCE} (${types[0]?.names})
       select ${types[0]?.names} from jsonb_to_record($1::jsonb) as stream (${types[0]?.columns})`,
      [row.stream],
    )
    await target.query('update tenants set moving = null where tenant_id = $1', [tenantId])
  })
}

/** The hashes (hex) of the tenant's tokens. */
export async function tokenHashesOf(client: pg.Client, tenantId: string): Promise<string[]> {
  const { rows } = await client.query<{ hash: string }>(
    `select encode(token_hash, 'hex') as hash from api_keys where tenant_id = $1`,
    [tenantId],
  )
  return rows.map(({ hash }) => hash)
}

/** In the order of the target, where they are written. */
async function tablesOfBoth({ source, target }: Ends): Promise<readonly TenantTable[]> {
  const [from, to] = [await tenantTables(source), await tenantTables(target)]
  const shapes = (tables: readonly TenantTable[]) =>
    tables.map(({ name, columns }) => `${name} (${columns.toSorted()})`)
  const other = new Set(shapes(from)).symmetricDifference(new Set(shapes(to)))
  if (other.size > 0) throw new Error(`the cells do not have the same tables: ${[...other].join(', ')}`)
  return to
}

/** What triggers would add is copied, too. On Citus they run on a node. */
async function beginCopy(target: pg.Client): Promise<void> {
  await target.query(`select set_config('citus.propagate_set_commands', 'local', true)`)
  await target.query(`set local millrace.copies = 'on'`)
}

async function copyTables({ source, target }: Ends, tables: readonly TenantTable[], { tenantId, onRows }: Copied) {
  for (const { name, columns } of tables) {
    const list = columns.join(', ')
    const rows = await copyRows(
      { client: source, select: `select ${list} from ${name} where tenant_id = ${BigInt(tenantId)}` },
      { client: target, into: `${name} (${list})` },
    )
    onRows(rows)
  }
}
