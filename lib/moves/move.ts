/**
 * Moves a tenant from one cell to another while it is served (docs/decisions/0010-cells.md, "How a tenant moves"). Every step may be
 * done again: whoever moves a tenant whose move broke off goes on where that was. It prints nothing.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { publishKeyChange } from '../access/key-changes.ts'
import { MAIN } from '../cells/cells.ts'
import { placeOfTenant } from '../cells/directory.ts'
import { WrittenNotes } from '../pipeline/last-writes.ts'
import { shardOf, shardTag } from '../pipeline/shard.ts'
import type { Pool } from '../postgres/postgres.ts'
import type { Redis } from '../redis/redis.ts'
import { WebhookQueue } from '../webhooks/queue.ts'
import { tellReadyTenant } from '../webhooks/ready-tenants.ts'
import {
  findMove,
  forgetArrival,
  forgetMove,
  type NotedMove,
  noteArrival,
  noteMove,
  renewMove,
  switchDirectory,
} from './noted.ts'
import {
  alone,
  cellNamed,
  connected,
  livesIn,
  type MovingCell,
  type MovingCells,
  NotMoved,
  numberOf,
  refuseUnfit,
  transactionOf,
} from './reach.ts'
import { clear, leave, restNoMore, restSending, rests, restWriting, resume } from './source.ts'
import { arrive, copy, isCopied, raise, tokenHashesOf } from './target.ts'

/** A receiver of webhooks has 15 s to answer; what is sent by then is sent once. */
const SENDING_MS_MAX = 20_000
const LOOK_EVERY_MS = 100
/** What is left in the source is kept for reads that began there; one takes five seconds at most. */
const KEPT_MS = 10_000

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

export type MoveOptions = MovingCells & {
  readonly redis: Redis
  /** The setting of the service. */
  readonly queueShards: number
  /** Told when a step is done, and of rows that were copied. */
  readonly onStep?: (step: Step) => void
  readonly onRows?: (rows: number) => void
  readonly keptMs?: number
}

/**
 * `none`: it lived there already. `back`: a move from there that was not decided yet is given up; `copy left`: and what was copied could
 * not be removed.
 */
export type Moved = {
  readonly from: string
  readonly to: string
  readonly was: 'moved' | 'none' | 'back' | 'copy left'
}

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
          `the tenant ${tenantId} is on its way to ${open.to}: finish that first, with --cell ${open.to}${open.isSwitched ? '' : `, or give it up, with --cell ${open.from}`}`,
        )
      return { from: open.to, to, was: (await giveUp(open, options)) ? 'back' : 'copy left' }
    }
    if (open === null && from === to) {
      await staysIn(cellNamed(options, to), tenantId)
      return { from, to, was: 'none' }
    }
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

/** What rests there rests for no move: a failover has lost what was noted of it. */
async function staysIn(cell: MovingCell, tenantId: string): Promise<void> {
  await connected(cell, async client => {
    if (!(await livesIn(client, tenantId))) throw new NotMoved(`there is no tenant ${tenantId}`)
    await resume(client, tenantId)
  })
}

async function begin(main: Pool, move: Pick<NotedMove, 'tenantId' | 'from' | 'to'>, options: MoveOptions) {
  const isIn = (name: string) => connected(cellNamed(options, name), client => livesIn(client, move.tenantId))
  if (!(await isIn(move.from))) throw new NotMoved(`there is no tenant ${move.tenantId}`)
  if (await isIn(move.to)) throw livesTwice(move)
  return noteMove(main, move)
}

/** Which of the two counts no program knows. */
const livesTwice = ({ tenantId, from, to }: Pick<NotedMove, 'tenantId' | 'from' | 'to'>) =>
  new NotMoved(
    `the tenant ${tenantId} lives in ${from} and in ${to}, as after a restore: decide which one counts (docs/operations.md, "Restore")`,
  )

