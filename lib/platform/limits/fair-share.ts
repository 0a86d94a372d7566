/**
 * Bounds how many writes of one tenant run beside calmer tenants. Further writes wait here in order, and do not compete for processors. A
 * tenant that is alone, or among equally busy ones, is not bounded.
 */

/** Writes that a tenant may always have under way. More would lengthen the units of work for which a calm tenant's commands wait. */
const FLOOR = 8
/** Beyond that a tenant may have this many times the average of the others. */
const TIMES_THE_OTHERS = 2
/** A tenant counts as one of the others until it has not been seen for one to two of these intervals. */
const SEEN_MS = 500

/** `begin` gets whether the write may begin. It is undefined after the wait was given up. */
type Waiting = { readonly count: number; begin: ((may: boolean) => void) | undefined }
type Tenant = { underWay: number; readonly waiting: Waiting[]; isSeen: boolean }

export class FairShare {
  readonly #now: () => number
  readonly #tenants = new Map<string, Tenant>()
  #underWay = 0
  #sweptAt: number

  /** @param now milliseconds that never run backwards */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#sweptAt = now()
  }

  /**
   * Asks to begin. True when the write may begin now; else a promise, which is false if `patienceMs` passed first. Each begun write needs
   * one `leave`. A bulk counts as its entries from then on. It begins where one entry has room.
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

  /** A write of the tenant has ended: as many waiting ones begin as may. */
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
