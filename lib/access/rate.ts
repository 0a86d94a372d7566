/**
 * The request rate of a key: requests a minute, with a burst (docs/rules/requests.md). Redis counts. After Redis was emptied every key has
 * its whole burst again. While Redis refuses writes each process counts alone.
 */
import { type Refusal, refuse } from '../kit/api/errors.ts'
import { defineScript, integers, type Redis, type Script } from '../platform/redis/redis.ts'
import { refusesWrites } from '../platform/redis/refused-writes.ts'
import type { Access } from './access.ts'
import { type Ask, OwnRate } from './own-rate.ts'

export type RateDecision = {
  readonly allowed: boolean
  readonly ratePerMinute: number
  /** Requests that may come at once now. */
  readonly remaining: number
  /** Seconds until the whole burst is free again. */
  readonly resetSeconds: number
  /** Seconds until the requested number may come; 0 when it was allowed, else 1 or more. */
  readonly retryAfterSeconds: number
}

type Limits = Pick<Access, 'tenantId' | 'keyId' | 'ratePerMinute' | 'burst'>

/**
 * For a key with a large burst, a process takes some requests in advance, at most 1/AHEAD_SHARE of the burst. A busy key then needs one
 * call to Redis for many requests. Requests of other keys are counted one by one.
 */
const AHEAD_SHARE = 1_000
const AHEAD_MAX = 50
/** After this time a process no longer uses requests that it took in advance. Its next call gives them back. */
const AHEAD_MS = 500
const KEYS_MAX = 1_000

/** What this process knows of a key. Times are of its own clock. */
type Key = {
  /** Requests that were taken from the rate and not used yet. */
  left: number
  takenAtMs: number
  /** When the whole burst is free again if all taken requests are used. */
  fullAtMs: number
  /** Whether a call to Redis is under way. Requests that come meanwhile wait for the next call. */
  isAsking: boolean
  waiting: Waiting[]
}
type Waiting = {
  readonly limits: Limits
  readonly resolve: (decision: RateDecision) => void
  readonly reject: (error: unknown) => void
}

type InAll = { readonly count: number; readonly taken: number; readonly givesBack: number }

/** How many bytes of a body count as one request. 500 lines of an order, each with variant, quantity and price, have 30 KB. */
const BYTES_PER_REQUEST = 64 * 1024

/** How many requests a body of this length counts as: at most the burst. */
export const requestsOfBytes = (bytes: number, { burst }: Pick<Limits, 'burst'>): number =>
  Math.max(1, Math.min(burst, Math.ceil(bytes / BYTES_PER_REQUEST)))

/**
 * The key in Redis that counts the rate of an API key. Its hash tag is that of the tenant's shard. So on a cluster it is on the node with
 * the tenant's queue, and a tenant depends on one node only.
 */
export const rateKeyOf = ({ tenantId, keyId }: Pick<Limits, 'tenantId' | 'keyId'>, tag: string): string =>
  `${tag}:rate:${tenantId}:${keyId}`

export class RateLimit {
  readonly #take: Script<number[]>
  readonly #tagOf: (tenantId: string) => string
  readonly #own: OwnRate
  readonly #clock: () => number
  /** Keys with taken or waiting requests, the oldest first. */
  readonly #keys = new Map<string, Key>()

  /** @param clock a clock in milliseconds that never goes backwards. `tagOf`: the hash tag of a tenant's shard. */
  constructor(redis: Redis, tagOf: (tenantId: string) => string, clock: () => number = () => performance.now()) {
    this.#tagOf = tagOf
    this.#take = defineScript(redis, new URL('./rate.lua', import.meta.url), 1, integers(2))
    this.#own = new OwnRate(clock)
    this.#clock = clock
  }

