/** The eight days of a window and its baseline, and the hours that a bound cuts. Pure. */
import { BASELINE_DAYS, DAY_MS } from './rules.ts'

const DAY_S = DAY_MS / 1_000
const HOUR_S = 3_600

/** All bounds in seconds since 1970. */
export type Span = {
  readonly baselineStart: number
  readonly windowStart: number
  /** A day after `windowStart`, to the end of the second that it cuts. */
  readonly windowEnd: number
  /** Hours (since 1970) that a day's bound cuts. They are counted by their seconds. */
  readonly cutHours: readonly number[]
}

/**
 * The span of a window that starts at this instant. Counts are kept by the second. A bound within a second (`05:00:00.250`) includes that
 * whole second, so that nothing of the window is missing.
 */
export function spanOf(windowStart: string): Span {
  const given = Date.parse(windowStart) / 1_000
  const start = Math.floor(given)
  const end = Math.ceil(given + DAY_S)
  const first = start - BASELINE_DAYS * DAY_S
  const bounds = [...Array.from({ length: BASELINE_DAYS + 1 }, (_, day) => first + day * DAY_S), end]
  const cut = bounds.filter(bound => bound % HOUR_S !== 0).map(bound => Math.floor(bound / HOUR_S))
  return { baselineStart: first, windowStart: start, windowEnd: end, cutHours: [...new Set(cut)] }
}
