/**
 * Bounds how many lanes of one tenant run in this process at once; the others wait here, first come first served, without
 * holding a place. It must not know what a lane does.
 */

/** Recalled for one that ended: a second one, since another process may take what is recalled, and this one keep the room. */
const RECALLED_MAX = 2

type Tenant = {
  running: number
  /** By lane: makes it come again; rejects when it cannot, since it has come or gone meanwhile. */
  readonly waiting: Map<string, () => Promise<void>>
}

export class Places {
  readonly #perTenantMax: number
  readonly #tenants = new Map<string, Tenant>()

  constructor(perTenantMax: number) {
    this.#perTenantMax = perTenantMax
  }

  /** Whether one more lane of the tenant may run. Each that may needs one `leave` behind it. */
  enter(tenantId: string): boolean {
    const tenant = this.#tenant(tenantId)
    if (tenant.running >= this.#perTenantMax) return false
    tenant.running++
    return true
  }

  /** A lane has ended: the next of its tenant is recalled. */
  leave(tenantId: string): void {
    this.#tenant(tenantId).running--
    void this.#recall(tenantId)
  }

  /** Lets a lane wait until there is room, which may be at once: it may have become free while the lane gave up its place. */
  wait(
    { tenantId, laneId }: { readonly tenantId: string; readonly laneId: string },
    recall: () => Promise<void>,
  ): void {
    this.#tenant(tenantId).waiting.set(laneId, recall)
    void this.#recall(tenantId)
  }

  /** Recalls all that wait, for whoever takes them. */
  async recallAll(): Promise<void> {
    const waiting = [...this.#tenants.values()].flatMap(tenant => [...tenant.waiting.values()])
    for (const tenant of this.#tenants.values()) tenant.waiting.clear()
    await Promise.allSettled(waiting.map(recall => recall()))
  }

  async #recall(tenantId: string): Promise<void> {
    const tenant = this.#tenant(tenantId)
    const room = this.#perTenantMax - tenant.running
    const next = [...tenant.waiting.entries().take(Math.min(room, RECALLED_MAX))]
    for (const [laneId] of next) tenant.waiting.delete(laneId)
    if (tenant.running === 0 && tenant.waiting.size === 0) this.#tenants.delete(tenantId)
    const outcomes = await Promise.allSettled(next.map(([, recall]) => recall()))
    if (outcomes.some(({ status }) => status === 'rejected')) await this.#recall(tenantId)
  }

  #tenant(tenantId: string): Tenant {
    const known = this.#tenants.get(tenantId)
    if (known) return known
    const tenant = { running: 0, waiting: new Map() }
    this.#tenants.set(tenantId, tenant)
    return tenant
  }
}
