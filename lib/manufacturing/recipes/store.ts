/**
 * What the recipe commands write after they decided: one statement each, whatever the number of lines, which also renders the
 * answer. It must not decide anything.
 */
import * as v from 'valibot'
import type { Json } from '../../api/endpoint.ts'
import { type Connection, type Fragment, jsonParameter, rows, sql } from '../../store/postgres.ts'
import { recipeDocument, recipeSubject } from './document.ts'
import type { RecipeLines } from './rules.ts'
import type { NewRecipe, RecipeChange } from './schemas.ts'

/** Whose, and when. */
type Stamp = { readonly tenantId: string; readonly now: string }

/** Inserts lines of the recipe of relation `r`, in the order given: their ids ascend in it. */
const newLines = ({ tenantId }: Stamp, lines: RecipeLines): Fragment => sql.fragment`
  new_materials as (
    insert into recipe_materials (tenant_id, recipe_id, item_variant_id, quantity, notes)
    select ${tenantId}::bigint, r.id, n.item_variant_id, n.quantity, n.notes
    from r, rows from (
      jsonb_to_recordset(${jsonParameter(lines.materials ?? [])}::jsonb) as (
        item_variant_id bigint, quantity numeric, notes text
      )
    ) with ordinality as n (item_variant_id, quantity, notes, line)
    order by n.line
    returning *
  ), new_operations as (
    insert into recipe_operations (
      tenant_id, recipe_id, operation_id, operation_type, position, duration, cost_per_hour, notes
    )
    select
      ${tenantId}::bigint, r.id, n.operation_id, n.operation_type, n.position, n.duration, n.cost_per_hour, n.notes
    from r, rows from (
      jsonb_to_recordset(${jsonParameter(lines.operations ?? [])}::jsonb) as (
        operation_id bigint, operation_type text, position integer, duration numeric, cost_per_hour numeric, notes text
      )
    ) with ordinality as n (operation_id, operation_type, position, duration, cost_per_hour, notes, line)
    order by n.line
    returning *
  )`

/** Writes a new recipe and renders it. The item is the given one's, or the variant's. */
export async function insertRecipe(
  connection: Connection,
  stamp: Stamp,
  recipe: { readonly itemId: string; readonly body: NewRecipe; readonly lines: RecipeLines },
): Promise<Json> {
  const { tenantId, now } = stamp
  const { itemId, body, lines } = recipe
  const written = { materials: sql.fragment`new_materials`, operations: sql.fragment`new_operations` }
  const { document } = await connection.one(rows(v.object({ document: v.string() }))`
    with r as (
      insert into recipes (tenant_id, item_id, item_variant_id, external_ref, created_at, updated_at)
      values (
        ${tenantId}::bigint, ${itemId}::bigint, ${body.item_variant_id}::bigint, ${body.external_ref},
        ${now}::timestamptz, ${now}::timestamptz
      )
      returning *
    ), ${newLines(stamp, lines)}
    select ${recipeDocument(written)}::text as document from r ${recipeSubject}
  `)
  return document
}

/** Writes a recipe's change and renders it. Lines that are replaced get new ids. */
export async function updateRecipe(
  connection: Connection,
  stamp: Stamp,
  change: { readonly id: string; readonly body: RecipeChange; readonly lines: RecipeLines },
): Promise<Json> {
  const { tenantId, now } = stamp
  const { id, body, lines } = change
  const [materialsReplaced, operationsReplaced] = [lines.materials !== undefined, lines.operations !== undefined]
  const ofRecipe = sql.fragment`tenant_id = ${tenantId}::bigint and recipe_id = ${id}::bigint`
  const written = { materials: sql.fragment`materials`, operations: sql.fragment`steps` }
  const { document } = await connection.one(rows(v.object({ document: v.string() }))`
    with r as (
      update recipes set
        external_ref = case when ${body.external_ref !== undefined} then ${body.external_ref ?? null} else external_ref end,
        updated_at = ${now}::timestamptz
      where tenant_id = ${tenantId}::bigint and id = ${id}::bigint
      returning *
    ), old_materials as (
      delete from recipe_materials where ${ofRecipe} and ${materialsReplaced}
    ), old_operations as (
      delete from recipe_operations where ${ofRecipe} and ${operationsReplaced}
    ), ${newLines(stamp, lines)}, materials as (
      select * from new_materials
      union all select * from recipe_materials where ${ofRecipe} and not ${materialsReplaced}
    ), steps as (
      select * from new_operations
      union all select * from recipe_operations where ${ofRecipe} and not ${operationsReplaced}
    )
    select ${recipeDocument(written)}::text as document from r ${recipeSubject}
  `)
  return document
}
