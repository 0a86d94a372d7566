/**
 * The event stream as an iteration that does not end by itself: when a connection ends it is opened again behind the last
 * event that was told. It must not tell an event twice, nor leave one out unsaid.
 */
import { ApiError, ConnectionError, EventGapError } from './errors.ts'
import type { StreamOptions } from './options.ts'
import { backoff, sleep } from './send.ts'
import { messagesOf } from './server-sent-events.ts'

/** Three of the comments that the service sends while nothing happens. */
const IDLE_MS = 45_000
const WAIT_MS_MAX = 15_000

/** How events are asked for. */
export type Feed = {
  /** The sequence behind which the stream begins. */
  readonly begin: () => Promise<number>
  /** Opens the stream behind an event. `isFirst`: no connection was open yet, so what fails is the caller's to know. */
  readonly connect: (after: number, isFirst: boolean) => Promise<ReadableStream<Uint8Array>>
  /** The sequence of the first stored event behind another; undefined: there is none. Null: the stream leaves events out. */
  readonly next: ((after: number) => Promise<number | undefined>) | null
  readonly parse: (text: string) => unknown
}

/** Tells events from behind `begin` on. Throws what no new connection would mend, and the signal's reason. */
export async function* follow<E>(
  { begin, connect, next, parse }: Feed,
  { signal, idleTimeoutMs = IDLE_MS }: StreamOptions = {},
): AsyncGenerator<E, void, undefined> {
  let last = await begin()
  let askedWaitMs = 0
  /** An event that was told though others were expected before it. */
  let suspected = 0
  for (let isFirst = true, failures = 0; ; ) {
    try {
      const body = await connect(last, isFirst)
      isFirst = false
      failures = 0
      for await (const { id, data, retryMs } of messagesOf(body, { signal, idleTimeoutMs })) {
        askedWaitMs = retryMs ?? askedWaitMs
        if (data === '') continue
        const sequence = Number(id)
        if (next !== null && sequence > last + 1) {
          suspected = sequence
          await refuseGap(next, { last, sequence })
        }
        last = sequence
        yield parse(data) as E
      }
    } catch (error) {
      // The events between are no longer kept.
      if (suspected > last && isRefused(error)) throw new EventGapError(last, suspected, error)
      if (isFirst || !mayPass(error)) throw error
      if (error instanceof ApiError) askedWaitMs = error.retryAfterMs ?? 0
      failures++
    }
    await sleep(Math.max(Math.min(askedWaitMs, WAIT_MS_MAX), backoff(failures, WAIT_MS_MAX)), signal)
    askedWaitMs = 0
  }
}

/**
 * Numbers may be left out on purpose, after a failover of the service's database: then the stored events go on with the same number.
 * They may be read from a copy that does not know the event yet. That is a ConnectionError, as another connection tells more.
 */
async function refuseGap(
  next: (after: number) => Promise<number | undefined>,
  { last, sequence }: { readonly last: number; readonly sequence: number },
): Promise<void> {
  const stored = await next(last).catch((error: unknown) => {
    if (!isRefused(error)) throw error
  })
  if (stored === undefined) throw new ConnectionError(`GET /events: does not show event ${sequence}`)
  if (stored !== sequence) throw new EventGapError(last, sequence)
}

const isRefused = (error: unknown): boolean => error instanceof ApiError && error.code === 'validation_failed'

function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 408 || error.status === 429 || error.status >= 500
  return error instanceof ConnectionError
}
