/**
 * The relay: hears which tenants have news, makes deliveries of their events and wakes the lanes. It sends nothing itself,
 * and what it does not hear of, the sweep does.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '../lib/store/postgres.ts'
import type { WebhookQueue } from '../lib/store/queues-webhooks.ts'
import type { Redis } from '../lib/store/redis.ts'
import type { Log } from '../lib/telemetry/log.ts'
import { takeReadyTenants } from '../lib/webhooks/ready-tenants.ts'
import { relayTenant } from '../lib/webhooks/relay.ts'

/** How long one blocking wait lasts; a stop waits no longer. */
const PATIENCE_S = 2
/** Tenants that are relayed at once. */
const TENANTS_MAX = 8
const REDIS_AWAY_MS = 500

export type RelayServices = {
  readonly pool: Pool
  readonly queue: WebhookQueue
  readonly log: Log
  readonly now: () => number
}

/** Relays one tenant and wakes the lanes that have something due. @throws when Postgres or Redis is away. */
export async function relay({ pool, queue, now }: RelayServices, tenantId: string): Promise<void> {
  const due = await relayTenant(pool, tenantId, new Date(now()).toISOString())
  await queue.wake(due.map(subscriptionId => ({ tenantId, subscriptionId })))
}

/** Relays who is named in Redis until closed. `blocking` is a connection of its own. */
export function startRelay(services: RelayServices & { readonly blocking: Redis }): {
  readonly close: () => Promise<void>
} {
  const { blocking, log } = services
  let isClosing = false
  const loop = async (): Promise<void> => {
    while (!isClosing) {
      try {
        const tenants = await takeReadyTenants(blocking, PATIENCE_S, TENANTS_MAX - 1)
        await Promise.all(tenants.map(tenantId => attempt(tenantId)))
      } catch (error) {
        if (isClosing) return
        log.warn({ err: error }, 'the relay hears nothing')
        await delay(REDIS_AWAY_MS)
      }
    }
  }
  const attempt = (tenantId: string) =>
    relay(services, tenantId).catch(error => log.warn({ err: error, tenant_id: tenantId }, 'relay interrupted'))
  const looping = loop()
  return {
    close: async () => {
      isClosing = true
      blocking.disconnect()
      await looping
    },
  }
}
