/**
 * Moves a tenant from one cell to another while it is served (docs/decisions/0010-cells.md, "How a tenant moves"). Every step may be
 * repeated: moving a tenant again continues a move that broke off. It prints nothing.
 */

import { placeOfTenant } from '../../access/cells/directory.ts'
import { MAIN } from '../../platform/cells.ts'
import { alone, type Mover } from './mover.ts'
import { findMove, noteMove } from './noted.ts'
import type { MoveOptions, Moving } from './options.ts'
import { cellNamed, livesIn, type MovingCell, NotMoved, refuseUnfit } from './reach.ts'
import { resume } from './source.ts'
import { carryOut, clearMove, giveUp, livesTwice } from './steps.ts'
import { endWatch } from './watch.ts'

/**
 * `none`: the tenant lived there already. `back`: an undecided move away from there is given up. `copy left`: the same, but the copied rows
 * could not be removed.
 */
export type Moved = {
  readonly from: string
  readonly to: string
  readonly was: 'moved' | 'none' | 'back' | 'copy left'
}

/**
 * Moves the tenant, and waits until its source has no rows of it. With `isLater` removing them is left to `clearMoved`.
 * @throws NotMoved; and errors of a database or Redis that is away: then nothing is lost, and the same call continues
 */
export async function moveTenant(
  { tenantId, to, isLater = false }: { readonly tenantId: string; readonly to: string; readonly isLater?: boolean },
  options: MoveOptions,
): Promise<Moved> {
  const main = await cellNamed(options, MAIN).pool()
  const noted = await findMove(main, tenantId)
  // The present mover would continue for as long as its rows need.
  const ousts = noted !== null && noted.from === to && noted.to !== to && !noted.isSwitched
  return alone(options, { tenantId, ousts }, async mover => {
    const earlier = await findMove(main, tenantId)
    if (earlier?.arrivedSince != null) await clearMove({ move: earlier, mover }, options)
    const open = earlier?.arrivedSince == null ? earlier : null
    const from = open?.from ?? (await placeOfTenant(main, tenantId)).cell ?? MAIN
    if (open !== null && open.to !== to) {
      if (to !== open.from || open.isSwitched)
        throw new NotMoved(
          `the tenant ${tenantId} is on its way to ${open.to}: finish that first, with --cell ${open.to}${open.isSwitched ? '' : `, or give it up, with --cell ${open.from}`}`,
        )
      return { from: open.to, to, was: (await giveUp({ move: open, mover }, options)) ? 'back' : 'copy left' }
    }
    if (open === null && from === to) {
      await staysIn(cellNamed(options, to), tenantId, mover)
      return { from, to, was: 'none' }
    }
    await refuseUnfit([from, to], options)
    const moving = { move: open ?? (await begin({ tenantId, from, to }, mover, options)), mover }
    await carryOut(moving, options)
    if (!isLater) await clearMove(arrived(moving), options)
    return { from, to, was: 'moved' }
  })
}

/** The result for a move that broke off. `nothing`: there is none any more. `copy left`: it was given up, as in `Moved`. */
export type TakenUp = 'nothing' | 'given up' | 'copy left' | 'moved' | 'cleared'

/**
 * Continues a move that broke off. Before the point of decision it first lets the tenant's writes continue, within a moment. Then it copies
 * the rows again. If that fails, for example because the target is away, it gives the move up.
 * @throws NotMoved where another mover works on it; what `moveTenant` throws
 */
export async function takeUp(tenantId: string, options: MoveOptions): Promise<TakenUp> {
  const main = await cellNamed(options, MAIN).pool()
  return alone(options, { tenantId, takesUp: true }, async mover => {
    const move = await findMove(main, tenantId)
    if (move === null) return 'nothing'
    if (move.arrivedSince !== null) {
      await clearMove({ move, mover }, options)
      return 'cleared'
    }
    if (await haveGoOn({ move, mover }, options)) await mover.noteServed()
    try {
      await refuseUnfit([move.from, move.to], options)
      await carryOut({ move, mover }, options)
    } catch (error) {
      // The mover that ended this one, or another worker, continues.
      if (mover.end !== undefined || !(await haveGoOn({ move, mover }, options))) throw error
      return (await giveUp({ move, mover }, options)) ? 'given up' : 'copy left'
    }
    await clearMove(arrived({ move, mover }), options)
    return 'moved'
  })
}

/** Lets the tenant's writes continue in its source, unless the move is decided. @returns whether they do */
async function haveGoOn({ move: { tenantId, from }, mover }: Moving, options: MoveOptions): Promise<boolean> {
  const isSwitched = await mover.inMain(async main => (await main.query(SWITCHED, [tenantId])).rowCount === 1)
  if (isSwitched) return false
  return mover.connected(cellNamed(options, from), async source => {
    // A failover of the main cell may have lost the note that the tenant has left its source.
    if (!(await livesIn(source, tenantId))) return false
    await resume(source, tenantId)
    return true
  })
}
const SWITCHED = 'select from tenant_moves where tenant_id = $1 and switched_at is not null'

/** Removes triggers that a finished move has left in a cell. @throws NotMoved where a move of the tenant is under way */
export async function clearWatch(tenantId: string, cell: string, options: MoveOptions): Promise<void> {
  const main = await cellNamed(options, MAIN).pool()
  await alone(options, { tenantId }, async mover => {
    if ((await findMove(main, tenantId))?.from === cell) return
    await mover.connected(cellNamed(options, cell), client => endWatch(client, tenantId))
  })
}

/** Removes from the source what a move of the tenant has left there. @throws NotMoved where another mover works on it */
export async function clearMoved(tenantId: string, options: MoveOptions): Promise<void> {
  const main = await cellNamed(options, MAIN).pool()
  await alone(options, { tenantId }, async mover => {
    const move = await findMove(main, tenantId)
    if (move?.arrivedSince != null) await clearMove({ move, mover }, options)
  })
}

/** The same move, arrived just now. */
const arrived = ({ move, mover }: Moving): Moving => ({ move: { ...move, arrivedSince: '0' }, mover })

/** A pause there belongs to no move: a failover has lost its note. */
async function staysIn(cell: MovingCell, tenantId: string, mover: Mover): Promise<void> {
  await mover.connected(cell, async client => {
    if (!(await livesIn(client, tenantId))) throw new NotMoved(`there is no tenant ${tenantId}`)
    await resume(client, tenantId)
    await endWatch(client, tenantId)
  })
}

type Way = { readonly tenantId: string; readonly from: string; readonly to: string }

async function begin(way: Way, mover: Mover, options: MoveOptions) {
  const isIn = (name: string) => mover.connected(cellNamed(options, name), client => livesIn(client, way.tenantId))
  if (!(await isIn(way.from))) throw new NotMoved(`there is no tenant ${way.tenantId}`)
  if (await isIn(way.to)) throw livesTwice(way)
  return mover.inMain(main => noteMove(main, way))
}
