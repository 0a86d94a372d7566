/**
 * The rule on document dates that every write shares which creates a document or moves stock. Pure: no I/O and no clock.
 */
import { type Refusal, refuse } from '../../kit/api/errors.ts'

/** How far a caller's clock may run ahead of ours. */
const AHEAD_MS_MAX = 5 * 60 * 1000

/**
 * Refuses `unprocessable` for a date more than five minutes ahead of `now`, or on or before the last closed day. Days are
 * UTC days. `field` is the body's name of the date; `date` is the body's, else now.
 */
export function refuseDocumentDate(check: {
  readonly field: string
  /** `2026-11-21T05:00:00.000Z` */
  readonly date: string
  readonly now: string
  /** Last day of the closed accounting period (`2026-10-31`), or null. */
  readonly closedThrough: string | null
}): Refusal | null {
  const { field, date, now, closedThrough } = check
  if (Date.parse(date) - Date.parse(now) > AHEAD_MS_MAX) {
    return refuse('unprocessable', `${field}: must not be in the future`)
  }
  if (closedThrough !== null && date.slice(0, 10) <= closedThrough) {
    return refuse('unprocessable', `${field}: the accounting period is closed through ${closedThrough}`)
  }
  return null
}
