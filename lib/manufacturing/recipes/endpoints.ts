/**
 * The endpoints of recipes. It declares; what runs is in `commands.ts` and `queries.ts`.
 */
import { defineCommand, defineList, defineRead, type Endpoint } from '../../api/endpoint.ts'
import { changeRecipe, createRecipe, noSuchRecipe } from './commands.ts'
import { findRecipe, listRecipes } from './queries.ts'
import { Recipe } from './reply.ts'
import { NewRecipe, RecipeChange, RecipeFilters } from './schemas.ts'

const tag = 'Recipes'

export const listRecipesEndpoint = defineList({
  id: 'listRecipes',
  path: '/recipes',
  tag,
  scope: 'read:manufacturing',
  summary: 'List recipes',
  description:
    'Older recipes are listed too: of the recipes of a variant (or of an item) the one with the highest id counts. ' +
    "`item_id` finds the item's recipes and those of its variants, `item_variant_id` only the variant's own.",
  filters: RecipeFilters,
  refusals: [],
  reply: Recipe,
  page: ({ pool, tenantId }, { filters, after, limit }) => listRecipes(pool, { tenantId, filters, after, limit }),
})

export const getRecipeEndpoint = defineRead({
  id: 'getRecipe',
  path: '/recipes/{id}',
  tag,
  scope: 'read:manufacturing',
  summary: 'Read a recipe',
  refusals: [],
  reply: Recipe,
  handle: async ({ pool, tenantId }, { params }) =>
    (await findRecipe(pool, { tenantId, id: params['id'] ?? '' })) ?? noSuchRecipe(),
})

export const createRecipeEndpoint = defineCommand({
  id: 'createRecipe',
  method: 'POST',
  path: '/recipes',
  tag,
  scope: 'write:manufacturing.recipe.create',
  summary: 'Create a recipe',
  description:
    'For one variant (`item_variant_id`) or for every variant of an item that has none of its own (`item_id`); exactly one of ' +
    'the two. Quantities and durations (hours) are per unit of output. From now on it is the newest, which orders take. ' +
    "An operation's line without `cost_per_hour` or `position` takes the operation's, as of now. `operation_type` null serves " +
    'both types of order, else only its own. Services cannot be made or used. A variant that would contain itself at any ' +
    'depth, over the newest recipe of every variant, is 400.',
  body: NewRecipe,
  example: {
    item_variant_id: '1042',
    materials: [{ item_variant_id: '1043', quantity: 0.25, notes: 'Roasted this week' }],
    operations: [
      { operation_id: '1051', position: 10, duration: 0.01 },
      { operation_id: '1051', position: 20, duration: 0.02, cost_per_hour: 42 },
    ],
  },
  success: 201,
  countsAsDocument: false,
  refusals: [],
  reply: Recipe,
  execute: createRecipe,
})

export const changeRecipeEndpoint = defineCommand({
  id: 'updateRecipe',
  method: 'PATCH',
  path: '/recipes/{id}',
  tag,
  scope: 'write:manufacturing.recipe.update',
  summary: 'Update a recipe',
  description:
    '`materials` and `operations` are replaced as a whole where they are given, and their lines get new ids. Orders that were ' +
    'made from the recipe stay as they are.',
  body: RecipeChange,
  example: { operations: [{ operation_id: '1051', operation_type: 'MAKE_TO_ORDER', duration: 0.03 }] },
  success: 200,
  countsAsDocument: false,
  refusals: [],
  reply: Recipe,
  execute: changeRecipe,
})

export const recipeEndpoints: readonly Endpoint[] = [
  listRecipesEndpoint,
  getRecipeEndpoint,
  createRecipeEndpoint,
  changeRecipeEndpoint,
]
