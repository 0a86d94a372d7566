/** The target's part of a move: copies the tenant's rows there, and begins its life there. */
import type pg from 'pg'
import { copyRows } from './copy.ts'
import { livesIn } from './reach.ts'
import { inTransaction, inTries } from './source.ts'
import { PRESENCE, type TenantTable, tenantTables, WRITTEN_LATE } from './tables.ts'

export type Ends = { readonly source: pg.Client; readonly target: pg.Client }
type Copied = {
  readonly tenantId: string
  /** The tables of both cells, as in `tablesOfBoth`. */
  readonly tables: readonly TenantTable[]
  readonly onRows: (rows: number) => void
}

/** How far the target's ids are raised while the tenant still writes: ten seconds of 100,000 ids, in steps of a cell. */
const IDS_AHEAD = 1_024_000_000
/** A session that waits for the sequence blocks all that take ids from it, and waits for all that have taken some. */
const IDS_LOCK_MS_MAX = 500

/**
 * Raises the target's ids above all of the source, so that the tenant's ids rise, and makes the target's generation one that the source did
 * not have before its last one: Redis remembers a tenant by generation, and commits of an earlier one may be lost. `isAhead`: leaves some
 * distance, so that nothing waits for it when the tenant's writes are paused.
 */
export async function raise({ source, target }: Ends, cellNumber: number, { isAhead = false } = {}): Promise<void> {
  const { rows: above } = await source.query<{ id: string; generation: string }>(
    'select (select last_value from ids)::text as id, (select max(generation) from generations)::text as generation',
  )
  const { id = '0', generation = '1' } = above[0] ?? {}
  const least = isAhead ? String(BigInt(id) + BigInt(IDS_AHEAD)) : id
  const below = async () => {
    const { rows } = await target.query<{ id: boolean; generation: boolean }>(
      `select (select last_value from ids) < $1::bigint as id,
         (select max(generation) from generations) < $2::bigint as generation`,
      [least, generation],
    )
    return rows[0] ?? { id: false, generation: false }
  }
  const work = async () => {
    if ((await below()).id) await target.query('select step_ids($1::integer, $2::bigint)', [cellNumber, least])
    await target.query('select pg_advisory_xact_lock(7236114)')
    // No commits were lost here, so that no sequences are skipped.
    await target.query(
      `insert into generations (generation, cluster, timeline, event_gap)
       select greatest(generation + 1, $1::bigint), cluster, timeline, 0
       from (select * from generations order by generation desc limit 1) last where generation < $1::bigint`,
      [generation],
    )
  }
  const { id: isIdBelow, generation: isGenerationBelow } = await below()
  if (!isIdBelow && !isGenerationBelow) return
  await inTries(() => inTransaction(target, work, `begin; set local lock_timeout = ${IDS_LOCK_MS_MAX}`))
}

/** Whether the tenant was copied during the pause with this id. */
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
 * A transaction of each side, the source's with one snapshot, for work that copies rows. `id`: of the pause during which the copy becomes
 * complete; null: the tenant writes. The tenant does not live here yet: its future row of `tenant_streams` waits in its row of `tenants`.
 */
export async function copying<T>(
  { source, target }: Ends,
  { tenantId, id }: { readonly tenantId: string; readonly id: string | null },
  work: () => Promise<T>,
): Promise<T> {
  const both = async () => {
    await beginCopy(target)
    const done = await work()
    // Skipped sequences of the source's generations are noted with it. From here on those of the target count.
    const { rows } = await target.query<{ moving: string | null }>(
      `select case when $2::text is null then '{"copy": true}'
         when moving ->> 'move' = $2 then jsonb_build_object('move', moving -> 'move', 'stream', (moving -> 'stream') || jsonb_build_object(
           'generation', (select max(generation) from generations)))::text end as moving
       from tenants where tenant_id = $1`,
      [tenantId, id],
    )
    if (!rows[0]?.moving) throw new Error(`the row of tenant ${tenantId} did not come`)
    await target.query('update tenants set moving = $2::jsonb where tenant_id = $1', [tenantId, rows[0].moving])
    return done
  }
  return inTransaction(source, () => inTransaction(target, both), 'begin isolation level repeatable read, read only')
}

/** The tenant lives here from now on, with the rows of the tables written late. Repeating it does nothing. */
export async function arrive(
  { source, target }: Ends,
  {
    tenantId,
    tables,
    onRows,
    onTransaction,
  }: Copied & { readonly onTransaction: (transaction: string) => Promise<void> },
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
    const late = tables.filter(({ name }) => WRITTEN_LATE.includes(name))
    await copyTables({ source, target }, { tenantId, tables: late, onRows })
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
export async function tablesOfBoth({ source, target }: Ends): Promise<readonly TenantTable[]> {
  const [from, to] = [await tenantTables(source), await tenantTables(target)]
  const shapes = (tables: readonly TenantTable[]) =>
    tables.map(({ name, columns }) => `${name} (${columns.toSorted()})`)
  const other = new Set(shapes(from)).symmetricDifference(new Set(shapes(to)))
  if (other.size > 0) throw new Error(`the cells do not have the same tables: ${[...other].join(', ')}`)
  return to
}

/** Rows that triggers would add are copied, too. On Citus triggers run on a node. */
async function beginCopy(target: pg.Client): Promise<void> {
  await target.query(`select set_config('citus.propagate_set_commands', 'local', true)`)
  await target.query(`set local millrace.copies = 'on'`)
}

/** Runs within a transaction of each side. */
export async function copyTables({ source, target }: Ends, { tenantId, tables, onRows }: Copied): Promise<void> {
  for (const { name, columns } of tables) {
    const list = columns.join(', ')
    const rows = await copyRows(
      { client: source, select: `select ${list} from ${name} where tenant_id = ${BigInt(tenantId)}` },
      { client: target, into: `${name} (${list})` },
    )
    onRows(rows)
  }
}
