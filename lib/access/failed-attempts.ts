/**
 * Failed authentications per address: more than 100 in any minute are answered with 429. Only failures count, so a valid key from the same
 * address is served.
 */
import { type Refusal, refuse } from '../kit/api/errors.ts'
import { setBounded } from '../platform/bounded-map.ts'
import { defineScript, type Redis, type Script } from '../platform/redis/redis.ts'
import { refusesWrites } from '../platform/redis/refused-writes.ts'
import { prefixOf } from './caller-address.ts'

const FAILURES_MAX = 100
const WINDOW_MS = 60_000
/** How many groups of an IPv6 address count as one address: a provider's customer has at least a /64. */
const IPV6_GROUPS = 4
/** The most addresses over the limit that a process remembers. With more, it forgets the oldest one and asks Redis again. */
const LIMITED_MAX = 10_000

function nothingCounted(error: unknown): number {
  if (refusesWrites(error)) return 0
  throw error
}

export class FailedAttempts {
  readonly #note: Script<number>
  /** Until when an address stays over the limit, in ms of this process's clock. */
  readonly #limitedUntil = new Map<string, number>()

  constructor(redis: Redis) {
    this.#note = defineScript(redis, new URL('./failed-attempts.lua', import.meta.url), 1, Number)
  }

  /** Whether this process already knows that the address is over its limit. */
  isLimited(address: string): boolean {
    return this.#waitMs(prefixOf(address, IPV6_GROUPS)) > 0
  }

  /**
   * Notes one failure. Returns `rate_limited` when the address had too many. While Redis refuses writes nothing is counted. @throws if
   * Redis cannot be reached
   */
  async note(address: string): Promise<Refusal | undefined> {
    const prefix = prefixOf(address, IPV6_GROUPS)
    const waitMs = this.#waitMs(prefix) || (await this.#ask(prefix))
    if (waitMs <= 0) return undefined
    const seconds = String(Math.ceil(waitMs / 1_000))
    return refuse('rate_limited', `Too many failed authentications from this address; try again in ${seconds} s`, {
      'Retry-After': seconds,
    })
  }

  async #ask(prefix: string): Promise<number> {
    const waitMs = await this.#note([`failed-attempts:${prefix}`], [FAILURES_MAX, WINDOW_MS]).catch(nothingCounted)
    if (waitMs > 0) setBounded(this.#limitedUntil, LIMITED_MAX, prefix, performance.now() + waitMs)
    return waitMs
  }

  #waitMs(prefix: string): number {
    const until = this.#limitedUntil.get(prefix)
    if (until === undefined) return 0
    const waitMs = until - performance.now()
    if (waitMs > 0) return waitMs
    this.#limitedUntil.delete(prefix)
    return 0
  }
}
