/** Gathers questions: while a batch is under way, those that come wait for it and go together, so that no number of callers takes more. */
import { setTimeout as delay } from 'node:timers/promises'

type Waiting<Q, A> = {
  readonly question: Q
  readonly resolve: (answer: A) => void
  readonly reject: (error: unknown) => void
}

type Options<Q, A> = {
  /** Answers the questions that `take` gives, in their order. Until `take` is called, further questions join the batch. */
  readonly askAll: (take: () => readonly Q[]) => Promise<readonly A[]>
  /** Questions of one batch. */
  readonly max: number
  /** Batches that may be under way, so that one which hangs does not hold up all. Default: 1. */
  readonly underWayMax?: number
  /** How long nothing is asked after each batch. */
  readonly pauseMs?: number
  /** Whether a batch that failed so may fail for one of its questions: then each is asked alone. Default: never. */
  readonly isOfOne?: (error: unknown) => boolean
}

export class Batcher<Q, A> {
  readonly #options: Options<Q, A>
  readonly #waiting: Waiting<Q, A>[] = []
  #underWay = 0
  /** Whether a batch is under way that questions may still join. */
  #isOpen = false

  constructor(options: Options<Q, A>) {
    this.#options = options
  }

  /** @throws what the batch throws that asked for it. */
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
      // Of those that are over, the next batch.
      this.#begin()
      return asked.map(({ question }) => question)
    }
    // Whoever asks in the same moment goes along.
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
    // Nobody waits for the end of a process's last pause.
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
