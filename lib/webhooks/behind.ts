/** Finds the tenants that are behind: they have events that are not relayed or recovered yet. A sweep looks at them. */
import * as v from 'valibot'
import { type Fragment, fixedFragment, type Pool, rows, sql } from '../platform/postgres/postgres.ts'

/** The most tenants of one step. */
const PAGE = 500
/** With more events than this since the last sweep, a look at all tenants costs less. */
const EVENTS_MAX = 50_000
/** The limits are part of the text: for a bound parameter, PostgreSQL would plan for a tenth of the table. */
const nextTenants = fixedFragment(`order by tenant_id limit ${PAGE}`)
const firstEvents = fixedFragment(`order by created_at limit ${EVENTS_MAX}`)

/**
 * The tenants among these (with `tenant_id`) that have events which are not relayed or recovered yet. Tenants that are being relayed now
 * are included.
 */
const behindOf = (tenants: Fragment) => sql.fragment`
  select c.tenant_id::text as tenant_id from (${tenants}) c
  cross join lateral (select relayed_sequence from webhook_relays where tenant_id = c.tenant_id limit 1) r
  cross join lateral (select event_sequence from tenant_streams where tenant_id = c.tenant_id limit 1) s
  where s.event_sequence > r.relayed_sequence or c.tenant_id in (select tenant_id from webhook_recoveries)
  order by c.tenant_id`

/** Tenants as a JSON array, and the last tenant of this step; null: there are no more. */
const BehindRow = v.object({ behind: v.string(), last: v.nullable(v.string()) })

/** All tenants with webhooks that are behind, some hundreds at a time, in order. */
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
 * The tenants that are behind, among those that had events since a time, are recovering, or are in `named`; and the time of this look. The
 * cost grows with the events since then. Null if a look at all tenants costs less.
 *
 * Events carry their tenant's time, which begins with the unit of work. After a clock was set back, that time is ahead of the clock. So
 * `since` is moved back by the longest time of a transaction, and is never later than now.
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
