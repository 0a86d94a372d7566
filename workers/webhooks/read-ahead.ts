/**
 * A subscription's due deliveries: those that are read before they are sent, and whether another look may find more.
 * lib/webhooks/due-deliveries.ts decides what is due.
 */
import type { DueDelivery } from '../../lib/webhooks/due-deliveries.ts'

/** The most deliveries of one read. They are more than are sent at the same time, so that a quick receiver does not wait for each read. */
const READ_MAX = 25
/** Deliveries that were read longer ago are read again: the subscription may have been changed or disabled since. */
export const READ_TRUSTED_MS = 200

export class ReadAhead {
  readonly #look: (max: number) => Promise<readonly DueDelivery[]>
  #read: DueDelivery[] = []
  #readAt = 0
  #mayHaveMore = true
  #poked = Promise.withResolvers<void>()

  /** @param look reads the first `max` deliveries that are due and not under way */
  constructor(look: (max: number) => Promise<readonly DueDelivery[]>) {
    this.#look = look
  }

  /** Whether no read delivery is left and another look would find none. */
  get isEmpty(): boolean {
    return this.#read.length === 0 && !this.#mayHaveMore
  }

  /** Notes that another delivery is due. */
  poke(): void {
    this.#mayHaveMore = true
    this.#poked.resolve()
  }

  /** Resolves when there may be a delivery. */
  async filled(): Promise<void> {
    this.#poked = Promise.withResolvers<void>()
    if (this.isEmpty) await this.#poked.promise
  }

  /** Drops what was read, so that it is read again. */
  forget(): void {
    this.#read = []
    this.#mayHaveMore = true
  }

  /** The next delivery. It stays until `take` is called. @throws if PostgreSQL cannot be reached */
  async next(): Promise<DueDelivery | undefined> {
    if (this.isEmpty) return undefined
    if (this.#read.length === 0 || performance.now() - this.#readAt > READ_TRUSTED_MS) await this.#readAgain()
    return this.#read[0]
  }

  take(): void {
    this.#read.shift()
  }

  async #readAgain(): Promise<void> {
    this.#mayHaveMore = false // before the look, so that a poke during the look is not lost
    this.#read = [...(await this.#look(READ_MAX))]
    this.#readAt = performance.now()
    if (this.#read.length === READ_MAX) this.#mayHaveMore = true
  }
}
