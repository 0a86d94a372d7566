/** Looks for commands, deliveries and expired batches that wait although they should be done. It moves nothing. */

import { countUntoldTenants } from '../../domain/stock/batches/queries.ts'
import { queueNameOf, shardTag } from '../../pipeline/redis-keys.ts'
import { CommandQueues } from '../../pipeline/tenant-queues.ts'
import type { Pool } from '../../platform/postgres/postgres.ts'
import type { Redis } from '../../platform/redis/redis.ts'
import { overdueSubscriptions } from '../../webhooks/pending.ts'
import { duration, type Finding, fault, fine, warning } from './finding.ts'

/** Callers have their answer, or a 503, after 15 s. The sweeper looks every 15 s. */
const COMMAND_AGE_MS_MAX = 30_000
/** The most queues whose oldest command is examined. */
const QUEUES_MAX = 200
const DELIVERY_DELAY_MS_MAX = 300_000
const SUBSCRIPTIONS_MAX = 100
/** Within a minute a batch is told; 100,000 of one midnight may take longer. */
const UNTOLD_MINUTES_MAX = 10

export async function checkQueues(redis: Redis, shards: number, now: Date): Promise<Finding> {
  const queues = new CommandQueues(redis, shards)
  let tenants = 0
  let waiting = 0
  let oldestMs = 0
  for (let shard = 0; shard < shards; shard++) {
    const tag = shardTag(shard)
    const [ready] = await queues.readyQueue(tag).getWaiting(0, 0)
    if (ready) oldestMs = Math.max(oldestMs, now.getTime() - ready.timestamp)
    for (const tenantId of await queues.tenantsWithCommands(tag, QUEUES_MAX)) {
      const queue = queues.queue(queueNameOf(tenantId), tag)
      const { wait = 0, active = 0 } = await queue.getJobCounts('wait', 'active')
      const [oldest] = await queue.getJobs(['active', 'wait'], 0, 0, true)
      tenants++
      waiting += wait + active
      if (oldest) oldestMs = Math.max(oldestMs, now.getTime() - oldest.timestamp)
    }
  }
  const check = 'command queues'
  if (oldestMs > COMMAND_AGE_MS_MAX)
    return fault(
      check,
      `${waiting} commands of ${tenants} tenants wait, the oldest for ${duration(oldestMs)}`,
      'start worker processes, or more of them; those that run: look for "drain interrupted" and "ready queue" in their logs, and that QUEUE_SHARDS is the same everywhere',
    )
  return fine(check, waiting === 0 ? 'empty' : `${waiting} commands wait, the oldest for ${duration(oldestMs)}`)
}

export async function checkDeliveries(pool: Pool, now: Date): Promise<Finding> {
  const dueBefore = new Date(now.getTime() - DELIVERY_DELAY_MS_MAX).toISOString()
  let overdue = 0
  for await (const { length } of overdueSubscriptions(pool, dueBefore)) {
    overdue += length
    if (overdue >= SUBSCRIPTIONS_MAX) break
  }
  if (overdue === 0) return fine('webhook deliveries', 'none is late')
  const count = overdue >= SUBSCRIPTIONS_MAX ? `${SUBSCRIPTIONS_MAX} or more` : String(overdue)
  return warning(
    'webhook deliveries',
    `${count} subscriptions wait for more than ${duration(DELIVERY_DELAY_MS_MAX)}`,
    'start webhook processes, or more of them',
  )
}

export async function checkExpiry(pool: Pool): Promise<Finding> {
  const check = 'expired batches'
  const tenants = await countUntoldTenants(pool, { minutes: UNTOLD_MINUTES_MAX })
  if (tenants === 0) return fine(check, 'all are told')
  return warning(
    check,
    `${tenants} tenants have batches that expired more than ${UNTOLD_MINUTES_MAX} min ago and were not told: events are missing, what is available is right`,
    'start worker processes; those that run: look for "what is due" in their logs',
  )
}
