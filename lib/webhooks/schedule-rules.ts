/** The time of a delivery's next attempt. Pure: chance and time are passed in. */

/** The waits before the first to the tenth attempt, in seconds. */
const GAPS_S = [0, 5, 5 * 60, 30 * 60, 2 * 3_600, 5 * 3_600, 10 * 3_600, 14 * 3_600, 20 * 3_600, 24 * 3_600] as const
export const ATTEMPTS_MAX = GAPS_S.length

/** Each wait is up to this share longer or shorter, so that deliveries that failed together are not retried together. */
const JITTER = 0.2
/** A receiver may ask for at most this many times the scheduled wait. */
const RETRY_AFTER_GAPS_MAX = 2

/**
 * Milliseconds to wait after this many attempts; null when no attempt is left.
 * @param chance 0 to 1, random for each call
 * @param retryAfterMs the wait that the receiver asked for with 429 or 503
 */
export function waitAfter(attempts: number, chance: number, retryAfterMs = 0): number | null {
  const gapS = GAPS_S[attempts]
  if (gapS === undefined) return null
  const gapMs = gapS * 1_000
  const waitMs = gapMs * (1 - JITTER + 2 * JITTER * chance)
  return Math.round(Math.max(waitMs, Math.min(retryAfterMs, gapMs * RETRY_AFTER_GAPS_MAX)))
}

/**
 * The three forms of a date in HTTP (RFC 9110, 5.6.7): the present one, that of RFC 850, and that of asctime, which is UTC without saying
 * so. Date.parse accepts many others.
 */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** Milliseconds of a Retry-After header (seconds or an HTTP date). Undefined when it is absent or invalid. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const isDate = HTTP_DATES.some(form => form.test(text))
  const at = isDate ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
