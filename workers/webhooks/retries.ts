/**
 * Wakes senders when a retry of theirs is due. It sends nothing itself, and what it misses the sweep finds.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { noteRetries, retriesAfter, retryTaker } from '../../lib/webhooks/retries.ts'
import type { RelayServices } from './relay.ts'

/** How late a retry may be noticed; of the shortest gap (4 s) it is a sixteenth. */
const LOOK_EVERY_MS = 250
const PAGE = 500

/** Wakes senders until closed. */
export function startRetries(services: RelayServices): { readonly close: () => Promise<void> } {
  const { pool, redis, queue, log, now } = services
  const take = retryTaker(redis, queue.cell)
  const closing = new AbortController()

  /** One page of what is due; true when there may be more. */
  const wakeDue = async (): Promise<boolean> => {
    const at = now()
    const due = await take(at, PAGE)
    if (due.length === 0) return false
    await queue.wake(due)
    await noteRetries(redis, await retriesAfter(pool, due, new Date(at).toISOString()), queue.cell)
    return due.length === PAGE
  }

  const loop = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const hasMore = await wakeDue().catch(error => log.warn({ err: error }, 'retries of webhooks are not noticed'))
      if (!hasMore) await delay(LOOK_EVERY_MS, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
  const looping = loop()
  return {
    close: async () => {
      closing.abort()
      await looping
    },
  }
}
