/** Batches questions. Questions that come while a batch runs go into the next batch, so any number of callers uses the same few batches. */
import { setTimeout as delay } from 'node:timers/promises'

type Waiting<Q, A> = {
  readonly question: Q
  readonly resolve: (answer: A) => void
  readonly reject: (error: unknown) => void
}

type Options<Q, A> = {
  /** Answers the questions that `take` returns, in order. Until `take` is called, further questions join the batch. */
  readonly askAll: (take: () => readonly Q[]) => Promise<readonly A[]>
  /** The most questions of one batch. */
  readonly max: number
  /** The most batches that run at once. With several, a hanging batch does not block the others. Default: 1. */
  readonly underWayMax?: number
  /** The pause after each batch, in ms. */
  readonly pauseMs?: number
  /** Whether a single question may have caused this error of a batch. Then each question is sent alone. Default: never. */
  readonly isOfOne?: (error: unknown) => boolean
}

export class Batcher<Q, A> {
  readonly #options: Options<Q, A>
  readonly #waiting: Waiting<Q, A>[] = []
  #underWay = 0
  /** Whether questions may still join a running batch. */
  #isOpen = false

  constructor(options: Options<Q, A>) {
    this.#options = options
  }

  /** @throws what its batch throws */
  ask(question: Q): Promise<A> {
    const { promise, resolve, reject } = Promise.withResolvers<A>()
    this.#waiting.push({ question, resolve, reject })
    this.#begin()
    return promise
  }

  #begin(): void {
    const { underWayMax = 1 } = this.#options
    if (this.#waiting.length > 0 && !this.#isOpen && this.#underWay < underWayMax) void this.#askBatch()
  }

  async #askBatch(): Promise<void> {
    const { askAll, max, pauseMs = 0, isOfOne } = this.#options
    this.#underWay++
    this.#isOpen = true
    let asked: readonly Waiting<Q, A>[] | undefined
    const take = () => {
      asked ??= this.#waiting.splice(0, max)
      this.#isOpen = false
      // Questions that did not fit may begin the next batch.
      this.#begin()
      return asked.map(({ question }) => question)
    }
    // Questions of the same turn of the event loop join the batch.
    await undefined
    try {
      const answers = await askAll(take)
      for (const [at, { resolve }] of (asked ?? []).entries()) resolve(answers[at] as A)
    } catch (error) {
      take()
      const isEachAlone = asked !== undefined && asked.length > 1 && isOfOne?.(error) === true
      for (const each of asked ?? []) {
        if (isEachAlone) void this.#askAlone(each)
        else each.reject(error)
      }
    }
    // The pause does not keep the process alive.
    if (pauseMs > 0) await delay(pauseMs, undefined, { ref: false })
    this.#underWay--
    this.#begin()
  }

  async #askAlone({ question, resolve, reject }: Waiting<Q, A>): Promise<void> {
    try {
      const [answer] = await this.#options.askAll(() => [question])
      resolve(answer as A)
    } catch (error) {
      reject(error)
    }
  }
}
