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

/**
 * A process takes requests of a key with a large burst ahead, at most this share of it, and hands them out itself: a busy
 * key then costs Redis a call every so many requests. A key with a smaller burst is counted one by one.
 */
const AHEAD_SHARE = 1_000
const AHEAD_MAX = 50
/** What is not handed out by then is lost to the key; the next request asks again. */
const AHEAD_MS = 500
const AHEAD_KEYS_MAX = 1_000

/** Requests taken ahead, and what Redis said when they were. */
type Ahead = { left: number; readonly remaining: number; readonly resetUs: number; readonly staleAt: number }

export class RateLimit {
  readonly #take: Script<number[]>
  readonly #ahead = new Map<string, Ahead>()

  constructor(redis: Redis) {
    this.#take = defineScript(redis, new URL('rate.lua', import.meta.url), 1, integers(4))
  }

  /** Takes one request from the key's rate. @throws when Redis is away. */
  async take({ tenantId, keyId, ratePerMinute, burst }: Limits): Promise<RateDecision> {
    const ahead = this.#ahead.get(keyId)
    if (ahead && ahead.left > 0 && performance.now() < ahead.staleAt) {
      ahead.left--
      return decision(
        { taken: 1, remaining: ahead.remaining + ahead.left, resetUs: ahead.resetUs, retryAfterUs: 0 },
        ratePerMinute,
      )
    }
    // Whole microseconds keep the arithmetic exact; at the highest rate allowed (1,000,000) they are 60.
    const intervalUs = Math.max(1, Math.round(60_000_000 / ratePerMinute))
    const count = Math.min(AHEAD_MAX, Math.max(1, Math.floor(burst / AHEAD_SHARE)))
    const key = `rate:${tenantId}:${keyId}`
    const [taken = 0, remaining = 0, resetUs = 0, retryAfterUs = 0] = await this.#take(
      [key],
      [intervalUs, burst, count],
    )
    if (taken > 1) this.#keep(keyId, { left: taken - 1, remaining, resetUs, staleAt: performance.now() + AHEAD_MS })
    return decision({ taken, remaining: remaining + Math.max(0, taken - 1), resetUs, retryAfterUs }, ratePerMinute)
  }

  #keep(keyId: string, ahead: Ahead): void {
    const oldest = this.#ahead.size >= AHEAD_KEYS_MAX ? this.#ahead.keys().next().value : undefined
    if (oldest !== undefined) this.#ahead.delete(oldest)
    this.#ahead.set(keyId, ahead)
  }
}

function decision(
  said: { readonly taken: number; readonly remaining: number; readonly resetUs: number; readonly retryAfterUs: number },
  ratePerMinute: number,
): RateDecision {
  return {
    allowed: said.taken > 0,
    ratePerMinute,
    remaining: said.remaining,
    resetSeconds: Math.ceil(said.resetUs / 1_000_000),
    retryAfterSeconds: Math.ceil(said.retryAfterUs / 1_000_000),
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
