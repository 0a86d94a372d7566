/** A fixed number of slots. Further work waits in order. */
import { lookAgain, looksIn } from '../answer-limit.ts'

export class NoSlot extends Error {
  override name = 'NoSlot'
}

type SlotsOptions = {
  readonly size: number
  /** The longest wait. It is counted in checks, because no slot can become free while the process is stopped. Default: no limit. */
  readonly patienceMs?: number
  /** What the slots are, for the error message. */
  readonly of?: string
  /** After this time a slot passes to the next waiting work, because its holder waits for a silent server. Default: never. */
  readonly heldMsMax?: number
}

type Waiting = { looks: number; readonly enter: () => void; readonly giveUp: (error: NoSlot) => void }

export class Slots {
  readonly #options: SlotsOptions
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiting>()
  #taken = 0

  constructor(options: SlotsOptions) {
    this.#options = options
  }

  get taken(): number {
    return this.#taken
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Does the work in a slot. @throws NoSlot when none becomes free in time */
  async in<T>(work: () => Promise<T>): Promise<T> {
    const { size, heldMsMax } = this.#options
    if (this.#taken < size) this.#taken++
    else await this.#wait()
    if (heldMsMax === undefined) {
      try {
        return await work()
      } finally {
        this.#leave()
      }
    }
    let isHeld = true
    const leave = () => {
      if (isHeld) this.#leave()
      isHeld = false
    }
    const timer = setTimeout(leave, heldMsMax)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      leave()
    }
  }

  #wait(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.add({ looks: 0, enter: resolve, giveUp: reject })
    if (this.#options.patienceMs !== undefined) lookAgain(this.#look)
    return promise
  }

  readonly #look = (): boolean => {
    const { patienceMs = 0, of = 'slot' } = this.#options
    for (const waiting of this.#waiting) {
      if (waiting.looks++ < looksIn(patienceMs)) continue
      this.#waiting.delete(waiting)
      waiting.giveUp(new NoSlot(`no ${of} fell free within ${patienceMs} ms`))
    }
    return this.#waiting.size > 0
  }

  /** Passes the slot to the work that has waited longest. */
  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#taken--
      return
    }
    this.#waiting.delete(next)
    next.enter()
  }
}
