/**
 * The retry queue in Redis: for each subscription the time of its next retry, however many deliveries wait. It makes retries punctual.
 * PostgreSQL has the schedule, and the sweep finds what Redis lost. (A delayed job for each delivery took 835 bytes: 10 GB for 50 events a
 * second to a receiver that cannot be reached for three days.)
 */
import * as v from 'valibot'
import { inCell, MAIN } from '../platform/cells.ts'
import { jsonParameter, type Pool, rows } from '../platform/postgres/postgres.ts'
import { defineScript, type Redis, texts } from '../platform/redis/redis.ts'
import type { SubscriptionRef } from './pending.ts'
import { WEBHOOK_TAG } from './tenant-signals.ts'

export const RETRIES_KEY = `${WEBHOOK_TAG}:retries`

/** A subscription, and its next retry in ms since 1970. */
export type Retry = SubscriptionRef & { readonly at: number }

const memberOf = ({ tenantId, subscriptionId }: SubscriptionRef): string => `${tenantId}:${subscriptionId}`

/** Notes retries. A subscription keeps its earliest time. */
export async function noteRetries(redis: Redis, retries: readonly Retry[], cell = MAIN): Promise<void> {
  const members = retries.flatMap(({ at, ...of }) => [at, memberOf(of)])
  if (members.length > 0) await redis.zadd(inCell(cell, RETRIES_KEY), 'LT', ...members)
}

/** Removes deleted subscriptions. */
export async function forgetRetries(
  redis: Redis,
  subscriptions: readonly SubscriptionRef[],
  cell: string,
): Promise<void> {
  if (subscriptions.length > 0) await redis.zrem(inCell(cell, RETRIES_KEY), ...subscriptions.map(memberOf))
}

/** Takes subscriptions with a retry due at `now` (ms since 1970). Each goes to one process only. */
export function retryTaker(redis: Redis, cell = MAIN): (now: number, limit: number) => Promise<SubscriptionRef[]> {
  const take = defineScript(redis, new URL('./take-retries.lua', import.meta.url), 1, texts)
  return async (now, limit) =>
    (await take([inCell(cell, RETRIES_KEY)], [now, limit])).map(member => {
      const [tenantId = '', subscriptionId = ''] = member.split(':')
      return { tenantId, subscriptionId }
    })
}

export const countRetries = (redis: Redis, cell: string): Promise<number> => redis.zcard(inCell(cell, RETRIES_KEY))

/** The next retry of these subscriptions after `now`. Subscriptions without one are left out. */
export async function retriesAfter(
  pool: Pool,
  subscriptions: readonly SubscriptionRef[],
  now: string,
): Promise<readonly Retry[]> {
  const keys = subscriptions.map(({ tenantId, subscriptionId }) => ({ tenant_id: tenantId, id: subscriptionId }))
  const found = await pool.any(rows(v.object({ tenantId: v.string(), subscriptionId: v.string(), at: v.string() }))`
    select s.tenant_id::text as "tenantId", s.id::text as "subscriptionId",
      ceil(extract(epoch from d.next_attempt_at) * 1000)::text as at
    from jsonb_to_recordset(${jsonParameter(keys)}::jsonb) as asked(tenant_id bigint, id bigint)
    cross join lateral (
      select tenant_id, id, generation from webhook_subscriptions
      where tenant_id = asked.tenant_id and id = asked.id and deleted_at is null
      limit 1
    ) s
    cross join lateral (
      select next_attempt_at from webhook_deliveries
      where tenant_id = s.tenant_id and subscription_id = s.id and generation = s.generation
        and status = 'pending' and next_attempt_at > ${now}::timestamptz
      order by next_attempt_at
      limit 1
    ) d`)
  return found.map(retry => ({ ...retry, at: Number(retry.at) }))
}
