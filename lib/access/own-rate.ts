/** Counts the rate of keys in this process alone, as rate.lua does for all processes. It is used while Redis refuses writes. */
import { setBounded } from '../platform/bounded-map.ts'

/** The arguments of rate.lua. */
export type Ask = {
  readonly intervalUs: number
  readonly burst: number
  readonly count: number
  readonly ahead: number
  readonly unused: number
}

const KEYS_MAX = 10_000

export class OwnRate {
  readonly #clock: () => number
  /** When the whole burst of a key is free again, in microseconds of this process's clock. */
  readonly #fullAtUs = new Map<string, number>()

  /** @param clock a clock in milliseconds that never goes backwards */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /**
   * Returns the same as rate.lua: how many requests were taken, and the microseconds until the whole burst is free. A new key has a whole
   * burst.
   */
  take(name: string, { intervalUs, burst, count, ahead, unused }: Ask, isWhole = false): [number, number] {
    const now = Math.round(this.#clock() * 1_000)
    const span = intervalUs * burst
    const fullAt = Math.min(Math.max((this.#fullAtUs.get(name) ?? 0) - intervalUs * unused, now), now + span)
    const room = Math.min(Math.floor((now + span - fullAt) / intervalUs), count + ahead)
    const taken = isWhole && room < count ? 0 : room
    const nextFullAt = fullAt + taken * intervalUs
    setBounded(this.#fullAtUs, KEYS_MAX, name, nextFullAt)
    return [taken, nextFullAt - now]
  }
}
