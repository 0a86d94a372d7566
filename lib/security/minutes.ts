/**
 * Reads rows of minutes, as earlier versions wrote them, in the form of what is counted now. Nothing writes them any more: when
 * their last partition is gone, so may this be.
 */
import { type Fragment, sql } from '../platform/postgres/postgres.ts'
import { codeOf, countedMetrics } from './counted.ts'
import type { Span } from './span.ts'

type Of = { readonly tenantId: string; readonly isCut: (hour: Fragment) => Fragment } & Pick<Span, 'windowEnd'>

const sums = sql.join(
  countedMetrics.map(metric => sql.fragment`sum(${sql.identifier([metric])})`),
  sql.fragment`, `,
)
const hour = sql.fragment`extract(epoch from minute)::bigint / 3600`
const at = sql.fragment`extract(epoch from minute)::bigint + second`

const isOf = ({ tenantId, windowEnd }: Of, from: number): Fragment =>
  sql.fragment`tenant_id = ${tenantId} and minute > to_timestamp(${from - 3600}) and minute < to_timestamp(${windowEnd})`

/** What keys did since `from` (seconds since 1970): of whole hours their sums, of those that a bound cuts the cells. */
export const minutesOfKeys = (of: Of, from: number): Fragment => sql.fragment`
  select hour * 3600, key_id, '', '', (place - 1)::int, count
  from (
    select ${hour} as hour, key_id, array[${sums}] as sums
    from security_key_minutes
    where ${isOf(of, from)} and not ${of.isCut(hour)}
    group by 1, 2
  ) as hours cross join lateral unnest(sums) with ordinality as total(count, place)
  union all
  select ${at}, key_id, '', '', metric, count
  from security_key_minutes cross join lateral unnest(seconds, metrics, counts) as cell(second, metric, count)
  where ${isOf(of, from)} and ${of.isCut(hour)}`

/** The same by route; their classes were only told as successes and errors. */
export const minutesOfRoutes = (of: Of, from: number): Fragment => sql.fragment`
  select at, 0, method, route, of_class.metric, of_class.count
  from (
    select ${hour} * 3600 as at, method, route, requests, errors
    from security_route_minutes
    where ${isOf(of, from)} and not ${of.isCut(hour)}
    union all
    select ${at}, method, route, cell.requests, cell.errors
    from security_route_minutes
      cross join lateral unnest(seconds, second_requests, second_errors) as cell(second, requests, errors)
    where ${isOf(of, from)} and ${of.isCut(hour)}
  ) as minutes cross join lateral (
    values (${codeOf.responses_2xx}::int, requests - errors), (${codeOf.responses_4xx}::int, errors)
  ) as of_class(metric, count)`
