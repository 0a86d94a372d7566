/**
 * What the recipe commands read before they decide, each in one query. It must not write or decide. It runs under the
 * tenant's row lock, so what it finds still holds when the command writes.
 */
import * as v from 'valibot'
import { type Connection, type Fragment, jsonParameter, rows, sql } from '../../store/postgres.ts'
import { readFromRows } from '../../store/read-from-rows.ts'
import { newestRecipe, variantsWithoutOwnRecipe } from './newest.ts'
import type { RecipeSurroundings } from './rules.ts'
import type { NewRecipe, RecipeChange } from './schemas.ts'

const Surroundings = v.object({
  subject: v.nullable(v.object({ item_id: v.string(), item_type: v.string(), name: v.string() })),
  variants: v.array(v.object({ id: v.string(), item_type: v.string(), name: v.string() })),
  operations: v.array(v.object({ id: v.string(), position: v.number(), cost_per_hour: v.string() })),
  containing_itself: v.nullable(v.object({ id: v.string(), name: v.string() })),
  external_ref_taken_by: v.nullable(v.string()),
})

/** What a recipe's lines ask: the variants and operations that they name. */
type Lines = Pick<RecipeChange, 'materials' | 'operations'>

/** What a new recipe meets. */
export async function loadRecipeSurroundings(
  connection: Connection,
  { tenantId, body }: { readonly tenantId: string; readonly body: NewRecipe },
): Promise<RecipeSurroundings> {
  const tenant = sql.fragment`${tenantId}::bigint`
  const item = sql.fragment`${body.item_id}::bigint`
  // An item's recipe counts for the variants without their own; the new one is the newest in any case.
  const subject =
    body.item_variant_id === null
      ? sql.fragment`select i.id as item_id, i.type, i.title as name from items i where i.tenant_id = ${tenant} and i.id = ${item}`
      : sql.fragment`
        select i.id as item_id, i.type, coalesce(v.sku, v.title) as name
        from item_variants v ${itemOf}
        where v.tenant_id = ${tenant} and v.id = ${body.item_variant_id}::bigint`
  const outputs =
    body.item_variant_id === null
      ? variantsWithoutOwnRecipe(tenantId, item)
      : sql.fragment`select ${body.item_variant_id}::bigint as id`
  return load(connection, { tenantId, lines: body, subject, outputs, externalRef: body.external_ref, recipeId: null })
}

/** What a change of a recipe meets; a null subject when the tenant has no such recipe. */
export async function loadRecipeChange(
  connection: Connection,
  { tenantId, id, body }: { readonly tenantId: string; readonly id: string; readonly body: RecipeChange },
): Promise<RecipeSurroundings> {
  const changed = sql.fragment`recipes where tenant_id = ${tenantId}::bigint and id = ${id}::bigint`
  const subject = sql.fragment`
    select r.item_id, i.type, coalesce(v.sku, v.title, i.title) as name
    from (select * from ${changed}) r
    cross join lateral (select * from items where tenant_id = r.tenant_id and id = r.item_id limit 1) i
    left join lateral (select * from item_variants where tenant_id = r.tenant_id and id = r.item_variant_id limit 1) v on true`
  // The variants for which the changed recipe counts: none when it is not the newest.
  const outputs = sql.fragment`
    select v.id
    from (select * from ${changed}) r
    cross join lateral (
      select * from item_variants where tenant_id = r.tenant_id and item_id = r.item_id offset 0
    ) v
    where (r.item_variant_id is null or v.id = r.item_variant_id)
      and r.id = ${newestRecipe({ tenantId, variant: sql.fragment`v.id`, item: sql.fragment`v.item_id` })}`
  const externalRef = body.external_ref ?? null
  return load(connection, { tenantId, lines: body, subject, outputs, externalRef, recipeId: id })
}

/**
 * By the whole key each, and read from the row: an index that holds the item's id as well, but by variants within items, would
 * answer alone, by reading all of the tenant.
 */
const variantOf = (tenant: Fragment, id: Fragment): Fragment => sql.fragment`
  select tenant_id, id, item_id, sku, title from item_variants
  where tenant_id = ${tenant} and id = ${id} and ${readFromRows('item_variants')} limit 1`
const itemOf = sql.fragment`
  cross join lateral (
    select * from items where tenant_id = v.tenant_id and id = v.item_id and ${readFromRows('items')} limit 1
  ) i`

async function load(
  connection: Connection,
  question: {
    readonly tenantId: string
    readonly lines: Lines
    /** Selects `item_id, type, name` of what the recipe is for. */
    readonly subject: Fragment
    /** Selects the `id`s of the variants for which the recipe counts. */
    readonly outputs: Fragment
    readonly externalRef: string | null
    /** The recipe that is changed, or null. */
    readonly recipeId: string | null
  },
): Promise<RecipeSurroundings> {
  const { tenantId, lines, subject, outputs, externalRef, recipeId } = question
  const tenant = sql.fragment`${tenantId}::bigint`
  const materials = jsonParameter((lines.materials ?? []).map(line => line.item_variant_id))
  const operations = jsonParameter((lines.operations ?? []).map(line => line.operation_id))
  const { found } = await connection.one(rows(v.object({ found: v.string() }))`
    with recursive outputs as materialized (
      ${outputs}
    ), reached (id) as (
      -- What the materials are made of, at any depth. UNION keeps each variant once, so a part that comes in by many ways
      -- costs no more than one, and a cycle ends.
      select id::bigint from jsonb_array_elements_text(${materials}::jsonb) as material (id)
      where exists (select from outputs)
      union
      select line.item_variant_id
      from reached r
      cross join lateral (${variantOf(tenant, sql.fragment`r.id`)}) v
      cross join lateral (
        select m.item_variant_id from recipe_materials m
        where m.tenant_id = ${tenant}
          and m.recipe_id = ${newestRecipe({ tenantId, variant: sql.fragment`v.id`, item: sql.fragment`v.item_id` })}
        offset 0
      ) line
    )
    select json_build_object(
      'subject', (
        select json_build_object('item_id', s.item_id::text, 'item_type', s.type, 'name', s.name) from (${subject}) s
      ),
      'variants', coalesce((
        select json_agg(json_build_object('id', v.id::text, 'item_type', i.type, 'name', coalesce(v.sku, v.title)))
        from (select distinct id::bigint from jsonb_array_elements_text(${materials}::jsonb) as material (id)) m
        cross join lateral (${variantOf(tenant, sql.fragment`m.id`)}) v ${itemOf}
      ), '[]'),
      'operations', coalesce((
        select json_agg(json_build_object(
          'id', o.id::text, 'position', o.position, 'cost_per_hour', o.cost_per_hour::text
        ))
        from (select distinct id::bigint from jsonb_array_elements_text(${operations}::jsonb) as operation (id)) n
        cross join lateral (select * from operations where tenant_id = ${tenant} and id = n.id limit 1) o
      ), '[]'),
      'containing_itself', (
        select json_build_object('id', v.id::text, 'name', coalesce(v.sku, v.title))
        from reached join outputs using (id) cross join lateral (${variantOf(tenant, sql.fragment`reached.id`)}) v
        order by v.id limit 1
      ),
      'external_ref_taken_by', (
        select id::text from recipes where tenant_id = ${tenant} and external_ref = ${externalRef}
          and id is distinct from ${recipeId}::bigint
      )
    )::text as found
  `)
  return v.parse(Surroundings, JSON.parse(found))
}
