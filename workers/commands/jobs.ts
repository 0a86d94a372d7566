/**
 * Runs what was taken from a tenant's queue: with commands of other tenants, or by itself and ever more carefully. A command that
 * throws, times out or waits for a lock costs the others of its tenant a repeat, never their answer.
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
import type { Portion, Result } from '../../lib/work/tenant-run.ts'
import { COMMANDS_MAX } from './waiting-portions.ts'

/** What has taken as long by itself is slow: what is left of its batch runs later, apart from the others. */
const SLOW_MS = 3_000
/** What has taken less by itself would not have held up others in a unit of work (TOGETHER_TIMEOUT_MS of transactions.ts). */
const QUICK_MS = 750

/** How commands are run: in a unit with other tenants', or by themselves. By themselves they may wait for what another holds. */
export type Care = { readonly by: 'unit' | 'itself'; readonly waits: boolean; readonly oneByOne: boolean }
const together: Care = { by: 'unit', waits: false, oneByOne: false }
/** Where a unit with others failed; and a bulk. */
export const promptly: Care = { by: 'itself', waits: false, oneByOne: false }
/** Where another holds the tenant. */
const patiently: Care = { by: 'itself', waits: true, oneByOne: false }
/** Where the tenant was slow a moment ago, and where a command needs many rows. */
const singly: Care = { by: 'itself', waits: true, oneByOne: true }

/**
 * What became of a portion that was handed to a unit of work. `lost`: the database is away, which says nothing about the commands.
 * `failed`: any of the commands may be the cause. `ms` is the time on a connection of its own; 0 in a unit with others.
 */
export type Run = { readonly ms: number } & (
  | Result
  | { readonly is: 'lost'; readonly error: unknown }
  | { readonly is: 'failed'; readonly error: unknown; readonly isStatement: boolean }
)

/** The units of work of one cell. `run` never rejects. */
export type Units = {
  /** Whether the next batch must be refused, since the database was lost a moment ago. Where it need not be, it is the trial. */
  readonly isResting: () => boolean
  readonly run: (portion: Portion, care: Care) => Promise<Run>
}

/** Where tenants live, as far as the worker knows. */
export type CellsOfUnits = {
  readonly isOne: boolean
  readonly home: (command: Command | undefined) => string
  readonly unitsOf: (cell: string) => Units | undefined
  /** Undefined: the directory is away. */
  readonly placeOf: (tenantId: string) => Promise<{ readonly cell: string; readonly isMoving: boolean } | undefined>
}

/** Commands that have ended: the first of those that were left. `fault`: what should not have happened to them. */
export type EndedStep = {
  readonly is: 'ended'
  readonly cell: string
  readonly ended: readonly Ended[]
  readonly hasEvents: boolean
  readonly hasWebhooks: boolean
  /** Whether they ran by themselves and did not take long. */
  readonly isQuick?: boolean
  readonly fault?: unknown
}
/** What a drain does next: answers the commands that ended, or puts all that are left back into the queue. */
export type Step = EndedStep | { readonly is: 'put back'; readonly why: PutBack }
export type PutBack = 'slow' | 'moving' | 'apart'

/** What was taken from a tenant's queue. `isSlow`: the tenant was slow a moment ago. */
export type Batch = Portion & { readonly isSlow: boolean }

/** Why a cell ran no more of a batch. */
type Rest = { readonly left: readonly Command[]; readonly why: 'done' | 'gone' | PutBack }

/** Runs the batch where the tenant's key was found, else where the directory says. */
export async function* runJobs(batch: Batch, cells: CellsOfUnits): AsyncGenerator<Step> {
  const home = cells.home(batch.commands[0])
  const { left, why } = yield* runIn(home, batch, cells)
  if (why !== 'gone' && why !== 'done') yield { is: 'put back', why }
  if (why !== 'gone') return
  if (cells.isOne) return yield refused(home, left, tenantGone)
  const place = await cells.placeOf(batch.tenantId)
  if (place === undefined) return yield refused(home, left, unavailable)
  const again = yield* runIn(place.cell, { ...batch, commands: left }, cells, { isDirected: true })
  if (again.why !== 'gone' && again.why !== 'done') yield { is: 'put back', why: again.why }
  if (again.why !== 'gone') return
  // A tenant on its way may be in neither cell for a moment.
  yield place.isMoving ? { is: 'put back', why: 'moving' } : refused(place.cell, again.left, tenantGone)
}

async function* runIn(
  cell: string,
  { isSlow, ...portion }: Batch,
  cells: CellsOfUnits,
  { isDirected = false } = {},
): AsyncGenerator<EndedStep, Rest> {
  const units = cells.unitsOf(cell)
  let left = portion.commands
  let care = isSlow ? singly : together
  if (units === undefined || units.isResting()) {
    yield refused(cell, left, unavailable)
    return { left: [], why: 'done' }
  }
  while (left.length > 0) {
    // A bulk has a transaction of its own, and so has what stands behind the bulk.
    if (care.by === 'unit' && left[0] && isBulk(left[0])) care = promptly
    const part = { ...portion, commands: partOf(left, care) }
    const ranWith = care
    const run = await units.run(part, care)
    switch (run.is) {
      case 'ran': {
        const { ended, hasEvents, hasWebhooks } = run
        left = left.slice(ended.length)
        const isQuick = care.by === 'itself' && run.ms < QUICK_MS
        yield { is: 'ended', cell, ended: isDirected ? inCell(cell, ended) : ended, hasEvents, hasWebhooks, isQuick }
        break
      }
      case 'held':
        care = care.by === 'unit' ? patiently : { ...care, waits: true }
        break
      case 'heavy':
        care = singly
        break
      case 'gone':
      case 'moving':
      case 'apart':
        return { left, why: run.is }
      case 'lost':
        yield refused(cell, left, unavailable, run.error)
        return { left: [], why: 'done' }
      case 'failed': {
        const more = moreCareful(care, part.commands, run)
        if (more === undefined) {
          left = left.slice(part.commands.length)
          yield await refuseFault(cell, part, units, run.error)
        } else care = more
      }
    }
    if (ranWith.by === 'itself' && run.ms >= SLOW_MS) return { left, why: 'slow' }
  }
  return { left, why: 'done' }
}

/** As many of the commands as run together; a bulk by itself. In a unit with others the unit takes what fits. */
function partOf(left: readonly Command[], { by, oneByOne }: Care): readonly Command[] {
  if (by === 'unit') return left
  const bulk = left.findIndex(isBulk)
  const max = oneByOne ? 1 : COMMANDS_MAX
  return left.slice(0, bulk === -1 ? max : Math.max(1, Math.min(bulk, max)))
}

/** How the commands are run again, they and what follows; undefined: the fault is this one command's. */
function moreCareful(
  care: Care,
  commands: readonly Command[],
  { isStatement }: { readonly isStatement: boolean },
): Care | undefined {
  if (care.by === 'unit') return promptly
  if (commands.length > 1) return { ...care, oneByOne: true }
  if (!isStatement) return undefined
  if (!care.waits) return { ...care, waits: true }
  if (commands.some(isBulk) && !care.oneByOne) return { ...care, oneByOne: true }
  return undefined
}

/** Refuses a command that failed by itself. Its copy may be spared the fault, so the refusal is remembered before anybody hears it. */
async function refuseFault(cell: string, part: Portion, units: Units, error: unknown): Promise<EndedStep> {
  const isOpen = isDependencyFailure(error) || part.instead !== undefined
  const remembered = isOpen ? undefined : await units.run({ ...part, instead: internalError }, patiently)
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
