/**
 * How many deliveries of a tenant this process begins in a second. What is over waits: it is not counted against anybody,
 * and stays due.
 */

/** Tenants that are remembered: who has used nothing of a second needs not be. */
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

  /** Whether one more delivery of the tenant may begin now; if so, it is counted. A full second's may begin at once. */
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
    // A clock that was set back takes nothing away.
    const passedS = Math.max(0, now - known.at) / 1_000
    known.left = Math.min(this.#perSecond, known.left + passedS * this.#perSecond)
    known.at = now
    return known
  }

  #forget(now: number): void {
    for (const [tenantId, { at }] of this.#tenants) if (Math.abs(now - at) >= 1_000) this.#tenants.delete(tenantId)
  }
}
