/**
 * The sweep: finds in PostgreSQL what Redis lost or a crash left (events without deliveries, overdue deliveries) and signals the relay and
 * the senders. It relays and sends nothing, so no tenant can delay it.
 */
import { generationOf } from '../../lib/platform/postgres/generation.ts'
import { recentlyBehind, tenantsBehind } from '../../lib/webhooks/behind.ts'
import { overdueSubscriptions } from '../../lib/webhooks/pending.ts'
import { signalTenant } from '../../lib/webhooks/tenant-signals.ts'
import { type Repeating, repeat } from '../repeat.ts'
import type { RelayServices } from './relay-loop.ts'

/** One process of the fleet sweeps this often. */
const SWEEP_EVERY_MS = 2_000
/** A delivery that became due just now is probably being sent already. */
const OVERDUE_MS = 1_000
/** A process whose last sweep is longer ago begins again with all tenants: reading the events since then would cost more. */
const REMEMBERED_MS = 60_000
/** A value for `since` after every event, so that no tenant is found by time. */
const FOREVER = 'infinity'

/** Sweeps until closed; the first sweep begins at once. */
export function startSweeps(services: RelayServices): Repeating {
  const behind = new Behind(services)
  const attempt = async (): Promise<void> => {
    try {
      if (!(await services.queue.mayI('sweep', SWEEP_EVERY_MS))) return
      await behind.name()
      await wakeOverdue(services)
    } catch (error) {
      services.log.warn({ err: error }, 'sweep of webhooks failed')
    }
  }
  return repeat(attempt, { pauseMs: () => SWEEP_EVERY_MS * (0.9 + 0.2 * Math.random()) })
}

/** One sweep over everything. Signalling a tenant or sender that already runs costs next to nothing. */
export async function sweep(services: RelayServices): Promise<void> {
  await new Behind(services).name()
  await wakeOverdue(services)
}

/**
 * Signals the tenants that are behind. The first sweep looks at all tenants with webhooks. Later sweeps look at tenants that had events
 * since the last sweep, tenants that were behind then, and the next few hundred of all tenants, in case a transaction took very long to
 * commit.
 */
class Behind {
  readonly #services: RelayServices
  #since: string | undefined
  #sweptAt = 0
  #behind: readonly string[] = []
  #pass: ReturnType<typeof tenantsBehind> | undefined

  constructor(services: RelayServices) {
    this.#services = services
  }

  /** @throws if PostgreSQL or Redis cannot be reached. The next call starts at the last call that succeeded. */
  async name(): Promise<void> {
    const { pool } = this.#services
    // Deliveries get ids, so the database's generation must be known.
    await generationOf(pool)
    const isNew = this.#since === undefined || performance.now() - this.#sweptAt > REMEMBERED_MS
    const since = (isNew ? undefined : this.#since) ?? FOREVER
    const { behind: recent, at } = await recentlyBehind(pool, { since, named: this.#behind })
    if (isNew || recent === null) this.#behind = await this.#nameAll()
    else {
      this.#behind = [...new Set([...recent, ...(await this.#passOn())])]
      await this.#signal(this.#behind)
    }
    this.#since = at
    this.#sweptAt = performance.now()
  }

  async #nameAll(): Promise<readonly string[]> {
    const behind: string[] = []
    for await (const page of tenantsBehind(this.#services.pool)) {
      await this.#signal(page)
      behind.push(...page)
    }
    return behind
  }

  /** The next few hundred tenants of the pass over all tenants. */
  async #passOn(): Promise<readonly string[]> {
    this.#pass ??= tenantsBehind(this.#services.pool)
    const { value = [], done } = await this.#pass.next()
    if (done) this.#pass = undefined
    return value
  }

  async #signal(tenantIds: readonly string[]): Promise<void> {
    const { redis, queue } = this.#services
    await signalTenant(redis, tenantIds, queue.cell)
  }
}

async function wakeOverdue({ pool, queue, now }: RelayServices): Promise<void> {
  const dueBefore = new Date(now() - OVERDUE_MS).toISOString()
  for await (const page of overdueSubscriptions(pool, dueBefore)) await queue.wake(page)
}
