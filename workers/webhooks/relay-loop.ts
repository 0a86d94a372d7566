/**
 * The relay: gets signals of tenants with new events, makes the deliveries of those events, and wakes senders. It sends nothing. The sweep
 * finds tenants whose signal was lost.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import type { Redis } from '../../lib/platform/redis/redis.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import type { WebhookQueue } from '../../lib/webhooks/queue.ts'
import { relayTenant } from '../../lib/webhooks/relay.ts'
import { signalTenant, takeSignalledTenants } from '../../lib/webhooks/tenant-signals.ts'

/** The longest wait on Redis, and so the longest time that a stop takes. */
const PATIENCE_S = 2
/** The most tenants that are relayed at the same time. A process relays each tenant once at a time. */
const TENANTS_MAX = 8
const REDIS_AWAY_MS = 500

export type RelayServices = {
  readonly pool: Pool
  readonly redis: Redis
  readonly queue: WebhookQueue
  readonly log: Log
  readonly now: () => number
}

/** Relays the tenants that Redis names, until closed. `blocking` is a connection of its own. */
export function startRelay(services: RelayServices & { readonly blocking: Redis }): {
  readonly close: () => Promise<void>
} {
  const { pool, redis, queue, now, blocking, log } = services
  const running = new Map<string, Promise<void>>()
  /** Tenants with a new signal while they are relayed. The running round may have read before the new event. */
  const namedAgain = new Set<string>()
  let isClosing = false

  const loop = async (): Promise<void> => {
    while (!isClosing) {
      try {
        if (running.size >= TENANTS_MAX) await Promise.race(running.values())
        for (const tenantId of await takeSignalledTenants(
          blocking,
          PATIENCE_S,
          TENANTS_MAX - running.size - 1,
          queue.cell,
        ))
          if (running.has(tenantId)) namedAgain.add(tenantId)
          else running.set(tenantId, round(tenantId))
      } catch (error) {
        if (isClosing) return
        log.warn({ err: error }, 'the relay hears nothing')
        await delay(REDIS_AWAY_MS)
      }
    }
  }

  /**
   * One round of a tenant. A tenant with more events gets its next round after the other tenants. Never throws: the sweep finds what is
   * left.
   */
  const round = async (tenantId: string): Promise<void> => {
    try {
      const { due, isBehind } = await relayTenant(pool, tenantId, new Date(now()).toISOString())
      await queue.wake(due.map(subscriptionId => ({ tenantId, subscriptionId })))
      if (isBehind) namedAgain.add(tenantId)
    } catch (error) {
      log.warn({ err: error, tenant_id: tenantId }, 'relay interrupted')
    }
    running.delete(tenantId)
    if (namedAgain.delete(tenantId))
      await signalTenant(redis, tenantId, queue.cell).catch(error =>
        log.warn({ err: error }, 'the relay cannot name a tenant'),
      )
  }

  const looping = loop()
  return {
    close: async () => {
      isClosing = true
      blocking.disconnect()
      await looping
      await Promise.all(running.values())
    },
  }
}
