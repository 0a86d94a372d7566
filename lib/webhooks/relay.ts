/** Makes deliveries of a tenant's events in Postgres, and says which subscriptions have something due. */
import * as v from 'valibot'
import { takeIds } from '../postgres/ids.ts'
import { type Fragment, fixedFragment, isDistributed, type Pool, rows, sql } from '../postgres/postgres.ts'
import { continueRecovery } from './recovery-queries.ts'
import { withoutFlush } from './without-flush.ts'

/** Events and deliveries per round: the bounds on one transaction. An event's deliveries are made in one round. */
const EVENTS_PER_ROUND_MAX = 1_000
const DELIVERIES_PER_ROUND_MAX = 20_000
/** What a step of a sweep looks at. */
const PAGE = 500
/** Events of some seconds that a sweep goes through. */
const EVENTS_MAX = 50_000
/** Written out: by a limit that it does not know, Postgres would plan for a tenth of the table. */
const nextTenants = fixedFragment(`order by tenant_id limit ${PAGE}`)
const firstEvents = fixedFragment(`order by created_at limit ${EVENTS_MAX}`)

const RoundRow = v.object({ due: v.string(), isBehind: v.boolean(), isRecovering: v.boolean() })

/** Subscriptions that have deliveries due, and whether the tenant may have events that are not relayed or recovered yet. */
type RelayRound = { readonly due: readonly string[]; readonly isBehind: boolean }

/** Relays the next of a tenant's events, as many as one round may, and of those that are recovered. */
export async function relayTenant(pool: Pool, tenantId: string, now: string): Promise<RelayRound> {
  const { due, isBehind, isRecovering } = await relayRound(pool, tenantId, now)
  if (isRecovering) await continueRecovery(pool, tenantId, DELIVERIES_PER_ROUND_MAX)
  return { due: JSON.parse(due) as string[], isBehind: isBehind || isRecovering }
}

/**
 * One round, one statement (of which Citus makes several: a part of it without columns is none there). The relay's row lock makes rounds of a tenant serial, also across processes; it waits rather
 * than skips, since the other holder may have read before the event that we were told of. The row is read anew after the
 * wait, and the events that this statement sees are the tenant's first ones without a gap, because a tenant's sequence
 * commits in order.
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
        select tenant_id, sequence, id, type from events
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
      exists (select 1 from webhook_recoveries where tenant_id = ${tenantId}::bigint) as "isRecovering"`)
}

/** `id, `: the ids in the order of the rows. */
const idOfRow = (ids: readonly string[], order: Fragment): Fragment =>
  sql.fragment`(${sql.array([...ids], 'int8')})[row_number() over (order by ${order})], `

/** Ids for the deliveries that a round makes at most, and the last of the events that it may take then. */
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

/** Of `tenants` (with `tenant_id`) those with events that are not relayed or recovered yet; also who is being relayed now. */
const behindOf = (tenants: Fragment) => sql.fragment`
  select c.tenant_id::text as tenant_id from (${tenants}) c
  cross join lateral (select relayed_sequence from webhook_relays where tenant_id = c.tenant_id limit 1) r
  cross join lateral (select event_sequence from tenant_streams where tenant_id = c.tenant_id limit 1) s
  where s.event_sequence > r.relayed_sequence or c.tenant_id in (select tenant_id from webhook_recoveries)
  order by c.tenant_id`

/** Tenants as a JSON array, and after which one to go on; null at their end. */
const BehindRow = v.object({ behind: v.string(), last: v.nullable(v.string()) })

/** Who is behind of all tenants with webhooks, some hundreds of them at a time, in their order. */
export async function* tenantsBehind(pool: Pool): AsyncGenerator<readonly string[]> {
  for (let after: string | null = '0'; after !== null; ) {
    const { behind, last }: v.InferOutput<typeof BehindRow> = await pool.one(rows(BehindRow)`
      with page as materialized (
        select tenant_id from webhook_relays where tenant_id > ${after}::bigint ${nextTenants}
      ), behind as materialized (
        ${behindOf(sql.fragment`select tenant_id from page`)}
      )
      select (select coalesce(json_agg(tenant_id), '[]') from behind)::text as behind,
        (select case when count(*) = ${PAGE} then max(tenant_id)::text end from page) as last`)
    yield JSON.parse(behind) as string[]
    after = last
  }
}

/**
 * Who is behind of those that had events since a time, that are recovering, or that are named, and at what time that was so: it
 * costs what happened since. Null where that is so much that looking at all costs less.
 *
 * Events carry their tenant's time, which begins with the unit of work and, after the clock was set back, is ahead of it: so
 * `since` is taken for as much earlier as a transaction can last, and for no later than now.
 */
export async function recentlyBehind(
  pool: Pool,
  { since, named }: { readonly since: string; readonly named: readonly string[] },
): Promise<{ readonly behind: readonly string[] | null; readonly at: string }> {
  const Row = v.object({ events: v.number(), behind: v.string(), at: v.string() })
  const { events, behind, at } = await pool.one(rows(Row)`
    with recent as materialized (
      select tenant_id from events
      where created_at > least(${since}::timestamptz, now()) - interval '15 seconds' and created_at < 'infinity'
      ${firstEvents}
    ), behind as materialized (
      ${behindOf(sql.fragment`
        select tenant_id from recent
        union
        select tenant_id from webhook_recoveries
        union
        select unnest(${sql.array([...named], 'int8')})`)}
    )
    select (select count(*) from recent)::int as events, iso(now()) as at,
      (select coalesce(json_agg(tenant_id), '[]') from behind)::text as behind`)
  return { behind: events === EVENTS_MAX ? null : (JSON.parse(behind) as string[]), at }
}

export type SubscriptionRef = { readonly tenantId: string; readonly subscriptionId: string }

/** A subscription that has deliveries which wait, of one of its generations. */
type Pending = SubscriptionRef & { readonly generation: number }

/**
 * `pending (tenant_id, subscription_id, generation, n)`: the next subscriptions, by generation, that have deliveries which wait;
 * `n` counts them. It goes from one to the next in the index of what waits: that costs what waits, not what exists. The order
 * leaves that index only.
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

/** Before all of them. */
export const nothingPending: Pending = { tenantId: '0', subscriptionId: '0', generation: 0 }

/** Subscriptions with deliveries due before a time, in their order: of some hundreds with deliveries that wait at a time. */
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
