/** The SQL of the expired part of a balance, by the clock (docs/rules/batches.md, "Expiry"). */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'

/**
 * The change of the expired quantity of the balance `b` since it was last written: that of its entries with an expiry date between that day
 * and today.
 */
const turnedOf = (today: Fragment): Fragment => sql.fragment`coalesce((
  select sum(case when s.expires_on < ${today} then s.quantity - s.quarantine_quantity else s.quarantine_quantity - s.quantity end)
  from stock_levels s
  where s.tenant_id = b.tenant_id and s.item_variant_id = b.item_variant_id and s.place_key = b.place_key
    and s.batch_id is not null and s.quantity > s.quarantine_quantity
    and s.expires_on >= least(b.expired_before, ${today}) and s.expires_on < greatest(b.expired_before, ${today})
), 0)`

/**
 * The statement part `clock`, of one row: the tenant's `today`, and `is_turning`: whether a batch has expired, or is good again, and its
 * balance does not say so yet. That is rare. Otherwise the balances are right, and no entries are read.
 */
export function clockPart(tenantId: string): Fragment {
  const tenant = sql.fragment`${tenantId}::bigint`
  // The order makes PostgreSQL read the first row of the index, whatever its estimate is.
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

/** The expired quantity of the balance `b` by the `clock`. */
export const expiredNow: Fragment = sql.fragment`
  b.expired_quantity + case when (select is_turning from clock)
    then ${turnedOf(sql.fragment`(select today from clock)`)} else 0 end`
