/**
 * The one place where a product becomes JSON: GET, lists, the commands' answers and the events all render it by this
 * fragment. It must not choose which products.
 */
import { type Fragment, sql } from '../store/postgres.ts'

const variantDocument = sql.fragment`json_build_object(
  'id', v.id::text,
  'item_id', v.item_id::text,
  'title', v.title,
  'sku', v.sku,
  'barcode', v.barcode,
  'price', trim_scale(v.price),
  'purchase_price', trim_scale(v.purchase_price),
  'minimum_stock', trim_scale(v.minimum_stock),
  'attributes', v.attributes,
  'archived', v.archived,
  'created_at', iso(v.created_at),
  'updated_at', iso(v.updated_at)
)`

/**
 * JSON of the item `i` with the unit name `u.name`, for a query that has both in scope. `variants` is a relation with the
 * columns of `item_variants`: the table, or in a statement that writes the rows as they will be, since a statement does
 * not see its own writes.
 */
export function productDocument(variants: Fragment = sql.fragment`item_variants`): Fragment {
  return sql.fragment`json_build_object(
  'id', i.id::text,
  'title', i.title,
  'type', i.type,
  'description', i.description,
  'category', i.category,
  'unit_id', i.unit_id::text,
  'unit_name', u.name,
  'is_sellable', i.is_sellable,
  'is_producible', i.is_producible,
  'is_purchasable', i.is_purchasable,
  'batch_tracked', i.batch_tracked,
  'shelf_life_days', i.shelf_life_days,
  'external_ref', i.external_ref,
  'archived', i.archived,
  'created_at', iso(i.created_at),
  'updated_at', iso(i.updated_at),
  'variants', (
    select coalesce(json_agg(${variantDocument} order by v.id), '[]')
    from ${variants} v
    where v.tenant_id = i.tenant_id and v.item_id = i.id
  )
)`
}
