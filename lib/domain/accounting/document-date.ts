/** The rule on document dates, which all writes share that create a document or move stock. Pure: no I/O and no clock. */
import type { Tenant } from '../../kit/api/endpoint.ts'
import { type Refusal, refuse } from '../../kit/api/errors.ts'
import { dayIn } from '../../kit/days.ts'

/** How far a caller's clock may be ahead of the server's. */
const AHEAD_MS_MAX = 5 * 60 * 1000

/**
 * Refuses `unprocessable` for a date more than five minutes after `now`, and for a date up to the last closed day, in the tenant's time
 * zone. `field` is the name of the date in the body. `date` is the date in the body, else `now`.
 */
export function refuseDocumentDate(check: {
  readonly field: string
  /** `2026-11-21T05:00:00.000Z` */
  readonly date: string
  readonly now: string
  /** Null: closed periods do not matter. */
  readonly tenant: Pick<Tenant, 'closedThrough' | 'timeZone'> | null
}): Refusal | null {
  const { field, date, now, tenant } = check
  if (Date.parse(date) - Date.parse(now) > AHEAD_MS_MAX) {
    return refuse('unprocessable', `${field}: must not be in the future`)
  }
  if (tenant === null || tenant.closedThrough === null) return null
  const { closedThrough, timeZone } = tenant
  return dayIn(timeZone, date) <= closedThrough
    ? refuse('unprocessable', `${field}: the accounting period is closed through ${closedThrough}`)
    : null
}
