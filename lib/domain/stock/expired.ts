/** The SQL of how much of a balance has expired by the clock (docs/rules/batches.md, "Expiry"). */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'

/** What has turned of the balance `b` since it was last written: its entries whose expiry date lies between that day and today. */
const turnedOf = (today: Fragment): Fragment => sql.fragment`coalesce((
  select sum(case when s.expires_on < ${today} then s.quantity - s.quarantine_quantity else s.quarantine_quantity - s.quantity end)
  from stock_levels s
  where s.tenant_id = b.tenant_id and s.item_variant_id = b.item_variant_id and s.place_key = b.place_key
    and s.batch_id is not null and s.quantity > s.quarantine_quantity
    and s.expires_on >= least(b.expired_before, ${today}) and s.expires_on < greatest(b.expired_before, ${today})
), 0)`

/**
 * Part of a statement, `clock`: one row with the tenant's `today`, and whether any of its batches is told otherwise than it is by the clock. That
 * is seldom so, and then the balances that were counted are right, and no entries are read.
 */
export function clockPart(tenantId: string): Fragment {
  const tenant = sql.fragment`${tenantId}::bigint`
  // By their order PostgreSQL reads the first of the index, whatever it expects.
  const first = (state: Fragment, order: Fragment) => sql.fragment`(
    select expiry_date from batches where tenant_id = ${tenant} and ${state} and expiry_date is not null order by expiry_date ${order} limit 1
  )`
  return sql.fragment`clock as materialized (
    select today, coalesce(
      ${first(sql.fragment`not expired`, sql.fragment`asc`)} < today or ${first(sql.fragment`expired`, sql.fragment`desc`)} >= today, false
    ) as is_turning
    from (select local_day(time_zone, now()) as today from tenants where tenant_id = ${tenant} limit 1) t
  )`
}

/** What of the balance `b` has expired by the `clock`. */
export const expiredNow: Fragment = sql.fragment`
  b.expired_quantity + case when (select is_turning from clock)
    then ${turnedOf(sql.fragment`(select today from clock)`)} else 0 end`
