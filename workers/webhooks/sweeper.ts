/**
 * The sweep: finds in Postgres what Redis lost or a crash left (events that are not relayed, deliveries that are overdue) and
 * names it to the relay and the senders. It relays and sends nothing itself: no tenant can hold up the sweep.
 */
import { tellReadyTenant } from '../../lib/webhooks/ready-tenants.ts'
import { overdueSubscriptions, type SubscriptionRef, tenantsBehind } from '../../lib/webhooks/relay.ts'
import type { RelayServices } from './relay.ts'

/** One process of the fleet sweeps this often. */
const SWEEP_EVERY_MS = 2_000
/** What became due just now is on its way. */
const OVERDUE_MS = 1_000
const PAGE = 500

/** Sweeps until closed; the first sweep begins at once. */
export function startSweeps(services: RelayServices): { readonly close: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let isClosing = false
  let running: Promise<void> = Promise.resolve()
  const again = () => {
    running = attempt().finally(() => {
      if (!isClosing) timer = setTimeout(again, SWEEP_EVERY_MS * (0.9 + 0.2 * Math.random()))
    })
  }
  const attempt = async (): Promise<void> => {
    try {
      if (await services.queue.mayI('sweep', SWEEP_EVERY_MS)) await sweep(services)
    } catch (error) {
      services.log.warn({ err: error }, 'sweep of webhooks failed')
    }
  }
  again()
  return {
    close: async () => {
      isClosing = true
      clearTimeout(timer)
      await running
    },
  }
}

/** One sweep over everything. Naming a tenant or waking a sender that runs or waits already costs next to nothing. */
export async function sweep(services: RelayServices): Promise<void> {
  await nameTenantsBehind(services)
  await wakeOverdue(services)
}

async function nameTenantsBehind({ pool, redis }: RelayServices): Promise<void> {
  for (let after: string | null = null; ; ) {
    const page: string[] = await tenantsBehind(pool, { after, limit: PAGE })
    await tellReadyTenant(redis, ...page)
    if (page.length < PAGE) return
    after = page.at(-1) ?? null
  }
}

async function wakeOverdue({ pool, queue, now }: RelayServices): Promise<void> {
  const dueBefore = new Date(now() - OVERDUE_MS).toISOString()
  for (let after: SubscriptionRef | null = null; ; ) {
    const page: SubscriptionRef[] = await overdueSubscriptions(pool, { after, dueBefore, limit: PAGE })
    await queue.wake(page)
    if (page.length < PAGE) return
    after = page.at(-1) ?? null
  }
}
