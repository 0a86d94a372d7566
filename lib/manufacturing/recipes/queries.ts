/**
 * Reads recipes for answers: one by id, and pages of the list. It must not write; `store.ts` does.
 */
import * as v from 'valibot'
import type { Json, Row } from '../../api/endpoint.ts'
import { pageRows, sameFew, sameKey } from '../../api/list-page.ts'
import { type Connection, rows } from '../../store/postgres.ts'
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
  const { filters, ...of } = page
  const found = pageRows(
    {
      table: 'recipes',
      ...of,
      same: [
        ...sameKey('external_ref', filters.external_ref),
        ...sameFew('item_variant_id', filters.item_variant_id),
        ...sameFew('item_id', filters.item_id),
      ],
    },
    'r',
  )
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select r.id::text as id, ${recipeDocument()}::text as document
    from ${found}
    ${recipeSubject}
    order by r.id
  `)
}
