/**
 * Reads recipes for answers: one by id, and pages of the list. It must not write; `store.ts` does.
 */
import * as v from 'valibot'
import type { Json, Row } from '../../api/endpoint.ts'
import { pageStart } from '../../api/list-page.ts'
import { type Connection, rows, sql } from '../../store/postgres.ts'
import { recipeDocument, recipeSubject } from './document.ts'
import type { RecipeFilters } from './schemas.ts'

/** The recipe's document, or null when the tenant has no such recipe. */
export async function findRecipe(
  connection: Connection,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<Json | null> {
  const row = await connection.maybeOne(rows(v.object({ document: v.string() }))`
    select ${recipeDocument()}::text as document
    from recipes r ${recipeSubject}
    where r.tenant_id = ${tenantId}::bigint and r.id = ${id}::bigint
  `)
  return row?.document ?? null
}

/** A page of recipes in id order. The ids are chosen first, so that documents are rendered for the page's rows only. */
export async function listRecipes(
  connection: Connection,
  page: {
    readonly tenantId: string
    readonly filters: RecipeFilters
    readonly after: string | null
    readonly limit: number
  },
): Promise<readonly Row[]> {
  const { item_id: itemId, item_variant_id: variantId, external_ref: externalRef } = page.filters
  const any = sql.fragment``
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select r.id::text as id, ${recipeDocument()}::text as document
    from (
      select id from recipes
      where tenant_id = ${page.tenantId}::bigint and id > ${pageStart(page.after)}::bigint
        ${itemId === undefined ? any : sql.fragment`and item_id = ${itemId}::bigint`}
        ${variantId === undefined ? any : sql.fragment`and item_variant_id = ${variantId}::bigint`}
        ${externalRef === undefined ? any : sql.fragment`and external_ref = ${externalRef}`}
      order by id limit ${page.limit}
    ) page
    join recipes r on r.tenant_id = ${page.tenantId}::bigint and r.id = page.id
    ${recipeSubject}
    order by r.id
  `)
}
