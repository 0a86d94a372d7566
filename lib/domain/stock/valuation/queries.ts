/** The SQL of the stock's value at a time: pages of the list, from movements and the notes of them. */

import * as v from 'valibot'
import { firstIdSince } from '../../../kit/api/created-range.ts'
import type { Row } from '../../../kit/api/endpoint.ts'
import { type Beginning, direction } from '../../../kit/api/page-order.ts'
import { arrayOf, ofEach } from '../../../kit/api/same.ts'
import { type Connection, type Fragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import { pairBehind, pairOrder, placeKeysOf, variantFrom } from '../variant-places.ts'
import { Valuation } from './document.ts'
import type { ValuationFilters } from './schemas.ts'

/** The time of the tenant's last command, `2026-11-21T05:00:00.000Z`. */
export async function lastCommandAt(connection: Connection, tenantId: string): Promise<string | null> {
  const found = await connection.maybeOne(rows(v.object({ at: v.nullable(v.string()) }))`
    select iso(last_command_at) as at from tenant_streams where tenant_id = ${tenantId}::bigint`)
  return found?.at ?? null
}

/** Answers show times to the millisecond, so the whole millisecond counts. */
const justAfter = (time: string): string => new Date(Date.parse(time) + 1).toISOString()

type ValuationPage = Beginning & {
  readonly tenantId: string
  readonly filters: ValuationFilters
  readonly limit: number
}

/** A page by variant and place. The position of a row is both, with 0 for stock without a place. */
export async function listValuation(connection: Connection, page: ValuationPage): Promise<readonly Row[]> {
  const { tenantId, filters, limit } = page
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    with until as materialized (${untilOf(page)})
    select p.item_variant_id || '_' || p.place_key as id, ${Valuation.json} as document
    from (
      select variant.item_variant_id, place.place_key, place.quantity, place.value
      from ${totals(page)} variant
      cross join lateral unnest(variant.place_keys, variant.quantities, variant.values) place (place_key, quantity, value)
      order by ${pairOrder(sql.fragment`variant.item_variant_id`, sql.fragment`place.place_key`, page)}
      limit ${limit}
    ) p
    cross join lateral (
      select item_id, sku, title from item_variants
      where tenant_id = ${tenantId}::bigint and id = p.item_variant_id limit 1
    ) v
    cross join lateral (select category from items where tenant_id = ${tenantId}::bigint and id = v.item_id limit 1) i
    cross join (select ${filters.as_of ?? null}::timestamptz as as_of, ${filters.through ?? null}::date as through) asked
    order by ${pairOrder(sql.fragment`p.item_variant_id`, sql.fragment`p.place_key`, page)}
  `)
}

/** The movements below this id count. */
const untilOf = ({ tenantId, filters }: Pick<ValuationPage, 'tenantId' | 'filters'>): Fragment =>
  filters.as_of === undefined
    ? sql.fragment`select 9223372036854775807 as id`
    : sql.fragment`select ${firstIdSince({ table: 'stock_movements', tenantId }, justAfter(filters.as_of))} as id`

const ALL = 1_000_000_000

/** The number of the list's rows, and their value together. */
export async function valuationTotals(
  connection: Connection,
  of: Pick<ValuationPage, 'tenantId' | 'filters'>,
): Promise<string> {
  const { as_of = null, through = null } = of.filters
  const found = await connection.one(rows(v.object({ rows: v.string(), stock_value: v.string() }))`
    with until as materialized (${untilOf(of)})
    select count(*)::text as rows, trim_scale(coalesce(sum(place.value), 0))::text as stock_value
    from ${totals({ ...of, after: null, order: 'asc', limit: ALL })} variant
    cross join lateral unnest(variant.values) place (value)`)
  return `{"as_of":${JSON.stringify(as_of)},"through":${JSON.stringify(through)},"rows":${found.rows},"stock_value":${found.stock_value}}`
}

/** The stock of variants at places: a page of each wanted variant, of each wanted place, or of all. */
function totals(page: ValuationPage): Fragment {
  const { tenantId, filters, order } = page
  const { item_variant_id: variants, storage_place_id: places } = filters
  const isBehind = (variant: Fragment) =>
    sql.fragment`${variantFrom(variant, page)} and ${variant} < (select id from until)`
  const moved = (selected: Fragment, ofPlace: Fragment) => sql.fragment`
    select ${selected} from stock_balances
    where tenant_id = ${tenantId}::bigint and ${isBehind(sql.fragment`item_variant_id`)} ${ofPlace}
    order by item_variant_id ${direction(order)}
    offset 0`
  const each = (values: Fragment, rows: Fragment) => sql.fragment`(select r.* from ${ofEach(values, rows)})`
  const ofPlaces = places ? sql.fragment`and place_key = any (${placeKeysOf(places)})` : sql.fragment``
  if (variants) {
    const wanted = sql.fragment`select wanted.value as item_variant_id where ${isBehind(sql.fragment`wanted.value`)}`
    return each(arrayOf(variants, 'int8'), totalsOf(page, wanted, ofPlaces))
  }
  const isPlace = sql.fragment`and place_key = wanted.value`
  // A variant has one balance at a place, so an index in the order of variants serves both.
  if (places) return each(placeKeysOf(places), totalsOf(page, moved(sql.fragment`item_variant_id`, isPlace), isPlace))
  return sql.fragment`(${totalsOf(page, moved(sql.fragment`distinct item_variant_id`, sql.fragment``), sql.fragment``)})`
}

/**
 * The stock of the variants at their places, as arrays.
 *
 * Within a tenant ids rise with `created_at` (sql/000001_tenants.sql), so the movements up to a time are those below an id. One variant
 * after another is read until the page is full: its last note below that id (sql/000005_stock.sql), and the movements since. A variant with
 * a greater id cannot have moved before. The places of a variant come as one row, so rows keep the order of the index. A sort would read
 * all variants for each page.
 */
const totalsOf = (page: ValuationPage, moved: Fragment, ofPlace: Fragment): Fragment => {
  const { through } = page.filters
  return through === undefined ? postedBy(page, moved, ofPlace) : datedBy(page, { moved, ofPlace, through })
}

/** Notes do not help for the dates of documents: all movements of a variant are added up. */
const datedBy = (
  page: ValuationPage,
  { moved, ofPlace, through }: { readonly moved: Fragment; readonly ofPlace: Fragment; readonly through: string },
): Fragment => sql.fragment`
  select moved.item_variant_id, totals.place_keys, totals.quantities, totals.values
  from (${moved}) moved
  cross join lateral (
    select array_agg(place_key) as place_keys, array_agg(quantity) as quantities, array_agg(value) as values
    from (
      select place_key, sum(quantity) as quantity, sum(value) as value
      from (
        select coalesce(storage_place_id, 0) as place_key, quantity, value from stock_movements
        where tenant_id = ${page.tenantId}::bigint and item_variant_id = moved.item_variant_id
          and day <= ${through}::date
      ) part
      where ${pairBehind(sql.fragment`moved.item_variant_id`, sql.fragment`place_key`, page)} ${ofPlace}
      group by place_key
    ) total
  ) totals
  where totals.place_keys is not null
  order by moved.item_variant_id ${direction(page.order)}
  limit ${page.limit}`

const postedBy = (page: ValuationPage, moved: Fragment, ofPlace: Fragment): Fragment => sql.fragment`
  select moved.item_variant_id, totals.place_keys, totals.quantities, totals.values
  from (${moved}) moved
  -- Many may have moved later only: one look at the index tells.
  cross join lateral (
    select from stock_movements
    where tenant_id = ${page.tenantId}::bigint and item_variant_id = moved.item_variant_id and id < (select id from until)
    limit 1
  ) by_then
  left join lateral (
    select movement_id from past_stock_balances
    where tenant_id = ${page.tenantId}::bigint and item_variant_id = moved.item_variant_id
      and movement_id < (select id from until)
    order by movement_id desc
    limit 1
  ) note on true
  cross join lateral (
    select array_agg(place_key) as place_keys, array_agg(quantity) as quantities, array_agg(value) as values
    from (
      select place_key, sum(quantity) as quantity, sum(value) as value
      from (
        select place_key, quantity, value from past_stock_balances
        where tenant_id = ${page.tenantId}::bigint and item_variant_id = moved.item_variant_id
          and movement_id = note.movement_id
        union all
        select coalesce(storage_place_id, 0), quantity, value from stock_movements
        where tenant_id = ${page.tenantId}::bigint and item_variant_id = moved.item_variant_id
          and id > coalesce(note.movement_id, 0) and id < (select id from until)
      ) part
      where ${pairBehind(sql.fragment`moved.item_variant_id`, sql.fragment`place_key`, page)} ${ofPlace}
      group by place_key
    ) total
  ) totals
  where totals.place_keys is not null
  order by moved.item_variant_id ${direction(page.order)}
  limit ${page.limit}`
