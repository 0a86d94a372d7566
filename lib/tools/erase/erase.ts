/**
 * Erases a tenant: its rows in every cell, its places in the directory, and its keys in Redis (docs/operations.md, "Erase a tenant"). Every
 * step may be repeated: the same call continues where one broke off. It prints nothing.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { publishKeyChange } from '../../access/key-changes.ts'
import { updateTenant } from '../../access/tenants.ts'
import { hasCommands } from '../../pipeline/forget-tenant.ts'
import { MAIN } from '../../platform/cells.ts'
import type { Redis } from '../../platform/redis/redis.ts'
import { alone, type Mover, type MoverOptions } from '../moves/mover.ts'
import { findMove } from '../moves/noted.ts'
import { cellNamed, livesIn, type MovingCell } from '../moves/reach.ts'
import { clear, clearTables, endLife, inTransaction, lateWritersEnd } from '../moves/source.ts'
import { PRESENCE, tenantTables, WRITTEN_LATE } from '../moves/tables.ts'
import { tokenHashesOf } from '../moves/target.ts'
import { Refused } from '../refused.ts'
import { clearRedis } from './clear-redis.ts'

const LOOK_EVERY_MS = 50
/** The table of tenants. Its row contains the name and the mark of the erasure, and is removed last. */
const TENANTS = 'tenants'

/** Tables written without the tenant's lock. In a move late notes of housekeeping are allowed, here they are not. */
const LATE = [...WRITTEN_LATE, 'past_stock_balances', 'past_stock_balances_progress', 'book_notes', 'book_turnovers']

export const steps = ['suspended', 'left', 'queue is over', 'redis', 'rows', 'directory', 'erased'] as const
export type Step = (typeof steps)[number]

export type EraseOptions = MoverOptions & {
  readonly redis: Redis
  /** Settings of the service. */
  readonly queueShards: number
  readonly commandDeadlineMs: number
  /** `onStep` is called after each step. `onTotal` gets the number of rows, `onRows` the removed ones. */
  readonly onStep?: (step: Step) => void
  readonly onTotal?: (rows: number) => void
  readonly onRows?: (rows: number) => void
}

/** @throws Refused; and the errors of a database or Redis that is away: then the same call continues */
export async function eraseTenant(
  { tenantId, name }: { readonly tenantId: string; readonly name: string },
  options: EraseOptions,
): Promise<void> {
  const main = cellNamed(options, MAIN)
  await alone(options, { tenantId }, async mover => {
    const move = await findMove(await main.pool(), tenantId)
    if (move !== null)
      throw new Refused(
        `the tenant ${tenantId} is being moved from ${move.from} to ${move.to}: erase it when it is there`,
      )
    const home = await homeOf(tenantId, name, { mover, options })
    await mover.connected(home, client => eraseIn(client, { tenantId, home, mover }, options))
  })
}

type Erasing = { readonly tenantId: string; readonly home: MovingCell; readonly mover: Mover }

async function eraseIn(client: pg.Client, { tenantId, home, mover }: Erasing, options: EraseOptions): Promise<void> {
  const { redis, queueShards, onStep = () => {}, onTotal = () => {}, onRows = () => {} } = options
  if (await livesIn(client, tenantId)) {
    const suspended = await updateTenant(await home.pool(), { tenantId, suspended: true })
    // Servers that miss the message see the change when their caches expire.
    await Promise.all((suspended?.keys ?? []).map(key => publishKeyChange(redis, key))).catch(() => {})
    onStep('suspended')
    await endLife(client, tenantId, () => markErased(client, tenantId))
  }
  await lateWritersEnd(client, LATE)
  const hashes = await tokenHashesOf(client, tenantId)
  await Promise.all(hashes.map(tokenHash => publishKeyChange(redis, { tokenHash }))).catch(() => {})
  onStep('left')
  await queueEnds(tenantId, options)
  onStep('queue is over')
  await clearRedis(client, { tenantId, cell: home.name, redis, shards: queueShards })
  onStep('redis')
  const tables = (await tenantTables(client)).filter(table => table.name !== TENANTS)
  let total = 0
  for (const table of tables) total += await countRows(client, table.name, tenantId)
  onTotal(total)
  await clearTables(client, tenantId, tables, onRows)
  // Removes rows that a given-up move may have left in other cells.
  for (const cell of options.cells)
    if (cell.name !== home.name) await mover.connected(cell, other => clear(other, tenantId))
  onStep('rows')
  await mover.inMain(main => forgetPlaces(main, tenantId))
  onStep('directory')
  await client.query(`delete from ${TENANTS} where tenant_id = $1`, [tenantId])
  onStep('erased')
}

/** The cell where the tenant lives, or where its erasure broke off. @throws Refused */
async function homeOf(
  tenantId: string,
  name: string,
  { mover, options }: { readonly mover: Mover; readonly options: EraseOptions },
): Promise<MovingCell> {
  const found: { readonly cell: MovingCell; readonly name: string }[] = []
  for (const cell of options.cells)
    await mover.connected(cell, async client => {
      const { rows } = await client.query<{ name: string }>(
        `select name from ${TENANTS} t where tenant_id = $1
           and (moving ->> 'erased' = 'true' or exists (select from ${PRESENCE} s where s.tenant_id = t.tenant_id))`,
        [tenantId],
      )
      found.push(...rows.map(row => ({ cell, name: row.name })))
    })
  const [home, ...others] = found
  if (home === undefined) throw new Refused(`there is no tenant ${tenantId}`)
  if (others.length > 0)
    throw new Refused(
      `the tenant ${tenantId} is in ${found.map(({ cell }) => cell.name).join(' and ')}, as after a restore: decide which one counts (docs/operations.md, "Restore")`,
    )
  if (home.name !== name) throw new Refused(`the tenant ${tenantId} has another name: type it as tenant list shows it`)
  return home.cell
}

/**
 * Transactions that take the tenant's lock wait for this one, and then find no tenant. The relay to webhooks uses rows of its own: it ends
 * when they are removed, and does not begin again.
 */
async function markErased(client: pg.Client, tenantId: string): Promise<void> {
  await client.query(`select from ${PRESENCE} where tenant_id = $1 for update`, [tenantId])
  await client.query(`update ${TENANTS} set moving = '{"erased": true}' where tenant_id = $1`, [tenantId])
  await client.query('delete from webhook_relays where tenant_id = $1', [tenantId])
  await client.query('select from webhook_subscriptions where tenant_id = $1 order by id for update', [tenantId])
  await client.query('delete from webhook_recoveries where tenant_id = $1', [tenantId])
}

/**
 * Workers answer commands that were committed before, and refuse the rest: nobody gets a success of something that is already removed.
 * Without a worker the callers are answered at their deadline.
 */
async function queueEnds(
  tenantId: string,
  { redis, queueShards, commandDeadlineMs, signal }: EraseOptions,
): Promise<void> {
  const end = performance.now() + commandDeadlineMs
  while (performance.now() < end && (await hasCommands(redis, { tenantId, shards: queueShards })))
    await delay(LOOK_EVERY_MS, undefined, { signal })
}

async function countRows(client: pg.Client, table: string, tenantId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from ${table} where tenant_id = $1`,
    [tenantId],
  )
  return rows[0]?.count ?? 0
}

async function forgetPlaces(main: pg.Client, tenantId: string): Promise<void> {
  await inTransaction(main, async () => {
    await main.query('delete from cell_keys where tenant_id = $1', [tenantId])
    await main.query('delete from cell_tenants where tenant_id = $1', [tenantId])
  })
}
