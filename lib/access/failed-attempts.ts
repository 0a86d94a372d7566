/**
 * Failed authentications per address: more than 100 in any minute are answered with 429 (contract 1, "Rate limit and
 * quota"). Only failures get here, so a valid key is served from the same address.
 */
import { type Refusal, refuse } from '../api/errors.ts'
import { defineScript, type Redis, type Script } from '../store/redis.ts'

const FAILURES_MAX = 100
const WINDOW_MS = 60_000

export class FailedAttempts {
  readonly #note: Script<number>

  constructor(redis: Redis) {
    this.#note = defineScript(redis, new URL('failed-attempts.lua', import.meta.url), 1, Number)
  }

  /** Notes one failure; `rate_limited` when the address had too many. @throws when Redis is away. */
  async note(address: string): Promise<Refusal | undefined> {
    const waitMs = await this.#note([`failed-attempts:${address}`], [FAILURES_MAX, WINDOW_MS])
    if (waitMs <= 0) return undefined
    const seconds = String(Math.ceil(waitMs / 1_000))
    return refuse('rate_limited', `Too many failed authentications from this address; try again in ${seconds} s`, {
      'Retry-After': seconds,
    })
  }
}
