/**
 * A command as it travels from the server process to the worker: the validated request, who sent it, and where the answer
 * goes. It is plain JSON and must never hold a secret.
 */
import type { Actor, Params } from '../api/endpoint.ts'

export type Command = {
  /** Also the id under which the quota counts it: a resent claim or settlement counts once. */
  readonly requestId: string
  readonly tenantId: string
  readonly endpoint: string
  readonly actor: Actor
  readonly idempotencyKey: string
  /** SHA-256 of method, concrete path and canonical body, in hex. */
  readonly fingerprint: string
  readonly params: Params
  readonly body: unknown
  /** The server process that waits for the answer. */
  readonly replyTo: string
  /** The quota that a success spends (UTC day), or null where the endpoint counts no document. */
  readonly quota: { readonly group: string; readonly day: string } | null
  /** When the server took the request, in ms since 1970. */
  readonly acceptedAt: number
}

/** How a command ended, as the server hears it. */
export type Outcome =
  /** Done now, or found in the command log (`replayed`). `body` is JSON text, null for 204. */
  | { readonly kind: 'done'; readonly status: number; readonly body: string | null; readonly replayed: boolean }
  | { readonly kind: 'refused'; readonly refusal: import('../api/errors.ts').Refusal }
