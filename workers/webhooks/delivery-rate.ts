/** Limits how many deliveries of a tenant this process begins in a second. Other deliveries stay due and do not count as failed. */

/** The most tenants that are remembered. A tenant with its full allowance is not. */
const TENANTS_MAX = 10_000

type Allowance = { left: number; at: number }

export class DeliveryRate {
  readonly #perSecond: number
  readonly #now: () => number
  readonly #tenants = new Map<string, Allowance>()

  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond
    this.#now = now
  }

  /**
   * Begins one more delivery of the tenant, if its allowance has one, and counts it. The allowance of a full second may be used at once.
   */
  take(tenantId: string): boolean {
    const allowance = this.#refilled(tenantId)
    if (allowance.left < 1) return false
    allowance.left -= 1
    return true
  }

  #refilled(tenantId: string): Allowance {
    const now = this.#now()
    const known = this.#tenants.get(tenantId)
    if (known === undefined) {
      if (this.#tenants.size >= TENANTS_MAX) this.#forget(now)
      const allowance = { left: this.#perSecond, at: now }
      this.#tenants.set(tenantId, allowance)
      return allowance
    }
    // A clock that was set back takes no allowance away.
    const passedS = Math.max(0, now - known.at) / 1_000
    known.left = Math.min(this.#perSecond, known.left + passedS * this.#perSecond)
    known.at = now
    return known
  }

  #forget(now: number): void {
    for (const [tenantId, { at }] of this.#tenants) if (Math.abs(now - at) >= 1_000) this.#tenants.delete(tenantId)
  }
}
