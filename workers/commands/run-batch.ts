/**
 * Runs the commands that were taken from a tenant's queue: with commands of other tenants, or alone and ever more cautiously. A command
 * that throws, times out or waits for a lock makes the other commands of its tenant run again. Their answers stay the same.
 */

import {
  type Command,
  type Ended,
  internalError,
  isBulk,
  type Outcome,
  outcomeIn,
  tenantGone,
  unavailable,
} from '../../lib/pipeline/command.ts'
import { isDependencyFailure } from '../../lib/platform/postgres/failures.ts'
import type { TenantBatch } from '../../lib/work/tenant-run.ts'
import { alone, aloneAndWaiting, oneByOne, type RunMode, shared } from './transactions.ts'
import { COMMANDS_MAX, type UnitsByCell, type UnitsOfCell } from './units.ts'

/** A batch that ran alone for this long is slow: the rest of it runs later, apart from other tenants. */
const SLOW_MS = 3_000
/** A batch that ran alone in less time would not have delayed the others in a unit of work (SHARED_TIMEOUT_MS of transactions.ts). */
const QUICK_MS = 750

/** Commands that have ended. `fault`: an error that should not have happened. */
export type EndedStep = {
  readonly is: 'ended'
  readonly cell: string
  readonly ended: readonly Ended[]
  readonly hasEvents: boolean
  readonly hasWebhooks: boolean
  /** Whether the commands ran alone and were quick. */
  readonly isQuick?: boolean
  readonly fault?: unknown
}
/** The next step of a drain: answer the commands that ended, or put all the rest back into the queue. */
export type Step = EndedStep | { readonly is: 'put back'; readonly why: PutBack }
export type PutBack = 'slow' | 'moving' | 'clock skew'

/** The commands taken from a tenant's queue. `isSlow`: the tenant was slow a moment ago. */
export type TakenBatch = TenantBatch & { readonly isSlow: boolean }

/** Why a cell ran no more of the batch, and the commands that are left. */
type Stop = { readonly left: readonly Command[]; readonly why: 'done' | 'moved' | PutBack }

/**
 * Runs the batch in the cell in which the tenant's key was found, or in which the directory has the tenant. Commands of unknown endpoints
 * are refused first.
 */
export async function* runBatch(taken: TakenBatch, cells: UnitsByCell): AsyncGenerator<Step> {
  const home = cells.home(taken.commands[0])
  const { known = [], unknown } = Object.groupBy(taken.commands, each => (cells.knows(each) ? 'known' : 'unknown'))
  if (unknown) yield refused(home, unknown, unavailable)
  if (known.length === 0) return
  const { left, why } = yield* runIn(home, { ...taken, commands: known }, cells)
  if (why !== 'moved' && why !== 'done') yield { is: 'put back', why }
  if (why !== 'moved') return
  if (cells.isOne) return yield refused(home, left, tenantGone)
  const place = await cells.placeOf(taken.tenantId)
  if (place === undefined) return yield refused(home, left, unavailable)
  const again = yield* runIn(place.cell, { ...taken, commands: left }, cells, { isDirected: true })
  if (again.why !== 'moved' && again.why !== 'done') yield { is: 'put back', why: again.why }
  if (again.why !== 'moved') return
  // During a move a tenant may be in neither cell for a moment.
  yield place.isMoving ? { is: 'put back', why: 'moving' } : refused(place.cell, again.left, tenantGone)
}

async function* runIn(
  cell: string,
  { isSlow, ...batch }: TakenBatch,
  cells: UnitsByCell,
  { isDirected = false } = {},
): AsyncGenerator<EndedStep, Stop> {
  const units = cells.unitsOf(cell)
  let left = batch.commands
  let mode = isSlow ? oneByOne : shared
  if (units === undefined || units.isCoolingDown()) {
    yield refused(cell, left, unavailable)
    return { left: [], why: 'done' }
  }
  while (left.length > 0) {
    // A bulk has a transaction of its own. The commands after a bulk keep its run mode.
    if (mode.by === 'unit' && left[0] && isBulk(left[0])) mode = alone
    const part = { ...batch, commands: partOf(left, mode) }
    const ranIn = mode
    const run = await units.run(part, mode)
    switch (run.is) {
      case 'ran': {
        const { ended, hasEvents, hasWebhooks } = run
        left = left.slice(ended.length)
        const isQuick = mode.by === 'itself' && run.ms < QUICK_MS
        yield { is: 'ended', cell, ended: isDirected ? inCell(cell, ended) : ended, hasEvents, hasWebhooks, isQuick }
        break
      }
      case 'locked':
        mode = mode.by === 'unit' ? aloneAndWaiting : { ...mode, waits: true }
        break
      case 'too large':
        mode = oneByOne
        break
      case 'moved':
      case 'moving':
      case 'clock skew':
        return { left, why: run.is }
      case 'disconnected':
        yield refused(cell, left, unavailable, run.error)
        return { left: [], why: 'done' }
      case 'failed': {
        const more = moreCautious(mode, part.commands, run)
        if (more === undefined) {
          left = left.slice(part.commands.length)
          yield await refuseFault(cell, part, units, run.error)
        } else mode = more
      }
    }
    if (ranIn.by === 'itself' && run.ms >= SLOW_MS) return { left, why: 'slow' }
  }
  return { left, why: 'done' }
}

/** The commands that run together now. A bulk runs alone. In a unit with other tenants, the unit takes what fits. */
function partOf(left: readonly Command[], { by, oneByOne }: RunMode): readonly Command[] {
  if (by === 'unit') return left
  const bulk = left.findIndex(isBulk)
  const max = oneByOne ? 1 : COMMANDS_MAX
  return left.slice(0, bulk === -1 ? max : Math.max(1, Math.min(bulk, max)))
}

/** The more cautious run mode for these commands and the rest; undefined: the fault is this one command's. */
function moreCautious(
  mode: RunMode,
  commands: readonly Command[],
  { isStatement }: { readonly isStatement: boolean },
): RunMode | undefined {
  if (mode.by === 'unit') return alone
  if (commands.length > 1) return { ...mode, oneByOne: true }
  if (!isStatement) return undefined
  if (!mode.waits) return { ...mode, waits: true }
  if (commands.some(isBulk) && !mode.oneByOne) return { ...mode, oneByOne: true }
  return undefined
}

/** Refuses a command that failed alone. A copy of the command might succeed, so the refusal is recorded before a caller gets it. */
async function refuseFault(
  cell: string,
  part: TenantBatch,
  units: Pick<UnitsOfCell, 'run'>,
  error: unknown,
): Promise<EndedStep> {
  const isOpen = isDependencyFailure(error) || part.forcedRefusal !== undefined
  const remembered = isOpen ? undefined : await units.run({ ...part, forcedRefusal: internalError }, aloneAndWaiting)
  const step = refused(cell, part.commands, unavailable, error)
  return remembered?.is === 'ran' ? { ...step, ended: remembered.ended } : step
}

const refused = (cell: string, commands: readonly Command[], outcome: Outcome, fault?: unknown): EndedStep => ({
  is: 'ended',
  cell,
  ended: commands.map(command => ({ command, outcome })),
  hasEvents: false,
  hasWebhooks: false,
  ...(fault === undefined ? {} : { fault }),
})

const inCell = (cell: string, ended: readonly Ended[]): Ended[] =>
  ended.map(({ command, outcome }) => ({ command, outcome: outcomeIn(cell, outcome) }))
