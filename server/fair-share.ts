/**
 * Bounds how much one lane has under way beside calmer ones; what is over waits here, in its order, and takes no part in the
 * contest for processors.
 */

/** What a lane may always have under way: a full batch of commands. */
const FLOOR = 16
/** Beyond that, so many times what the others have on average. */
const TIMES_THE_OTHERS = 2
/** A lane counts as one of the others until it has not been seen for one to two of these. */
const SEEN_MS = 500

/** `begin` is told whether it may; it is undefined for one that gave up. */
type Waiting = { begin: ((may: boolean) => void) | undefined }
type Lane = { underWay: number; readonly waiting: Waiting[]; isSeen: boolean }

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

  /**
   * Asks to be under way: true when it may be now, else a promise that is false if `patienceMs` passed first. Each that may
   * needs one `leave` behind it.
   */
  enter(name: string, patienceMs: number): true | Promise<boolean> {
    this.#sweep()
    const lane = this.#lane(name)
    if (lane.waiting.length === 0 && lane.underWay < this.#shareOf(lane)) {
      this.#start(lane)
      return true
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting: Waiting = { begin: undefined }
    const timer = setTimeout(() => waiting.begin?.(false), patienceMs)
    waiting.begin = may => {
      clearTimeout(timer)
      waiting.begin = undefined
      resolve(may)
    }
    lane.waiting.push(waiting)
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
      if (!next.begin) continue
      this.#start(lane)
      next.begin(true)
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
