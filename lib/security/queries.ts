/**
 * Reads the counts of a window and its baseline: by day and key, by route, the networks of each key, and the keys that were made and
 * revoked. It reads only ranges of primary keys that begin with the tenant, so that a large tenant costs others nothing.
 */
import * as v from 'valibot'
import { type Connection, type Fragment, jsonParameter, rows, sql } from '../platform/postgres/postgres.ts'
import { codeOf, countedMetrics } from './counted.ts'
import { BASELINE_DAYS, type Counts, noCounts } from './rules.ts'
import type { Span } from './span.ts'

type Of = { readonly tenantId: string; readonly span: Span }

const DAY_S = 86_400

/** From a second to the end of the span. */
const isOf = ({ tenantId, span }: Of, from: number): Fragment => sql.fragment`
  tenant_id = ${tenantId} and hour >= ${Math.floor(from / 3600)} and hour < ${Math.ceil(span.windowEnd / 3600)}`

const isCut = (span: Span, hour: Fragment): Fragment =>
  sql.fragment`${hour} = any (array(select jsonb_array_elements_text(${jsonParameter(span.cutHours)}::jsonb)::int))`

/** The time of a count, in seconds since 1970. */
const at = sql.fragment`hour * 3600::bigint + second`

/**
 * What was counted from a second to the end of the span: whole hours by their totals, hours that a bound cuts by their seconds, then counts
 * that were not added up yet.
 */
function counted(of: Of, from: number): Fragment {
  const { span } = of
  const isCutHour = isCut(span, sql.fragment`hour`)
  return sql.fragment`(
    select * from (
      select hour * 3600::bigint as at, key_id, method, route, metric, total as count
      from security_hours
      where ${isOf(of, from)} and not ${isCutHour}
      union all
      select ${at}, key_id, method, route, metric, coalesce(cell.count, 1)
      from security_hours cross join lateral unnest(seconds, counts) as cell(second, count)
      where ${isOf(of, from)} and ${isCutHour}
      union all
      select ${at}, key_id, method, route, metric, count
      from security_recent
      where ${isOf(of, from)}
    ) as counted
    where at >= ${from} and at < ${span.windowEnd}
  ) as counted`
}

/** 0 to 6: the baseline's days; 7: the window (including the rest of a second that its end cuts). */
const dayOf = (span: Span, at: Fragment): Fragment =>
  sql.fragment`least((${at} - ${span.baselineStart}) / ${DAY_S}, ${BASELINE_DAYS})::int`

const KeyMetric = v.object({ day: v.number(), key_id: v.string(), metric: v.number(), count: v.string() })

export type KeyDay = { readonly day: number; readonly keyId: string; readonly counts: Counts }

/** The counts of every key (`0`: the tenant's own) on every day of the span. */
export async function countsByDayAndKey(connection: Connection, of: Of): Promise<KeyDay[]> {
  const found = await connection.any(rows(KeyMetric)`
    select ${dayOf(of.span, sql.fragment`at`)} as day, key_id, metric, sum(count)::text as count
    from ${counted(of, of.span.baselineStart)}
    group by 1, 2, 3`)
  const keyDays = new Map<string, { day: number; keyId: string; counts: { -readonly [M in keyof Counts]: number } }>()
  for (const { day, key_id: keyId, metric, count } of found) {
    const name = countedMetrics[metric]
    const known = keyDays.get(`${day} ${keyId}`) ?? { day, keyId, counts: { ...noCounts } }
    keyDays.set(`${day} ${keyId}`, known)
    if (name !== undefined) known.counts[name] = Number(count)
  }
  return [...keyDays.values()]
}

const RouteRow = v.object({ method: v.string(), route: v.string(), requests: v.string(), errors: v.string() })

/** Requests and errors of each route in the window, the busiest first. */
export async function countsByRoute(connection: Connection, of: Of) {
  const found = await connection.any(rows(RouteRow)`
    select method, route, sum(count)::text as requests,
      coalesce(sum(count) filter (where metric <> ${codeOf.responses_2xx}), 0)::text as errors
    from ${counted(of, of.span.windowStart)}
    where route <> ''
    group by method, route
    order by sum(count) desc, route, method`)
  return found.map(({ method, route, requests, errors }) => ({
    method,
    route,
    requests: Number(requests),
    errors: Number(errors),
  }))
}

/**
 * How many networks used each key in the window. The window begins on one UTC day and ends on the next. Of the first day it covers the end
 * (so the last sight decides), of the second the beginning (so the first sight decides). Both use the first day's key.
 */
export async function networksByKey(connection: Connection, of: Of): Promise<Map<string, number>> {
  const { tenantId } = of
  const { windowStart, windowEnd } = of.span
  const firstDay = Math.floor(windowStart / DAY_S)
  const day = sql.fragment`date '1970-01-01' + ${firstDay}::int`
  const found = await connection.any(rows(v.object({ key_id: v.string(), networks: v.number() }))`
    select key_id, count(distinct network)::int as networks
    from (
      select key_id, network from security_networks
      where tenant_id = ${tenantId} and day = ${day} and last_seen >= to_timestamp(${windowStart})
      union all
      select key_id, network_before from security_networks
      where tenant_id = ${tenantId} and day = ${day} + 1 and first_seen < to_timestamp(${windowEnd})
      union all
      select key_id, case when hour / 24 = ${firstDay} then network else network_before end from security_recent
      where ${isOf(of, windowStart)} and ${at} >= ${windowStart} and ${at} < ${windowEnd} and network is not null
    ) as seen
    group by key_id`)
  return new Map(found.map(({ key_id, networks }) => [key_id, networks]))
}

/** Keys made and revoked on each day of the span. */
export async function keyChangesByDay(connection: Connection, { tenantId, span }: Of) {
  const row = v.object({ day: v.number(), keys_created: v.number(), keys_revoked: v.number() })
  return connection.any(rows(row)`
    with changes as (
      select floor(extract(epoch from created_at))::bigint as at, 1 as created, 0 as revoked
      from api_keys where tenant_id = ${tenantId}
      union all
      select floor(extract(epoch from revoked_at))::bigint, 0, 1
      from api_keys where tenant_id = ${tenantId} and revoked_at is not null
    )
    select ${dayOf(span, sql.fragment`at`)} as day, sum(created)::int as keys_created, sum(revoked)::int as keys_revoked
    from changes
    where at >= ${span.baselineStart} and at < ${span.windowEnd}
    group by 1`)
}

/** The most operator actions in one answer. */
const ACTIONS_MAX = 100

const ActionRow = v.object({
  at: v.string(),
  operator: v.nullable(v.string()),
  command: v.string(),
  changed: v.array(v.string()),
})

/** The actions of operators on the tenant in the window, the newest first. */
export const operatorActions = (connection: Connection, { tenantId, span }: Of) =>
  connection.any(rows(ActionRow)`
    select iso(ended.at) as at, ended.given_name as operator, ended.command, array(
      select key from jsonb_each(ended.state) where begun.state -> key <> value order by key
    ) as changed
    from operator_actions ended
    left join operator_actions begun
      on begun.tenant_id = ended.tenant_id and begun.action_id = ended.action_id and begun.phase = 'begun'
    where ended.tenant_id = ${tenantId} and ended.phase = 'ended' and ended.outcome = 'done'
      and ended.at >= to_timestamp(${span.windowStart}) and ended.at < to_timestamp(${span.windowEnd})
    order by ended.at desc
    limit ${ACTIONS_MAX}`)
