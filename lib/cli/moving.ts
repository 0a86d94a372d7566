/**
 * What `tenant move` and `cell drain` share: the move of a tenant, with what people are told of it. What it does is lib/moves' business.
 */
import { clearMoved, type Moved, type MoveOptions, moveTenant, type Step } from '../moves/move.ts'
import { findMove } from '../moves/noted.ts'
import { NotMoved } from '../moves/reach.ts'
import { isDependencyFailure } from '../postgres/failures.ts'
import { Refused, type World } from './command.ts'
import { explain } from './explain.ts'

/** What is shown while a tenant moves: its last step, and the rows that were copied. */
export type Progress = (words: string) => void

export async function move(
  world: World,
  tenant: { readonly tenantId: string; readonly to: string; readonly isLater?: boolean },
  show: Progress,
): Promise<Moved & { readonly rows: number }> {
  let rows = 0
  let step: Step | undefined
  const tell = () => show(`tenant ${tenant.tenantId}: ${step ?? 'begun'}, ${rows} rows`)
  const onStep = (done: Step) => {
    step = done
    tell()
  }
  const onRows = (copied: number) => {
    rows += copied
    tell()
  }
  try {
    return { ...(await moveTenant(tenant, { ...(await optionsOf(world)), onStep, onRows })), rows }
  } catch (error) {
    throw toldOf(error, tenant.tenantId)
  }
}

/** Removes what a move has left in its source, if it was done. */
export async function clear(world: World, tenantId: string): Promise<void> {
  const moved = await findMove(await world.pool(), tenantId)
  try {
    if (moved?.arrivedSince != null) await clearMoved(moved, await optionsOf(world))
  } catch (error) {
    throw toldOf(error, tenantId)
  }
}

async function optionsOf(world: World): Promise<MoveOptions> {
  const redis = await world.redis()
  if (redis === null) throw new Refused('no Redis: set REDIS_URL; replicas and webhooks are told there of who moves')
  return { cells: await world.cells(), redis, queueShards: world.config.queueShards }
}

function toldOf(error: unknown, tenantId: string): unknown {
  if (error instanceof NotMoved) return new Refused(error.message)
  if (!isDependencyFailure(error)) return error
  return new Refused(
    `${explain(error)}; nothing of tenant ${tenantId} is lost, and the same command goes on where it was. Until then its webhooks and writes may wait.`,
  )
}
