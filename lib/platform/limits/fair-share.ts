/**
 * Bounds how many writes one tenant has under way beside calmer ones; what is over waits here, in its order, and takes no part in
 * the contest for processors. A tenant that is alone or among its like is not bounded.
 */

/** What a tenant may always have under way. More of them lengthen the units of work that a calm tenant's commands wait for. */
const FLOOR = 8
/** Beyond that, so many times what the others have on average. */
const TIMES_THE_OTHERS = 2
/** A tenant counts as one of the others until it has not been seen for one to two of these. */
const SEEN_MS = 500

/** `begin` is told whether it may; it is undefined for one that gave up. */
type Waiting = { readonly count: number; begin: ((may: boolean) => void) | undefined }
type Tenant = { underWay: number; readonly waiting: Waiting[]; isSeen: boolean }

export class FairShare {
  readonly #now: () => number
  readonly #tenants = new Map<string, Tenant>()
  #underWay = 0
  #sweptAt: number

  /** @param now milliseconds that never run backwards. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#sweptAt = now()
  }

  /**
   * Asks to be under way: true when it may be now, else a promise that is false if `patienceMs` passed first. Each that may
   * needs one `leave` behind it. A bulk counts as its entries from then on, and begins where there is room for one of them.
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

  /** Something of the tenant is done: as many go on as may. */
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

  /** Forgets tenants that have nothing under way and were not seen since the last time. */
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
