/**
 * Brings a tenant's rows to the target: copies them while the tenant writes, then copies what changed meanwhile, again and again, and the
 * rest while writes are paused for a moment. At its end the writes are paused, and the copy is complete.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { MAIN } from '../../platform/cells.ts'
import { readAddress } from '../../platform/postgres/address.ts'
import { WebhookQueue } from '../../webhooks/queue.ts'
import { bringChanges, forgetChanges, InTheWay } from './catch-up.ts'
import { type NotedMove, renewMove } from './noted.ts'
import type { MoveOptions, Moving } from './options.ts'
import { cellNamed, livesIn, numberOf } from './reach.ts'
import { CANCELLED, clear, insist, isPaused, pauseSending, pauseWriting, resume } from './source.ts'
import { PRESENCE, type TenantTable, WRITTEN_LATE } from './tables.ts'
import { copying, copyTables, type Ends, raise } from './target.ts'
import { beginWatch, isWatched } from './watch.ts'

/** A receiver of webhooks has 15 s to answer. A delivery that was sent by then is sent once. */
const SENDING_MS_MAX = 20_000
const LOOK_EVERY_MS = 100
/**
 * How long writes may be paused until everything is in the target. In the worst case a cell needs as long again to let the tenant's writes
 * continue.
 */
const REST_MS_MAX = 500
/** When a cell is silent for this long while the writes are paused, its mover is broken off. A worker then lets the writes continue. */
const SILENT_MS_MAX = 5_000
/** A round that took no longer, or brought no more, leaves less than may come while writes are paused. */
const ROUND_MS = 250
const ROUND_ROWS = 200
/** So few rows are copied while the writes are paused, which takes about 100 ms. Then no table gets triggers. */
const FEW_ROWS = 2_000
const COPIES_MAX = 3

/** Since when the writes are paused, by `performance.now()`; null: since an earlier attempt. */
export type Brought = { readonly move: NotedMove; readonly pausedSince: number | null }

type Cells = Ends & { readonly tables: readonly TenantTable[] }
type Way = Moving & {
  readonly ends: Ends
  /** Tables that are copied while the tenant lives in the source: all except those written late. */
  readonly tables: readonly TenantTable[]
  readonly cellNumber: number
  readonly options: MoveOptions
  /** For work while the writes are paused. */
  readonly isTooLate?: () => boolean
}
type WhilePaused = (way: Way, id: string) => Promise<unknown>

class TooLate extends Error {}

/** @returns the move, with the id of the pause whose copy is complete */
export async function bring(
  { tables, ...ends }: Cells,
  { move, mover }: Moving,
  options: MoveOptions,
): Promise<Brought> {
  const { tenantId, from, to } = move
  const copied = tables.filter(({ name }) => name !== PRESENCE && !WRITTEN_LATE.includes(name))
  const cellNumber = await numberOf(await cellNamed(options, MAIN).pool(), to)
  const way = { ends, tables: copied, cellNumber, move, mover, options }
  const isOnNodes = [from, to].some(name => readAddress(cellNamed(options, name).databaseUrl).isDistributed)
  // Transactions of nodes cannot be compared with a snapshot of the coordinator. A tenant that lives nowhere does not write.
  if (isOnNodes || !(await livesIn(ends.source, tenantId))) return bringWhilePaused(way)
  // Left by an attempt that broke off.
  await resume(ends.source, tenantId)
  if (await hasFewRows(way)) {
    await clear(ends.target, tenantId)
    await restWebhooks(way)
    const brought = await pauseShortly(way, copyAll)
    if (brought !== null) return brought
  }
  for (let copies = 1; ; copies++)
    try {
      return await bringWhileWriting(way)
    } catch (error) {
      if (!(error instanceof InTheWay) || copies === COPIES_MAX) throw error
    }
}

/** Copies everything while the writes are paused, however long that takes. */
async function bringWhilePaused(way: Way): Promise<Brought> {
  const { ends, mover, options } = way
  await restWebhooks(way)
  let { move } = way
  const pausedSince = (await isPaused(ends.source, move)) ? null : performance.now()
  if (pausedSince !== null) {
    move = await mover.inMain(main => renewMove(main, way.move))
    await pauseWriting(ends.source, move)
  }
  options.onStep?.('writes are paused')
  await clear(ends.target, move.tenantId)
  await raise(ends, way.cellNumber)
  await copyAll(way, move.id)
  return { move, pausedSince }
}

async function bringWhileWriting(way: Way): Promise<Brought> {
  const { ends, tables, options } = way
  const { tenantId } = way.move
  const { onStep = () => {} } = options
  const before = await versionsOf(ends)
  await beginWatch(ends.source, tenantId, tables)
  onStep('watched')
  await clear(ends.target, tenantId)
  await copyAll(way, null)
  onStep('copied')
  for (;;) {
    await raise(ends, way.cellNumber, { isAhead: true })
    await catchUp(way)
    onStep('caught up')
    await restWebhooks(way)
    await catchUp(way)
    const brought = await pauseShortly(way, async (whilePaused, id) => {
      const isSame = (await versionsOf(ends)) === before && (await isWatched(ends.source, tenantId, tables))
      if (!isSame) throw new InTheWay('a migration ran meanwhile')
      await bringRound(whilePaused, id)
    })
    if (brought !== null) return brought
  }
}

