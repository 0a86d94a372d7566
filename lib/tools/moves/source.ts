/** The source's part of a move: pauses work on the tenant, ends its life there, and removes its rows. */
import type pg from 'pg'
import { errorClass } from '../../platform/postgres/failures.ts'
import { livesIn } from './reach.ts'
import { PRESENCE, type TenantTable, tenantTables, WRITTEN_LATE } from './tables.ts'

/** The longest that a unit of work holds a tenant, including a bulk in one transaction. */
const LOCK_TIMEOUT_MS = 20_000
/** How long other sessions may wait behind a writer of a table, and how often the lock is tried. */
const TABLE_LOCK_TIMEOUT_MS = 500
const TABLE_LOCK_TRIES = 40
const LOCK_NOT_HAD = '55P03'
/** The error code of a statement that took too long. */
export const CANCELLED = '57014'
/** The most rows of one statement, which takes PostgreSQL about 50 ms. */
const BATCH_ROWS = 5_000

/** From now on nothing new is sent for the tenant: no webhook, no mail. */
export async function pauseSending(client: pg.Client, tenantId: string): Promise<void> {
  await client.query(`update tenants set moving = '{"paused": "webhooks"}' where tenant_id = $1 and moving is null`, [
    tenantId,
  ])
}

type Moved = { readonly tenantId: string; readonly id: string }

/**
 * Pauses its writes, too: running units end, and new commands stay in its queue. Its keys cannot be changed. Notes its row of
 * `tenant_streams` for later, with the sequences that its next event must skip.
 */
export async function pauseWriting(client: pg.Client, { tenantId, id }: Moved): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await client.query(`select from ${PRESENCE} where tenant_id = $1 for update`, [tenantId])
    // Read first: Citus cannot build JSON within an update.
    const { rows } = await client.query<{ moving: string }>(
      `select jsonb_build_object('paused', 'writes', 'move', $2::text, 'stream',
         to_jsonb(s) || jsonb_build_object('event_gap', s.event_gap + coalesce((
           select sum(event_gap)::bigint from generations where generation > s.generation), 0)))::text as moving
       from ${PRESENCE} s where tenant_id = $1`,
      [tenantId, id],
    )
    if (rows[0] === undefined) throw new Error(`the tenant ${tenantId} is in neither cell: one of them lost it`)
    await client.query('update tenants set moving = $2::jsonb where tenant_id = $1', [tenantId, rows[0].moving])
  })
}

/** Whether the writes are paused with this id: a failover may have lost the pause. */
export async function isPaused(client: pg.Client, { tenantId, id }: Moved): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from tenants where tenant_id = $1 and moving ->> 'paused' = 'writes' and moving ->> 'move' = $2`,
    [tenantId, id],
  )
  return rowCount === 1
}

export const pausedNoMore = (tenantId: string): Error =>
  new Error(`the writes of tenant ${tenantId} are paused no more (a failover?), so that its copy is not used`)

/** Ends the pause where the tenant lives: everything continues as before. */
export async function resume(client: pg.Client, tenantId: string): Promise<void> {
  await client.query(
    `update tenants set moving = null
     where tenant_id = $1 and moving is not null and exists (select from ${PRESENCE} where tenant_id = $1)`,
    [tenantId],
  )
}

/**
 * From now on the tenant does not live here: units of work and reads find that, and so do server processes that cached its keys. Tables
 * without the tenant's lock get no rows of it from here on. Repeating it only waits for those writers.
 */
export async function leave(client: pg.Client, { tenantId, id }: Moved): Promise<void> {
  await endLife(client, tenantId, async () => {
    if (!(await isPaused(client, { tenantId, id }))) throw pausedNoMore(tenantId)
  })
  await lateWritersEnd(client, WRITTEN_LATE)
}

/** Without the wait of `leave`, for another purpose. @param first runs in the transaction that ends the life */
export async function endLife(client: pg.Client, tenantId: string, first: () => Promise<void>): Promise<void> {
  await inTransaction(client, async () => {
    await first()
    await client.query('delete from tenant_streams where tenant_id = $1', [tenantId])
    await client.query('insert into key_changes (tenant_id) values ($1) on conflict do nothing', [tenantId])
  })
}

/** Waits for writers of these tables that looked for the tenant before. */
export const lateWritersEnd = (client: pg.Client, tables: readonly string[]): Promise<void> =>
  // The lock is available once no such writer is left.
  inTries(() =>
    inTransaction(client, async () => {
      await client.query(`set local lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`)
      await client.query(`lock table ${tables.join(', ')} in share row exclusive mode`)
    }),
  )

/** Does work that waits only briefly for a lock, until it gets the lock. */
export async function inTries(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_HAD || tries === TABLE_LOCK_TRIES) throw error
    }
}

/** Removes the rows of a tenant that does not live here, in batches, its own row last. Repeating it continues where it broke off. */
export async function clear(client: pg.Client, tenantId: string): Promise<void> {
  if (await livesIn(client, tenantId)) throw new Error(`the tenant ${tenantId} lives here`)
  // From here on it is neither a copy nor a source to copy from, although its own row stays to the last.
  await client.query(`update tenants set moving = '{"removed": true}' where tenant_id = $1`, [tenantId])
  await clearTables(client, tenantId, await tenantTables(client))
}

/** Removes the rows of a tenant from tables in the order of `tenantTables`. */
export async function clearTables(
  client: pg.Client,
  tenantId: string,
  tables: readonly TenantTable[],
  onRows: (rows: number) => void = () => {},
): Promise<void> {
  for (const { parts } of tables.toReversed())
    for (const part of parts)
      for (let removed = BATCH_ROWS; removed === BATCH_ROWS; ) {
        removed = await clearBatch(client, part, tenantId)
        onRows(removed)
      }
}

async function clearBatch(client: pg.Client, part: TenantTable['name'], tenantId: string): Promise<number> {
  const { rowCount } = await client.query(
    `delete from ${part}
     where tenant_id = $1 and ctid = any (array(select ctid from ${part} where tenant_id = $1 limit ${BATCH_ROWS}))`,
    [tenantId],
  )
  return rowCount ?? 0
}

export async function inTransaction<T>(client: pg.Client, work: () => Promise<T>, begin = 'begin'): Promise<T> {
  try {
    await client.query(begin)
    const done = await work()
    await client.query('commit')
    return done
  } catch (error) {
    await insist(client, 'rollback').catch(() => {}) // a lost connection has rolled back
    throw error
  }
}

/** Sends a statement that must succeed although the session's `statement_timeout` may cancel it: a rollback, or the end of that limit. */
export async function insist(client: pg.Client, text: string): Promise<void> {
  for (;;)
    try {
      return void (await client.query(text))
    } catch (error) {
      if (errorClass(error) !== CANCELLED) throw error
    }
}
