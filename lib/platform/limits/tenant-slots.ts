/** Shares slots among tenants: a tenant with many slow requests leaves slots for others. Other requests wait here in order. */

/**
 * A tenant may have this many times as many requests under way as slots are free. Of 7 slots one tenant alone gets 5, and the next tenant
 * then gets 2 at once.
 */
const TIMES_THE_FREE = 2

export class TenantSlots {
  #free: number
  readonly #underWay = new Map<string, number>()
  /** Waiting requests by tenant. The tenant whose last turn was longest ago is first. */
  readonly #waiting = new Map<string, Set<(may: boolean) => void>>()

  /** @param slots how many requests may run at once */
  constructor(slots: number) {
    this.#free = slots
  }

  /** How many requests wait. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /**
   * Takes a slot, or waits for one. True: there is one now. A promise resolves to true when there is one, and to false if `patienceMs`
   * passed first. Each begun request needs one `leave`.
   */
  enter(tenantId: string, patienceMs: number): true | Promise<boolean> {
    if (this.#mayBegin(tenantId)) {
      this.#begin(tenantId)
      return true
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting = this.#waiting.get(tenantId) ?? new Set()
    this.#waiting.set(tenantId, waiting)
    const answer = (may: boolean) => {
      clearTimeout(timer)
      waiting.delete(answer)
      if (waiting.size === 0) this.#waiting.delete(tenantId)
      resolve(may)
    }
    const timer = setTimeout(() => answer(false), patienceMs)
    waiting.add(answer)
    return promise
  }

  /** Notes that a request of the tenant has ended. Among waiting tenants, those with the fewest requests under way continue. */
  leave(tenantId: string): void {
    this.#free++
    const left = this.#count(tenantId) - 1
    if (left > 0) this.#underWay.set(tenantId, left)
    else this.#underWay.delete(tenantId)
    this.#toTheEnd(tenantId)
    for (let next = this.#next(); next !== undefined && this.#mayBegin(next); next = this.#next()) {
      this.#toTheEnd(next)
      this.#begin(next)
      const [first] = this.#waiting.get(next) ?? []
      first?.(true)
    }
  }

  #toTheEnd(tenantId: string): void {
    const waiting = this.#waiting.get(tenantId)
    if (!waiting) return
    this.#waiting.delete(tenantId)
    this.#waiting.set(tenantId, waiting)
  }

  #next(): string | undefined {
    let next: string | undefined
    for (const tenantId of this.#waiting.keys()) {
      if (next === undefined || this.#count(tenantId) < this.#count(next)) next = tenantId
      if (this.#count(next) === 0) break
    }
    return next
  }

  #mayBegin(tenantId: string): boolean {
    return this.#count(tenantId) < TIMES_THE_FREE * this.#free
  }

  #begin(tenantId: string): void {
    this.#free--
    this.#underWay.set(tenantId, this.#count(tenantId) + 1)
  }

  #count(tenantId: string): number {
    return this.#underWay.get(tenantId) ?? 0
  }
}
