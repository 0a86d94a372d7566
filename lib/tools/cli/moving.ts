/** The common part of `tenant move` and `cell drain`: moves a tenant, and shows the progress. lib/tools/moves does the steps. */

import { setTimeout as delay } from 'node:timers/promises'
import { MAIN } from '../../platform/cells.ts'
import { clearMoved, type Moved, moveTenant } from '../moves/move.ts'
import { MovedByAnother } from '../moves/mover.ts'
import { findMove, type NotedMove } from '../moves/noted.ts'
import type { MoveOptions, Round, Step } from '../moves/options.ts'
import { NotMoved } from '../moves/reach.ts'
import { Refused, type World } from './command.ts'
import { explain } from './explain.ts'

const LOOK_AGAIN_MS = 500

/** After this many rounds the tenant may be changing as fast as its changes are copied. */
const ROUNDS_TOLD = 10

export const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** Shown while a tenant moves: the last step, and how many rows were copied. */
export type Progress = (words: string) => void

export async function move(
  world: World,
  tenant: { readonly tenantId: string; readonly to: string; readonly isLater?: boolean },
  show: Progress,
): Promise<Moved & { readonly rows: number; readonly pausedMs: number | null }> {
  let rows = 0
  let step: Step | undefined
  let last = ''
  const paused: number[] = []
  const showRows = () => show(`tenant ${tenant.tenantId}: ${step ?? 'begun'}, ${rows} rows${last}`)
  const onStep = (done: Step) => {
    step = done
    showRows()
  }
  const onRows = (copied: number) => {
    rows += copied
    showRows()
  }
  const onRound = ({ round, rows: changed, ms }: Round) => {
    const isMany = round > ROUNDS_TOLD ? ', while the tenant changes as many' : ''
    last = `; round ${round}: ${changed} changed rows in ${inSeconds(ms)}${isMany}`
    showRows()
  }
  const onPaused = (ms: number) => paused.push(ms)
  try {
    const moved = await moveTenant(tenant, { ...(await optionsOf(world)), onStep, onRows, onRound, onPaused })
    return { ...moved, rows, pausedMs: paused.length === 0 ? null : Math.round(Math.max(...paused)) }
  } catch (error) {
    throw await toldOf(error, world, tenant.tenantId)
  }
}

/** Removes what a finished move has left in its source. A worker may be doing so already. */
export async function clear(world: World, tenantId: string): Promise<void> {
  for (;;)
    try {
      return await clearMoved(tenantId, await optionsOf(world))
    } catch (error) {
      if (!(error instanceof MovedByAnother)) throw await toldOf(error, world, tenantId)
      await delay(LOOK_AGAIN_MS)
    }
}

async function optionsOf(world: World): Promise<MoveOptions> {
  const redis = await world.redis()
  if (redis === null) throw new Refused('no Redis: set REDIS_URL; replicas and webhooks are told there of who moves')
  return { cells: await world.cells(), redis, queueShards: world.config.queueShards }
}

/**
 * The state of an open move, and what continues it where it broke off. A worker does the same without being asked
 * (workers/commands/move-watch.ts).
 */
export function wordsOf({ tenantId, from, to, isSwitched, arrivedSince }: NotedMove) {
  const again = `bin/millrace tenant move --tenant ${tenantId} --cell ${to}`
  if (arrivedSince !== null)
    return {
      found: `tenant ${tenantId} lives in ${to}, and ${from} has its old rows still`,
      advice: `a worker process removes them within minutes, ${again} at once`,
    }
  const onTheWay = `tenant ${tenantId} is on its way from ${from} to ${to}`
  if (isSwitched)
    return {
      found: `${onTheWay} and cannot go back: its writes wait, and its reads may get 503`,
      advice: `${again} goes on with it. ${byItself('goes on with it')}`,
    }
  return {
    found: `${onTheWay}: its reads go on, its webhooks and writes may wait for a moment`,
    advice: `${again} goes on with it, --cell ${from} gives it up. ${byItself('goes on with it')}`,
  }
}

const byItself = (does: string) =>
  `A worker process ${does} by itself within a minute; where it cannot, its log says why ("cannot be taken up")`

/** Why the command ended, the present state of the move, and what to do. */
async function toldOf(error: unknown, world: World, tenantId: string): Promise<Refused> {
  if (error instanceof Refused) return error
  if (error instanceof NotMoved) return new Refused(error.message)
  const noted = await world
    .pool()
    .then(main => findMove(main, tenantId))
    .catch(() => undefined)
  if (noted === null) return new Refused(`${explain(error)}; nothing has happened`)
  if (noted === undefined)
    return new Refused(
      `${explain(error)}; nothing is lost. Whether a move of tenant ${tenantId} has begun ${MAIN} would say, which does not answer: give the same command again once it does. Until then its writes may wait, and its reads may get 503.`,
    )
  const { found, advice } = wordsOf(noted)
  return new Refused(`${explain(error)}; the move broke off: ${found}. What to do: ${advice}.`)
}
