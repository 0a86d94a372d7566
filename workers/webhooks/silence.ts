/** The receivers that left their last request unanswered, as far as this process knows. They share few senders until they answer again. */

/** Beyond this number the receiver that has been silent longest is treated as one that answers. */
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
