/**
 * Slots for the tenants that a worker drains at once, over all shards. If a shard's Redis node does not answer, the other shards use its
 * slots: one silent node of a cluster must not stop tenants of other nodes.
 */

/**
 * If a call of a shard has no answer after this time, other shards may use the shard's slots. If the call was only late, more tenants than
 * slots run for a moment.
 */
const LEND_AFTER_MS = 50

/** Slots of all shards. Shards that wait for slots take turns. */
export class WorkerSlots {
  /** Below 0 when a shard has taken its slots back while others still use them. */
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#free = max
  }

  /** Takes all free slots. Waits until there is one. */
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

export class ShardSlots {
  readonly #all: WorkerSlots
  #held = 0
  /** Calls without an answer in time. While there are any, other shards may use all slots of this shard. */
  #late = 0

  constructor(all: WorkerSlots) {
    this.#all = all
  }

  /** As in `WorkerSlots`. */
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

  /** Waits for the answer of a call to the shard's node. */
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
