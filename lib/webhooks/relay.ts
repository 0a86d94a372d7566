/** Makes deliveries of a tenant's events in Postgres, and says which subscriptions have something due. */
import * as v from 'valibot'
import { type Pool, rows } from '../postgres/postgres.ts'
import { continueRecovery } from './recovery-queries.ts'
import { withoutFlush } from './without-flush.ts'

/** Events and deliveries per round: the bounds on one transaction. An event's deliveries are made in one round. */
const EVENTS_PER_ROUND_MAX = 1_000
const DELIVERIES_PER_ROUND_MAX = 20_000

const RoundRow = v.object({ due: v.string(), isBehind: v.boolean(), isRecovering: v.boolean() })

/** Subscriptions that have deliveries due, and whether the tenant may have events that are not relayed or recovered yet. */
export type RelayRound = { readonly due: readonly string[]; readonly isBehind: boolean }

/** Relays the next of a tenant's events, as many as one round may, and of those that are recovered. */
export async function relayTenant(pool: Pool, tenantId: string, now: string): Promise<RelayRound> {
  const { due, isBehind, isRecovering } = await relayRound(pool, tenantId, now)
  if (isRecovering) await continueRecovery(pool, tenantId, DELIVERIES_PER_ROUND_MAX)
  return { due: JSON.parse(due) as string[], isBehind: isBehind || isRecovering }
}

/**
 * One round, one statement. The relay's row lock makes rounds of a tenant serial, also across processes; it waits rather
 * than skips, since the other holder may have read before the event that we were told of. The row is read anew after the
 * wait, and the events that this statement sees are the tenant's first ones without a gap, because a tenant's sequence
 * commits in order.
 */
async function relayRound(pool: Pool, tenantId: string, now: string) {
  return pool.one(rows(RoundRow)`
    with relay as materialized (
      select tenant_id, relayed_sequence from webhook_relays
      where tenant_id = ${tenantId}::bigint and ${withoutFlush}
      for update
    ), receivers as materialized (
      select * from webhook_subscriptions where tenant_id = ${tenantId}::bigint and deleted_at is null
    ), bound as materialized (
      select greatest(1, least(${EVENTS_PER_ROUND_MAX}, ${DELIVERIES_PER_ROUND_MAX} / greatest(1, count(*)))) as events
      from receivers where enabled
    ), news as materialized (
      select e.tenant_id, e.sequence, e.id, e.type
      from relay r cross join lateral (
        select tenant_id, sequence, id, type from events
        where tenant_id = r.tenant_id and sequence > r.relayed_sequence
        order by sequence
        limit (select events from bound)
      ) e
    ), made as (
      insert into webhook_deliveries (
        tenant_id, subscription_id, generation, event_id, event_type, sequence, next_attempt_at, created_at
      )
      select n.tenant_id, s.id, s.generation, n.id, n.type, n.sequence, ${now}::timestamptz, ${now}::timestamptz
      from news n
      join receivers s on s.enabled and n.sequence > s.from_sequence
        and ('*' = any (s.events) or n.type = any (s.events))
      order by n.sequence, s.id
      on conflict (tenant_id, subscription_id, sequence) do nothing
      returning subscription_id
    ), moved as (
      update webhook_relays set relayed_sequence = (select max(sequence) from news)
      where tenant_id = ${tenantId}::bigint and exists (select from news)
    ), due as (
      select subscription_id as id from made
      union
      select s.id from receivers s
      where (
        -- Not by EXISTS, which may be answered by reading all that is due to anybody.
        select true from webhook_deliveries d
        where d.tenant_id = s.tenant_id and d.subscription_id = s.id and d.generation = s.generation
          and d.status = 'pending' and d.next_attempt_at <= ${now}::timestamptz
        limit 1
      )
    )
    select (select coalesce(json_agg(id::text), '[]') from due)::text as due,
      (select count(*) from news) = (select events from bound) as "isBehind",
      exists (select from webhook_recoveries where tenant_id = ${tenantId}::bigint) as "isRecovering"`)
}

/**
 * Tenants after the given one whose events have not all been relayed or recovered, in order: what a lost message or a crash left. Skips
 * who is being relayed now.
 */
export async function tenantsBehind(
  pool: Pool,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<string[]> {
  const found = await pool.any(rows(v.object({ tenant_id: v.string() }))`
    select r.tenant_id::text as tenant_id
    from webhook_relays r join tenant_streams s on s.tenant_id = r.tenant_id
    where (s.event_sequence > r.relayed_sequence or r.tenant_id in (select tenant_id from webhook_recoveries))
      and r.tenant_id > ${after ?? '0'}::bigint
    order by r.tenant_id
    limit ${limit}
    for update of r skip locked`)
  return found.map(row => row.tenant_id)
}

export type SubscriptionRef = { readonly tenantId: string; readonly subscriptionId: string }

/** Subscriptions with deliveries due before `dueBefore`, after the given one, in order: one probe of an index for each. */
export async function overdueSubscriptions(
  pool: Pool,
  {
    after,
    dueBefore,
    limit,
  }: { readonly after: SubscriptionRef | null; readonly dueBefore: string; readonly limit: number },
): Promise<SubscriptionRef[]> {
  return [
    ...(await pool.any(rows(v.object({ tenantId: v.string(), subscriptionId: v.string() }))`
      select s.tenant_id::text as "tenantId", s.id::text as "subscriptionId"
      from webhook_subscriptions s
      where (s.tenant_id, s.id) > (${after?.tenantId ?? '0'}::bigint, ${after?.subscriptionId ?? '0'}::bigint)
        and s.deleted_at is null and (
          select true from webhook_deliveries d
          where d.tenant_id = s.tenant_id and d.subscription_id = s.id and d.generation = s.generation
            and d.status = 'pending' and d.next_attempt_at <= ${dueBefore}::timestamptz
          limit 1
        )
      order by s.tenant_id, s.id
      limit ${limit}`)),
  ]
}
