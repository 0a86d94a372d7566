/**
 * The one place where a product becomes JSON: GET, lists, the commands' answers and the events all render it by this
 * fragment. It must not choose which products.
 */
import { type Fragment, object, objects, sql } from '../store/postgres.ts'

/**
 * JSON of the item `i` with the unit name `u.name`, for a query that has both in scope. `variants` is a relation with the
 * columns of `item_variants`: the table, or in a statement that writes the rows as they will be, since a statement does
 * not see its own writes.
 */
export function productDocument(variants: Fragment = sql.fragment`item_variants`): Fragment {
  return object(sql.fragment`select
  i.id::text as id,
  i.title,
  i.type,
  i.description,
  i.category,
  i.unit_id::text as unit_id,
  u.name as unit_name,
  i.is_sellable,
  i.is_producible,
  i.is_purchasable,
  i.batch_tracked,
  i.shelf_life_days,
  i.external_ref,
  i.archived,
  iso(i.created_at) as created_at,
  iso(i.updated_at) as updated_at,
  ${objects(sql.fragment`
    select
      v.id::text as id,
      v.item_id::text as item_id,
      v.title,
      v.sku,
      v.barcode,
      trim_scale(v.price) as price,
      trim_scale(v.purchase_price) as purchase_price,
      trim_scale(v.minimum_stock) as minimum_stock,
      json_strip_nulls(v.attributes::json) as attributes, -- which has no nulls, and is compact so
      v.archived,
      iso(v.created_at) as created_at,
      iso(v.updated_at) as updated_at
    from ${variants} v
    where v.tenant_id = i.tenant_id and v.item_id = i.id
    order by v.id`)} as variants
`)
}
