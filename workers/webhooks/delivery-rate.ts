/** Bounds how many deliveries of a tenant this process begins in a second. Further deliveries stay due and count as no failure. */

/** Tenants that are remembered. A tenant with its full allowance need not be. */
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

  /** Whether one more delivery of the tenant may begin now. If so, it is counted. The deliveries of a full second may begin at once. */
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
