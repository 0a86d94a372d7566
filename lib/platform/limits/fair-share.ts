/**
 * Limits how many writes of a busy tenant run while other tenants write less. Further writes wait here in order and use no processor. A
 * tenant that is alone, or among equally busy ones, is not limited.
 */

/** How many writes a tenant may always have running. More would lengthen the units of work for which other tenants' commands wait. */
const FLOOR = 8
/** Beyond that, a tenant may have this many times the average of the other tenants. */
const TIMES_THE_OTHERS = 2
/** A tenant counts as one of the others until it has not been seen for one to two of these intervals. */
const SEEN_MS = 500

/** `begin` is called with true if the write may begin. It is undefined once the write no longer waits. */
type Waiting = { readonly count: number; begin: ((may: boolean) => void) | undefined }
type Tenant = { underWay: number; readonly waiting: Waiting[]; isSeen: boolean }

export class FairShare {
  readonly #now: () => number
  readonly #tenants = new Map<string, Tenant>()
  #underWay = 0
  #sweptAt: number

  /** @param now a clock in milliseconds that never goes backwards */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#sweptAt = now()
  }

  /**
   * Begins a write, or lets it wait. True: the write may begin now. A promise resolves to true when the write may begin, and to false if
   * `patienceMs` passed first. Each begun write needs one `leave`. A bulk begins when one entry may begin, and then counts as all its
   * entries.
   */
  enter(tenantId: string, patienceMs: number, count = 1): true | Promise<boolean> {
    this.#sweep()
    const tenant = this.#tenant(tenantId)
    if (tenant.waiting.length === 0 && tenant.underWay < this.#shareOf(tenant)) {
      this.#start(tenant, count)
      return true
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting: Waiting = { count, begin: undefined }
    const timer = setTimeout(() => waiting.begin?.(false), patienceMs)
    waiting.begin = may => {
      clearTimeout(timer)
      waiting.begin = undefined
      resolve(may)
    }
    tenant.waiting.push(waiting)
    return promise
  }

  /** Notes that a write of the tenant has ended. Waiting writes begin, as many as the limit allows. */
  leave(tenantId: string, count = 1): void {
    const tenant = this.#tenant(tenantId)
    tenant.underWay -= count
    this.#underWay -= count
    const share = this.#shareOf(tenant)
    while (tenant.underWay < share) {
      const next = tenant.waiting.shift()
      if (!next) return
      if (!next.begin) continue
      this.#start(tenant, next.count)
      next.begin(true)
    }
  }

  #start(tenant: Tenant, count: number): void {
    tenant.underWay += count
    this.#underWay += count
  }

  #shareOf(tenant: Tenant): number {
    const others = this.#tenants.size - 1
    if (others === 0) return Number.POSITIVE_INFINITY
    return Math.max(FLOOR, (TIMES_THE_OTHERS * (this.#underWay - tenant.underWay)) / others)
  }

  #tenant(tenantId: string): Tenant {
    let tenant = this.#tenants.get(tenantId)
    if (!tenant) {
      tenant = { underWay: 0, waiting: [], isSeen: true }
      this.#tenants.set(tenantId, tenant)
    }
    tenant.isSeen = true
    return tenant
  }

  /** Removes tenants that have nothing under way and were not seen since the last call. */
  #sweep(): void {
    const now = this.#now()
    if (now - this.#sweptAt < SEEN_MS) return
    this.#sweptAt = now
    for (const [tenantId, tenant] of this.#tenants) {
      if (tenant.isSeen || tenant.underWay > 0) tenant.isSeen = false
      else this.#tenants.delete(tenantId)
    }
  }
}
