/**
 * Slots for the tenants that a worker drains at once, over all shards. The slots of a shard whose Redis node does not answer are lent to
 * the other shards: on a cluster one silent node must not stop the tenants of the others.
 */

/** A call of a shard that has no answer after this time lends its slots. A call that is only late has more than its slots for a moment. */
const LEND_AFTER_MS = 50

/** Slots of all shards. Whoever waits for one gets it in turn. */
export class WorkerSlots {
  /** Below 0 where a shard has taken its slots back that others still use. */
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#free = max
  }

  /** Takes all free slots, once there are some. */
  async some(): Promise<number> {
    while (this.#free <= 0) await new Promise<void>(resolve => this.#waiting.push(resolve))
    const slots = this.#free
    this.#free = 0
    return slots
  }

  give(slots: number): void {
    this.#free += slots
    if (this.#free > 0) this.#waiting.shift()?.()
  }
}

/** The slots that one shard has. */
export class ShardSlots {
  readonly #all: WorkerSlots
  #held = 0
  /** Calls that are late. While there are any, all slots of the shard are lent. */
  #late = 0

  constructor(all: WorkerSlots) {
    this.#all = all
  }

  /** As of `WorkerSlots`. */
  async some(): Promise<number> {
    const slots = await this.#all.some()
    this.#held += slots
    if (this.#late > 0) this.#all.give(slots)
    return slots
  }

  give(slots: number): void {
    this.#held -= slots
    if (this.#late === 0) this.#all.give(slots)
  }

  /** What a call to the shard's node answers. */
  async answerOf<T>(call: Promise<T>): Promise<T> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      if (this.#late++ === 0) this.#all.give(this.#held)
    }, LEND_AFTER_MS)
    try {
      return await call
    } finally {
      clearTimeout(timer)
      if (isLate && --this.#late === 0) this.#all.give(-this.#held)
    }
  }
}
