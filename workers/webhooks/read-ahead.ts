/**
 * A subscription's due deliveries, some read ahead of their sending: which, how long ago, and whether another look may find more. What
 * is due is decided in lib/webhooks/due-deliveries.ts.
 */
import type { DueDelivery } from '../../lib/webhooks/due-deliveries.ts'

/** Deliveries read at once: more than are sent, so that a quick receiver need not wait for each look. */
const READ_MAX = 25
/** What was read longer ago is read again: the subscription may have been changed or disabled since. */
export const READ_TRUSTED_MS = 200

export class ReadAhead {
  readonly #look: (max: number) => Promise<readonly DueDelivery[]>
  #read: DueDelivery[] = []
  #readAt = 0
  #mayHaveMore = true
  #poked = Promise.withResolvers<void>()

  /** @param look the first so many that are due and not under way */
  constructor(look: (max: number) => Promise<readonly DueDelivery[]>) {
    this.#look = look
  }

  /** Whether nothing is left of what was read, and another look would find nothing. */
  get isEmpty(): boolean {
    return this.#read.length === 0 && !this.#mayHaveMore
  }

  /** Something new is due. */
  poke(): void {
    this.#mayHaveMore = true
    this.#poked.resolve()
  }

  /** Resolves when it is not empty. */
  async filled(): Promise<void> {
    this.#poked = Promise.withResolvers<void>()
    if (this.isEmpty) await this.#poked.promise
  }

  /** What was read is read again. */
  forget(): void {
    this.#read = []
    this.#mayHaveMore = true
  }

  /** The next one; it stays until it is taken. @throws when Postgres is away */
  async next(): Promise<DueDelivery | undefined> {
    if (this.isEmpty) return undefined
    if (this.#read.length === 0 || performance.now() - this.#readAt > READ_TRUSTED_MS) await this.#readAgain()
    return this.#read[0]
  }

  take(): void {
    this.#read.shift()
  }

  async #readAgain(): Promise<void> {
    this.#mayHaveMore = false // before the look: what comes during it pokes
    this.#read = [...(await this.#look(READ_MAX))]
    this.#readAt = performance.now()
    if (this.#read.length === READ_MAX) this.#mayHaveMore = true
  }
}
