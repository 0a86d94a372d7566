/** The rows of a page of available stock by variant, then place. */
import { ofEach } from '../../../kit/api/same.ts'
import { type Fragment, sql } from '../../../platform/postgres/postgres.ts'
import { pairBehind, pairOrder, variantFrom } from '../variant-places.ts'
import {
  balanceColumns,
  columnsOf,
  isPlaceWanted,
  type Page,
  variantsOf,
  wantedPlaces,
  wantedVariants,
  withMain,
  zeros,
} from './parts.ts'

/** The statement part `found`. Rows of zeros are merged with the balances, up to the last balance of a full page. */
export function rowsInOrder(page: Page): Fragment {
  const { tenantId, order, limit } = page
  const main = sql.fragment`coalesce(m.id, 0)`
  // A subquery, which runs once: no variant is read if the main place is not wanted.
  const isMainWanted = isPlaceWanted(page, sql.fragment`(select coalesce(max(id), 0) from main)`)
  const inOrder = pairOrder(sql.fragment`item_variant_id`, sql.fragment`place_key`, page)
  const all = sql.fragment`(
        select * from item_variants r
        where r.tenant_id = ${tenantId}::bigint and ${variantFrom(sql.fragment`r.id`, page)} and ${isOnPage(page)} and ${isMainWanted}
        order by ${byId(page, 'r')} offset 0
      )`
  return sql.fragment`
    page as materialized (
      select ${balanceColumns} from ${balances(page)} found order by ${inOrder} limit ${limit}
    ), found as (
      select * from page
      union all (
        select ${zeros}
        from ${variantsOf(page, wantedVariants(page), all)} v
        ${withMain}
        where ${pairBehind(sql.fragment`v.id`, main, page)} and ${isMainWanted}
          and v.id not in (select item_variant_id from page where place_key = (select coalesce(max(id), 0) from main))
        order by ${byId(page, 'v')} limit ${limit}
      )
      order by ${inOrder} limit ${limit}
    )`

  function byId({ order }: Pick<Page, 'order'>, alias: string): Fragment {
    const id = sql.identifier([alias, 'id'])
    return order === 'asc' ? sql.fragment`${id}` : sql.fragment`${id} desc`
  }
  /** Whether a variant comes before the last balance of a full page, or is that one. */
  function isOnPage(_: Page): Fragment {
    const last = (bound: Fragment) => sql.fragment`(select case when count(*) = ${limit} then ${bound} end from page)`
    return order === 'asc'
      ? sql.fragment`r.id <= coalesce(${last(sql.fragment`max(item_variant_id)`)}, 9223372036854775807)`
      : sql.fragment`r.id >= coalesce(${last(sql.fragment`min(item_variant_id)`)}, 0)`
  }
}

/** Balances after the page's position: of each wanted variant, of each wanted place, or all. */
function balances(page: Page): Fragment {
  const [wanted, places] = [wantedVariants(page), wantedPlaces(page)]
  const ofPlaces = sql.fragment`and ${isPlaceWanted(page, sql.fragment`r.place_key`)}`
  const each = (values: Fragment, rows: Fragment) => sql.fragment`(select r.* from ${ofEach(values, rows)})`
  if (wanted) return each(wanted, inOrderOf(page, sql.fragment`and r.item_variant_id = wanted.value`, ofPlaces))
  if (places) return each(places, inOrderOf(page, sql.fragment`and r.place_key = wanted.value`))
  return sql.fragment`(${inOrderOf(page, sql.fragment``)})`
}

/** A page of balances in order: by the primary key, or by the index of the place. */
const inOrderOf = (page: Page, leading: Fragment, rest = sql.fragment``): Fragment => sql.fragment`
  select * from (
    select * from stock_balances r
    where r.tenant_id = ${page.tenantId}::bigint and ${pairBehind(...columnsOf('r'), page)} ${leading}
    order by ${pairOrder(...columnsOf('r'), page)} offset 0
  ) r
  where true ${rest}
  order by ${pairOrder(...columnsOf('r'), page)} limit ${page.limit}`
