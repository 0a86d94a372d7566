/** The receivers that left their last request unanswered, as this process knows them. They share few senders until they answer again. */

/** With more subscriptions than this, the receiver that has been silent longest counts as one that answers. */
const SUBSCRIPTIONS_MAX = 10_000

export class Silence {
  readonly #subscriptions = new Set<string>()

  has(subscriptionId: string): boolean {
    return this.#subscriptions.has(subscriptionId)
  }

  /** Notes how an attempt ended. */
  note(subscriptionId: string, isSilent: boolean): void {
    if (!isSilent) {
      this.#subscriptions.delete(subscriptionId)
      return
    }
    this.#subscriptions.add(subscriptionId)
    const [oldest] = this.#subscriptions
    if (this.#subscriptions.size > SUBSCRIPTIONS_MAX && oldest !== undefined) this.#subscriptions.delete(oldest)
  }
}
