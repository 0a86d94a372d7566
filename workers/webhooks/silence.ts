/**
 * Which receivers let their last request end without an answer, as far as this process has seen: they get a bounded share of
 * the senders until they answer again.
 */

/** Beyond it the one that has been silent for longest is taken for one that answers. */
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
