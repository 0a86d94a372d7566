/**
 * When the next attempt of a delivery is made. Pure: chance and time are handed in.
 */

/** Gaps before the first to the tenth attempt, in seconds. */
const GAPS_S = [0, 5, 5 * 60, 30 * 60, 2 * 3_600, 5 * 3_600, 10 * 3_600, 14 * 3_600, 20 * 3_600, 24 * 3_600] as const
export const ATTEMPTS_MAX = GAPS_S.length

/** Each gap is up to this part longer or shorter, so that what failed together does not come back together. */
const JITTER = 0.2
/** A receiver may ask for patience up to so many times the gap. */
const RETRY_AFTER_GAPS_MAX = 2

/**
 * Milliseconds to wait after so many attempts, or null when they are all used up.
 * @param chance 0 to 1, anew for each call
 * @param retryAfterMs what the receiver asked for with 429 or 503
 */
export function waitAfter(attempts: number, chance: number, retryAfterMs = 0): number | null {
  const gapS = GAPS_S[attempts]
  if (gapS === undefined) return null
  const gapMs = gapS * 1_000
  const waitMs = gapMs * (1 - JITTER + 2 * JITTER * chance)
  return Math.round(Math.max(waitMs, Math.min(retryAfterMs, gapMs * RETRY_AFTER_GAPS_MAX)))
}

/**
 * The three forms of a date that HTTP knows (RFC 9110, 5.6.7): today's, RFC 850's and asctime's, which is UTC without saying
 * so. Date.parse takes much else.
 */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** Milliseconds of a Retry-After header (seconds or an HTTP date); undefined when it is absent or neither. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const isDate = HTTP_DATES.some(form => form.test(text))
  const at = isDate ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
