/**
 * Bounds how many senders run in this process at once, all together and of one tenant; the others wait here, first come first
 * served among a tenant's, the tenants in turn, without holding a slot.
 */

/** Recalled for one that ended: a second one, since another process may take what is recalled, and this one keep the slot. */
const RECALLED_MAX = 2

/** What a sender holds while it runs. */
export type SenderSlot = {
  /** Gives the slot to others while the sender goes on; it still counts as one of its tenant's. */
  release(): void
  /** The sender has ended: the next subscription is recalled. */
  leave(): void
}

type Tenant = {
  running: number
  /** By subscription: makes it come again; rejects when it cannot, since it has come or gone meanwhile. */
  readonly waiting: Map<string, () => Promise<void>>
}

export class SenderSlots {
  readonly #max: number
  readonly #perTenantMax: number
  readonly #tenants = new Map<string, Tenant>()
  #taken = 0

  constructor({ max, perTenantMax }: { readonly max: number; readonly perTenantMax: number }) {
    this.#max = max
    this.#perTenantMax = perTenantMax
  }

  /** A slot for one more sender of the tenant, or undefined where it has to wait. */
  enter(tenantId: string): SenderSlot | undefined {
    const tenant = this.#tenant(tenantId)
    if (this.#freeOf(tenant) <= 0) return undefined
    tenant.running++
    this.#taken++
    let isReleased = false
    const release = () => {
      if (!isReleased) this.#taken--
      isReleased = true
      this.#recallNext()
    }
    return {
      release,
      leave: () => {
        tenant.running--
        if (tenant.running === 0 && tenant.waiting.size === 0) this.#tenants.delete(tenantId)
        release()
      },
    }
  }

  /** Lets a subscription wait until a slot is free, which may be at once: it may have become free in between. */
  wait(
    { tenantId, subscriptionId }: { readonly tenantId: string; readonly subscriptionId: string },
    recall: () => Promise<void>,
  ): void {
    this.#tenant(tenantId).waiting.set(subscriptionId, recall)
    void this.#recall(tenantId)
  }

  /** Recalls all that wait, for whoever takes them. */
  async recallAll(): Promise<void> {
    const waiting = [...this.#tenants.values()].flatMap(tenant => [...tenant.waiting.values()])
    for (const tenant of this.#tenants.values()) tenant.waiting.clear()
    await Promise.allSettled(waiting.map(recall => recall()))
  }

  #freeOf({ running }: Tenant): number {
    return Math.min(this.#perTenantMax - running, this.#max - this.#taken)
  }

  /** The first tenant with a subscription that waits and may be sent gets the slot, and stands behind the others then. */
  #recallNext(): void {
    const next = this.#tenants.entries().find(([, tenant]) => tenant.waiting.size > 0 && this.#freeOf(tenant) > 0)
    if (next === undefined) return
    const [tenantId, tenant] = next
    this.#tenants.delete(tenantId)
    this.#tenants.set(tenantId, tenant)
    void this.#recall(tenantId)
  }

  async #recall(tenantId: string): Promise<void> {
    const tenant = this.#tenant(tenantId)
    const count = Math.max(0, Math.min(this.#freeOf(tenant), RECALLED_MAX))
    const next = [...tenant.waiting.entries().take(count)]
    for (const [subscriptionId] of next) tenant.waiting.delete(subscriptionId)
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
