/**
 * The eight days that a window and its baseline cover, and which of their minutes a bound cuts. Pure.
 */
import { BASELINE_DAYS, DAY_MS } from './rules.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** All bounds as `2026-11-21T05:00:00.000Z`. */
export type Span = {
  readonly baselineStart: string
  readonly windowStart: string
  /** A day after `windowStart`, to the end of the second that it cuts. */
  readonly windowEnd: string
  /** Minutes of which a day's bound cuts a part off: only their cells are counted, one by one. */
  readonly cutMinutes: readonly string[]
}

const text = (ms: number): string => new Date(ms).toISOString()
const floor = (ms: number, unit: number): number => Math.floor(ms / unit) * unit

/**
 * The span of a window that starts at this instant. Counts are kept by the second, so a bound within a second (`05:00:00.250`)
 * takes that whole second in: nothing that happened in the window is missing.
 */
export function spanOf(windowStart: string): Span {
  const given = Date.parse(windowStart)
  const start = floor(given, SECOND_MS)
  const end = -floor(-(given + DAY_MS), SECOND_MS)
  const first = start - BASELINE_DAYS * DAY_MS
  const bounds = [...Array.from({ length: BASELINE_DAYS + 1 }, (_, day) => first + day * DAY_MS), end]
  const cut = bounds.filter(bound => bound % MINUTE_MS !== 0).map(bound => text(floor(bound, MINUTE_MS)))
  return {
    baselineStart: text(first),
    windowStart: text(start),
    windowEnd: text(end),
    cutMinutes: [...new Set(cut)],
  }
}
