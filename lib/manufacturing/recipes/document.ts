/**
 * The one place where a recipe becomes JSON: GET, lists and the commands' answers all render it by this fragment. It must not
 * choose which recipes.
 */
import { type Fragment, object, objects, sql } from '../../store/postgres.ts'

/** What a query joins to a recipe `r`: its item `i` and, where it is a variant's, the variant `iv`. */
export const recipeSubject = sql.fragment`
  cross join lateral (select * from items where tenant_id = r.tenant_id and id = r.item_id limit 1) i
  left join lateral (select * from item_variants where tenant_id = r.tenant_id and id = r.item_variant_id limit 1) iv on true`

/**
 * JSON of the recipe `r` with `recipeSubject`. `lines` names relations with the columns of `recipe_materials` and
 * `recipe_operations`: the tables, or in a statement that writes the rows as they will be.
 */
export function recipeDocument(
  lines: { readonly materials: Fragment; readonly operations: Fragment } = {
    materials: sql.fragment`recipe_materials`,
    operations: sql.fragment`recipe_operations`,
  },
): Fragment {
  return object(sql.fragment`select
  r.id::text as id,
  r.item_id::text as item_id,
  r.item_variant_id::text as item_variant_id,
  i.title as item_title,
  iv.title as item_variant_title,
  iv.sku,
  r.external_ref,
  iso(r.created_at) as created_at,
  iso(r.updated_at) as updated_at,
  ${objects(sql.fragment`
    select
      m.id::text as id,
      mv.item_id::text as item_id,
      m.item_variant_id::text as item_variant_id,
      mv.sku,
      mv.title,
      trim_scale(m.quantity) as quantity,
      m.notes
    from ${lines.materials} m
    cross join lateral (select * from item_variants where tenant_id = m.tenant_id and id = m.item_variant_id limit 1) mv
    where m.tenant_id = r.tenant_id and m.recipe_id = r.id
    order by m.id`)} as materials,
  ${objects(sql.fragment`
    select
      ro.id::text as id,
      ro.operation_id::text as operation_id,
      op.title as operation_title,
      ro.operation_type,
      ro.position,
      trim_scale(ro.duration) as duration,
      trim_scale(ro.cost_per_hour) as cost_per_hour,
      ro.notes
    from ${lines.operations} ro
    cross join lateral (select * from operations where tenant_id = ro.tenant_id and id = ro.operation_id limit 1) op
    where ro.tenant_id = r.tenant_id and ro.recipe_id = r.id
    order by ro.id`)} as operations
`)
}
