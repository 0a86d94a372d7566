/** The status of a subscription, and how it changes after each attempt. Pure: no I/O and no clock. */

export type Status = 'active' | 'failing' | 'disabled'

/** The fields of a subscription that attempts change. Times in ms since 1970. */
export type Health = {
  readonly status: Status
  readonly consecutiveFailures: number
  /** The last success; before the first, the time at which the subscription was made or enabled. */
  readonly goodSince: number
  readonly lastDeliveryAt: number | null
  readonly lastFailureAt: number | null
  readonly lastFailureReason: string | null
}

type AttemptEnd = {
  readonly at: number
  readonly isSuccess: boolean
  /** Null without an answer. */
  readonly responseStatus: number | null
  /** Why the attempt failed, in words for people. */
  readonly reason: string | null
}

const FAILURES_UNTIL_FAILING = 5
const FAILURES_UNTIL_DISABLED = 10
const UNTIL_DISABLED_MS = 72 * 3_600_000
const GONE = 410

/** Whether the receiver wants no more deliveries (410). */
export const isGone = ({ responseStatus }: Pick<AttemptEnd, 'responseStatus'>): boolean => responseStatus === GONE

/** The health after an attempt. A disabled subscription stays disabled: only its owner enables it. */
export function afterAttempt(health: Health, end: AttemptEnd): Health {
  if (end.isSuccess)
    return {
      ...health,
      status: health.status === 'disabled' ? 'disabled' : 'active',
      consecutiveFailures: 0,
      goodSince: end.at,
      lastDeliveryAt: end.at,
    }
  const failed = {
    ...health,
    consecutiveFailures: health.consecutiveFailures + 1,
    lastFailureAt: end.at,
    lastFailureReason: end.reason,
  }
  return { ...failed, status: statusOf(failed, end) }
}

function statusOf({ status, consecutiveFailures, goodSince }: Health, { at, ...end }: AttemptEnd): Status {
  if (status === 'disabled' || isGone(end)) return 'disabled'
  if (consecutiveFailures >= FAILURES_UNTIL_DISABLED && at - goodSince >= UNTIL_DISABLED_MS) return 'disabled'
  return consecutiveFailures >= FAILURES_UNTIL_FAILING ? 'failing' : 'active'
}
