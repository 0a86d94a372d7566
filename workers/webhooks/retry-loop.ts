/** Wakes the senders of due retries. It sends nothing. The sweep finds retries that this misses. */
import { noteRetries, retriesAfter, retryTaker } from '../../lib/webhooks/retries.ts'
import { type Repeating, repeat } from '../repeat.ts'
import type { RelayServices } from './relay-loop.ts'

/** How late a retry may be noticed: a sixteenth of the shortest wait (4 s). */
const LOOK_EVERY_MS = 250
const PAGE = 500

/** Wakes senders until closed. */
export function startRetries(services: RelayServices): Repeating {
  const { pool, redis, queue, log, now } = services
  const take = retryTaker(redis, queue.cell)
  let hasMore = false

  /** Wakes the senders of one page of due retries. */
  const wakeDue = async (): Promise<void> => {
    hasMore = false
    const at = now()
    const due = await take(at, PAGE)
    if (due.length === 0) return
    await queue.wake(due)
    await noteRetries(redis, await retriesAfter(pool, due, new Date(at).toISOString()), queue.cell)
    hasMore = due.length === PAGE
  }
  return repeat(() => wakeDue().catch(error => log.warn({ err: error }, 'retries of webhooks are not noticed')), {
    pauseMs: () => (hasMore ? 0 : LOOK_EVERY_MS),
  })
}
