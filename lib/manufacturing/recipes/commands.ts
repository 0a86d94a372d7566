/**
 * The writing commands of recipes: load, decide, store. Master data emits no events. It must not hold SQL or rules.
 */
import type { Answer, CommandContext, Params } from '../../api/endpoint.ts'
import { isRefusal, type Refusal, refuse } from '../../api/errors.ts'
import { loadRecipeChange, loadRecipeSurroundings } from './load.ts'
import { findRecipe } from './queries.ts'
import { decideLines, decideRecipe, refuseRecipeBody } from './rules.ts'
import type { NewRecipe, RecipeChange } from './schemas.ts'
import { insertRecipe, updateRecipe } from './store.ts'

export const noSuchRecipe = (): Refusal => refuse('not_found', 'no such recipe')

/** Makes a recipe. Two round trips for any number of lines. Refusals: see `refuseRecipeBody`, `decideRecipe`. */
export async function createRecipe(
  { connection, tenant, now }: CommandContext,
  { body }: { readonly body: NewRecipe },
): Promise<Answer | Refusal> {
  const refused = refuseRecipeBody(body)
  if (refused !== null) return refused
  const surroundings = await loadRecipeSurroundings(connection, { tenantId: tenant.id, body })
  const lines = decideRecipe(body, surroundings)
  if (isRefusal(lines)) return lines
  const itemId = surroundings.subject?.item_id ?? ''
  return { body: await insertRecipe(connection, { tenantId: tenant.id, now }, { itemId, body, lines }) }
}

/** Changes a recipe; an empty body writes nothing. Two round trips for any number of lines. Refusals: `not_found`, `decideLines`. */
export async function changeRecipe(
  { connection, tenant, now }: CommandContext,
  { params, body }: { readonly params: Params; readonly body: RecipeChange },
): Promise<Answer | Refusal> {
  const wanted = { tenantId: tenant.id, id: params['id'] ?? '' }
  if (Object.values(body).every(value => value === undefined)) {
    const document = await findRecipe(connection, wanted)
    return document === null ? noSuchRecipe() : { body: document }
  }
  const surroundings = await loadRecipeChange(connection, { ...wanted, body })
  if (surroundings.subject === null) return noSuchRecipe()
  const lines = decideLines(body, surroundings)
  if (isRefusal(lines)) return lines
  return { body: await updateRecipe(connection, { tenantId: tenant.id, now }, { id: wanted.id, body, lines }) }
}