  /** Takes one request from the key's rate. @throws if Redis cannot be reached */
  async take(limits: Limits): Promise<RateDecision> {
    const name = rateKeyOf(limits, this.#tagOf(limits.tenantId))
    const now = this.#clock()
    const key = this.#keys.get(name) ?? this.#newKey(name)
    if (!key.isAsking && key.left > 0 && now < key.takenAtMs + AHEAD_MS) return handOut(key, limits, now)
    const { promise, resolve, reject } = Promise.withResolvers<RateDecision>()
    key.waiting.push({ limits, resolve, reject })
    if (!key.isAsking) void this.#ask(name, key)
    return promise
  }

  /**
   * Raises what a request has taken to `count`, or takes no more. A refused request gives back `givesBack` of what it had taken. @throws if
   * Redis cannot be reached
   */
  async takeInAll(limits: Limits, { count, taken, givesBack }: InAll): Promise<RateDecision> {
    const name = rateKeyOf(limits, this.#tagOf(limits.tenantId))
    const key = this.#keys.get(name)
    const held = key && key.fullAtMs > this.#clock() ? key.left : 0
    if (key) key.left = 0
    const more = count - taken + givesBack
    const ask = {
      intervalUs: intervalUsOf(limits),
      burst: limits.burst,
      count: more,
      ahead: 0,
      unused: givesBack + held,
    }
    const [got = 0, resetUs = 0] = await this.#count(name, ask, true)
    return decided(limits, { allowed: got === more, count, untilFullUs: resetUs })
  }

  /** Calls Redis for all waiting requests at once, and repeats until none waits. Parallel calls would each take requests in advance. */
  async #ask(name: string, key: Key): Promise<void> {
    key.isAsking = true
    while (key.waiting.length > 0) {
      const asked = key.waiting
      key.waiting = []
      try {
        await this.#askFor(name, key, asked)
      } catch (error) {
        // Requests that came meanwhile would get the same error a little later.
        for (const { reject } of [...asked, ...key.waiting]) reject(error)
        key.waiting = []
      }
    }
    key.isAsking = false
    this.#keys.delete(name)
    if (key.left > 0) this.#keys.set(name, key)
  }

  async #askFor(name: string, key: Key, asked: readonly Waiting[]): Promise<void> {
    const limits = (asked.at(-1) as Waiting).limits
    // When the whole burst is free again, nothing is left to give back.
    const unused = key.fullAtMs > this.#clock() ? key.left : 0
    key.left = 0
    const ahead = this.#keys.size > KEYS_MAX ? 0 : Math.min(AHEAD_MAX, Math.floor(limits.burst / AHEAD_SHARE))
    const ask = { intervalUs: intervalUsOf(limits), burst: limits.burst, count: asked.length, ahead, unused }
    const [taken = 0, resetUs = 0] = await this.#count(name, ask, false)
    const now = this.#clock()
    key.left = taken
    key.takenAtMs = now
    key.fullAtMs = now + resetUs / 1_000
    for (const { limits, resolve } of asked) resolve(handOut(key, limits, now))
  }

  /** @param isWhole takes none unless all are free */
  async #count(name: string, ask: Ask, isWhole: boolean): Promise<number[]> {
    const { intervalUs, burst, count, ahead, unused } = ask
    try {
      return await this.#take([name], [intervalUs, burst, count, ahead, unused, isWhole ? 1 : 0])
    } catch (error) {
      if (refusesWrites(error)) return this.#own.take(name, ask, isWhole)
      throw error
    }
  }

  #newKey(name: string): Key {
    const [oldest] = this.#keys.size >= KEYS_MAX ? this.#keys : []
    if (oldest && !oldest[1].isAsking && oldest[1].fullAtMs <= this.#clock()) this.#keys.delete(oldest[0])
    const key = { left: 0, takenAtMs: 0, fullAtMs: 0, isAsking: false, waiting: [] }
    this.#keys.set(name, key)
    return key
  }
}

/** Whole microseconds keep the arithmetic exact. The highest rate (1,000,000 a minute) has 60 us. */
const intervalUsOf = ({ ratePerMinute }: Limits): number => Math.max(1, Math.round(60_000_000 / ratePerMinute))

/** Uses one of the taken requests, or refuses when none is left. The rest counts as free in both cases. */
function handOut(key: Key, limits: Limits, nowMs: number): RateDecision {
  const allowed = key.left > 0
  if (allowed) key.left--
  const intervalUs = intervalUsOf(limits)
  const untilFullUs = Math.max(0, Math.round((key.fullAtMs - nowMs) * 1_000) - key.left * intervalUs)
  return decided(limits, { allowed, count: 1, untilFullUs })
}

function decided(
  limits: Limits,
  { allowed, count, untilFullUs }: { readonly allowed: boolean; readonly count: number; readonly untilFullUs: number },
): RateDecision {
  const intervalUs = intervalUsOf(limits)
  const roomUs = limits.burst * intervalUs - untilFullUs
  return {
    allowed,
    ratePerMinute: limits.ratePerMinute,
    remaining: Math.max(0, Math.floor(roomUs / intervalUs)),
    resetSeconds: Math.ceil(untilFullUs / 1_000_000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((count * intervalUs - roomUs) / 1_000_000)),
  }
}

/** The headers of every answer to a known key. */
export function rateHeaders(decision: RateDecision): Record<string, string> {
  return {
    'RateLimit-Limit': String(decision.ratePerMinute),
    'RateLimit-Remaining': String(decision.remaining),
    'RateLimit-Reset': String(decision.resetSeconds),
  }
}

/** `rate_limited` where the decision refuses. */
export function rateRefusal(decision: RateDecision): Refusal | undefined {
  if (decision.allowed) return undefined
  const seconds = String(decision.retryAfterSeconds)
  return refuse(
    'rate_limited',
    `The API key may send ${decision.ratePerMinute} requests a minute; try again in ${seconds} s`,
    { 'Retry-After': seconds },
  )
}
