/**
 * The sweep of what is due in tenants that send no commands: holds whose time is over (docs/rules/holds.md). It uses PostgreSQL only, so
 * that nothing that Redis loses can delay it. Each process sweeps, and leaves out tenants that another process has locked.
 */
import { tenantsWithDueHolds } from '../../lib/domain/sales/reservations/queries.ts'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { type Repeating, repeat } from '../repeat.ts'
import type { Run } from './transactions.ts'

const SWEEP_EVERY_MS = 1_000
/** Tenants of one unit of work. */
const TENANTS_MAX = 32

type Services = {
  readonly pool: Pool
  readonly log: Log
  /** Does what is due of the tenants. Never rejects. */
  readonly doDue: (tenantIds: readonly string[]) => Promise<ReadonlyMap<string, Run>>
  /** Signals new events of a tenant. It must not wait for Redis. */
  readonly publish: (tenantId: string, run: { readonly hasEvents: boolean; readonly hasWebhooks: boolean }) => void
}

/** Sweeps until closed. */
export const startDueSweep = (services: Services): Repeating =>
  repeat(isClosing => sweepDue(services, isClosing), {
    firstMs: Math.random() * SWEEP_EVERY_MS,
    pauseMs: () => SWEEP_EVERY_MS * (0.9 + 0.2 * Math.random()),
  })

/** One sweep. It goes on while it finds tenants for which it can do something. */
export async function sweepDue({ pool, log, doDue, publish }: Services, isClosing = () => false): Promise<void> {
  try {
    for (let isDone = false; !isDone && !isClosing(); ) {
      const due = await tenantsWithDueHolds(pool)
      isDone = true
      for (let at = 0; at < due.length && !isClosing(); at += TENANTS_MAX)
        for (const [tenantId, run] of await doDue(due.slice(at, at + TENANTS_MAX))) {
          if (run.is === 'failed' || run.is === 'disconnected')
            log.warn({ err: run.error, tenant_id: tenantId }, 'what is due of a tenant was not done')
          if (run.is !== 'ran' || !run.hasEvents) continue
          publish(tenantId, run)
          isDone = false
        }
    }
  } catch (error) {
    log.warn({ err: error }, 'sweep of what is due failed')
  }
}
