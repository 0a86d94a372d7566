/**
 * Slots for the tenants that a worker drains at once, over all shards. A shard whose Redis node does not answer lends its slots to the
 * other shards: on a cluster one silent node must not stop tenants of other nodes.
 */

/**
 * A call of a shard without an answer after this time lends the shard's slots. If the call was only late, more tenants than slots run for a
 * moment.
 */
const LEND_AFTER_MS = 50

/** Slots of all shards. Shards that wait for slots take turns. */
export class WorkerSlots {
  /** Below 0 when a shard has taken back slots that others still use. */
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#free = max
  }

  /** Takes all free slots, waiting until there are some. */
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

/** The slots of one shard. */
export class ShardSlots {
  readonly #all: WorkerSlots
  #held = 0
  /** Late calls. While there are any, all slots of the shard are lent. */
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
