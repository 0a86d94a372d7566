/** Forwards a tenant's events to a receiver on this machine, in the form of webhooks. It stores nothing and repeats nothing. */
import { createHmac } from 'node:crypto'
import { type Event, Millrace } from '../../../client/src/index.ts'
import { readNetworks } from '../../platform/networks.ts'
import { createSender } from '../../webhooks/send.ts'
import { secretText, signedHeaders } from '../../webhooks/signature.ts'

/** The same as for deliveries of webhooks. */
const CONNECT_TIMEOUT_MS = 3_000
const TOTAL_TIMEOUT_MS = 15_000

/** The result of an event. Without a receiver `status`, `duration_ms` and `reason` are null. */
export type Forwarded = {
  readonly time: string
  readonly type: string
  readonly sequence: number
  readonly status: number | null
  readonly duration_ms: number | null
  /** Why the receiver did not accept it; null where it did. */
  readonly reason: string | null
}

export type Forwarding = {
  readonly baseUrl: string
  readonly token: string
  /** The receiver's URL. */
  readonly to: string | undefined
  /** Kinds of events, joined by commas; undefined: all. */
  readonly types: string | undefined
  /** Only events after this sequence; undefined: events from now on. */
  readonly after: number | undefined
  readonly signal: AbortSignal
  readonly onEvent: (forwarded: Forwarded) => void
}

/** The secret that signs events for a key. It is always the same, so that a receiver is set up once. */
export const secretOf = (token: string): Buffer => createHmac('sha256', token).update('millrace listen').digest()

/** In the form that receivers' libraries expect: `whsec_...` */
export const shownSecretOf = (token: string): string => secretText(secretOf(token))

/**
 * Forwards events one after another until the signal ends it. A stream that was cut is opened again after the last event.
 * @throws ApiError, ConnectionError or EventGapError where there is no stream
 */
export async function forward({ baseUrl, token, to, types, after, signal, onEvent }: Forwarding): Promise<void> {
  // Webhooks carry the service's own bytes. Parsing and writing them again would change them.
  const millrace = new Millrace({ baseUrl, token, parse: text => text })
  const query = { after_sequence: after, type: types as Event['type'] | undefined }
  const secret = secretOf(token)
  const sender = createSender({
    allowed: ['loopback', 'private', 'unique-local'].flatMap(name => readNetworks(name) ?? []),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    totalTimeoutMs: TOTAL_TIMEOUT_MS,
    now: Date.now,
  })
  try {
    for await (const text of millrace.events.stream(query, { signal }) as AsyncIterable<unknown>) {
      const body = Buffer.from(String(text))
      const { id, type, sequence } = JSON.parse(String(text)) as Event
      const nowMs = Date.now()
      const sent =
        to && (await sender.send({ url: to, headers: signedHeaders({ eventId: id, body }, [secret], nowMs), body }))
      onEvent({
        time: new Date(nowMs).toISOString(),
        type,
        sequence: Number(sequence),
        status: sent ? sent.responseStatus : null,
        duration_ms: sent ? sent.durationMs : null,
        reason: sent ? sent.reason : null,
      })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await sender.close()
  }
}
