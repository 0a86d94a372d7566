/**
 * One line a minute for each condition, while PostgreSQL or Redis is away: each failure would log a line of its own, hundreds in half a
 * minute. Only log.ts uses this.
 */
import { isDependencyFailure, isStatementFailure } from '../postgres/failures.ts'

export const AWAY_LINE_EVERY_MS = 60_000

/** What a line is logged with: its fields, and its text. */
type Line = { readonly fields: Record<string, unknown>; readonly text: string }

/** Whether a line is about a store that is away, and then about what: the store itself, or what failed of it, in a cell. */
function conditionOf({ fields: { err, store, cell }, text }: Line): string | undefined {
  if (typeof store === 'string') return store
  // A statement that was given up, or waited for a lock in vain, is about that statement.
  if (!isDependencyFailure(err) || isStatementFailure(err)) return undefined
  return `${text} ${cell ?? ''}`
}

/**
 * Holds back lines that are alike. The first of a condition is written at once. A minute later the newest follows, if there is one, with
 * the number of lines that it stands for (`times`), and so on.
 * @returns whether the line is to be written now. `write` writes one that comes later.
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
