/**
 * Logs one line a minute for each condition while PostgreSQL or Redis cannot be reached. Otherwise each failure logs a line, hundreds in
 * half a minute. Only log.ts uses this.
 */
import { isDependencyFailure, isStatementFailure } from '../postgres/failures.ts'

export const AWAY_LINE_EVERY_MS = 60_000

type Line = { readonly fields: Record<string, unknown>; readonly text: string }

/**
 * The condition of a line: a store that cannot be reached, or the work that failed because of it, with the cell. Undefined for other lines.
 */
function conditionOf({ fields: { err, store, cell }, text }: Line): string | undefined {
  if (typeof store === 'string') return store
  // A statement that was cancelled, or that waited for a lock without success, belongs to no condition.
  if (!isDependencyFailure(err) || isStatementFailure(err)) return undefined
  return `${text} ${cell ?? ''}`
}

/**
 * Leaves out equal lines. The first line of a condition is written at once. A minute later the newest one follows, if there is one, with
 * the number of lines that it replaces (`times`), and so on. @returns whether to write the line now. `write` writes a line later.
 */
export function awayLines(everyMs = AWAY_LINE_EVERY_MS): (line: Line, write: (line: Line) => void) => boolean {
  const held = new Map<string, { times: number; writeNewest: () => void }>()
  const waitFor = (condition: string) => {
    const timer = setTimeout(() => {
      const { times, writeNewest } = held.get(condition) ?? { times: 0, writeNewest: () => {} }
      held.delete(condition)
      if (times === 0) return
      writeNewest()
      held.set(condition, { times: 0, writeNewest: () => {} })
      waitFor(condition)
    }, everyMs)
    timer.unref()
  }
  return (line, write) => {
    const condition = conditionOf(line)
    if (condition === undefined) return true
    const before = held.get(condition)
    if (before === undefined) {
      held.set(condition, { times: 0, writeNewest: () => {} })
      waitFor(condition)
      return true
    }
    const times = before.times + 1
    held.set(condition, { times, writeNewest: () => write({ ...line, fields: { ...line.fields, times } }) })
    return false
  }
}
