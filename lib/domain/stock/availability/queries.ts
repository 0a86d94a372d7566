/** The SQL of what is available: a row per variant and place over all its batches. */
import * as v from 'valibot'
import type { Row } from '../../../kit/api/endpoint.ts'
import type { Beginning } from '../../../kit/api/page-order.ts'
import { arrayOf, ofEach, same } from '../../../kit/api/same.ts'
import { type Connection, type Fragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import { pairBehind, pairOrder, placeKeysOf } from '../variant-places.ts'
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
      select * from ${balances(page)} found
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

/** Balances behind the page's position: of each variant that is wanted, of each place, or of all. */
function balances(page: Page): Fragment {
  const { sku, item_variant_id: variants } = page.filters
  const places = placesOf(page)
  const isVariant = sql.fragment`and r.item_variant_id = wanted.value`
  const ofPlaces = places ? sql.fragment`and r.place_key = any (${places})` : sql.fragment``
  const each = (values: Fragment, rows: Fragment) => sql.fragment`(select r.* from ${ofEach(values, rows)})`
  if (sku !== undefined) {
    const { conditionIfGiven } = same({ leaves: 'few', type: 'int8' }, 'item_variant_id', variants)
    return each(variantsOf(page, sku), inOrderOf(page, isVariant, sql.fragment`and ${conditionIfGiven} ${ofPlaces}`))
  }
  if (variants) return each(arrayOf(variants, 'int8'), inOrderOf(page, isVariant, ofPlaces))
  if (places) return each(places, inOrderOf(page, sql.fragment`and r.place_key = wanted.value`))
  return sql.fragment`(${inOrderOf(page, sql.fragment``)})`
}

/** The `place_key`s that the filters leave, as an array; null: all. */
function placesOf({ tenantId, filters: { storage_place_id: ids, sales_allowed: isAllowed } }: Page): Fragment | null {
  if (isAllowed === undefined) return ids ? placeKeysOf(ids) : null
  const named = ids ? sql.fragment`and id = any (${placeKeysOf(ids)})` : sql.fragment``
  return sql.fragment`array(
    select id from storage_places where tenant_id = ${tenantId}::bigint and sales_allowed = ${isAllowed} ${named}
    union all select 0 where ${isAllowed && ids === undefined}
  )`
}

/** A page of balances in order: by the primary key, or by the index of the place. */
const inOrderOf = (page: Page, leading: Fragment, rest = sql.fragment``): Fragment => sql.fragment`
  select * from (
    select * from stock_balances r
    where r.tenant_id = ${page.tenantId}::bigint and ${pairBehind(...columnsOf('r'), page)} ${leading}
    order by ${inOrder('r', page)} offset 0
  ) r
  where true ${rest}
  order by ${inOrder('r', page)} limit ${page.limit}`

/** The variants that have the sku, as an array, archived ones too; several may have had it. */
const variantsOf = ({ tenantId }: Page, sku: string): Fragment =>
  sql.fragment`array(select id from item_variants where tenant_id = ${tenantId}::bigint and sku = ${sku})`
