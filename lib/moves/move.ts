/**
 * Moves a tenant from one cell to another while it is served (docs/decisions/0010-cells.md, "How a tenant moves"). Every step may be
 * done again: whoever moves a tenant whose move broke off goes on where that was. It prints nothing.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { publishKeyChange } from '../access/key-changes.ts'
import { identityOf } from '../cells/add.ts'
import { MAIN } from '../cells/cells.ts'
import { listCells, placeOfTenant } from '../cells/directory.ts'
import { WrittenNotes } from '../pipeline/last-writes.ts'
import { shardOf, shardTag } from '../pipeline/shard.ts'
import { connectionString } from '../postgres/address.ts'
import { listMigrations } from '../postgres/migrate.ts'
import type { Pool } from '../postgres/postgres.ts'
import type { Redis } from '../redis/redis.ts'
import { WebhookQueue } from '../webhooks/queue.ts'
import { tellReadyTenant } from '../webhooks/ready-tenants.ts'
import { findMove, forgetMove, type NotedMove, noteArrival, noteMove, switchDirectory } from './noted.ts'
import { clear, leave, restSending, rests, restWriting, resume } from './source.ts'
import { arrive, copy, isCopied, raise, tokenHashesOf } from './target.ts'

/** One who moves a tenant at a time. */
const ADVISORY_LOCK = 7_236_121
/** A receiver of webhooks has 15 s to answer; what is sent by then is sent once. */
const SENDING_MS_MAX = 20_000
const LOOK_EVERY_MS = 100
/** What is left in the source is kept for reads that began there; one takes five seconds at most. */
const KEPT_MS = 10_000

/** Why a tenant cannot be moved so. */
export class NotMoved extends Error {
  override name = 'NotMoved'
}

export type MovingCell = { readonly name: string; readonly databaseUrl: string; readonly pool: () => Promise<Pool> }

export const steps = [
  'noted',
  'webhooks rest',
  'writes rest',
  'copied',
  'switched',
  'left the source',
  'arrived',
  'cleared',
] as const
export type Step = (typeof steps)[number]

export type MoveOptions = {
  /** All that there are addresses of, the main one first. */
  readonly cells: readonly MovingCell[]
  readonly redis: Redis
  /** The setting of the service. */
  readonly queueShards: number
  /** Told when a step is done, and of rows that were copied. */
  readonly onStep?: (step: Step) => void
  readonly onRows?: (rows: number) => void
  readonly keptMs?: number
}

/** `none`: it lived there already. `back`: a move from there that was not decided yet is given up. */
export type Moved = { readonly from: string; readonly to: string; readonly was: 'moved' | 'none' | 'back' }

/**
 * Moves the tenant, and waits until nothing of it is left in its source; with `isLater` the rest is left to `clearMoved`.
 * @throws NotMoved; what a database or Redis throws that is away: then nothing is lost, and the same call goes on.
 */
export async function moveTenant(
  { tenantId, to, isLater = false }: { readonly tenantId: string; readonly to: string; readonly isLater?: boolean },
  options: MoveOptions,
): Promise<Moved> {
  const main = await cellNamed(options, MAIN).pool()
  return alone(options, tenantId, async () => {
    const earlier = await findMove(main, tenantId)
    if (earlier?.arrivedSince != null) await clearMove(earlier, options)
    const open = earlier?.arrivedSince == null ? earlier : null
    const from = open?.from ?? (await placeOfTenant(main, tenantId)).cell ?? MAIN
    if (open !== null && open.to !== to) {
      if (to !== open.from || open.isSwitched)
        throw new NotMoved(
          `the tenant ${tenantId} is on its way to ${open.to}: finish that first, with --cell ${open.to}`,
        )
      await giveUp(open, options)
      return { from: open.to, to, was: 'back' }
    }
    if (open === null && from === to) return { from, to, was: 'none' }
    await refuseUnfit([from, to], options)
    const move = open ?? (await begin(main, { tenantId, from, to }, options))
    await carryOut(move, options)
    if (!isLater) await clearMove({ ...move, arrivedSince: '0' }, options)
    return { from, to, was: 'moved' }
  })
}

/** Removes from the source what a move has left there, unless another does. */
export async function clearMoved(move: NotedMove, options: MoveOptions): Promise<void> {
  await alone(options, move.tenantId, () => clearMove(move, options))
}

async function begin(main: Pool, move: Pick<NotedMove, 'tenantId' | 'from' | 'to'>, options: MoveOptions) {
  const isThere = await connected(cellNamed(options, move.from), async source => {
    const { rowCount } = await source.query('select from tenant_streams where tenant_id = $1', [move.tenantId])
    return rowCount === 1
  })
  if (!isThere) throw new NotMoved(`there is no tenant ${move.tenantId}`)
  return noteMove(main, move)
}

