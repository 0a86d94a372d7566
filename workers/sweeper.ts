/**
 * The sweeper: finds mailboxes that hold mail though their tenant is not ready (a crash between two steps, a lost ready
 * queue) and makes the tenant ready. It moves nothing itself, and it is the last resort: a server that waits for an answer
 * makes its tenant ready again much sooner.
 */
import type { CommandQueues } from '../lib/store/queues.ts'
import { shardTag } from '../lib/store/shard.ts'
import type { Log } from '../lib/telemetry/log.ts'

/** One process of the fleet sweeps each shard this often, since a sweep scans the shard's keys. */
const SWEEP_EVERY_MS = 15_000
/** Tenants that one sweep of a shard revives at most; the next sweep takes the rest. */
const SWEEP_TENANTS_MAX = 5_000

/** Sweeps until closed. Making a ready tenant ready again costs nothing, so that it need not look. */
export function startSweeper(services: { readonly queues: CommandQueues; readonly log: Log }): {
  readonly close: () => Promise<void>
} {
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let running: Promise<void> = Promise.resolve()
  const schedule = () => {
    if (closed) return
    timer = setTimeout(
      () => {
        running = sweep(services).finally(schedule)
      },
      SWEEP_EVERY_MS * (0.9 + 0.2 * Math.random()),
    )
    timer.unref()
  }
  running = sweep(services).finally(schedule)
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}

async function sweep({ queues, log }: { readonly queues: CommandQueues; readonly log: Log }): Promise<void> {
  try {
    for (let shard = 0; shard < queues.shards; shard++) {
      if (!(await queues.mayI('sweep', shardTag(shard), SWEEP_EVERY_MS))) continue
      for (const tenantId of await queues.tenantsWithMail(shardTag(shard), SWEEP_TENANTS_MAX))
        await queues.makeReady(tenantId)
    }
  } catch (error) {
    log.warn({ err: error }, 'sweep failed')
  }
}
