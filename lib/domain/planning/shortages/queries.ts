/** The SQL of shortages: the variants and places of a page (docs/rules/planning.md). */
import * as v from 'valibot'
import type { Row } from '../../../kit/api/endpoint.ts'
import { type Beginning, direction } from '../../../kit/api/page-order.ts'
import { arrayOf, ofEach, wantedIn } from '../../../kit/api/same.ts'
import { type Connection, type Fragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import { clockPart, expiredNow } from '../../stock/expired.ts'
import { pairBehind, pairOrder, placeKeysOf, variantFrom } from '../../stock/variant-places.ts'
import { Shortage } from './document.ts'
import type { ShortageFilters } from './schemas.ts'

type ShortagePage = Beginning & {
  readonly tenantId: string
  readonly filters: Omit<ShortageFilters, 'below'>
  readonly limit: number
  /** Only shortages at this place. */
  readonly placeKey?: Fragment
}

/**
 * The first variants by id, at most `limit`, whose projected stock at a place is below the minimum that applies there. They are selected as
 * `item_variant_id`. The statement has the part `clock` (lib/domain/stock/expired.ts).
 */
export const shortAtPlace = (asked: {
  readonly tenantId: string
  readonly placeKey: Fragment
  readonly itemVariantIds: readonly string[] | undefined
  readonly limit: number
}): Fragment =>
  belowMinimum({ ...asked, filters: { item_variant_id: asked.itemVariantIds }, after: null, order: 'asc' })

/** A page of shortages, by variant, then place. */
export async function listShortages(
  connection: Connection,
  page: ShortagePage & { readonly filters: ShortageFilters },
): Promise<readonly Row[]> {
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    with ${clockPart(page.tenantId)}, page as materialized (
      ${page.filters.below === 'minimum' ? belowMinimum(page) : belowZero(page)}
    )
    select p.item_variant_id || '_' || p.place_key as id, ${Shortage.json} as document
    from page p
    cross join lateral (
      select item_id, sku, title, minimum_stock from item_variants
      where tenant_id = p.tenant_id and id = p.item_variant_id limit 1
    ) v
    order by ${pairOrder(sql.fragment`p.item_variant_id`, sql.fragment`p.place_key`, page)}
  `)
}

/** The columns that a page needs of a variant at a place. `bound` is the minimum that applies. */
const columns = (bound: Fragment): Fragment => sql.fragment`
  l.tenant_id, l.item_variant_id, l.place_key, b.quantity, b.quarantine_quantity, x.expired_quantity, l.reserved_quantity, l.expected_quantity,
  ${bound} as bound`

/** Rows whose projected stock is below 0, of the wanted variants or of all. */
function belowZero(page: ShortagePage): Fragment {
  const { item_variant_id: variants } = page.filters
  const each = (values: Fragment, rows: Fragment) => sql.fragment`
    select r.* from ${ofEach(values, rows)}
    order by ${pairOrder(sql.fragment`r.item_variant_id`, sql.fragment`r.place_key`, page)} limit ${page.limit}`
  if (variants) {
    const rest = ofPlaces(sql.fragment`l.place_key`, page)
    return each(arrayOf(variants, 'int8'), pageBelowZero(page, wantedIn({ column: 'item_variant_id' }), rest))
  }
  return pageBelowZero(page, ofPlaces(sql.fragment`r.place_key`, page))
}

/**
 * Batches hold 0 or more. So a variant is short only if its entry without a batch is below 0. Few entries are, and an index lists them. The
 * quantities of batches are then looked up.
 */
const pageBelowZero = (page: ShortagePage, leading: Fragment, rest = sql.fragment``): Fragment => sql.fragment`
  select ${columns(sql.fragment`0::numeric`)}
  from (
    select * from stock_levels r
    where r.tenant_id = ${page.tenantId}::bigint and r.batch_id is null
      and r.quantity - r.quarantine_quantity - r.reserved_quantity + r.expected_quantity < 0
      and ${pairBehind(sql.fragment`r.item_variant_id`, sql.fragment`r.place_key`, page)} ${leading}
    order by ${pairOrder(sql.fragment`r.item_variant_id`, sql.fragment`r.place_key`, page)} offset 0
  ) l
  cross join lateral (
    select * from stock_balances
    where tenant_id = l.tenant_id and item_variant_id = l.item_variant_id and place_key = l.place_key limit 1
  ) b
  cross join lateral (select ${expiredNow} as expired_quantity) x
  where b.quantity - b.quarantine_quantity - x.expired_quantity - l.reserved_quantity + l.expected_quantity < 0 ${rest}
  order by ${pairOrder(sql.fragment`l.item_variant_id`, sql.fragment`l.place_key`, page)} limit ${page.limit}`

/** A subquery of the rows of each wanted variant, or of all variants. */
function ofVariants(
  { item_variant_id: ids }: ShortagePage['filters'],
  column: string,
  rows: (ofVariant: Fragment) => Fragment,
): Fragment {
  if (ids === undefined) return sql.fragment`(${rows(sql.fragment``)})`
  return sql.fragment`(select r.* from ${ofEach(arrayOf(ids, 'int8'), rows(wantedIn({ column })))})`
}

function ofPlaces(column: Fragment, { placeKey, filters: { storage_place_id: ids } }: ShortagePage): Fragment {
  if (placeKey) return sql.fragment`and ${column} = ${placeKey}`
  return ids === undefined ? sql.fragment`` : sql.fragment`and ${column} = any (${placeKeysOf(ids)})`
}

/**
 * Rows whose projected stock is below the minimum: variants with a minimum at the main place, also those without any stock there (but no
 * archived variants and no services), and rows below 0 at all places. A row that both parts find counts with its minimum.
 */
function belowMinimum(page: ShortagePage): Fragment {
  return sql.fragment`
    select distinct on (item_variant_id, place_key) *
    from ((${belowMinimumAtMain(page)}) union all (${belowZero(page)})) short
    order by ${pairOrder(sql.fragment`item_variant_id`, sql.fragment`place_key`, page)}, bound desc limit ${page.limit}`
}

/**
 * Many variants have a minimum, and most have more stock than that. A variant is short only if its entry without a batch is below the
 * minimum or absent. One index lists the former, another the variants without such an entry.
 */
function belowMinimumAtMain(page: ShortagePage): Fragment {
  const { tenantId, filters, limit } = page
  const way = direction(page.order)
  const main = sql.fragment`(
    select coalesce((select id from storage_places where tenant_id = ${tenantId}::bigint and is_main limit 1), 0)
  )`
  const ofPage = (variant: string): Fragment => {
    const id = sql.fragment`${sql.identifier(['r', variant])}`
    return sql.fragment`
      r.tenant_id = ${tenantId}::bigint and ${pairBehind(id, main, page)} and ${variantFrom(id, page)} ${ofPlaces(main, page)}`
  }
  const balance = (variant: Fragment) => sql.fragment`(
    select * from stock_balances
    where tenant_id = ${tenantId}::bigint and item_variant_id = ${variant} and place_key = ${main} limit 1
  )`
  return sql.fragment`
    (
      select ${columns(sql.fragment`l.minimum_stock`)}
      from ${ofVariants(
        filters,
        'item_variant_id',
        ofVariant => sql.fragment`
          select * from stock_levels r
          where ${ofPage('item_variant_id')} and r.place_key = ${main} and r.batch_id is null ${ofVariant}
            and r.quantity - r.quarantine_quantity - r.reserved_quantity + r.expected_quantity < r.minimum_stock
          order by r.item_variant_id ${way} offset 0`,
      )} l
      cross join lateral ${balance(sql.fragment`l.item_variant_id`)} b
      cross join lateral (select ${expiredNow} as expired_quantity) x
      where b.quantity - b.quarantine_quantity - x.expired_quantity - l.reserved_quantity + l.expected_quantity < l.minimum_stock
      order by l.item_variant_id ${way} limit ${limit}
    ) union all (
      select ${tenantId}::bigint, v.id, ${main}, coalesce(b.quantity, 0), coalesce(b.quarantine_quantity, 0),
        coalesce(x.expired_quantity, 0), 0, 0, v.minimum_stock
      from ${ofVariants(
        filters,
        'id',
        ofVariant => sql.fragment`
          select * from item_variants r
          where ${ofPage('id')} and r.minimum_stock > 0 and not r.has_main_entry ${ofVariant}
          order by r.id ${way} offset 0`,
      )} v
      left join lateral ${balance(sql.fragment`v.id`)} b on true
      cross join lateral (select ${expiredNow} as expired_quantity) x
      where coalesce(b.quantity - b.quarantine_quantity - x.expired_quantity, 0) < v.minimum_stock
        and (b.item_variant_id is not null or (
          v.active and (select type <> 'SERVICE' from items where tenant_id = ${tenantId}::bigint and id = v.item_id limit 1)
        ))
      order by v.id ${way} limit ${limit}
    )`
}