async function carryOut(move: NotedMove, options: MoveOptions): Promise<void> {
  const { tenantId } = move
  const { redis, onStep = () => {}, onRows = () => {} } = options
  const main = await cellNamed(options, MAIN).pool()
  const notes = (cell: string) => new WrittenNotes(redis, id => shardTag(shardOf(id, options.queueShards)), cell)
  onStep('noted')
  await connected(cellNamed(options, move.from), source =>
    connected(cellNamed(options, move.to), async target => {
      const hasRested = move.isSwitched || (await rest(source, move, options))
      if (!hasRested || !(await isCopied(target, move))) {
        await raise({ source, target }, await numberOf(main, move.to))
        await copy({ source, target }, { tenantId, onRows })
      }
      onStep('copied')
      if (!move.isSwitched) {
        if (!(await rests(source, move))) throw new Error(`the writes of tenant ${tenantId} rest no more`)
        await switchDirectory(main, move, await tokenHashesOf(target, tenantId))
      }
      onStep('switched')
      if (!(await livesIn(target, tenantId))) await leave(source, move)
      // A replica of the source must not show it any more, and one of the target is to have all of it.
      await notes(move.from).note(tenantId, await transactionOf(source))
      onStep('left the source')
      await arrive(
        { source, target },
        { tenantId, onRows, onTransaction: transaction => notes(move.to).note(tenantId, transaction) },
      )
      await noteArrival(main, move)
      // Whoever is not told finds out by itself.
      await Promise.all([
        ...(await tokenHashesOf(target, tenantId)).map(tokenHash => publishKeyChange(redis, { tokenHash })),
        tellReadyTenant(redis, tenantId, move.to),
      ]).catch(() => {})
      onStep('arrived')
    }),
  )
}

/** What works on the tenant rests, one after the other. @returns whether it has since this move began to copy. */
async function rest(source: pg.Client, move: NotedMove, options: MoveOptions): Promise<boolean> {
  const { onStep = () => {} } = options
  await restSending(source, move.tenantId)
  await sendingEnds(move, options)
  onStep('webhooks rest')
  const hasRested = await restWriting(source, move)
  onStep('writes rest')
  return hasRested
}

async function clearMove(move: NotedMove, options: MoveOptions): Promise<void> {
  const { keptMs = KEPT_MS, onStep = () => {} } = options
  await delay(Math.max(0, keptMs - Number(move.arrivedSince)))
  await connected(cellNamed(options, move.from), source => clear(source, move.tenantId))
  await forgetMove(await cellNamed(options, MAIN).pool(), move)
  onStep('cleared')
}

/** Before the point of decision. What was copied is removed if the target is there; else a later move there does. */
async function giveUp(move: NotedMove, options: MoveOptions): Promise<void> {
  await connected(cellNamed(options, move.from), source => resume(source, move.tenantId))
  await forgetMove(await cellNamed(options, MAIN).pool(), move)
  await connected(cellNamed(options, move.to), target => clear(target, move.tenantId)).catch(() => {})
}

/** @throws NotMoved */
async function refuseUnfit(names: readonly string[], options: MoveOptions): Promise<void> {
  const known = await listCells(await cellNamed(options, MAIN).pool())
  const expected = (await listMigrations()).map(({ name }) => name).join()
  for (const name of names) {
    if (!known.some(cell => cell.name === name)) throw new NotMoved(`there is no cell ${name}: bin/millrace cell list`)
    await connected(cellNamed(options, name), async client => {
      const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
      if (rows.map(row => row.name).join() !== expected)
        throw new NotMoved(`the cell ${name} is not of this version: bin/millrace migrate`)
    })
    const { cell } = await identityOf(await cellNamed(options, name).pool())
    if (cell !== name) throw new NotMoved(`the address of ${name} leads to ${cell ?? 'no cell'}`)
  }
}

/** A subscription that hangs is not waited for longer than its receiver may take. */
async function sendingEnds({ tenantId, from }: NotedMove, { redis }: MoveOptions): Promise<void> {
  const queue = new WebhookQueue(redis, from)
  try {
    const end = performance.now() + SENDING_MS_MAX
    while (performance.now() < end && (await queue.isSending(tenantId))) await delay(LOOK_EVERY_MS)
  } finally {
    await queue.close()
  }
}

async function numberOf(main: Pool, name: string): Promise<number> {
  return (await listCells(main)).find(cell => cell.name === name)?.number ?? 0
}

async function livesIn(client: pg.Client, tenantId: string): Promise<boolean> {
  return (await client.query('select from tenant_streams where tenant_id = $1', [tenantId])).rowCount === 1
}

/** A transaction later than all that is committed. */
async function transactionOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id')
  return rows[0]?.id ?? '0'
}

function cellNamed({ cells }: MoveOptions, name: string): MovingCell {
  const cell = cells.find(each => each.name === name)
  if (cell === undefined) throw new NotMoved(`no address of the cell ${name} is set: CELL_${name.toUpperCase()}_URL`)
  return cell
}

/** @throws NotMoved where another moves the tenant now. */
async function alone<T>(options: MoveOptions, tenantId: string, work: () => Promise<T>): Promise<T> {
  return connected(cellNamed(options, MAIN), async client => {
    const { rows } = await client.query<{ is_mine: boolean }>(
      'select pg_try_advisory_lock($1, ($2::bigint % 2147483647)::integer) as is_mine',
      [ADVISORY_LOCK, tenantId],
    )
    if (!rows[0]?.is_mine) throw new NotMoved(`another is moving the tenant ${tenantId} now`)
    return work()
  })
}

async function connected<T>({ databaseUrl }: MovingCell, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: connectionString(databaseUrl), application_name: 'millrace move' })
  client.on('error', () => {}) // what runs on it fails, and tells
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
