/** Moves of tenants as the main cell's directory notes them, and the point at which one is decided. It changes no tenant's rows. */
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { type Connection, rows, sql, statement, type WritingConnection } from '../postgres/postgres.ts'

const NotedMove = v.object({
  tenantId: v.string(),
  /** New for every rest of the tenant's writes: a copy is of one rest, and any other is not taken for it. */
  id: v.string(),
  from: v.string(),
  to: v.string(),
  isSwitched: v.boolean(),
  /** Since when the target has it; null: it does not. */
  arrivedSince: v.nullable(v.string()),
})
export type NotedMove = v.InferOutput<typeof NotedMove>

const noted = sql.fragment`
  select tenant_id as "tenantId", id::text as id, from_cell as "from", to_cell as "to", switched_at is not null as "isSwitched",
    floor(extract(epoch from clock_timestamp() - arrived_at) * 1000)::text as "arrivedSince"
  from tenant_moves`

export const findMove = (main: Connection, tenantId: string): Promise<NotedMove | null> =>
  main.maybeOne(rows(NotedMove)`${noted} where tenant_id = ${tenantId}::bigint`)

/**
 * Who moves a tenant holds this advisory lock of the main cell's database, and its `lockKeyOf`: one at a time, and for as long as they
 * live.
 */
export const MOVING_LOCK = 7_236_121
export const lockKeyOf = (tenantId: string): string => String(BigInt(tenantId) % 2_147_483_647n)

/** Where nobody is at it now, it broke off. */
export type ListedMove = NotedMove & { readonly isUnderWay: boolean }

/** Moves that are not over, in the order in which they began. */
export async function listMoves(main: Connection): Promise<readonly ListedMove[]> {
  const moves = await main.any(rows(NotedMove)`${noted} order by begun_at, tenant_id`)
  // Apart from the table: on Citus its node is asked, which knows no locks of others.
  const held = await main.any(rows(v.object({ key: v.string() }))`
    select objid::text as key from pg_locks
    where locktype = 'advisory' and classid = ${MOVING_LOCK}::bigint::oid and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database())`)
  return moves.map(move => ({ ...move, isUnderWay: held.some(({ key }) => key === lockKeyOf(move.tenantId)) }))
}

export async function noteMove(
  main: WritingConnection,
  { tenantId, from, to }: Pick<NotedMove, 'tenantId' | 'from' | 'to'>,
): Promise<NotedMove> {
  const id = randomUUID()
  await main.query(statement`
    insert into tenant_moves (tenant_id, id, from_cell, to_cell) values (${tenantId}::bigint, ${id}::uuid, ${from}, ${to})`)
  return { tenantId, id, from, to, isSwitched: false, arrivedSince: null }
}

/**
 * Tenants that rest in a cell where they live, for no move that is noted from there: a failover of the main cell may lose a note. Such
 * a rest ends with the next move.
 */
export async function restingForNone(main: Connection, cell: { readonly name: string; readonly pool: Connection }) {
  const resting = await cell.pool.any(rows(v.object({ tenantId: v.string() }))`
    select t.tenant_id::text as "tenantId" from tenants t
    where t.moving ->> 'rests' is not null and exists (select from tenant_streams s where s.tenant_id = t.tenant_id)
    order by t.tenant_id`)
  const moves = resting.length > 0 ? await listMoves(main) : []
  return resting.filter(of => !moves.some(move => move.tenantId === of.tenantId && move.from === cell.name))
}

/** The same move with a new id, for a rest that begins. */
export async function renewMove(main: WritingConnection, move: NotedMove): Promise<NotedMove> {
  const id = randomUUID()
  await main.query(statement`update tenant_moves set id = ${id}::uuid where tenant_id = ${move.tenantId}::bigint`)
  return { ...move, id }
}

/** The point of decision: from here on the tenant lives in the target, and so do its keys (hashes in hex). */
export async function switchDirectory(
  main: WritingConnection,
  { tenantId, to }: NotedMove,
  tokenHashes: readonly string[],
): Promise<void> {
  await main.transaction(async connection => {
    await connection.query(statement`
      insert into cell_tenants (tenant_id, cell) values (${tenantId}::bigint, ${to})
      on conflict (tenant_id) do update set cell = excluded.cell`)
    await connection.query(statement`
      insert into cell_keys (token_hash, tenant_id)
      select decode(hash, 'hex'), ${tenantId}::bigint from unnest(${sql.array([...tokenHashes], 'text')}) hash
      on conflict (token_hash) do nothing`)
    await connection.query(statement`update tenant_moves set switched_at = now() where tenant_id = ${tenantId}::bigint`)
  })
}

export async function noteArrival(main: WritingConnection, { tenantId }: NotedMove): Promise<void> {
  await main.query(
    statement`update tenant_moves set arrived_at = now() where tenant_id = ${tenantId}::bigint and arrived_at is null`,
  )
}

/** The target has it no more. */
export async function forgetArrival(main: WritingConnection, { tenantId }: NotedMove): Promise<void> {
  await main.query(statement`update tenant_moves set arrived_at = null where tenant_id = ${tenantId}::bigint`)
}

export async function forgetMove(main: WritingConnection, { tenantId }: NotedMove): Promise<void> {
  await main.query(statement`delete from tenant_moves where tenant_id = ${tenantId}::bigint`)
}
