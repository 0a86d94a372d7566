/** Moves of tenants in the main cell's directory, and the point of decision of a move. It changes no tenant's rows. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import * as v from 'valibot'
import { type Connection, rows, sql } from '../../platform/postgres/postgres.ts'
import { lockKeyOf, MOVING_LOCK, TAKING_UP_LOCK } from './mover.ts'
import { inTransaction } from './source.ts'
import { listWatches } from './watch.ts'

const NotedMove = v.object({
  tenantId: v.string(),
  /** A new id for every pause of the tenant's writes: a copy belongs to one pause. */
  id: v.string(),
  from: v.string(),
  to: v.string(),
  isSwitched: v.boolean(),
  /** Since when the target has the tenant; null: it does not. */
  arrivedSince: v.nullable(v.string()),
})
export type NotedMove = v.InferOutput<typeof NotedMove>

const noted = sql.fragment`
  tenant_id as "tenantId", id::text as id, from_cell as "from", to_cell as "to", switched_at is not null as "isSwitched",
  floor(extract(epoch from clock_timestamp() - arrived_at) * 1000)::text as "arrivedSince"`

export const findMove = (main: Connection, tenantId: string): Promise<NotedMove | null> =>
  main.maybeOne(rows(NotedMove)`select ${noted} from tenant_moves where tenant_id = ${tenantId}::bigint`)

const ListedMove = v.object({ ...NotedMove.entries, ageSeconds: v.number() })
/** `ageSeconds`: since it began. A move that is not under way broke off, or waits for its last step; a worker may be taking it up. */
export type ListedMove = v.InferOutput<typeof ListedMove> & { readonly isUnderWay: boolean }

/** Open moves, in the order in which they began. */
export async function listMoves(main: Connection): Promise<readonly ListedMove[]> {
  // Read before and after: a move may begin or end meanwhile.
  const before = await heldLocks(main)
  const moves = await main.any(rows(ListedMove)`
    select ${noted}, extract(epoch from clock_timestamp() - begun_at)::float8 as "ageSeconds"
    from tenant_moves order by begun_at, tenant_id`)
  const held = moves.length === 0 ? before : before.union(await heldLocks(main))
  return moves.map(move => ({ ...move, isUnderWay: held.has(lockKeyOf(move.tenantId)) }))
}

/**
 * The locks of movers, except those that take a move up. Separate from the table: on Citus its node would be asked, which does not have
 * these locks.
 */
async function heldLocks(main: Connection): Promise<ReadonlySet<string>> {
  const held = await main.any(rows(v.object({ key: v.string() }))`
    select objid::text as key from pg_locks
    where locktype = 'advisory' and classid = any (array[${MOVING_LOCK}, ${TAKING_UP_LOCK}]::bigint[]::oid[]) and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database())
    group by objid, pid having max(classid::bigint) = ${MOVING_LOCK}`)
  return new Set(held.map(({ key }) => key))
}

/**
 * Tenants that are paused in the cell where they live, without a noted move from there: a failover of the main cell may lose a note. Such a
 * pause ends with the next move.
 */
export async function pausedForNone(main: Connection, cell: { readonly name: string; readonly pool: Connection }) {
  const paused = await cell.pool.any(rows(v.object({ tenantId: v.string() }))`
    select t.tenant_id::text as "tenantId" from tenants t
    where t.moving is not null and t.moving ->> 'paused' is not null
      and exists (select from tenant_streams s where s.tenant_id = t.tenant_id)
    order by t.tenant_id`)
  const moves = paused.length > 0 ? await listMoves(main) : []
  return paused.filter(of => !moves.some(move => move.tenantId === of.tenantId && move.from === cell.name))
}

/** Tenants with triggers in a cell without a noted move from there: somebody had locked their tables, or `main` lost the note. */
export async function watchedForNone(main: Connection, cell: { readonly name: string; readonly pool: Connection }) {
  const watched = await listWatches(cell.pool)
  const moves = watched.length > 0 ? await listMoves(main) : []
  return watched.filter(tenantId => !moves.some(move => move.tenantId === tenantId && move.from === cell.name))
}

export async function noteMove(
  main: pg.Client,
  { tenantId, from, to }: Pick<NotedMove, 'tenantId' | 'from' | 'to'>,
): Promise<NotedMove> {
  const id = randomUUID()
  await main.query('insert into tenant_moves (tenant_id, id, from_cell, to_cell) values ($1, $2, $3, $4)', [
    ...[tenantId, id, from, to],
  ])
  return { tenantId, id, from, to, isSwitched: false, arrivedSince: null }
}

/** The same move with a new id, for a pause that begins. */
export async function renewMove(main: pg.Client, move: NotedMove): Promise<NotedMove> {
  const id = randomUUID()
  await main.query('update tenant_moves set id = $2 where tenant_id = $1', [move.tenantId, id])
  return { ...move, id }
}

/** The point of decision: from here on the tenant and its keys (hashes in hex) live in the target. */
export async function switchDirectory(
  main: pg.Client,
  { tenantId, to }: NotedMove,
  tokenHashes: readonly string[],
): Promise<void> {
  await inTransaction(main, async () => {
    await main.query(
      `insert into cell_tenants (tenant_id, cell) values ($1, $2)
       on conflict (tenant_id) do update set cell = excluded.cell`,
      [tenantId, to],
    )
    await main.query(
      `insert into cell_keys (token_hash, tenant_id)
       select decode(hash, 'hex'), $1::bigint from unnest($2::text[]) hash
       on conflict (token_hash) do nothing`,
      [tenantId, tokenHashes],
    )
    await main.query('update tenant_moves set switched_at = now() where tenant_id = $1', [tenantId])
  })
}

export async function noteArrival(main: pg.Client, { tenantId }: NotedMove): Promise<void> {
  await main.query('update tenant_moves set arrived_at = now() where tenant_id = $1 and arrived_at is null', [tenantId])
}

/** Notes that the target does not have the tenant any more. */
export async function forgetArrival(main: pg.Client, { tenantId }: NotedMove): Promise<void> {
  await main.query('update tenant_moves set arrived_at = null where tenant_id = $1', [tenantId])
}

export async function forgetMove(main: pg.Client, { tenantId }: NotedMove): Promise<void> {
  await main.query('delete from tenant_moves where tenant_id = $1', [tenantId])
}
