/**
 * The sweeper: finds queues with commands whose tenant is not ready (after a crash between two steps, or a lost ready queue) and makes the
 * tenant ready. It moves no commands. It rarely has work: a server that waits for an answer makes its tenant ready much sooner.
 */
import * as v from 'valibot'
import { shardTag, shardTags } from '../../lib/pipeline/redis-keys.ts'
import type { CommandQueues } from '../../lib/pipeline/tenant-queues.ts'
import { inCell } from '../../lib/platform/cells.ts'
import { fixedFragment, type Pool, rows } from '../../lib/platform/postgres/postgres.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { NoAnswerInTime, within } from '../../lib/platform/within.ts'
import { type Repeating, repeat } from '../repeat.ts'

/** One of all processes sweeps this often. */
const SWEEP_EVERY_MS = 15_000
/** How many tenants each sweep takes from the pass over all tenants. They take some milliseconds, however many tenants there are. */
const PASS_TENANTS = 1_000
/** A silent Redis node delays the sweep of its shards by this time, and no other shard. */
const PATIENCE_MS = 10_000
/** The limit is part of the text: for a bound parameter PostgreSQL would plan for a tenth of the table. */
const nextTenants = fixedFragment(`order by tenant_id limit ${PASS_TENANTS}`)

type Services = { readonly cell?: string; readonly pool: Pool; readonly queues: CommandQueues; readonly log: Log }

/** Sweeps until closed. Making a ready tenant ready again costs nothing, so the sweep does not check first. */
export const startSweeper = (services: Services): Repeating =>
  repeat(isClosing => sweep(services, isClosing), { pauseMs: () => SWEEP_EVERY_MS * (0.9 + 0.2 * Math.random()) })

/**
 * One sweep, if no other process has the turn. It checks the tenants that Redis lists as having commands, so its cost depends on the active
 * tenants. It also checks the next tenants of all that PostgreSQL knows, in case an older process or an operator's change in Redis left a
 * tenant out: 100,000 tenants in 25 minutes. A scan of Redis would read an hour's answers to find few queues.
 */
export async function sweep({ cell, pool, queues, log }: Services, isClosing = () => false): Promise<void> {
  const look = async (tenantIds: readonly string[]) => {
    for (const tenantId of await queues.withCommands(tenantIds)) await queues.makeReady(tenantId)
  }
  const sweepShard = async (tag: string) => {
    for await (const tenantIds of queues.queuedTenants(tag)) {
      if (isClosing()) return
      await look(tenantIds)
    }
  }
  const pass = async () => {
    if (isClosing()) return
    const next = await tenantsAfter(pool, await queues.passedTenant(cell))
    await look(next)
    await queues.notePassedTenant(next[PASS_TENANTS - 1] ?? '0', cell)
  }
  const inTime = (work: Promise<void>) =>
    within(PATIENCE_MS, work).catch(error => log.warn({ err: error }, 'sweep failed'))
  if (!(await hasTurn(queues, cell).catch(() => false))) return
  await Promise.all(shardTags(queues.shards).map(tag => inTime(sweepShard(tag))))
  await inTime(pass())
}

/** Without an answer each process has the turn: two sweeps cost more and do no harm. */
async function hasTurn(queues: CommandQueues, cell: string | undefined): Promise<boolean> {
  const turn = queues.mayI(inCell(cell, 'sweep-tenants'), shardTag(0), SWEEP_EVERY_MS)
  return within(PATIENCE_MS, turn).catch(error => {
    if (error instanceof NoAnswerInTime) return true
    throw error
  })
}

async function tenantsAfter(pool: Pool, last: string): Promise<string[]> {
  const found = await pool.any(rows(v.object({ tenant_id: v.string() }))`
    select tenant_id from tenants where tenant_id > ${last}::bigint ${nextTenants}`)
  return found.map(({ tenant_id }) => tenant_id)
}
