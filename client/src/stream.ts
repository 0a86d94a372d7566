/**
 * The event stream as an iteration that does not end by itself: when a connection ends it is opened again behind the last
 * event that was told. It must not tell an event twice.
 */
import { ApiError, ConnectionError } from './errors.ts'
import type { StreamOptions } from './options.ts'
import { backoff, sleep } from './send.ts'
import { messagesOf } from './server-sent-events.ts'

/** Three of the comments that the service sends while nothing happens. */
const IDLE_MS = 45_000
const WAIT_MS_MAX = 15_000

/** Opens the stream behind an event. `isFirst`: nothing was told yet, so what fails is the caller's to know. */
export type Connect = (after: number, isFirst: boolean) => Promise<ReadableStream<Uint8Array>>

/** Tells events from behind `begin` on. Throws what no new connection would mend, and the signal's reason. */
export async function* follow<E>(
  begin: () => Promise<number>,
  connect: Connect,
  parse: (text: string) => unknown,
  { signal, idleTimeoutMs = IDLE_MS }: StreamOptions = {},
): AsyncGenerator<E, void, undefined> {
  let last = await begin()
  let askedWaitMs = 0
  for (let isFirst = true, failures = 0; ; isFirst = false) {
    try {
      const body = await connect(last, isFirst)
      failures = 0
      for await (const { id, data, retryMs } of messagesOf(body, { signal, idleTimeoutMs })) {
        askedWaitMs = retryMs ?? askedWaitMs
        if (data === '') continue
        last = Number(id)
        yield parse(data) as E
      }
    } catch (error) {
      if (isFirst || !mayPass(error)) throw error
      if (error instanceof ApiError) askedWaitMs = error.retryAfterMs ?? 0
      failures++
    }
    await sleep(Math.max(Math.min(askedWaitMs, WAIT_MS_MAX), backoff(failures, WAIT_MS_MAX)), signal)
    askedWaitMs = 0
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 408 || error.status === 429 || error.status >= 500
  return error instanceof ConnectionError
}
