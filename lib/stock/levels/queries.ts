/** The SQL of stock entries: their document, their share of the stock value, and pages of the list. */
import * as v from 'valibot'
import type { Row } from '../../api/endpoint.ts'
import { type Asked, pageIds } from '../../api/list-page.ts'
import { type Beginning, rowOrder } from '../../api/page-order.ts'
import { type Connection, object, rows, sql } from '../../postgres/postgres.ts'
import { shownUpdatedAt } from './changed-since.ts'

/**
 * The share of the level `l` in the value of its balance `b`: by quantity, rounded, and the residue for the row with stock
 * and the highest id, so that the rows of a variant and place add up to V exactly. It looks at all rows of the variant and
 * place, whatever the page or filter shows of them; with one row in stock it looks at none.
 */
export const stockValue = sql.fragment`(
  case
    when l.quantity = 0 then 0
    when l.quantity = b.quantity then b.value
    when (
      select true from stock_levels o
      where o.tenant_id = l.tenant_id and o.item_variant_id = l.item_variant_id and o.place_key = l.place_key
        and o.quantity > 0 and o.id > l.id
      limit 1
    ) then cost_ratio(b.value * l.quantity, b.quantity)
    else b.value - (
      select sum(cost_ratio(b.value * o.quantity, b.quantity)) from stock_levels o
      where o.tenant_id = l.tenant_id and o.item_variant_id = l.item_variant_id and o.place_key = l.place_key
        and o.quantity > 0 and o.id <> l.id
    )
  end
)`

/** JSON of the level `l` with its balance `b`, variant `v`, item `i`, unit `u` and batch `t`. */
const levelDocument = object(sql.fragment`select
  l.id::text as id,
  v.item_id::text as item_id,
  l.item_variant_id::text as item_variant_id,
  v.sku,
  v.title,
  l.storage_place_id::text as storage_place_id,
  l.batch_id::text as batch_id,
  t.number as batch_number,
  t.manufacture_date::text as manufacture_date,
  t.expiry_date::text as expiry_date,
  u.name as unit_name,
  trim_scale(l.quantity) as quantity,
  trim_scale(l.quarantine_quantity) as quarantine_quantity,
  trim_scale(l.reserved_quantity) as reserved_quantity,
  trim_scale(l.expected_quantity) as expected_quantity,
  trim_scale(l.quantity - l.quarantine_quantity - l.reserved_quantity) as available_quantity,
  trim_scale(cost_ratio(b.value, b.quantity)) as average_cost,
  trim_scale(${stockValue}) as stock_value,
  iso(${shownUpdatedAt}) as updated_at
`)

/**
 * A page of stock entries. The ids are chosen first, so that documents are rendered for the page's rows only. What belongs to
 * each is looked up by its key: joined plainly, it may be read for all of the tenant.
 */
export async function listLevels(
  connection: Connection,
  page: Asked & Beginning & { readonly tenantId: string; readonly limit: number },
): Promise<readonly Row[]> {
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select l.id::text as id, ${levelDocument}::text as document
    from ${pageIds({ table: 'stock_levels', ...page })} page
    cross join lateral (select * from stock_levels where tenant_id = ${page.tenantId}::bigint and id = page.id limit 1) l
    cross join lateral (
      select * from stock_balances
      where tenant_id = l.tenant_id and item_variant_id = l.item_variant_id and place_key = l.place_key limit 1
    ) b
    cross join lateral (
      select * from item_variants where tenant_id = l.tenant_id and id = l.item_variant_id limit 1
    ) v
    cross join lateral (select * from items where tenant_id = v.tenant_id and id = v.item_id limit 1) i
    cross join lateral (select * from units where tenant_id = i.tenant_id and id = i.unit_id limit 1) u
    left join lateral (select * from batches where tenant_id = l.tenant_id and id = l.batch_id limit 1) t on true
    order by ${rowOrder('l', page)}
  `)
}
