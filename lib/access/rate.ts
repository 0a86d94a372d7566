/**
 * The request rate of a key: so many a minute, with a burst (docs/rules/requests.md). It counts in Redis; an emptied Redis gives every key
 * its burst again. While Redis refuses writes each process counts by itself.
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
  /** Until the whole burst is free again. */
  readonly resetSeconds: number
  /** Until as many may come as were asked for; 0 when they were allowed, else 1 or more. */
  readonly retryAfterSeconds: number
}

type Limits = Pick<Access, 'tenantId' | 'keyId' | 'ratePerMinute' | 'burst'>

/**
 * A process takes requests of a key with a large burst ahead, at most this share of it, and hands them out itself: a busy
 * key then costs Redis a call every so many requests. A key with a smaller burst is counted one by one.
 */
const AHEAD_SHARE = 1_000
const AHEAD_MAX = 50
/** What is not handed out by then stays with the process until its next call, which gives it back. */
const AHEAD_MS = 500
const KEYS_MAX = 1_000

/** What this process knows of a key; times are of its own clock. */
type Key = {
  /** Requests that are taken from the rate and not handed out. */
  left: number
  takenAtMs: number
  /** When the whole burst is free again, if all that was taken is used. */
  fullAtMs: number
  /** Whether a call to Redis is under way. Whoever comes meanwhile waits for the next one. */
  isAsking: boolean
  waiting: Waiting[]
}
type Waiting = {
  readonly limits: Limits
  readonly resolve: (decision: RateDecision) => void
  readonly reject: (error: unknown) => void
}

type InAll = { readonly count: number; readonly taken: number; readonly givesBack: number }

/** So many bytes of a body take one request. 500 lines of an order, each with variant, quantity and price, have 30 KB. */
const BYTES_PER_REQUEST = 64 * 1024

/** Requests of the rate that a body of this length takes: never more than may come at once. */
export const requestsOfBytes = (bytes: number, { burst }: Pick<Limits, 'burst'>): number =>
  Math.max(1, Math.min(burst, Math.ceil(bytes / BYTES_PER_REQUEST)))

/**
 * What counts the rate of a key in Redis. It has the hash tag of the tenant's shard: on a cluster it lies on the node that has the tenant's
 * queue, so that a tenant depends on one node.
 */
export const rateKeyOf = ({ tenantId, keyId }: Pick<Limits, 'tenantId' | 'keyId'>, tag: string): string =>
  `${tag}:rate:${tenantId}:${keyId}`

export class RateLimit {
  readonly #take: Script<number[]>
  readonly #tagOf: (tenantId: string) => string
  readonly #own: OwnRate
  readonly #clock: () => number
  /** Those that something is held of, or asked for; the longest held first. */
  readonly #keys = new Map<string, Key>()

  /** @param clock milliseconds that never run backwards. `tagOf`: the hash tag of a tenant's shard. */
  constructor(redis: Redis, tagOf: (tenantId: string) => string, clock: () => number = () => performance.now()) {
    this.#tagOf = tagOf
    this.#take = defineScript(redis, new URL('./rate.lua', import.meta.url), 1, integers(2))
    this.#own = new OwnRate(clock)
    this.#clock = clock
  }

  /** Takes one request from the key's rate. @throws when Redis is away. */
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
   * Takes so many in all for a request that has `taken` already, or none more. A refused request gets back what `givesBack` says of them.
   * @throws when Redis is away.
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

  /** Asks for all who wait at once, again and again until nobody does: calls side by side would each take ahead. */
  async #ask(name: string, key: Key): Promise<void> {
    key.isAsking = true
    while (key.waiting.length > 0) {
      const asked = key.waiting
      key.waiting = []
      try {
        await this.#askFor(name, key, asked)
      } catch (error) {
        // Who came meanwhile would hear the same a little later.
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
    // Once the burst is whole again there is nothing to give back.
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

  /** @param isWhole with less room than for all of them none is taken */
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

/** Whole microseconds keep the arithmetic exact; at the highest rate allowed (1,000,000) they are 60. */
const intervalUsOf = ({ ratePerMinute }: Limits): number => Math.max(1, Math.round(60_000_000 / ratePerMinute))

/** One of the requests that are left, or the refusal when none is; in both cases what is left counts as free. */
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
