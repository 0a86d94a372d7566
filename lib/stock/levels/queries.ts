/**
 * The SQL of stock entries: their document, their share of the stock value, and pages of the list. It must not write.
 */
import * as v from 'valibot'
import type { Row } from '../../api/endpoint.ts'
import { changedIds, pageStart } from '../../api/list-page.ts'
import { type Connection, type Fragment, rows, sql } from '../../store/postgres.ts'
import type { LevelFilters } from './schemas.ts'

/**
 * The share of the level `l` in the value of its balance `b`: by quantity, rounded, and the residue for the row with stock
 * and the highest id, so that the rows of a variant and place add up to V exactly. It looks at all rows of the variant and
 * place, whatever the page or filter shows of them; with one row in stock it looks at none.
 */
export const stockValue = sql.fragment`(
  case
    when l.quantity = 0 then 0
    when l.quantity = b.quantity then b.value
    when exists (
      select from stock_levels o
      where o.tenant_id = l.tenant_id and o.item_variant_id = l.item_variant_id and o.place_key = l.place_key
        and o.quantity > 0 and o.id > l.id
    ) then cost_ratio(b.value * l.quantity, b.quantity)
    else b.value - (
      select sum(cost_ratio(b.value * o.quantity, b.quantity)) from stock_levels o
      where o.tenant_id = l.tenant_id and o.item_variant_id = l.item_variant_id and o.place_key = l.place_key
        and o.quantity > 0 and o.id <> l.id
    )
  end
)`

/** JSON of the level `l` with its balance `b`, variant `v`, item `i`, unit `u` and batch `t`. */
const levelDocument = sql.fragment`json_build_object(
  'id', l.id::text,
  'item_id', v.item_id::text,
  'item_variant_id', l.item_variant_id::text,
  'sku', v.sku,
  'title', v.title,
  'storage_place_id', l.storage_place_id::text,
  'batch_id', l.batch_id::text,
  'batch_number', t.number,
  'manufacture_date', t.manufacture_date::text,
  'expiry_date', t.expiry_date::text,
  'unit_name', u.name,
  'quantity', trim_scale(l.quantity),
  'quarantine_quantity', trim_scale(l.quarantine_quantity),
  'reserved_quantity', trim_scale(l.reserved_quantity),
  'expected_quantity', trim_scale(l.expected_quantity),
  'available_quantity', trim_scale(l.quantity - l.quarantine_quantity - l.reserved_quantity),
  'average_cost', trim_scale(cost_ratio(b.value, b.quantity)),
  'stock_value', trim_scale(${stockValue}),
  'updated_at', iso(l.updated_at)
)`

export type LevelPage = {
  readonly tenantId: string
  readonly filters: LevelFilters
  readonly after: string | null
  readonly limit: number
}

/** A page of stock entries in id order. The ids are chosen first, so that documents are rendered for the page's rows only. */
export async function listLevels(connection: Connection, page: LevelPage): Promise<readonly Row[]> {
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select l.id::text as id, ${levelDocument}::text as document
    from ${chosenIds(page)} page
    join stock_levels l on l.tenant_id = ${page.tenantId}::bigint and l.id = page.id
    join stock_balances b
      on b.tenant_id = l.tenant_id and b.item_variant_id = l.item_variant_id and b.place_key = l.place_key
    join item_variants v on v.tenant_id = l.tenant_id and v.id = l.item_variant_id
    join items i on i.tenant_id = v.tenant_id and i.id = v.item_id
    join units u on u.tenant_id = i.tenant_id and u.id = i.unit_id
    left join batches t on t.tenant_id = l.tenant_id and t.id = l.batch_id
    order by l.id
  `)
}

/** A variant, a place or a batch has few rows beside a million; only a time alone needs its own way. */
function chosenIds({ tenantId, filters, after, limit }: LevelPage): Fragment {
  const {
    item_variant_id: variantId,
    storage_place_id: placeId,
    batch_id: batchId,
    updated_after: updatedAfter,
  } = filters
  const none = sql.fragment``
  const and = sql.fragment`
    ${variantId === undefined ? none : sql.fragment`and r.item_variant_id = ${variantId}::bigint`}
    ${placeId === undefined ? none : sql.fragment`and r.storage_place_id = ${placeId}::bigint`}
    ${batchId === undefined ? none : sql.fragment`and r.batch_id = ${batchId}::bigint`}
  `
  const selective = variantId !== undefined || batchId !== undefined
  if (updatedAfter !== undefined && !selective)
    return changedIds({ table: 'stock_levels', tenantId, updatedAfter, after, limit, and })
  const since = updatedAfter === undefined ? none : sql.fragment`and r.updated_at >= ${updatedAfter}::timestamptz`
  return sql.fragment`(
    select r.id from stock_levels r
    where r.tenant_id = ${tenantId}::bigint and r.id > ${pageStart(after)}::bigint ${and} ${since}
    order by r.id limit ${limit}
  )`
}
