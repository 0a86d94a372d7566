/**
 * The steps of a move, each of which may be repeated (docs/decisions/0010-cells.md, "How a tenant moves"). move.ts decides which are to be
 * done.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { publishKeyChange } from '../../access/key-changes.ts'
import { WrittenNotes } from '../../pipeline/last-writes.ts'
import { shardOf, shardTag } from '../../pipeline/redis-keys.ts'
import { signalTenant } from '../../webhooks/tenant-signals.ts'
import { bring } from './bring.ts'
import { forgetArrival, forgetMove, type NotedMove, noteArrival, switchDirectory } from './noted.ts'
import type { MoveOptions, Moving } from './options.ts'
import { cellNamed, livesIn, NotMoved, transactionOf } from './reach.ts'
import { clear, isPaused, leave, pausedNoMore, resume } from './source.ts'
import { arrive, isCopied, tablesOfBoth, tokenHashesOf } from './target.ts'
import { endWatch } from './watch.ts'

/** The source's rows are kept for reads that began there. A read takes at most five seconds. */
const KEPT_MS = 10_000

/** A program cannot know which of the two counts. */
export const livesTwice = ({ tenantId, from, to }: Pick<NotedMove, 'tenantId' | 'from' | 'to'>) =>
  new NotMoved(
    `the tenant ${tenantId} lives in ${from} and in ${to}, as after a restore: decide which one counts (docs/operations.md, "Restore")`,
  )

/** All steps up to the tenant's arrival. */
export async function carryOut({ move: noted, mover }: Moving, options: MoveOptions): Promise<void> {
  const { tenantId, from, to } = noted
  const { redis, onStep = () => {}, onRows = () => {}, onPaused = () => {} } = options
  const notes = (cell: string) => new WrittenNotes(redis, id => shardTag(shardOf(id, options.queueShards)), cell)
  onStep('noted')
  await mover.connected(cellNamed(options, from), source =>
    mover.connected(cellNamed(options, to), async target => {
      // The cell where it lives decides, whatever the note says: a failover of the main cell may have lost the last note.
      const hasArrived = await livesIn(target, tenantId)
      if (hasArrived && (await livesIn(source, tenantId))) throw livesTwice(noted)
      const tables = await tablesOfBoth({ source, target })
      const isComplete = hasArrived || ((await isPaused(source, noted)) && (await isCopied(target, noted)))
      const { move, pausedSince } = isComplete
        ? { move: noted, pausedSince: null }
        : await bring({ source, target, tables }, { move: noted, mover }, options)
      onStep('complete')
      if (!move.isSwitched) {
        if (!hasArrived && !(await isPaused(source, move))) throw pausedNoMore(tenantId)
        const hashes = await tokenHashesOf(target, tenantId)
        await mover.inMain(main => switchDirectory(main, move, hashes))
      }
      onStep('switched')
      if (!hasArrived) await leave(source, move)
      // A replica of the source must not show the tenant any more. One of the target must have all of it.
      await notes(from).note(tenantId, await transactionOf(source))
      onStep('left the source')
      await arrive(
        { source, target },
        { tenantId, tables, onRows, onTransaction: transaction => notes(to).note(tenantId, transaction) },
      )
      if (pausedSince !== null) onPaused(performance.now() - pausedSince)
      await mover.inMain(main => noteArrival(main, move))
      // Servers that miss the message see the change when their caches expire.
      await Promise.all([
        ...(await tokenHashesOf(target, tenantId)).map(tokenHash => publishKeyChange(redis, { tokenHash })),
        signalTenant(redis, tenantId, to),
      ]).catch(() => {})
      onStep('arrived')
    }),
  )
}

/** Not where a failover of the target has lost the tenant again: then only the source has its rows. */
export async function clearMove({ move, mover }: Moving, options: MoveOptions): Promise<void> {
  const { tenantId, from, to } = move
  const { keptMs = KEPT_MS, onStep = () => {}, signal } = options
  await delay(Math.max(0, keptMs - Number(move.arrivedSince)), undefined, { signal })
  if (!(await mover.connected(cellNamed(options, to), target => livesIn(target, tenantId)))) {
    await mover.inMain(main => forgetArrival(main, move))
    throw new Error(`${to} has lost the tenant ${tenantId} (a failover?), and ${from} still has it`)
  }
  await mover.connected(cellNamed(options, from), async source => {
    await endWatch(source, tenantId)
    await clear(source, tenantId)
  })
  await mover.inMain(main => forgetMove(main, move))
  onStep('cleared')
}

/**
 * Before the point of decision. The tenant is served in the source again before anything else is done.
 * @returns whether the copied rows are removed; if not, a later move there removes them when the target answers
 */
export async function giveUp({ move, mover }: Moving, options: MoveOptions): Promise<boolean> {
  const { tenantId, from, to } = move
  await mover.connected(cellNamed(options, from), async source => {
    if (!(await livesIn(source, tenantId)))
      throw new NotMoved(`the tenant ${tenantId} has left ${from}: finish its move, with --cell ${to}`)
    await resume(source, tenantId)
    await mover.noteServed()
    await endWatch(source, tenantId)
  })
  const isRemoved = await mover
    .connected(cellNamed(options, to), target => clear(target, tenantId))
    .then(
      () => true,
      () => false,
    )
  await mover.inMain(main => forgetMove(main, move))
  return isRemoved
}
