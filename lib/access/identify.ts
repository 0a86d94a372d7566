/** Finds the key of an Authorization header, and what it may do (docs/rules/requests.md). */
import { type Refusal, refuse } from '../kit/api/errors.ts'
import type { Access } from './access.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import type { KeyCache } from './key-cache.ts'
import type { StoredKey } from './stored-keys.ts'
import { hashToken, isWellFormed } from './token.ts'

export type Identifier = {
  readonly keys: Pick<KeyCache, 'get' | 'evict'>
  readonly failedAttempts: FailedAttempts
}

export type Attempt = {
  /** The Authorization header; empty without one. */
  readonly authorization: string
  /** The caller's address. */
  readonly address: string
  /** ms since 1970. */
  readonly now: number
  /** Called for telemetry when a revoked or expired key is refused. It must not throw. */
  readonly onKnownKeyRefused?: (access: Access) => void
}

/** The access, `unauthorized`, or `rate_limited` after too many failures. @throws if PostgreSQL or Redis cannot be reached */
export async function identify(identifier: Identifier, attempt: Attempt): Promise<Access | Refusal> {
  const token = readToken(attempt.authorization)
  if (typeof token !== 'string') return fail(identifier, attempt, token.reason)
  // An unknown key from an address over its limit waits. A key that was seen before is served at once.
  const key = await identifier.keys.get(hashToken(token), identifier.failedAttempts.isLimited(attempt.address))
  if (key === null) return fail(identifier, attempt, 'The API key is not valid')
  const reason = whyRefused(key, attempt.now)
  if (reason === undefined) return key.access
  attempt.onKnownKeyRefused?.(key.access)
  return fail(identifier, attempt, reason)
}

/** The hash under which the token of an Authorization header is cached; undefined without a token. */
export function tokenHashOf(authorization: string): string | undefined {
  const token = readToken(authorization)
  return typeof token === 'string' ? hashToken(token) : undefined
}

function readToken(authorization: string): string | { readonly reason: string } {
  if (authorization === '') {
    return { reason: 'The Authorization header is missing; send "Authorization: Bearer <API_KEY>"' }
  }
  const token = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1]
  if (token === undefined) return { reason: 'The Authorization header must read "Bearer <API_KEY>"' }
  return isWellFormed(token) ? token : { reason: 'The API key is malformed' }
}

/** Checked for cached keys, too: a key ends at its time, even while it is cached. */
function whyRefused(key: StoredKey, now: number): string | undefined {
  if (key.revoked) return 'The API key was revoked'
  return key.expiresAt !== null && key.expiresAt <= now ? 'The API key has expired' : undefined
}

async function fail(identifier: Identifier, attempt: Attempt, reason: string): Promise<Refusal> {
  const limited = await identifier.failedAttempts.note(attempt.address)
  return limited ?? refuse('unauthorized', reason, { 'WWW-Authenticate': 'Bearer' })
}
