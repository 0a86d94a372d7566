/**
 * Owns the steps of a move, each of which may be done again (docs/decisions/0010-cells.md, "How a tenant moves"). Which of them are to be
 * done, move.ts decides.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { publishKeyChange } from '../../access/key-changes.ts'
import { WrittenNotes } from '../../pipeline/last-writes.ts'
import { shardOf, shardTag } from '../../pipeline/shard.ts'
import { MAIN } from '../../platform/cells.ts'
import type { Redis } from '../../platform/redis/redis.ts'
import { WebhookQueue } from '../../webhooks/queue.ts'
import { tellReadyTenant } from '../../webhooks/ready-tenants.ts'
import type { Mover, MoverOptions } from './mover.ts'
import { forgetArrival, forgetMove, type NotedMove, noteArrival, renewMove, switchDirectory } from './noted.ts'
import { cellNamed, livesIn, NotMoved, numberOf, transactionOf } from './reach.ts'
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

export type MoveOptions = MoverOptions & {
  readonly redis: Redis
  /** The setting of the service. */
  readonly queueShards: number
  /** Told when a step is done, and of rows that were copied. */
  readonly onStep?: (step: Step) => void
  readonly onRows?: (rows: number) => void
  readonly keptMs?: number
}

/** A move, and who does its steps now. */
export type Moving = { readonly move: NotedMove; readonly mover: Mover }

/** Which of the two counts no program knows. */
export const livesTwice = ({ tenantId, from, to }: Pick<NotedMove, 'tenantId' | 'from' | 'to'>) =>
  new NotMoved(
    `the tenant ${tenantId} lives in ${from} and in ${to}, as after a restore: decide which one counts (docs/operations.md, "Restore")`,
  )

/** All steps up to the tenant's arrival. */
export async function carryOut({ move: noted, mover }: Moving, options: MoveOptions): Promise<void> {
  const { tenantId, from, to } = noted
  const { redis, onStep = () => {}, onRows = () => {} } = options
  const main = await cellNamed(options, MAIN).pool()
  const notes = (cell: string) => new WrittenNotes(redis, id => shardTag(shardOf(id, options.queueShards)), cell)
  onStep('noted')
  await mover.connected(cellNamed(options, from), source =>
    mover.connected(cellNamed(options, to), async target => {
      // Whatever is noted of it, where it lives tells: a failover of the main cell may have lost that it went on.
      const hasArrived = await livesIn(target, tenantId)
      if (hasArrived && (await livesIn(source, tenantId))) throw livesTwice(noted)
      const move = hasArrived ? noted : await rest(source, { move: noted, mover }, options)
      if (!hasArrived && !(await isCopied(target, move))) {
        await raise({ source, target }, await numberOf(main, to))
        await copy({ source, target }, { tenantId, onRows })
      }
      onStep('copied')
      if (!move.isSwitched) {
        if (!hasArrived && !(await rests(source, move))) throw restNoMore(tenantId)
        const hashes = await tokenHashesOf(target, tenantId)
        await mover.inMain(main => switchDirectory(main, move, hashes))
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
      await mover.inMain(main => noteArrival(main, move))
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
async function rest(source: pg.Client, { move: noted, mover }: Moving, options: MoveOptions): Promise<NotedMove> {
  const { onStep = () => {} } = options
  await restSending(source, noted.tenantId)
  await sendingEnds(noted, options)
  onStep('webhooks rest')
  let move = noted
  if (!(await rests(source, move))) {
    move = await mover.inMain(main => renewMove(main, noted))
    await restWriting(source, move)
  }
  onStep('writes rest')
  return move
}

/** Not where a failover of the target has lost the tenant again: then its rows are in the source alone. */
export async function clearMove({ move, mover }: Moving, options: MoveOptions): Promise<void> {
  const { tenantId, from, to } = move
  const { keptMs = KEPT_MS, onStep = () => {}, signal } = options
  await delay(Math.max(0, keptMs - Number(move.arrivedSince)), undefined, { signal })
  if (!(await mover.connected(cellNamed(options, to), target => livesIn(target, tenantId)))) {
    await mover.inMain(main => forgetArrival(main, move))
    throw new Error(`${to} has lost the tenant ${tenantId} (a failover?), and ${from} still has it`)
  }
  await mover.connected(cellNamed(options, from), source => clear(source, tenantId))
  await mover.inMain(main => forgetMove(main, move))
  onStep('cleared')
}

/**
 * Before the point of decision. The tenant is served in the source again before anything else is done.
 * @returns whether what was copied is removed; else a later move there does it, once the target answers.
 */
export async function giveUp({ move, mover }: Moving, options: MoveOptions): Promise<boolean> {
  const { tenantId, from, to } = move
  await mover.connected(cellNamed(options, from), async source => {
    if (!(await livesIn(source, tenantId)))
      throw new NotMoved(`the tenant ${tenantId} has left ${from}: finish its move, with --cell ${to}`)
    await resume(source, tenantId)
  })
  await mover.noteServed()
  const isRemoved = await mover
    .connected(cellNamed(options, to), target => clear(target, tenantId))
    .then(
      () => true,
      () => false,
    )
  await mover.inMain(main => forgetMove(main, move))
  return isRemoved
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
