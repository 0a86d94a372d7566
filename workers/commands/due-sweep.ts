/**
 * The sweeps of due work: expired holds, in tenants that send no commands (docs/rules/holds.md), and batches that have expired or are no
 * longer expired, in all tenants (docs/rules/batches.md). They use PostgreSQL only, so that nothing that Redis loses can delay them. Each
 * process sweeps, and leaves out tenants that another process has locked.
 */
import { tenantsWithDueHolds } from '../../lib/domain/sales/reservations/queries.ts'
import { tenantsWithTurnedBatches } from '../../lib/domain/stock/batches/queries.ts'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { type Repeating, repeat } from '../repeat.ts'
import type { Run } from './transactions.ts'

/** What is looked for, and how often: the event of a hold's end comes within 5 s, that of a batch's expiry within 60 s. */
const sweepOfHolds = { find: tenantsWithDueHolds, everyMs: 1_000, waits: false }
/** This sweep waits for locked tenants, since some are locked at every sweep. */
export const sweepOfBatches = { find: tenantsWithTurnedBatches, everyMs: 10_000, waits: true }
type Sweep = typeof sweepOfHolds

/** The most tenants of one unit of work. */
const TENANTS_MAX = 32

type Services = {
  readonly pool: Pool
  readonly log: Log
  /** Does the due work of the tenants. Never rejects. */
  readonly doDue: (
    tenantIds: readonly string[],
    options: { readonly waits: boolean },
  ) => Promise<ReadonlyMap<string, Run>>
  /** Signals new events of a tenant. It must not wait for Redis. */
  readonly publish: (tenantId: string, run: { readonly hasEvents: boolean; readonly hasWebhooks: boolean }) => void
}

/** Sweep until closed. */
export const startDueSweeps = (services: Services): readonly Repeating[] =>
  [sweepOfHolds, sweepOfBatches].map(sweep =>
    repeat(isClosing => sweepDue(services, sweep, isClosing), {
      firstMs: Math.random() * sweep.everyMs,
      pauseMs: () => sweep.everyMs * (0.9 + 0.2 * Math.random()),
    }),
  )

/** One sweep. Tenants for which it did something are asked again, after the others, until nothing is due in them. */
export async function sweepDue(
  { pool, log, doDue, publish }: Services,
  { find, waits }: Sweep,
  isClosing = () => false,
): Promise<void> {
  try {
    for (let due = await find(pool); due.length > 0 && !isClosing(); ) {
      const again: string[] = []
      for (let at = 0; at < due.length && !isClosing(); at += TENANTS_MAX)
        for (const [tenantId, run] of await doDue(due.slice(at, at + TENANTS_MAX), { waits })) {
          if (run.is === 'failed' || run.is === 'disconnected')
            log.warn({ err: run.error, tenant_id: tenantId }, 'what is due of a tenant was not done')
          if (run.is !== 'ran' || !run.hasEvents) continue
          publish(tenantId, run)
          again.push(tenantId)
        }
      due = again
    }
  } catch (error) {
    log.warn({ err: error }, 'sweep of what is due failed')
  }
}
