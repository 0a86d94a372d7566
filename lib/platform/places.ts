/** Places for so many at once. Who comes when all are taken waits in order, and not for ever. */
import { lookAgain, looksIn } from './answer-limit.ts'

export class NoPlace extends Error {
  override name = 'NoPlace'
}

type PlacesOptions = {
  readonly size: number
  /** It is counted in looks: while the process stood still nobody could leave. */
  readonly patienceMs: number
  /** What the places are, for the message of an error. */
  readonly of: string
}

type Waiting = { looks: number; readonly enter: () => void; readonly giveUp: (error: NoPlace) => void }

export class Places {
  readonly #options: PlacesOptions
  /** The one that has waited longest first. */
  readonly #waiting = new Set<Waiting>()
  #taken = 0

  constructor(options: PlacesOptions) {
    this.#options = options
  }

  get taken(): number {
    return this.#taken
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Does the work in a place. @throws NoPlace when none falls free in time */
  async in<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#options.size) this.#taken++
    else await this.#wait()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  #wait(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.add({ looks: 0, enter: resolve, giveUp: reject })
    lookAgain(this.#look)
    return promise
  }

  readonly #look = (): boolean => {
    const { patienceMs, of } = this.#options
    for (const waiting of this.#waiting) {
      if (waiting.looks++ < looksIn(patienceMs)) continue
      this.#waiting.delete(waiting)
      waiting.giveUp(new NoPlace(`no ${of} fell free within ${patienceMs} ms`))
    }
    return this.#waiting.size > 0
  }

  /** The place goes to the one that has waited longest. */
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
