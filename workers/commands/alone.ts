/**
 * Runs what is left of a portion apart from other tenants, ever more carefully: a command that throws, times out or waits for a lock
 * costs the others of its tenant a repeat, never their answer.
 */
import type { Portion } from '../../lib/documents/unit-of-work.ts'
import { type Command, internalError, isBulk, unavailable } from '../../lib/pipeline/command.ts'
import { isDependencyFailure, isStatementFailure } from '../../lib/postgres/failures.ts'
import type { UnfinishedPortion } from './unfinished-portion.ts'
import { type Care, isLost, type UnitDatabase } from './unit-database.ts'
import { COMMANDS_MAX } from './waiting-portions.ts'

/** What has taken as long by itself is slow: what is left of its portion runs later, apart from the others. */
const SLOW_MS = 3_000

/** Where a unit with others failed; and a bulk. */
export const promptly: Care = { patience: 'prompt', oneByOne: false }
/** Where another holds the tenant. */
export const patiently: Care = { patience: 'patient', oneByOne: false }
/** Where the tenant was slow a moment ago. */
export const singly: Care = { patience: 'patient', oneByOne: true }

/** Runs it to its end, or until it was slow. It never throws. */
export async function runAlone(portion: UnfinishedPortion, database: UnitDatabase, care: Care): Promise<void> {
  while (portion.left.length > 0) {
    const part = portion.part(nextOf(portion.left, care))
    let began = Number.POSITIVE_INFINITY
    const onBegin = () => {
      began = performance.now() // to wait for a connection is not to be slow
    }
    try {
      const result = await database.runAlone(part, care, onBegin)
      if (result === 'gone' || result === 'moving') return portion.leave(result)
      if (result === 'held') care = { ...care, patience: 'patient' }
      else portion.add(result)
    } catch (error) {
      if (isLost(error)) return portion.giveUp(error)
      const more = moreCareful(care, part, error)
      if (more) care = more
      else await refuse(portion, part, database, error)
    }
    if (performance.now() - began < SLOW_MS) continue
    portion.options.onSlow?.()
    break
  }
  portion.end()
}

/** As many of the commands as run together; a bulk by itself. */
function nextOf(left: readonly Command[], { oneByOne }: Care): readonly Command[] {
  const size = oneByOne ? 1 : COMMANDS_MAX
  const bulk = left.findIndex(isBulk)
  return left.slice(0, bulk === -1 ? size : Math.max(1, Math.min(bulk, size)))
}

/** How they are run again, they and what follows; undefined: the fault is this one command's. */
function moreCareful(care: Care, { commands }: Portion, error: unknown): Care | undefined {
  if (commands.length > 1) return { ...care, oneByOne: true }
  if (!isStatementFailure(error)) return undefined
  if (care.patience === 'prompt') return { ...care, patience: 'patient' }
  if (commands.some(isBulk) && !care.oneByOne) return { ...care, oneByOne: true }
  return undefined
}

/** A fault of the part's one command. Its copy may be spared it, so the refusal is remembered before anybody hears it. */
async function refuse(
  portion: UnfinishedPortion,
  part: Portion,
  database: UnitDatabase,
  error: unknown,
): Promise<void> {
  for (const command of part.commands) portion.options.onFault(error, command)
  const isOpen = isDependencyFailure(error) || part.instead !== undefined
  const refused = { ...part, instead: internalError }
  const result = isOpen ? undefined : await database.runAlone(refused, patiently).catch(() => undefined)
  const given = part.commands.map(command => ({ command, outcome: unavailable }))
  portion.add(typeof result === 'object' ? result : { ended: given })
}
