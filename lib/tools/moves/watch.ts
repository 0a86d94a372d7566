/**
 * The triggers that note a tenant's changes in the source cell while its rows are copied (sql/000001). Each table is locked separately, and
 * nobody waits behind that lock for longer than `LOCK_MS_MAX`.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import * as v from 'valibot'
import { isHeld, sendAutovacuumAway } from '../../platform/postgres/migrations/holders.ts'
import { type Connection, rows } from '../../platform/postgres/postgres.ts'
import type { TenantTable } from './tables.ts'

const LOCK_MS_MAX = 200
const PAUSE_MS = 250
/** A request's transaction is seldom older. */
const OLD = '1 second'
/** A backup of the database does not delay the beginning of a watch, only its end. */
const PATIENCE_MS = 60_000

const triggersOf = (tenantId: string) => ({ ofNew: `move_${tenantId}_new`, ofOld: `move_${tenantId}_old` })

/** When it returns, every change of the tenant in these tables is noted. Repeating it makes missing triggers. */
export async function beginWatch(source: pg.Client, tenantId: string, tables: readonly TenantTable[]): Promise<void> {
  await source.query(
    `insert into tenant_watches (tenant_id, is_on) values ($1, true)
     on conflict (tenant_id) do update set is_on = true`,
    [tenantId],
  )
  const watched = await watchedBy(source, tenantId)
  const unwatched = tables.filter(({ name }) => watched.get(name) !== 2)
  const triggers = new Map(unwatched.map(table => [table.name, makeTriggers(table, tenantId)]))
  const held = await inEach(source, triggers, { mode: 'ShareRowExclusive', patienceMs: PATIENCE_MS })
  if (held.length > 0)
    throw new Error(
      `${held.join(', ')}: other sessions hold these tables, so that the tenant's changes cannot be noted`,
    )
}

/** Two triggers, because an inserted row has no old row, and a deleted row no new one. */
function makeTriggers({ name, key }: TenantTable, tenantId: string): string {
  if (key === null) throw new Error(`the table ${name} has no primary key, so that its changes cannot be noted`)
  const { ofNew, ofOld } = triggersOf(tenantId)
  const columns = key.map(column => column.name)
  const named = [name, ...columns].map(word => `, '${word}'`).join('')
  return `
    create trigger ${ofNew} after insert or update of ${['tenant_id', ...columns].join(', ')} on ${name}
      for each row when (new.tenant_id = ${tenantId}) execute function note_tenant_change('new'${named});
    create trigger ${ofOld} after update or delete on ${name}
      for each row when (old.tenant_id = ${tenantId}) execute function note_tenant_change('old'${named})`
}

/** How many triggers each table has for the tenant. */
async function watchedBy(source: pg.Client, tenantId: string): Promise<Map<string, number>> {
  const { rows } = await source.query<{ name: string; count: number }>(
    `select c.relname as name, count(*)::int as count from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgname = any ($1) and c.relnamespace = current_schema()::regnamespace and not c.relispartition group by 1`,
    [Object.values(triggersOf(tenantId))],
  )
  return new Map(rows.map(({ name, count }) => [name, count]))
}

export async function isWatched(source: pg.Client, tenantId: string, tables: readonly TenantTable[]): Promise<boolean> {
  const watched = await watchedBy(source, tenantId)
  return tables.every(({ name }) => watched.get(name) === 2)
}

/**
 * From now on nothing is noted, and the triggers are removed. Triggers of a table that somebody has locked for long stay, and note nothing.
 * `listWatches` lists them, and a worker removes them later.
 */
export async function endWatch(source: pg.Client, tenantId: string): Promise<void> {
  const { rowCount } = await source.query('update tenant_watches set is_on = false where tenant_id = $1', [tenantId])
  if (rowCount === 0) return
  const dropped = Object.values(triggersOf(tenantId)).map(trigger => `drop trigger if exists ${trigger}`)
  const drops = [...(await watchedBy(source, tenantId)).keys()].map(
    name => [name, dropped.map(drop => `${drop} on ${name}`).join('; ')] as const,
  )
  const held = await inEach(source, new Map(drops), { mode: 'AccessExclusive', patienceMs: 0 })
  // After the triggers: transactions that wrote before the triggers stopped have noted their changes by now.
  await source.query('delete from tenant_changes where tenant_id = $1', [tenantId])
  if (held.length === 0) await source.query('delete from tenant_watches where tenant_id = $1', [tenantId])
}

/** Tenants with triggers in the cell. */
export const listWatches = async (cell: Connection): Promise<readonly string[]> =>
  (
    await cell.any(rows(v.object({ tenantId: v.string() }))`
      select tenant_id::text as "tenantId" from tenant_watches order by tenant_id`)
  ).map(({ tenantId }) => tenantId)

/**
 * Runs each table's statements in a transaction of its own, which locks the table. Each is tried at least once, unless a session has locked
 * the table for long: then nobody should wait behind this one.
 * @returns the tables that could not be locked
 */
async function inEach(
  client: pg.Client,
  statements: ReadonlyMap<string, string>,
  { mode, patienceMs }: { readonly mode: Mode; readonly patienceMs: number },
): Promise<readonly string[]> {
  const end = performance.now() + patienceMs
  for (let left = [...statements.keys()]; ; ) {
    const holders = await longHolders(client, left, mode)
    const held = new Set(holders.map(({ table }) => table))
    const notHad: string[] = []
    for (const name of left)
      if (held.has(name) || !(await isDone(client, statements.get(name) ?? ''))) notHad.push(name)
    if (notHad.length === 0 || performance.now() > end) return notHad
    await sendAutovacuumAway(client, holders)
    await delay(PAUSE_MS)
    left = notHad
  }
}

/** The modes of pg_locks that conflict with the two that are used here. */
const CONFLICTS = {
  ShareRowExclusive: [
    'RowExclusive',
    'ShareUpdateExclusive',
    'Share',
    'ShareRowExclusive',
    'Exclusive',
    'AccessExclusive',
  ],
  AccessExclusive: null, // all
}
type Mode = keyof typeof CONFLICTS

/** Sessions that have held these tables, or parts of them, so long that nobody should wait behind them. */
async function longHolders(client: pg.Client, names: readonly string[], mode: Mode) {
  const { rows } = await client.query<{ table: string; isAutovacuum: boolean }>(
    `with parts as (
       select oid, oid as part, relname from pg_class where relname = any ($1) and relnamespace = current_schema()::regnamespace
       union select c.oid, t.relid, relname from pg_class c, pg_partition_tree(c.oid) t
       where relname = any ($1) and relnamespace = current_schema()::regnamespace)
     select p.relname as "table", a.backend_type = 'autovacuum worker' as "isAutovacuum"
     from parts p
     join pg_locks l on l.locktype = 'relation' and l.relation = p.part and l.granted and l.pid <> pg_backend_pid()
       and l.database = (select oid from pg_database where datname = current_database())
       and ($2::text[] is null or replace(l.mode, 'Lock', '') = any ($2))
     join pg_stat_activity a on a.pid = l.pid and a.xact_start < clock_timestamp() - interval '${OLD}'`,
    [names, CONFLICTS[mode]],
  )
  return rows
}

async function isDone(client: pg.Client, text: string): Promise<boolean> {
  try {
    await client.query(`begin; set local lock_timeout = ${LOCK_MS_MAX}; ${text}; commit`)
    return true
  } catch (error) {
    await client.query('rollback')
    if (isHeld(error)) return false
    throw error
  }
}
