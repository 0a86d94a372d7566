/** Verifies webhooks as Standard Webhooks signs them, with Web Crypto. It must not accept what it could not verify. */
import { MillraceError, parsed } from './errors.ts'
import type { Event, WebhookTestEvent } from './generated.ts'

/** The headers of a request: Fetch's `Headers`, or an object as Node's `request.headers`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

/** What a subscription is sent, told apart by `type`; later services may send kinds that are not among them. */
export type WebhookEvent = Event | WebhookTestEvent

/** Options of `verifyWebhook`. */
export type VerifyOptions = {
  /** How far `webhook-timestamp` may be off, in seconds. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /** The present time in milliseconds. Default: the clock's. */
  readonly now?: number | undefined
}

/** The request is not what the service sent, or too old: answer 400 and forget it. */
export class WebhookVerificationError extends MillraceError {
  override readonly name: string = 'WebhookVerificationError'
}

/**
 * The event of a webhook request whose signature holds; throws WebhookVerificationError where none does. `payload` is the raw
 * body: parsing and writing it again would change its bytes. Of several secrets (while one is rotated) one that fits will do.
 * A delivery may come more than once: keep `event.id`.
 */
export async function verifyWebhook(
  payload: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(name => headerOf(headers, `webhook-${name}`))
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('a webhook header is missing')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('webhook-timestamp is not a time')
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError('webhook-timestamp is too far off')
  const body = typeof payload === 'string' ? encoder.encode(payload) : new Uint8Array(payload)
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), body)
  const given = signatures.split(' ').flatMap(one => (one.startsWith('v1,') ? [bytesOf(one.slice(3))] : []))
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const expected = await hmac(keyOf(one), signed)
    if (given.some(signature => signature !== undefined && isEqual(signature, expected))) return eventOf(body)
  }
  throw new WebhookVerificationError('no signature fits')
}

const encoder = /* @__PURE__ */ new TextEncoder()

function eventOf(body: Uint8Array): WebhookEvent {
  const event = parsed(new TextDecoder().decode(body))
  if (typeof event !== 'object' || event === null) throw new WebhookVerificationError('the body is no event')
  return event as WebhookEvent
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const values = Object.entries(headers).filter(([given]) => given.toLowerCase() === name)
  const value = values[0]?.[1]
  return typeof value === 'string' && values.length === 1 ? value : undefined
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = bytesOf(secret.replace(/^whsec_/, ''))
  if (key === undefined || key.length === 0)
    throw new TypeError('secret: must be whsec_ and base64, as the service showed it')
  return key
}

async function hmac(key: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { subtle } = crypto
  const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await subtle.sign('HMAC', imported, signed))
}

/** In a time that tells nothing of where they differ. */
function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0)
  return difference === 0
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
