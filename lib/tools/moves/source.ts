/** What a move does in the cell that the tenant leaves: it pauses work on the tenant, ends its life there, and removes its rows. */
import type pg from 'pg'
import { errorClass } from '../../platform/postgres/failures.ts'
import { livesIn } from './reach.ts'
import { PRESENCE, type TenantTable, tenantTables, WRITTEN_LATE } from './tables.ts'

/** A unit of work has the tenant for so long at most, a bulk in one transaction included. */
const LOCK_TIMEOUT_MS = 20_000
/** How long others may be held up behind whoever writes a table, and how often it is tried. */
const TABLE_LOCK_TIMEOUT_MS = 500
const TABLE_LOCK_TRIES = 40
const LOCK_NOT_HAD = '55P03'
/** The error code of a statement that took too long. */
export const CANCELLED = '57014'
/** Some 50 ms of Postgres. */
const BATCH_ROWS = 5_000

/** Nothing is sent for the tenant any more, by what begins from now on: no webhook, no mail. */
export async function pauseSending(client: pg.Client, tenantId: string): Promise<void> {
  await client.query(`update tenants set moving = '{"paused": "webhooks"}' where tenant_id = $1 and moving is null`, [
    tenantId,
  ])
}

type Moved = { readonly tenantId: string; readonly id: string }

/**
 * Its writes are paused, too: what runs is over, and what comes stays in its queue. Its keys cannot be changed. Its row of `tenant_streams` as it
 * is from now on is noted, with the numbers that its next event is to leave out.
 */
export async function pauseWriting(client: pg.Client, { tenantId, id }: Moved): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await client.query(`select from ${PRESENCE} where tenant_id = $1 for update`, [tenantId])
    // Read first: Citus makes no JSON within an update.
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

/** Whether the writes are paused under this id: a failover may have lost that they do. */
export async function isPaused(client: pg.Client, { tenantId, id }: Moved): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from tenants where tenant_id = $1 and moving ->> 'paused' = 'writes' and moving ->> 'move' = $2`,
    [tenantId, id],
  )
  return rowCount === 1
}

export const pausedNoMore = (tenantId: string): Error =>
  new Error(`the writes of tenant ${tenantId} are paused no more (a failover?), so that its copy is not used`)

/** Where the tenant lives everything goes on as before. */
export async function resume(client: pg.Client, tenantId: string): Promise<void> {
  await client.query(
    `update tenants set moving = null
     where tenant_id = $1 and moving is not null and exists (select from ${PRESENCE} where tenant_id = $1)`,
    [tenantId],
  )
}

/**
 * The tenant does not live here any more: units of work and reads find that, and so do server processes that remember its keys. Rows
 * that are written without its lock are not written from here on. Again it only waits for those.
 */
export async function leave(client: pg.Client, { tenantId, id }: Moved): Promise<void> {
  await endLife(client, tenantId, async () => {
    if (!(await isPaused(client, { tenantId, id }))) throw pausedNoMore(tenantId)
  })
  await lateWritersEnd(client, WRITTEN_LATE)
}

/** Without the wait of `leave`, and for a reason of the caller's. @param first is done in the transaction that ends the life. */
export async function endLife(client: pg.Client, tenantId: string, first: () => Promise<void>): Promise<void> {
  await inTransaction(client, async () => {
    await first()
    await client.query('delete from tenant_streams where tenant_id = $1', [tenantId])
    await client.query('insert into key_changes (tenant_id) values ($1) on conflict do nothing', [tenantId])
  })
}

/** Waits for those who write these tables and looked for the tenant before. */
export const lateWritersEnd = (client: pg.Client, tables: readonly string[]): Promise<void> =>
  // Had once nobody writes any more who looked before.
  inTries(() =>
    inTransaction(client, async () => {
      await client.query(`set local lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`)
      await client.query(`lock table ${tables.join(', ')} in share row exclusive mode`)
    }),
  )

/** Does work that waits for a lock a short time only, until the lock was had. */
export async function inTries(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_HAD || tries === TABLE_LOCK_TRIES) throw error
    }
}

/** Removes the rows of a tenant that does not live here, in batches, its own row last. Again it goes on where it broke off. */
export async function clear(client: pg.Client, tenantId: string): Promise<void> {
  if (await livesIn(client, tenantId)) throw new Error(`the tenant ${tenantId} lives here`)
  // From here on it is no copy, and nothing to copy from, though its own row is there to the last.
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
    await insist(client, 'rollback').catch(() => {}) // a connection that is lost has rolled back
    throw error
  }
}

/** Sends what must be done though the session's own `statement_timeout` may cut it off: a rollback, or the end of that limit. */
export async function insist(client: pg.Client, text: string): Promise<void> {
  for (;;)
    try {
      return void (await client.query(text))
    } catch (error) {
      if (errorClass(error) !== CANCELLED) throw error
    }
}
