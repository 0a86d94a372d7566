/** Makes deliveries of a tenant's events in PostgreSQL, and returns the subscriptions with something due. */
import * as v from 'valibot'
import { takeIds } from '../platform/postgres/ids.ts'
import { type Fragment, isDistributed, type Pool, rows, sql } from '../platform/postgres/postgres.ts'
import { eventId } from './event-id.ts'
import { continueRecovery } from './recovery-queries.ts'
import { withoutFlush } from './without-flush.ts'

/** The limits of one transaction. One round makes all deliveries of an event. */
const EVENTS_PER_ROUND_MAX = 1_000
const DELIVERIES_PER_ROUND_MAX = 20_000

const RoundRow = v.object({ due: v.string(), isBehind: v.boolean(), isRecovering: v.boolean() })

/** Subscriptions with due deliveries, and whether the tenant may have more events to relay or recover. */
type RelayRound = { readonly due: readonly string[]; readonly isBehind: boolean }

/** Makes the deliveries of the tenant's next events, as many as one round may have, and of events in recovery. */
export async function relayTenant(pool: Pool, tenantId: string, now: string): Promise<RelayRound> {
  const { due, isBehind, isRecovering } = await relayRound(pool, tenantId, now)
  if (isRecovering) await continueRecovery(pool, tenantId, DELIVERIES_PER_ROUND_MAX)
  return { due: JSON.parse(due) as string[], isBehind: isBehind || isRecovering }
}

/**
 * One statement per round. Citus plans it as several, so each part must select at least one column. The relay's row lock makes the rounds
 * of a tenant serial, also across processes. The statement waits for that lock, because the process that has it may have read before this
 * signal's event. It reads the row again after the wait. A tenant's sequence commits in order, so the events that this statement sees are
 * the next ones without a gap.
 */
async function relayRound(pool: Pool, tenantId: string, now: string) {
  const given = isDistributed(pool) ? await idsOfRound(pool, tenantId) : null
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
        select tenant_id, sequence, ${eventId} as id, type from events
        where tenant_id = r.tenant_id and sequence > r.relayed_sequence
          ${given ? sql.fragment`and sequence <= ${given.last}::bigint` : sql.fragment``}
        order by sequence
        limit (select events from bound)
      ) e
    ), made as (
      insert into webhook_deliveries (
        ${given ? sql.fragment`id, ` : sql.fragment``}tenant_id, subscription_id, generation, event_id, event_type, sequence, next_attempt_at, created_at
      )
      select ${given ? idOfRow(given.ids, sql.fragment`n.sequence, s.id`) : sql.fragment``}n.tenant_id, s.id, s.generation, n.id, n.type, n.sequence, ${now}::timestamptz, ${now}::timestamptz
      from news n
      join receivers s on s.enabled and n.sequence > s.from_sequence
        and ('*' = any (s.events) or n.type = any (s.events))
      order by n.sequence, s.id
      on conflict (tenant_id, subscription_id, sequence) do nothing
      returning subscription_id
    ), moved as (
      update webhook_relays set relayed_sequence = (select max(sequence) from news)
      where tenant_id = ${tenantId}::bigint and exists (select 1 from news)
    ), due as (
      select subscription_id as id from made
      union
      -- Those with new deliveries are not looked up: every new one would be met before it is visible.
      select s.id from receivers s
      where s.id not in (select subscription_id from made) and (
        -- Not by EXISTS, which may be answered by reading all that is due to anybody.
        select true from webhook_deliveries d
        where d.tenant_id = s.tenant_id and d.subscription_id = s.id and d.generation = s.generation
          and d.status = 'pending' and d.next_attempt_at <= ${now}::timestamptz
        limit 1
      )
    )
    select (select coalesce(json_agg(id::text), '[]') from due)::text as due,
      (select count(*) from news) = (select events from bound) as "isBehind",
      exists (select 1 from webhook_recoveries where tenant_id = ${tenantId}::bigint) as "isRecovering"`)
}

/** The SQL of an id for each row, in the order of the rows. */
const idOfRow = (ids: readonly string[], order: Fragment): Fragment =>
  sql.fragment`(${sql.array([...ids], 'int8')})[row_number() over (order by ${order})], `

/** Ids for as many deliveries as a round may make, and the last event that the round may then take. */
async function idsOfRound(pool: Pool, tenantId: string): Promise<{ ids: readonly string[]; last: string }> {
  const { deliveries, last } = await pool.one(rows(v.object({ deliveries: v.number(), last: v.string() }))`
    with receivers as materialized (
      select count(*) as count from webhook_subscriptions
      where tenant_id = ${tenantId}::bigint and deleted_at is null and enabled
    ), news as materialized (
      select e.sequence
      from webhook_relays r cross join lateral (
        select sequence from events where tenant_id = r.tenant_id and sequence > r.relayed_sequence
        order by sequence
        limit (
          select greatest(1, least(${EVENTS_PER_ROUND_MAX}, ${DELIVERIES_PER_ROUND_MAX} / greatest(1, count))) from receivers
        )
      ) e
      where r.tenant_id = ${tenantId}::bigint
    )
    select ((select count(*) from news) * (select count from receivers))::int as deliveries,
      coalesce((select max(sequence) from news), 0)::text as last`)
  return { ids: await takeIds(pool, deliveries), last }
}