async function carryOut(noted: NotedMove, options: MoveOptions): Promise<void> {
  const { tenantId, from, to } = noted
  const { redis, onStep = () => {}, onRows = () => {} } = options
  const main = await cellNamed(options, MAIN).pool()
  const notes = (cell: string) => new WrittenNotes(redis, id => shardTag(shardOf(id, options.queueShards)), cell)
  onStep('noted')
  await connected(cellNamed(options, from), source =>
    connected(cellNamed(options, to), async target => {
      // Whatever is noted of it, where it lives tells: a failover of the main cell may have lost that it went on.
      const hasArrived = await livesIn(target, tenantId)
      if (hasArrived && (await livesIn(source, tenantId))) throw livesTwice(noted)
      const move = hasArrived ? noted : await rest(source, noted, options)
      if (!hasArrived && !(await isCopied(target, move))) {
        await raise({ source, target }, await numberOf(main, to))
        await copy({ source, target }, { tenantId, onRows })
      }
      onStep('copied')
      if (!move.isSwitched) {
        if (!hasArrived && !(await rests(source, move))) throw restNoMore(tenantId)
        await switchDirectory(main, move, await tokenHashesOf(target, tenantId))
      }
      onStep('switched')
      if (!hasArrived) await leave(source, move)
      // A replica of the source must not show it any more, and one of the target is to have all of it.
      await notes(from).note(tenantId, await transactionOf(source))
      onStep('left the source')
      await arrive(
        { source, target },
        { tenantId, onRows, onTransaction: transaction => notes(to).note(tenantId, transaction) },
      )
      await noteArrival(main, move)
      // Whoever is not told finds out by itself.
      await Promise.all([
        ...(await tokenHashesOf(target, tenantId)).map(tokenHash => publishKeyChange(redis, { tokenHash })),
        tellReadyTenant(redis, tenantId, to),
      ]).catch(() => {})
      onStep('arrived')
    }),
  )
}

/** What works on the tenant rests, one after the other. @returns the move, with the id of this rest. */
async function rest(source: pg.Client, noted: NotedMove, options: MoveOptions): Promise<NotedMove> {
  const { onStep = () => {} } = options
  await restSending(source, noted.tenantId)
  await sendingEnds(noted, options)
  onStep('webhooks rest')
  let move = noted
  if (!(await rests(source, move))) {
    move = await renewMove(await cellNamed(options, MAIN).pool(), noted)
    await restWriting(source, move)
  }
  onStep('writes rest')
  return move
}

/** Not where a failover of the target has lost the tenant again: then its rows are in the source alone. */
async function clearMove(move: NotedMove, options: MoveOptions): Promise<void> {
  const { tenantId, from, to } = move
  const { keptMs = KEPT_MS, onStep = () => {} } = options
  const main = await cellNamed(options, MAIN).pool()
  await delay(Math.max(0, keptMs - Number(move.arrivedSince)))
  if (!(await connected(cellNamed(options, to), target => livesIn(target, tenantId)))) {
    await forgetArrival(main, move)
    throw new Error(`${to} has lost the tenant ${tenantId} (a failover?), and ${from} still has it`)
  }
  await connected(cellNamed(options, from), source => clear(source, tenantId))
  await forgetMove(main, move)
  onStep('cleared')
}

/**
 * Before the point of decision.
 * @returns whether what was copied is removed; else a later move there does it, once the target answers.
 */
async function giveUp(move: NotedMove, options: MoveOptions): Promise<boolean> {
  const { tenantId, from, to } = move
  await connected(cellNamed(options, from), async source => {
    if (!(await livesIn(source, tenantId)))
      throw new NotMoved(`the tenant ${tenantId} has left ${from}: finish its move, with --cell ${to}`)
    await resume(source, tenantId)
  })
  await forgetMove(await cellNamed(options, MAIN).pool(), move)
  return connected(cellNamed(options, to), target => clear(target, tenantId)).then(
    () => true,
    () => false,
  )
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
