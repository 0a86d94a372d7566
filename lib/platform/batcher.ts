/** Gathers questions: one batch is under way at a time, for all that wait for it, so that no number of callers takes more than one. */
import { setTimeout as delay } from 'node:timers/promises'

type Waiting<Q, A> = {
  readonly question: Q
  readonly resolve: (answer: A) => void
  readonly reject: (error: unknown) => void
}

type Options<Q, A> = {
  /** The answers in the order of the questions. */
  readonly askAll: (questions: readonly Q[]) => Promise<readonly A[]>
  /** Questions of one batch. */
  readonly max: number
  /** How long nothing is asked after each batch. */
  readonly pauseMs?: number
}

export class Batcher<Q, A> {
  readonly #options: Options<Q, A>
  readonly #waiting: Waiting<Q, A>[] = []
  #isAsking = false

  constructor(options: Options<Q, A>) {
    this.#options = options
  }

  /** @throws what the batch throws that asked for it. */
  ask(question: Q): Promise<A> {
    const { promise, resolve, reject } = Promise.withResolvers<A>()
    this.#waiting.push({ question, resolve, reject })
    if (!this.#isAsking) void this.#askAll()
    return promise
  }

  async #askAll(): Promise<void> {
    const { askAll, max, pauseMs = 0 } = this.#options
    this.#isAsking = true
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, max)
      try {
        const answers = await askAll(asked.map(({ question }) => question))
        for (const [at, { resolve }] of asked.entries()) resolve(answers[at] as A)
      } catch (error) {
        for (const { reject } of asked) reject(error)
      }
      // Nobody waits for the end of a process's last pause.
      if (pauseMs > 0) await delay(pauseMs, undefined, { ref: false })
    }
    this.#isAsking = false
  }
}
