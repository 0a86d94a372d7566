/** The SQL of what is available: a row per variant and place over all its batches. */
import * as v from 'valibot'
import type { Row } from '../../../kit/api/endpoint.ts'
import type { Beginning } from '../../../kit/api/page-order.ts'
import { type Connection, type Fragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import { pairBehind, pairOrder, placeKeyOf } from '../variant-places.ts'
import { Availability } from './document.ts'
import type { AvailabilityFilters } from './schemas.ts'

type Page = Beginning & {
  readonly tenantId: string
  readonly filters: AvailabilityFilters
  readonly limit: number
}

/** A page by variant, then place (none first). */
export async function listAvailability(connection: Connection, page: Page): Promise<readonly Row[]> {
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select concat(b.item_variant_id, '_', b.place_key) as id, ${Availability.json} as document
    from (
      select * from ${page.filters.sku === undefined ? balances(page, sql.fragment``) : balancesBySku(page)} found
      order by ${inOrder('found', page)} limit ${page.limit}
    ) b
    cross join lateral (
      select sku from item_variants where tenant_id = b.tenant_id and id = b.item_variant_id limit 1
    ) v
    left join lateral (
      -- Reserved and expected stand on the entry without a batch.
      select reserved_quantity as reserved, expected_quantity as expected from stock_levels
      where tenant_id = b.tenant_id and item_variant_id = b.item_variant_id and place_key = b.place_key and batch_key = 0
      limit 1
    ) l on true
    order by ${inOrder('b', page)}
  `)
}

const columnsOf = (alias: string): [Fragment, Fragment] => [
  sql.fragment`${sql.identifier([alias, 'item_variant_id'])}`,
  sql.fragment`${sql.identifier([alias, 'place_key'])}`,
]
const inOrder = (alias: string, page: Beginning): Fragment => pairOrder(...columnsOf(alias), page)

/** Balances behind the page's position, in order: by the primary key, or by the index of the place. */
function balances(page: Page, ofVariant: Fragment): Fragment {
  const { tenantId, filters } = page
  const { item_variant_id: variant, storage_place_id: place } = filters
  return sql.fragment`(
    select * from stock_balances r
    where r.tenant_id = ${tenantId}::bigint and ${pairBehind(...columnsOf('r'), page)} ${ofVariant}
      ${variant === undefined ? sql.fragment`` : sql.fragment`and r.item_variant_id = ${variant}::bigint`}
      ${place === undefined ? sql.fragment`` : sql.fragment`and r.place_key = ${placeKeyOf(place)}`}
    order by ${inOrder('r', page)} offset 0
  )`
}

/** Of the variants that have the sku, archived ones too; several may have had it. */
function balancesBySku(page: Page): Fragment {
  const { tenantId, filters } = page
  return sql.fragment`(
    select b.*
    from (
      select id from item_variants where tenant_id = ${tenantId}::bigint and sku = ${filters.sku ?? null} offset 0
    ) v
    cross join lateral ${balances(page, sql.fragment`and r.item_variant_id = v.id`)} b
  )`
}
