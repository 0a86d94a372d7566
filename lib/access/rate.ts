/**
 * The request rate of a key: so many a minute, with a burst (GCRA, contract 1 "Rate limit and quota"). It counts in Redis
 * only; an emptied Redis gives every key its burst again.
 */
import { type Refusal, refuse } from '../api/errors.ts'
import { defineScript, integers, type Redis, type Script } from '../store/redis.ts'
import type { Access } from './access.ts'

export type RateDecision = {
  readonly allowed: boolean
  readonly ratePerMinute: number
  /** Requests that may come at once now. */
  readonly remaining: number
  /** Until the whole burst is free again. */
  readonly resetSeconds: number
  /** Until one request may come; 0 when this one was allowed, else 1 or more. */
  readonly retryAfterSeconds: number
}

type Limits = Pick<Access, 'tenantId' | 'keyId' | 'ratePerMinute' | 'burst'>

export class RateLimit {
  readonly #take: Script<number[]>

  constructor(redis: Redis) {
    this.#take = defineScript(redis, new URL('rate.lua', import.meta.url), 1, integers(4))
  }

  /** Takes one request from the key's rate. @throws when Redis is away. */
  async take({ tenantId, keyId, ratePerMinute, burst }: Limits): Promise<RateDecision> {
    // Whole microseconds keep the arithmetic exact; at the highest rate allowed (1,000,000) they are 60.
    const intervalUs = Math.max(1, Math.round(60_000_000 / ratePerMinute))
    const [allowed = 0, remaining = 0, resetUs = 0, retryAfterUs = 0] = await this.#take(
      [`rate:${tenantId}:${keyId}`],
      [intervalUs, burst],
    )
    return {
      allowed: allowed === 1,
      ratePerMinute,
      remaining,
      resetSeconds: Math.ceil(resetUs / 1_000_000),
      retryAfterSeconds: Math.ceil(retryAfterUs / 1_000_000),
    }
  }
}

/** The headers that every answer to a known key carries. */
export function rateHeaders(decision: RateDecision): Record<string, string> {
  return {
    'RateLimit-Limit': String(decision.ratePerMinute),
    'RateLimit-Remaining': String(decision.remaining),
    'RateLimit-Reset': String(decision.resetSeconds),
  }
}

/** `rate_limited` where the decision is no. */
export function rateRefusal(decision: RateDecision): Refusal | undefined {
  if (decision.allowed) return undefined
  const seconds = String(decision.retryAfterSeconds)
  return refuse(
    'rate_limited',
    `The API key may send ${decision.ratePerMinute} requests a minute; try again in ${seconds} s`,
    { 'Retry-After': seconds },
  )
}
