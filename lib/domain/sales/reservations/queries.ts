/** The SQL that finds reservations by variant, and tenants with holds whose time is over. */
import * as v from 'valibot'
import { idsCreatedBetween } from '../../../kit/api/created-range.ts'
import { someIds } from '../../../kit/api/fields.ts'
import type { Filter } from '../../../kit/api/list-filters.ts'
import { type Same, same, wantedIn } from '../../../kit/api/same.ts'
import { type Fragment, fixedFragment, type Pool, rows, sql } from '../../../platform/postgres/postgres.ts'

/** The reservations that have a line of one of the variants. */
export const variantFilter: Readonly<Record<'item_variant_id', Filter>> = {
  item_variant_id: { schema: someIds(), ask: (given, { tenantId }) => ({ same: [lineOf({ tenantId, ...given })] }) },
}

function lineOf(of: {
  readonly tenantId: string
  readonly item_variant_id?: readonly string[]
  readonly created_after?: string
  readonly created_before?: string
}): Same {
  const { tenantId, item_variant_id: variantIds, created_after: from, created_before: until } = of
  const variant = same({ leaves: 'few', type: 'int8' }, 'item_variant_id', variantIds, { alias: 'i' })
  const firstLine = (hold: Fragment) => sql.fragment`(
    select i.id from reservation_items i
    where i.tenant_id = ${tenantId}::bigint and i.reservation_id = ${hold} and ${variant.conditionIfGiven}
    order by i.id limit 1
  )`
  const created =
    from === undefined && until === undefined
      ? sql.fragment``
      : idsCreatedBetween(sql.fragment`r.reservation_id`, { table: 'reservations', tenantId, from, until })
  return {
    ...variant,
    conditionIfGiven: sql.fragment`case when ${variant.values} is null then true
      else ${firstLine(sql.fragment`r.id`)} is not null end`,
    // A reservation with several such lines is listed once.
    ids: sql.fragment`
      select r.reservation_id as id from reservation_items r
      where r.tenant_id = ${tenantId}::bigint ${wantedIn(variant)} ${created} and r.id = ${firstLine(sql.fragment`r.reservation_id`)}`,
  }
}

/** The most holds, over all tenants, that one sweep reads. */
const HOLDS_MAX = 10_000
/** The limit is part of the text: for a bound parameter, PostgreSQL would plan for a tenth of the table. */
const firstHolds = fixedFragment(`order by expires_at limit ${HOLDS_MAX}`)

/**
 * Tenants with holds whose time is over by PostgreSQL's clock, the longest overdue first. Without such holds the index scan finds no row.
 */
export async function tenantsWithDueHolds(pool: Pool): Promise<readonly string[]> {
  const found = await pool.any(rows(v.object({ tenant_id: v.string() }))`
    select tenant_id::text
    from (select tenant_id, expires_at from reservations where status = 'HELD' and expires_at <= now() ${firstHolds}) due
    group by tenant_id order by min(expires_at)`)
  return found.map(({ tenant_id }) => tenant_id)
}
