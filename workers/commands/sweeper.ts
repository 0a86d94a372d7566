/**
 * The sweeper: finds queues that hold commands though their tenant is not ready (a crash between two steps, a lost ready
 * queue) and makes the tenant ready. It moves nothing itself, and it is the last resort: a server that waits for an answer
 * makes its tenant ready again much sooner.
 */
import * as v from 'valibot'
import { shardTag } from '../../lib/pipeline/shard.ts'
import type { CommandQueues } from '../../lib/pipeline/tenant-queues.ts'
import { type Pool, rows } from '../../lib/postgres/postgres.ts'
import type { Log } from '../../lib/telemetry/log.ts'

/** One process of the fleet sweeps this often. */
const SWEEP_EVERY_MS = 15_000
/** Tenants that are looked at together: some milliseconds of Redis's time. */
const PAGE_TENANTS = 500

type Services = { readonly pool: Pool; readonly queues: CommandQueues; readonly log: Log }

/** Sweeps until closed. Making a ready tenant ready again costs nothing, so that it need not look. */
export function startSweeper(services: Services): { readonly close: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const again = () =>
    sweep(services, () => closed).finally(() => {
      if (!closed) schedule()
    })
  const schedule = () => {
    timer = setTimeout(
      () => {
        running = again()
      },
      SWEEP_EVERY_MS * (0.9 + 0.2 * Math.random()),
    )
    timer.unref()
  }
  let running = again()
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}

/**
 * One sweep, where no other process has the turn. It asks Redis about each tenant that Postgres knows. A scan of Redis would walk over a day's answers to find the few queues
 * (millions of keys at 100 commands a second), and a list in Redis of who has commands would have to be right after every crash,
 * beside older processes that do not keep it.
 */
export async function sweep({ pool, queues, log }: Services, isClosed = () => false): Promise<void> {
  try {
    if (!(await queues.mayI('sweep-tenants', shardTag(0), SWEEP_EVERY_MS))) return
    let last: string | undefined = '0'
    while (last !== undefined && !isClosed()) {
      const page = await tenantsAfter(pool, last)
      for (const tenantId of await queues.withCommands(page)) await queues.makeReady(tenantId)
      last = page[PAGE_TENANTS - 1]
    }
  } catch (error) {
    log.warn({ err: error }, 'sweep failed')
  }
}

async function tenantsAfter(pool: Pool, last: string): Promise<string[]> {
  const found = await pool.any(rows(v.object({ tenant_id: v.string() }))`
    select tenant_id from tenants where tenant_id > ${last}::bigint order by tenant_id limit ${PAGE_TENANTS}`)
  return found.map(({ tenant_id }) => tenant_id)
}
