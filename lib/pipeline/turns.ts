/**
 * Shares the turns of a process's event loop: so many steps in one turn, and where more wait, each lane has one in turn. What
 * a step does it must not know; a lane is whatever must not hold up the others.
 */

export class Turns {
  readonly #stepsPerTurn: number
  /** In the order in which they come next; a lane has at least one step. */
  readonly #lanes = new Map<string, (() => void)[]>()
  #taken = 0
  #isTurning = false

  constructor(stepsPerTurn: number) {
    this.#stepsPerTurn = stepsPerTurn
  }

  /** Takes a step: undefined when it may be done now, else a promise of when. */
  take(lane: string): Promise<void> | undefined {
    if (!this.#isTurning) {
      this.#isTurning = true
      setImmediate(() => this.#turn())
    }
    if (this.#taken < this.#stepsPerTurn) {
      this.#taken++
      return undefined
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = this.#lanes.get(lane)
    if (waiting) waiting.push(resolve)
    else this.#lanes.set(lane, [resolve])
    return promise
  }

  /** The next turn begins: what waits comes first, then what is new. */
  #turn(): void {
    this.#taken = 0
    this.#isTurning = this.#lanes.size > 0
    if (this.#isTurning) setImmediate(() => this.#turn())
    for (const [lane, waiting] of this.#lanes) {
      if (this.#taken === this.#stepsPerTurn) return
      this.#taken++
      waiting.shift()?.()
      this.#lanes.delete(lane)
      // To the end of the line, which this loop reaches again.
      if (waiting.length > 0) this.#lanes.set(lane, waiting)
    }
  }
}
