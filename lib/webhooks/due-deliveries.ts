/**
 * Reads the due deliveries of a subscription, with everything that an attempt needs. It reserves nothing: one sender at a time sends a
 * subscription's deliveries. After a lost lease a second sender may send a copy, which receivers recognise by its webhook-id.
 */
import * as v from 'valibot'
import { type Pool, rows, sql, statement } from '../platform/postgres/postgres.ts'
import { nothingPending, pendingAfter, type SubscriptionRef } from './pending.ts'

const DueRow = v.object({
  id: v.string(),
  generation: v.number(),
  eventId: v.string(),
  eventType: v.string(),
  attempts: v.number(),
  roundAttempts: v.number(),
  /** Null when the event is no longer kept. */
  body: v.nullable(v.string()),
  /** In ms since 1970: when the event happened, or the delivery was made. */
  since: v.string(),
  url: v.string(),
  /** Hex, the newest first, as a JSON array. */
  secrets: v.string(),
  /** The span of the event's command, if its trace is kept (W3C traceparent). */
  trace: v.nullable(v.string()),
})

export type DueDelivery = Readonly<v.InferOutput<typeof DueRow>>

/** The first deliveries that are due at `now`, in the order in which they became due, without those in `except`. */
export async function dueDeliveries(
  pool: Pool,
  { tenantId, subscriptionId }: SubscriptionRef,
  { now, except, limit }: { readonly now: string; readonly except: readonly string[]; readonly limit: number },
): Promise<readonly DueDelivery[]> {
  return pool.any(rows(DueRow)`
    with s as materialized (
      select s.tenant_id, s.id, s.generation, s.url, (
        select coalesce(json_agg(encode(w.sealed, 'hex') order by w.id desc), '[]')::text
        from webhook_secrets w
        where w.tenant_id = s.tenant_id and w.subscription_id = s.id
          and (w.expires_at is null or w.expires_at > ${now}::timestamptz)
      ) as secrets
      from webhook_subscriptions s
      where s.tenant_id = ${tenantId}::bigint and s.id = ${subscriptionId}::bigint and s.deleted_at is null
        -- While it is moved to another cell they rest, here and there.
        and (select moving is null from tenants where tenant_id = ${tenantId}::bigint)
    )
    select d.id::text as id, d.generation, d.event_id as "eventId", d.event_type as "eventType", d.attempts, d.round_attempts as "roundAttempts",
      coalesce(d.body, e.body) as body,
      floor(extract(epoch from coalesce(e.created_at, d.created_at)) * 1000)::text as since,
      s.url, s.secrets, e.trace_parent as trace
    from s
    join lateral (
      select * from webhook_deliveries d
      where d.tenant_id = s.tenant_id and d.subscription_id = s.id and d.generation = s.generation
        and d.status = 'pending' and d.next_attempt_at <= ${now}::timestamptz
        and d.id <> all (${sql.array([...except], 'int8')})
      order by d.next_attempt_at, d.id
      limit ${limit}
    ) d on true
    left join lateral (
      select body, created_at, trace_parent from events where tenant_id = d.tenant_id and sequence = d.sequence limit 1
    ) e on true
    order by d.next_attempt_at, d.id`)
}

/**
 * How many deliveries are due at `now`, counted up to `max`. Deliveries that wait for a later attempt, or were dropped when their
 * subscription was disabled, do not count. The query reads the due deliveries, and once each subscription with waiting deliveries.
 */
export async function countDue(
  pool: Pool,
  { now, max }: { readonly now: string; readonly max: number },
): Promise<number> {
  const { count } = await pool.one(rows(v.object({ count: v.number() }))`
    with recursive ${pendingAfter(nothingPending, max)}
    select count(*)::int as count
    from (
      select
      from pending p
      cross join lateral (
        select generation from webhook_subscriptions
        where tenant_id = p.tenant_id and id = p.subscription_id and generation = p.generation and deleted_at is null
        limit 1
      ) s
      cross join lateral (
        select from webhook_deliveries d
        where d.tenant_id = p.tenant_id and d.subscription_id = p.subscription_id and d.generation = s.generation
          and d.status = 'pending' and d.next_attempt_at <= ${now}::timestamptz
        offset 0
      ) d
      limit ${max}
    ) due`)
  return count
}

/** Gives up a delivery whose event is no longer kept. The receiver has not failed. */
export async function giveUpExpired(
  pool: Pool,
  { tenantId, deliveryId, now }: { readonly tenantId: string; readonly deliveryId: string; readonly now: string },
): Promise<void> {
  await pool.query(statement`
    update webhook_deliveries
    set status = 'failed', error = 'the event is older than 30 days', next_attempt_at = null, completed_at = ${now}::timestamptz
    where tenant_id = ${tenantId}::bigint and id = ${deliveryId}::bigint and status = 'pending'`)
}
