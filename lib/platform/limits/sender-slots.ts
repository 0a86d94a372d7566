/**
 * Limits how many senders run in this process at once, in total and per tenant. Other subscriptions wait here without a slot: in the order
 * of arrival within a tenant. Tenants take turns.
 */

/**
 * How many subscriptions are recalled when a sender ends. Two, because another process may take the first one while this process has the
 * free slot.
 */
const RECALLED_MAX = 2

/** The slot of a running sender. */
export type SenderSlot = {
  /** Frees the slot while the sender continues. The sender still counts for its tenant. */
  release(): void
  /** The sender has ended: the next subscription is recalled. */
  leave(): void
}

type Tenant = {
  running: number
  /** For each subscription a function that recalls it. The function rejects if the subscription has been recalled or removed meanwhile. */
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

  /** A slot for one more sender of the tenant, or undefined if it must wait. */
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

  /** Lets a subscription wait for a slot. A slot may have become free since `enter` was called. */
  wait(
    { tenantId, subscriptionId }: { readonly tenantId: string; readonly subscriptionId: string },
    recall: () => Promise<void>,
  ): void {
    this.#tenant(tenantId).waiting.set(subscriptionId, recall)
    void this.#recall(tenantId)
  }

  /** Recalls all waiting subscriptions, for any process. */
  async recallAll(): Promise<void> {
    const waiting = [...this.#tenants.values()].flatMap(tenant => [...tenant.waiting.values()])
    for (const tenant of this.#tenants.values()) tenant.waiting.clear()
    await Promise.allSettled(waiting.map(recall => recall()))
  }

  #freeOf({ running }: Tenant): number {
    return Math.min(this.#perTenantMax - running, this.#max - this.#taken)
  }

  /** Recalls the first waiting subscription of the first tenant that may send. The tenant then becomes the last one. */
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
