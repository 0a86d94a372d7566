/** The SQL of the sweep of batches: tenants with a batch that has expired, or is good again, and has no event of it yet. */
import * as v from 'valibot'
import { todayInUtc } from '../../../kit/days.ts'
import { type Fragment, type Pool, rows, sql } from '../../../platform/postgres/postgres.ts'

/** The order makes PostgreSQL read one row of an index, whatever its estimate is. */
const first = (state: Fragment, order: Fragment) => sql.fragment`(
  select expiry_date from batches
  where tenant_id = t.tenant_id and ${state} and expiry_date is not null order by expiry_date ${order} limit 1
)`

/**
 * A tenant's day is the UTC day, the day before or the day after. So batches with an expiry near the UTC day are found first. The tenant's
 * own time zone then leaves out those that have not expired there.
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

/** How many tenants have a batch that expired this long ago without an event. The sweep leaves none for more than a minute. */
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
