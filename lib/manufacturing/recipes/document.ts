/**
 * The one place where a recipe becomes JSON: GET, lists and the commands' answers all render it by this fragment. It must not
 * choose which recipes.
 */
import { type Fragment, sql } from '../../store/postgres.ts'

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
  return sql.fragment`json_build_object(
  'id', r.id::text,
  'item_id', r.item_id::text,
  'item_variant_id', r.item_variant_id::text,
  'item_title', i.title,
  'item_variant_title', iv.title,
  'sku', iv.sku,
  'external_ref', r.external_ref,
  'created_at', iso(r.created_at),
  'updated_at', iso(r.updated_at),
  'materials', (
    select coalesce(json_agg(json_build_object(
      'id', m.id::text,
      'item_id', mv.item_id::text,
      'item_variant_id', m.item_variant_id::text,
      'sku', mv.sku,
      'title', mv.title,
      'quantity', trim_scale(m.quantity),
      'notes', m.notes
    ) order by m.id), '[]')
    from ${lines.materials} m
    cross join lateral (select * from item_variants where tenant_id = m.tenant_id and id = m.item_variant_id limit 1) mv
    where m.tenant_id = r.tenant_id and m.recipe_id = r.id
  ),
  'operations', (
    select coalesce(json_agg(json_build_object(
      'id', ro.id::text,
      'operation_id', ro.operation_id::text,
      'operation_title', op.title,
      'operation_type', ro.operation_type,
      'position', ro.position,
      'duration', trim_scale(ro.duration),
      'cost_per_hour', trim_scale(ro.cost_per_hour),
      'notes', ro.notes
    ) order by ro.id), '[]')
    from ${lines.operations} ro
    cross join lateral (select * from operations where tenant_id = ro.tenant_id and id = ro.operation_id limit 1) op
    where ro.tenant_id = r.tenant_id and ro.recipe_id = r.id
  )
)`
}
