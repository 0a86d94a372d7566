/** The endpoints of recipes. */

import { readsOf } from '../../../kit/documents/noun.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { changeRecipe, createRecipe } from './commands.ts'
import { examples } from './examples.ts'
import { Recipe } from './noun.ts'

export const [listRecipes, getRecipe] = readsOf(Recipe)

export const recipes = resource([Recipe], [listRecipes, getRecipe, createRecipe, changeRecipe], { examples })
