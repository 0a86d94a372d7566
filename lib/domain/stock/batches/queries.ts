/** The SQL of the sweep of batches: the tenants of which a batch has expired, or is good again, and was not told so. */
import * as v from 'valibot'
import { todayInUtc } from '../../../kit/days.ts'
import { type Fragment, type Pool, rows, sql } from '../../../platform/postgres/postgres.ts'

/** By its order PostgreSQL reads one row of an index, whatever it expects. */
const first = (state: Fragment, order: Fragment) => sql.fragment`(
  select expiry_date from batches
  where tenant_id = t.tenant_id and ${state} and expiry_date is not null order by expiry_date ${order} limit 1
)`

/**
 * A tenant's day is the day in UTC, the one before or the next, so the dates around it find all tenants. Those whose day has not turned yet
 * are left out by their own zone.
 */
export async function tenantsWithTurnedBatches(pool: Pool): Promise<readonly string[]> {
  const found = await pool.any(rows(v.object({ tenant_id: v.string() }))`
    select t.tenant_id::text
    from (
      select tenant_id from batches where expired::integer = 0 and expiry_date <= ${todayInUtc} group by 1
      union
      select tenant_id from batches where expired::integer = 1 and expiry_date >= ${todayInUtc} - 1 group by 1
    ) near
    cross join lateral (
      select tenant_id, local_day(time_zone, now()) as today from tenants where tenant_id = near.tenant_id limit 1
    ) t
    where ${first(sql.fragment`not expired`, sql.fragment`asc`)} < t.today or ${first(sql.fragment`expired`, sql.fragment`desc`)} >= t.today`)
  return found.map(({ tenant_id }) => tenant_id)
}

/** How many tenants have a batch that expired so long ago and was not told. The sweep leaves none for more than a minute. */
export async function countUntoldTenants(pool: Pool, { minutes }: { readonly minutes: number }): Promise<number> {
  const { count } = await pool.one(rows(v.object({ count: v.number() }))`
    select count(*)::integer as count
    from (
      select tenant_id from batches where expired::integer = 0 and expiry_date <= ${todayInUtc} group by 1
    ) near
    cross join lateral (
      select tenant_id, local_day(time_zone, now() - ${minutes} * interval '1 minute') as day
      from tenants where tenant_id = near.tenant_id limit 1
    ) t
    where ${first(sql.fragment`not expired`, sql.fragment`asc`)} < t.day`)
  return count
}
