/**
 * Bounds how much one lane has under way beside calmer ones: what it may have more waits here, in its order, and costs
 * nobody anything. It must not bound a lane that is alone or among its like.
 */

/** What a lane may always have under way: a full batch of commands. */
const FLOOR = 16
/** Beyond that, so many times what the others have on average. */
const TIMES_THE_OTHERS = 2
/** A lane counts as one of the others until it has not been seen for one to two of these. */
const SEEN_MS = 500

type Lane = { underWay: number; readonly waiting: (() => void)[]; isSeen: boolean }

export class FairShare {
  readonly #now: () => number
  readonly #lanes = new Map<string, Lane>()
  #underWay = 0
  #sweptAt: number

  /** @param now milliseconds that never run backwards. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#sweptAt = now()
  }

  /** Asks to be under way: undefined when it may be now, else a promise of when. Each `enter` needs one `leave` behind it. */
  enter(name: string): Promise<void> | undefined {
    this.#sweep()
    const lane = this.#lane(name)
    if (lane.waiting.length === 0 && lane.underWay < this.#shareOf(lane)) {
      this.#start(lane)
      return undefined
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    lane.waiting.push(resolve)
    return promise
  }

  /** Something of the lane is done: as many go on as may. */
  leave(name: string): void {
    const lane = this.#lane(name)
    lane.underWay--
    this.#underWay--
    const share = this.#shareOf(lane)
    while (lane.underWay < share) {
      const next = lane.waiting.shift()
      if (!next) return
      this.#start(lane)
      next()
    }
  }

  #start(lane: Lane): void {
    lane.underWay++
    this.#underWay++
  }

  #shareOf(lane: Lane): number {
    const others = this.#lanes.size - 1
    if (others === 0) return Number.POSITIVE_INFINITY
    return Math.max(FLOOR, (TIMES_THE_OTHERS * (this.#underWay - lane.underWay)) / others)
  }

  #lane(name: string): Lane {
    let lane = this.#lanes.get(name)
    if (!lane) {
      lane = { underWay: 0, waiting: [], isSeen: true }
      this.#lanes.set(name, lane)
    }
    lane.isSeen = true
    return lane
  }

  /** Forgets lanes that have nothing under way and were not seen since the last time. */
  #sweep(): void {
    const now = this.#now()
    if (now - this.#sweptAt < SEEN_MS) return
    this.#sweptAt = now
    for (const [name, lane] of this.#lanes) {
      if (lane.isSeen || lane.underWay > 0) lane.isSeen = false
      else this.#lanes.delete(name)
    }
  }
}
