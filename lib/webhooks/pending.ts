/** Finds subscriptions with pending deliveries. */
import * as v from 'valibot'
import { type Fragment, type Pool, rows, sql } from '../platform/postgres/postgres.ts'

/** The most subscriptions of one step. */
const PAGE = 500

export type SubscriptionRef = { readonly tenantId: string; readonly subscriptionId: string }

/** A subscription with pending deliveries of one generation. */
type Pending = SubscriptionRef & { readonly generation: number }

/**
 * `pending (tenant_id, subscription_id, generation, n)`: the next subscriptions with pending deliveries, by generation; `n` counts the
 * deliveries. The query goes from one subscription to the next in the index of pending deliveries. So the cost grows with pending
 * deliveries, not with all deliveries. The order makes PostgreSQL use that index.
 */
export const pendingAfter = ({ tenantId, subscriptionId, generation }: Pending, limit: number): Fragment => {
  const first = sql.fragment`order by tenant_id, subscription_id, generation, next_attempt_at, id limit 1`
  return sql.fragment`
    pending as (
      (
        select tenant_id, subscription_id, generation, 1 as n from webhook_deliveries
        where status = 'pending'
          and (tenant_id, subscription_id, generation) > (${tenantId}::bigint, ${subscriptionId}::bigint, ${generation}::int)
        ${first}
      )
      union all
      select next.tenant_id, next.subscription_id, next.generation, p.n + 1
      from pending p
      cross join lateral (
        select tenant_id, subscription_id, generation from webhook_deliveries
        where status = 'pending'
          and (tenant_id, subscription_id, generation) > (p.tenant_id, p.subscription_id, p.generation)
        ${first}
      ) next
      where p.n < ${limit}::int
    )`
}

/** The first position, before all subscriptions. */
export const nothingPending: Pending = { tenantId: '0', subscriptionId: '0', generation: 0 }

/**
 * Subscriptions with deliveries that were due before a time, in order. Each step reads some hundreds of subscriptions with pending
 * deliveries.
 */
export async function* overdueSubscriptions(pool: Pool, dueBefore: string): AsyncGenerator<readonly SubscriptionRef[]> {
  const Row = v.object({
    tenantId: v.string(),
    subscriptionId: v.string(),
    generation: v.number(),
    isOverdue: v.boolean(),
    n: v.number(),
  })
  for (let last: Pending | undefined = nothingPending; last !== undefined; ) {
    const page: readonly v.InferOutput<typeof Row>[] = await pool.any(rows(Row)`
      with recursive ${pendingAfter(last, PAGE)}
      select * from (
        select p.n, p.tenant_id::text as "tenantId", p.subscription_id::text as "subscriptionId", p.generation,
          coalesce((
            select true from webhook_deliveries d
            where d.tenant_id = p.tenant_id and d.subscription_id = p.subscription_id and d.generation = s.generation
              and d.status = 'pending' and d.next_attempt_at <= ${dueBefore}::timestamptz
            limit 1
          ), false) as "isOverdue"
        from pending p
        left join lateral (
          select generation from webhook_subscriptions
          where tenant_id = p.tenant_id and id = p.subscription_id and generation = p.generation and deleted_at is null
          limit 1
        ) s on true
      ) looked_at
      where "isOverdue" or n = ${PAGE}
      order by n`)
    yield page
      .filter(({ isOverdue }) => isOverdue)
      .map(({ tenantId, subscriptionId }) => ({ tenantId, subscriptionId }))
    last = page.find(({ n }) => n === PAGE)
  }
}
