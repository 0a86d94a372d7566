/** The SQL that both orders of available stock share: columns, the time of a row's change, and rows of zeros. */
import type { Beginning } from '../../../kit/api/page-order.ts'
import { arrayOf, ofEach } from '../../../kit/api/same.ts'
import { type Fragment, sql } from '../../../platform/postgres/postgres.ts'
import { placeKeysOf } from '../variant-places.ts'
import type { AvailabilityFilters } from './schemas.ts'

export type Page = Beginning & {
  readonly tenantId: string
  readonly filters: AvailabilityFilters
  readonly limit: number
}

export const columnsOf = (alias: string): [Fragment, Fragment] => [
  sql.fragment`${sql.identifier([alias, 'item_variant_id'])}`,
  sql.fragment`${sql.identifier([alias, 'place_key'])}`,
]

/** The columns of a balance that rows show. */
export const balanceColumns: Fragment = sql.fragment`
  tenant_id, item_variant_id, place_key, quantity, quarantine_quantity, expired_quantity, expired_before, value, updated_at`

export const foundColumns: Fragment = balanceColumns

/** The same columns for a variant that never had stock at the main place. */
export const zeros: Fragment = sql.fragment`
  v.tenant_id, v.id as item_variant_id, coalesce(m.id, 0) as place_key, 0::numeric as quantity, 0::numeric as quarantine_quantity,
  0::numeric as expired_quantity, current_date as expired_before, 0::numeric as value, greatest(i.updated_at, m.since) as updated_at`

/** Statement parts: `moved`, the places whose sales were allowed or forbidden, and `main`, the row of the main place, if any. */
export const placeParts = ({ tenantId }: Page): Fragment => sql.fragment`
  moved as materialized (
    select id, sales_changed_at from storage_places
    where tenant_id = ${tenantId}::bigint and sales_changed_at is not null
  ), main as materialized (
    select id, sales_allowed, coalesce(sales_changed_at, created_at) as since from storage_places
    where tenant_id = ${tenantId}::bigint and is_main limit 1
  )`

/** Joins `l`, the balance's entry without a batch. Reserved and expected quantities are columns of that entry. */
export const bareEntry = (alias: string): Fragment => {
  const [variant, place] = columnsOf(alias)
  return sql.fragment`left join lateral (
      select reserved_quantity as reserved, expected_quantity as expected from stock_levels
      where tenant_id = ${sql.identifier([alias, 'tenant_id'])} and item_variant_id = ${variant} and place_key = ${place} and batch_key = 0
      limit 1
    ) l on true`
}

/** The time of a balance's last change. `p` is its place among `moved`. */
export const shownUpdatedAt = (alias: string): Fragment =>
  sql.fragment`greatest(${sql.identifier([alias, 'updated_at'])}, p.sales_changed_at)`

/** The wanted variants as an array, archived ones too; null: all. For a sku, all variants that have or had it. */
export function wantedVariants({ tenantId, filters }: Page): Fragment | null {
  const { sku, item_variant_id: ids } = filters
  if (sku === undefined) return ids ? arrayOf(ids, 'int8') : null
  const some = arrayOf(ids, 'int8')
  return sql.fragment`array(
    select id from item_variants
    where tenant_id = ${tenantId}::bigint and sku = ${sku} and case when ${some} is null then true else id = any (${some}) end
  )`
}

/** The wanted `place_key`s as an array, with 0 for stock without a place; null: all. */
export function wantedPlaces({ tenantId, filters }: Page): Fragment | null {
  const { storage_place_id: places, sales_allowed: allowed } = filters
  if (allowed === undefined) return places ? placeKeysOf(places) : null
  const some = arrayOf(places, 'int8')
  return sql.fragment`array(
    select id from storage_places
    where tenant_id = ${tenantId}::bigint and sales_allowed = ${allowed} and case when ${some} is null then true else id = any (${some}) end
    union all
    select 0 where ${allowed} and ${some} is null
  )`
}

/** Whether the place of a row is wanted. */
export function isPlaceWanted(page: Page, placeKey: Fragment): Fragment {
  const wanted = wantedPlaces(page)
  return wanted === null ? sql.fragment`true` : sql.fragment`${placeKey} = any (${wanted})`
}

/** A subquery of the variants `v` that may have a row of zeros: the wanted ones, or those of `all`, which is in the order of a page. */
export const variantsOf = ({ tenantId }: Page, wanted: Fragment | null, all: Fragment): Fragment =>
  wanted === null
    ? all
    : sql.fragment`(
        select r.* from ${ofEach(wanted, sql.fragment`select * from item_variants where tenant_id = ${tenantId}::bigint and id = wanted.value limit 1`)}
      )`

/** Joins the product `i` and the main place `m` to the variant `v`. An unarchived variant that holds stock has a row of zeros. */
export const withMain: Fragment = sql.fragment`
  left join main m on true
  cross join lateral (
    select updated_at from items
    where tenant_id = v.tenant_id and id = v.item_id and v.active and type not in ('SERVICE', 'KIT') limit 1
  ) i`
