/** The endpoints of recipes. */
import type { Endpoint } from '../../../kit/api/endpoint.ts'
import { readsOf } from '../../../kit/documents/noun.ts'
import { changeRecipe, createRecipe } from './commands.ts'
import { Recipe } from './noun.ts'

export const [listRecipes, getRecipe] = readsOf(Recipe)

export const recipeEndpoints: readonly Endpoint[] = [listRecipes, getRecipe, createRecipe, changeRecipe]
