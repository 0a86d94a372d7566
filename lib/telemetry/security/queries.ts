/**
 * Reads the counts of a window and its baseline: by day and key, by route, the networks of each key, and the keys that were
 * made and revoked. Only ranges of primary keys that start with the tenant are read, so a big tenant costs another nothing.
 */
import * as v from 'valibot'
import { type Connection, type Fragment, jsonParameter, rows, sql } from '../../postgres/postgres.ts'
import { countedMetrics } from './counted.ts'
import { BASELINE_DAYS, type Counts } from './rules.ts'
import type { Span } from './span.ts'

type Of = { readonly tenantId: string; readonly span: Span }

const separator = sql.fragment`, `
const columns = sql.join(
  countedMetrics.map(metric => sql.identifier([metric])),
  separator,
)
const cellColumns = sql.join(
  countedMetrics.map((_, code) => sql.fragment`case when metric = ${code} then count else 0 end`),
  separator,
)
const sums = sql.join(
  countedMetrics.map(metric => sql.fragment`sum(${sql.identifier([metric])})::text as ${sql.identifier([metric])}`),
  separator,
)

const isCut = ({ cutMinutes }: Span): Fragment =>
  sql.fragment`minute = any (array(select jsonb_array_elements_text(${jsonParameter(cutMinutes)}::jsonb)::timestamptz))`

/** Whole minutes from a day's bound to the window's end: all but those that a bound cuts. */
const wholeMinutes = (span: Span, from: string): Fragment =>
  sql.fragment`minute >= ${from}::timestamptz and minute < ${span.windowEnd}::timestamptz and not ${isCut(span)}`

/** The cut minutes from that of a day's bound on; the range says which partitions they lie in. */
const cutMinutes = (span: Span, from: string): Fragment =>
  sql.fragment`minute >= date_trunc('minute', ${from}::timestamptz) and minute < ${span.windowEnd}::timestamptz and ${isCut(span)}`

/** 0 to 6: the baseline's days; 7: the window (also the rest of a second that its end cuts). */
const dayOf = (span: Span, at: Fragment): Fragment =>
  sql.fragment`least(extract(day from ${at} - ${span.baselineStart}::timestamptz), ${BASELINE_DAYS})::int`

const CountsByDayAndKey = v.object({
  day: v.number(),
  key_id: v.string(),
  ...(Object.fromEntries(countedMetrics.map(metric => [metric, v.string()])) as Record<
    keyof Counts,
    v.StringSchema<undefined>
  >),
})

export type KeyDay = { readonly day: number; readonly keyId: string; readonly counts: Counts }

/** The counts of every key (`0`: the tenant's own) on every day of the span. */
export async function countsByDayAndKey(connection: Connection, { tenantId, span }: Of): Promise<KeyDay[]> {
  const found = await connection.any(rows(CountsByDayAndKey)`
    with counted as (
      select ${dayOf(span, sql.fragment`minute`)} as day, key_id, ${columns}
      from security_key_minutes
      where tenant_id = ${tenantId} and ${wholeMinutes(span, span.baselineStart)}
      union all
      select ${dayOf(span, sql.fragment`at`)} as day, key_id, ${cellColumns}
      from (
        select minute + make_interval(secs => second) as at, key_id, metric, count
        from security_key_minutes cross join lateral unnest(seconds, metrics, counts) as cell(second, metric, count)
        where tenant_id = ${tenantId} and ${cutMinutes(span, span.baselineStart)}
      ) as cells
      where at >= ${span.baselineStart}::timestamptz and at < ${span.windowEnd}::timestamptz
    )
    select day, key_id, ${sums}
    from counted
    group by day, key_id`)
  return found.map(({ day, key_id, ...counts }) => ({
    day,
    keyId: key_id,
    counts: Object.fromEntries(countedMetrics.map(metric => [metric, Number(counts[metric])])) as Counts,
  }))
}

const RouteRow = v.object({ method: v.string(), route: v.string(), requests: v.string(), errors: v.string() })

/** Requests and errors of each route in the window, the busiest first. */
export async function countsByRoute(connection: Connection, { tenantId, span }: Of) {
  const found = await connection.any(rows(RouteRow)`
    with counted as (
      select method, route, requests, errors
      from security_route_minutes
      where tenant_id = ${tenantId} and ${wholeMinutes(span, span.windowStart)}
      union all
      select method, route, cell.requests, cell.errors
      from security_route_minutes
        cross join lateral unnest(seconds, second_requests, second_errors) as cell(second, requests, errors)
      where tenant_id = ${tenantId} and ${cutMinutes(span, span.windowStart)}
        and minute + make_interval(secs => second) >= ${span.windowStart}::timestamptz
        and minute + make_interval(secs => second) < ${span.windowEnd}::timestamptz
    )
    select method, route, sum(requests)::text as requests, sum(errors)::text as errors
    from counted
    group by method, route
    order by sum(requests) desc, route, method`)
  return found.map(({ method, route, requests, errors }) => ({
    method,
    route,
    requests: Number(requests),
    errors: Number(errors),
  }))
}

/**
 * How many networks used each key in the window. The window begins on one UTC day and ends on the next: of the first it sees
 * the end (so the last sight decides), of the second the beginning (the first sight), both under the first day's key.
 */
export async function networksByKey(connection: Connection, { tenantId, span }: Of): Promise<Map<string, number>> {
  const firstDay = span.windowStart.slice(0, 10)
  const found = await connection.any(rows(v.object({ key_id: v.string(), networks: v.number() }))`
    select key_id, count(distinct network)::int as networks
    from (
      select key_id, network from security_networks
      where tenant_id = ${tenantId} and day = ${firstDay}::date and last_seen >= ${span.windowStart}::timestamptz
      union all
      select key_id, network_before from security_networks
      where tenant_id = ${tenantId} and day = ${firstDay}::date + 1 and first_seen < ${span.windowEnd}::timestamptz
    ) as seen
    group by key_id`)
  return new Map(found.map(({ key_id, networks }) => [key_id, networks]))
}

/** Keys made and revoked on each day of the span. */
export async function keyChangesByDay(connection: Connection, { tenantId, span }: Of) {
  const row = v.object({ day: v.number(), keys_created: v.number(), keys_revoked: v.number() })
  return connection.any(rows(row)`
    with changes as (
      select created_at as at, 1 as created, 0 as revoked from api_keys where tenant_id = ${tenantId}
      union all
      select revoked_at, 0, 1 from api_keys where tenant_id = ${tenantId} and revoked_at is not null
    )
    select ${dayOf(span, sql.fragment`at`)} as day, sum(created)::int as keys_created, sum(revoked)::int as keys_revoked
    from changes
    where at >= ${span.baselineStart}::timestamptz and at < ${span.windowEnd}::timestamptz
    group by 1`)
}
