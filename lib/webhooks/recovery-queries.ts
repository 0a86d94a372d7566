/**
 * The SQL of recoveries: the events of a recovery, how many were not delivered, and their deliveries. The command makes the first step, and
 * the relay the others.
 */
import { question } from '../kit/documents/question.ts'
import { takeIds } from '../platform/postgres/ids.ts'
import { fixedFragment, isDistributed, type Pool, sql, statement } from '../platform/postgres/postgres.ts'
import type { Query } from '../platform/postgres/round-trip.ts'
import { EVENT_ID } from './event-id.ts'
import { Delivery, Subscription } from './noun.ts'
import { withoutFlush } from './without-flush.ts'

/**
 * Events from the first to the last sequence, both included. Empty where the first is greater. `leftOut`: how many sequence numbers in
 * between have no event.
 */
export type EventRange = { readonly first: string; readonly last: string; readonly leftOut: string }

export const lengthOf = ({ first, last, leftOut }: EventRange): number =>
  Number(BigInt(last) - BigInt(first) + 1n - BigInt(leftOut))

/**
 * The search by time begins this much earlier, and takes the first event of the right time from there. So it misses no event if the clock
 * was set back by less.
 */
const CLOCK_SET_BACK_S_MAX = 3_600
/** How long missed deliveries of a disabled subscription are kept, in days. */
const REACH_DAYS = 14

/**
 * The tenant's events from `since` on. The first one is found by binary search: times rise with the sequence, and removed events are older
 * than all kept ones. Null if there is no such subscription.
 */
export const rangeSince = question({
  name: 'events since',
  keys: { id: 'bigint', since: 'timestamptz' },
  sql: `
    with recursive wanted as materialized (
      select greatest($3::timestamptz, now() - make_interval(days => ${REACH_DAYS})) as since
    ), search(low, high, last) as (
      -- What is sought lies above low and is high at most.
      select 0::bigint, t.event_sequence + 1, t.event_sequence
      from webhook_subscriptions s join tenant_streams t on t.tenant_id = s.tenant_id
      where s.tenant_id = $1::bigint and s.id = $2::bigint and s.deleted_at is null
      union all
      select case when m.is_later then a.low else m.middle end, case when m.is_later then m.middle else a.high end, a.last
      from search a
      cross join lateral (
        select (a.low + a.high) / 2 as middle, coalesce((
          select e.created_at >= (select since from wanted) - make_interval(secs => ${CLOCK_SET_BACK_S_MAX})
          from events e
          -- The next one, where numbers were left out.
          where e.tenant_id = $1::bigint and e.sequence >= (a.low + a.high) / 2
          order by e.sequence
          limit 1
        ), false) as is_later
      ) m
      where a.high - a.low > 1
    ), found as (
      select high, last from search order by high - low limit 1
    ), range as materialized (
      select found.last, coalesce((
        select e.sequence from events e
        where e.tenant_id = $1::bigint and e.sequence >= found.high and e.created_at >= (select since from wanted)
        order by e.sequence
        limit 1
      ), found.last + 1) as first
      from found
    )
    select last, first, (
      select coalesce(sum(until_sequence - after_sequence), 0)::bigint from event_gaps
      where tenant_id = $1::bigint and after_sequence >= first and until_sequence < last
    ) as left_out
    from range`,
  read: ([row]): EventRange | null =>
    row === undefined ? null : { first: row['first'] ?? '', last: row['last'] ?? '', leftOut: row['left_out'] ?? '0' },
  reads: [Subscription.table],
})

/** The time of the event with this sequence, or of the next kept event. */
export const timeOfEvent = question({
  name: 'time of event',
  keys: { sequence: 'bigint' },
  sql: `
    select iso(created_at) as at from events where tenant_id = $1::bigint and sequence >= $2::bigint
    order by sequence limit 1`,
  read: ([row]) => row?.['at'] ?? null,
})

/**
 * How many events of the range, of the subscription's kinds, were not delivered to it: all events less the delivered ones. Both are counted
 * in an index; a join would look up each event.
 */
export const missed = question({
  name: 'missed events',
  keys: { id: 'bigint', first: 'bigint', last: 'bigint' },
  sql: `
    with s as materialized (
      select events, '*' = any (events) as is_all from webhook_subscriptions
      where tenant_id = $1::bigint and id = $2::bigint
    )
    select (
      select count(*) from events e
      where e.tenant_id = $1::bigint and e.sequence between $3::bigint and $4::bigint
        and ((select is_all from s) or e.type = any ((select events from s)::text[]))
    ) - (
      select count(*) from (
        -- Ordered, so that it is a range of the index over sequences.
        select from webhook_deliveries d
        where d.tenant_id = $1::bigint and d.subscription_id = $2::bigint
          and d.sequence between $3::bigint and $4::bigint and d.status = 'succeeded'
          and ((select is_all from s) or d.event_type = any ((select events from s)::text[]))
        order by d.sequence
        offset 0
      ) delivered
    ) as count`,
  read: ([row]) => Number(row?.['count'] ?? 0),
  reads: [Subscription.table, Delivery.table],
})

/**
 * Makes or renews the deliveries of the events of the row `step` that the subscription did not get. They become due in the order of their
 * sequence, a microsecond apart, because ids of existing deliveries do not follow that order. A success that is being noted meanwhile stays
 * a success. The events are selected in a part of their own, because Citus makes a wrong plan for an insert that selects from a table.
 */
