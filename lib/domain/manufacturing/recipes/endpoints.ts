/**
 * The endpoints of recipes. What writes is declared in `commands.ts`.
 */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { changes, fewIds, filtersOf, uniqueText } from '../../../kit/api/list-filters.ts'
import { listOf, readOf } from '../../../kit/documents/reads.ts'
import { changeRecipeEndpoint, createRecipeEndpoint } from './commands.ts'
import { Recipe } from './document.ts'

const words = { tag: 'Recipes', scope: 'read:manufacturing' }

export const listRecipesEndpoint = listOf(Recipe, {
  ...words,
  id: 'listRecipes',
  path: '/recipes',
  summary: 'List recipes',
  description:
    'Older recipes are listed too: of the recipes of a variant (or of an item) the one with the highest id counts. ' +
    "`item_id` finds the item's recipes and those of its variants, `item_variant_id` only the variant's own.",
  filters: filtersOf({
    external_ref: uniqueText(),
    item_variant_id: fewIds(),
    item_id: fewIds(),
    ...changes,
  }),
})

export const getRecipeEndpoint = readOf(Recipe, {
  ...words,
  id: 'getRecipe',
  path: '/recipes/{id}',
  summary: 'Read a recipe',
})

export const recipeEndpoints: readonly Endpoint[] = [
  listRecipesEndpoint,
  getRecipeEndpoint,
  createRecipeEndpoint,
  changeRecipeEndpoint,
]
