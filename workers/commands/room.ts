/**
 * How many tenants a worker drains at once, over all shards. The places of a shard whose Redis node does not answer are lent to the other
 * shards: on a cluster one silent node must not stop the tenants of the others.
 */

/** A call of a shard that has no answer after this time lends its places. One that is only late is over its places for a moment. */
const LEND_AFTER_MS = 50

/** Places of all shards. Whoever waits for one gets it in turn. */
export class Room {
  /** Below 0 where a shard has taken its places back that others still use. */
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#free = max
  }

  /** Takes all free places, once there are some. */
  async some(): Promise<number> {
    while (this.#free <= 0) await new Promise<void>(resolve => this.#waiting.push(resolve))
    const places = this.#free
    this.#free = 0
    return places
  }

  give(places: number): void {
    this.#free += places
    if (this.#free > 0) this.#waiting.shift()?.()
  }
}

/** The places that one shard has. */
export class ShardPlaces {
  readonly #room: Room
  #held = 0
  /** Calls that are late. While there are any, all places of the shard are lent. */
  #late = 0

  constructor(room: Room) {
    this.#room = room
  }

  /** As of `Room`. */
  async some(): Promise<number> {
    const places = await this.#room.some()
    this.#held += places
    if (this.#late > 0) this.#room.give(places)
    return places
  }

  give(places: number): void {
    this.#held -= places
    if (this.#late === 0) this.#room.give(places)
  }

  /** What a call to the shard's node answers. */
  async answerOf<T>(call: Promise<T>): Promise<T> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      if (this.#late++ === 0) this.#room.give(this.#held)
    }, LEND_AFTER_MS)
    try {
      return await call
    } finally {
      clearTimeout(timer)
      if (isLate && --this.#late === 0) this.#room.give(-this.#held)
    }
  }
}