const scheduleOf = (id: { readonly column: string; readonly value: string }) => `
  missed as materialized (
    select e.tenant_id, step.subscription_id, step.generation, e.event_id, e.type, e.sequence,
      step.due_at - interval '1 microsecond' * (step.range_last - e.sequence + 1) as next_attempt_at, step.due_at
    from step
    cross join lateral (
      select tenant_id, type, sequence, ${EVENT_ID} as event_id from events e
      where e.tenant_id = step.tenant_id and e.sequence between step.first and step.last
        and ('*' = any (step.events) or e.type = any (step.events))
      offset 0
    ) e
    where step.is_current and e.sequence not in (
      -- Depends on no event, so that it is read once; ordered, so that it is a range of the index over sequences.
      select d.sequence from webhook_deliveries d
      where d.tenant_id = (select tenant_id from step) and d.subscription_id = (select subscription_id from step)
        and d.sequence between (select first from step) and (select last from step) and d.status = 'succeeded'
      order by d.sequence
      offset 0
    )
    order by e.sequence
  ), made as (
    insert into webhook_deliveries (
      ${id.column}tenant_id, subscription_id, generation, event_id, event_type, sequence, next_attempt_at, created_at
    )
    select ${id.value}tenant_id, subscription_id, generation, event_id, type, sequence, next_attempt_at, due_at
    from missed
    order by sequence
    on conflict (tenant_id, subscription_id, sequence) do update
    set status = 'pending', generation = excluded.generation, round_attempts = 0,
      next_attempt_at = excluded.next_attempt_at, completed_at = null
    where webhook_deliveries.status <> 'succeeded'
    returning 1
  )`
const schedule = scheduleOf({ column: '', value: '' })
/** As `schedule`, with ids from a parameter. */
const scheduleWithIds = (parameter: string): string =>
  scheduleOf({ column: 'id, ', value: `(${parameter}::bigint[])[row_number() over (order by sequence)], ` })

/**
 * The first step of a recovery, over at most this many events, and a note of the rest for the relay. Includes the rest of an earlier
 * recovery, if there is one.
 */
export const beginRecovery = (
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  {
    range: { first, last },
    eventsMax,
    now,
    ids,
  }: {
    readonly range: EventRange
    readonly eventsMax: number
    readonly now: string
    readonly ids?: readonly string[] | undefined
  },
): Query => ({
  text: `
    with step as materialized (
      select tenant_id, id as subscription_id, generation, events, true as is_current, $3::bigint as first,
        least($3::bigint + $4::integer - 1, $5::bigint) as last, $5::bigint as range_last, $6::timestamptz as due_at
      from webhook_subscriptions
      where tenant_id = $1::bigint and id = $2::bigint
    ), ${ids ? scheduleWithIds('$7') : schedule}
    insert into webhook_recoveries as r (tenant_id, subscription_id, generation, next_sequence, last_sequence, due_at)
    select tenant_id, subscription_id, generation, last + 1, range_last, due_at from step where last < range_last
    on conflict (tenant_id, subscription_id) do update
    set generation = excluded.generation, last_sequence = excluded.last_sequence, due_at = excluded.due_at,
      next_sequence = case when r.generation = excluded.generation
        then least(r.next_sequence, excluded.next_sequence) else excluded.next_sequence end`,
  values: [tenantId, id, first, eventsMax, last, now, ...(ids ? [ids] : [])],
})

/**
 * One more step of a tenant's recoveries, over at most this many events; does nothing without recoveries. The subscription's lock is taken
 * first and makes steps serial (noun.ts, "Locks"). Events that were recovered before the subscription was disabled are no longer sent.
 */
export async function continueRecovery(pool: Pool, tenantId: string, eventsMax: number): Promise<void> {
  const ids = isDistributed(pool) ? await takeIds(pool, eventsMax) : null
  const [before = '', after = ''] = scheduleWithIds('@').split('@')
  const scheduled = ids
    ? sql.fragment`${fixedFragment(before)}${sql.array([...ids], 'int8')}${fixedFragment(after)}`
    : fixedFragment(schedule)
  await pool.query(statement`
    with next as materialized (
      select tenant_id, subscription_id from webhook_recoveries
      where tenant_id = ${tenantId}::bigint and ${withoutFlush}
      order by subscription_id
      limit 1
    ), s as materialized (
      select s.* from next
      cross join lateral (
        select * from webhook_subscriptions where tenant_id = next.tenant_id and id = next.subscription_id
        limit 1
        for no key update
      ) s
    ), step as materialized (
      select r.tenant_id, r.subscription_id, s.generation, s.events,
        r.generation = s.generation and s.deleted_at is null as is_current, first.sequence as first,
        least(first.sequence + ${eventsMax} - 1, r.last_sequence) as last, r.last_sequence as range_last, r.due_at
      from s
      cross join lateral (
        select * from webhook_recoveries where tenant_id = s.tenant_id and subscription_id = s.id
        limit 1
        for no key update
      ) r
      cross join lateral (
        -- Not number by number through those that were left out.
        select coalesce((
          select e.sequence from events e where e.tenant_id = r.tenant_id and e.sequence >= r.next_sequence
          order by e.sequence limit 1
        ), r.last_sequence) as sequence
      ) first
    ), ${scheduled}, moved as (
      update webhook_recoveries r set next_sequence = step.last + 1
      from step
      where r.tenant_id = step.tenant_id and r.subscription_id = step.subscription_id
        and step.is_current and step.last < step.range_last
    )
    delete from webhook_recoveries r using step
    where r.tenant_id = step.tenant_id and r.subscription_id = step.subscription_id
      and not (step.is_current and step.last < step.range_last)`)
}