/** Copies changes round by round until little is left. The rounds go on while the tenant changes more than a round copies. */
async function catchUp(way: Way): Promise<void> {
  for (let round = 1; ; round++) {
    const began = performance.now()
    const { rows, snapshot } = await bringRound(way, null)
    await forgetChanges(way.ends.source, way.move.tenantId, snapshot)
    const ms = performance.now() - began
    way.options.onRound?.({ round, rows, ms })
    if (ms < ROUND_MS || rows < ROUND_ROWS) return
  }
}

const bringRound = (way: Way, id: string | null) =>
  copying(way.ends, { tenantId: way.move.tenantId, id }, async () => {
    const { rows: found } = await way.ends.source.query<{ snapshot: string }>(
      'select pg_current_snapshot()::text as snapshot',
    )
    const rows = await bringChanges(way.ends, copiedOf(way))
    return { rows, snapshot: found[0]?.snapshot ?? '' }
  })

const copyAll = (way: Way, id: string | null) =>
  copying(way.ends, { tenantId: way.move.tenantId, id }, () => copyTables(way.ends, copiedOf(way)))

const copiedOf = ({ tables, move: { tenantId }, options, isTooLate }: Way) => ({
  tenantId,
  tables,
  onRows: (rows: number) => {
    options.onRows?.(rows)
    if (isTooLate?.()) throw new TooLate()
  },
})

/**
 * Pauses the writes for a moment, in which `work` completes the copy. They continue again if it took too long or failed.
 * @returns null where it took too long
 */
async function pauseShortly(way: Way, work: WhilePaused): Promise<Brought | null> {
  const { ends, mover, options } = way
  const { tenantId, to } = way.move
  const { onStep = () => {}, pauseMsMax = REST_MS_MAX } = options
  const move = await mover.inMain(main => renewMove(main, way.move))
  await pauseWriting(ends.source, move)
  const pausedSince = performance.now()
  onStep('writes are paused')
  const isTooLate = () => performance.now() - pausedSince > pauseMsMax
  const silence = setTimeout(() => mover.breakOff(`${to} does not answer`), SILENT_MS_MAX)
  try {
    await inBoth(ends, client => client.query(`set statement_timeout = ${Math.max(1, pauseMsMax)}`))
    await raise(ends, way.cellNumber)
    await work({ ...way, isTooLate }, move.id)
    if (!isTooLate()) return { move, pausedSince }
  } catch (error) {
    if (!(error instanceof TooLate) && (error as { code?: unknown }).code !== CANCELLED) {
      await resume(ends.source, tenantId).catch(() => {}) // if it fails, a worker does it
      throw error
    }
  } finally {
    clearTimeout(silence)
    await inBoth(ends, client => insist(client, 'reset statement_timeout')).catch(() => {})
  }
  await resume(ends.source, tenantId)
  options.onPaused?.(performance.now() - pausedSince)
  return null
}

async function restWebhooks({ ends, move: { tenantId, from }, options }: Way): Promise<void> {
  await pauseSending(ends.source, tenantId)
  const queue = new WebhookQueue(options.redis, from)
  try {
    // A hanging subscription is not waited for longer than its receiver may take.
    const end = performance.now() + SENDING_MS_MAX
    while (performance.now() < end && (await queue.isSending(tenantId))) await delay(LOOK_EVERY_MS)
  } finally {
    await queue.close()
  }
  options.onStep?.('webhooks are paused')
}

async function hasFewRows({ ends, tables, move, options: { fewRows = FEW_ROWS } }: Way): Promise<boolean> {
  const counts = tables.map(
    ({ name }) => `(select count(*) from (select from ${name} where tenant_id = $1 limit ${fewRows + 1}) r)`,
  )
  const { rows } = await ends.source.query<{ isFew: boolean }>(
    `select ${counts.join(' + ')} <= ${fewRows} as "isFew"`,
    [move.tenantId],
  )
  return rows[0]?.isFew === true
}

/** The names of the migrations of both cells, which change with every migration. */
async function versionsOf(ends: Ends): Promise<string> {
  const text = `select string_agg(name, ' ' order by name) as version from migrations`
  const found = await inBoth(ends, client => client.query<{ version: string }>(text))
  return found.map(({ rows }) => rows[0]?.version).join()
}

const inBoth = <T>({ source, target }: Ends, work: (client: pg.Client) => Promise<T>): Promise<T[]> =>
  Promise.all([work(source), work(target)])
