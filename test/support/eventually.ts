/**
 * Owns waiting in tests: a condition is polled until it holds, so that no test sleeps for a guessed time.
 * It must not be used to show that something never happens.
 */
import { setTimeout as delay } from 'node:timers/promises'

/** What is waited for long is asked for less often: many a question is a request or a query. */
const POLL_MS = { first: 20, max: 60 }
/** By it, `npm run mutants` says how long its tests wait, in ms: there most of them fail. */
export const PATIENCE = 'MILLRACE_TEST_PATIENCE_MS'
/** Long, so that no machine is too busy for it: only a test that fails waits for all of it. */
export const PATIENCE_MS = Number(process.env[PATIENCE] ?? 5 * 60_000)

/**
 * Calls `check` until it returns something other than null, undefined or false, and returns that. While it throws, it is
 * called again too. Rejects after `timeoutMs` (five minutes) with the last error, or with `what` was awaited.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = PATIENCE_MS, what = 'the condition' }: { timeoutMs?: number; what?: string } = {},
): Promise<Exclude<T, null | undefined | false>> {
  const deadline = Date.now() + timeoutMs
  let pollMs = POLL_MS.first
  for (;;) {
    let failure: unknown
    try {
      const value = await check()
      if (value !== null && value !== undefined && value !== false) {
        return value as Exclude<T, null | undefined | false>
      }
    } catch (error) {
      failure = error
    }
    if (Date.now() > deadline) throw new Error(`${what} did not hold within ${timeoutMs} ms`, { cause: failure })
    await delay(pollMs)
    pollMs = Math.min(pollMs + 1, POLL_MS.max)
  }
}
