/**
 * What a server process needs to check access, put together once at its start. It opens no connection of its own.
 */
import type { Pool } from '../store/postgres.ts'
import type { Redis } from '../store/redis.ts'
import { FailedAttempts } from './failed-attempts.ts'
import type { Identifier } from './identify.ts'
import { KeyCache } from './key-cache.ts'
import { onKeyChange } from './key-changes.ts'
import { findKey } from './keys.ts'
import { RateLimit } from './rate.ts'

export type AccessServices = Identifier & {
  readonly rate: RateLimit
  readonly trustProxy: boolean
}

export type AccessOptions = {
  readonly pool: Pool
  /** A producer's connection: access waits for nothing. */
  readonly redis: Redis
  readonly subscriber: Redis
  readonly trustProxy: boolean
}

export function createAccess(options: AccessOptions): AccessServices {
  const keys = new KeyCache({ find: tokenHash => findKey(options.pool, tokenHash) })
  onKeyChange(options.subscriber, change => keys.evict(change.tokenHash))
  return {
    keys,
    failedAttempts: new FailedAttempts(options.redis),
    rate: new RateLimit(options.redis),
    trustProxy: options.trustProxy,
  }
}
