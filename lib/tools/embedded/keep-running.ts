/** Keeps one service running: restarts it whenever it dies, quickly at first and then ever more slowly. */
import { setTimeout as delay } from 'node:timers/promises'
import type { ProcessEnd, Running } from './child.ts'

/** A service that can be started, and started again after its death. */
export type Service = { name: string; start(): Promise<Running> }

export type KeepEvents = {
  /** Called when it runs, for the first time or again. */
  onStart(name: string, pid: number): void
  /** Called when it died or could not be started again. The next attempt follows after `retryMs`. */
  onDeath(name: string, reason: string, retryMs: number): void
}

export type Kept = { stop(): Promise<void> }

const RESTART_MS = { first: 100, max: 5_000 }
// A service that has run this long counts as healthy again.
const HEALTHY_MS = 10_000

/** Starts the service and keeps it running until `stop`. Rejects when the very first start fails. */
export async function keepRunning(service: Service, events: KeepEvents): Promise<Kept> {
  const stopping = new AbortController()
  let running = await service.start()
  events.onStart(service.name, running.pid)

  const watch = async () => {
    let retryMs = RESTART_MS.first
    for (;;) {
      const startedAt = performance.now()
      const end = await running.ended
      if (stopping.signal.aborted) return
      if (performance.now() - startedAt > HEALTHY_MS) retryMs = RESTART_MS.first
      events.onDeath(service.name, describe(end), retryMs)
      while (!(await startAgain(retryMs))) {
        if (stopping.signal.aborted) return
        retryMs = Math.min(retryMs * 2, RESTART_MS.max)
      }
      retryMs = Math.min(retryMs * 2, RESTART_MS.max)
    }
  }
  const startAgain = async (afterMs: number): Promise<boolean> => {
    try {
      await delay(afterMs, undefined, { signal: stopping.signal })
      running = await service.start()
    } catch (error) {
      if (stopping.signal.aborted) return false
      const reason = error instanceof Error ? error.message : String(error)
      events.onDeath(service.name, `could not be started again: ${reason}`, Math.min(afterMs * 2, RESTART_MS.max))
      return false
    }
    // `stop` was called during the start: the process must not be left behind.
    if (stopping.signal.aborted) await running.stop()
    else events.onStart(service.name, running.pid)
    return true
  }

  const watching = watch()
  return {
    stop: async () => {
      stopping.abort()
      await running.stop()
      await watching
    },
  }
}

function describe({ code, signal }: ProcessEnd): string {
  return signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`
}
