/** Recipes and operations: how they are read, listed and linked, and their events. */
import { filter } from '../../filters.ts'
import { noun } from '../../noun.ts'
import { variantTitle } from '../../patterns/titles.ts'

type Makes = { readonly item_title: string; readonly item_variant_title: string | null }

/** What a recipe is called: what it makes. */
export const recipeTitle = ({ item_title, item_variant_title: title }: Makes): string =>
  title === null ? `${item_title}, every variant` : variantTitle({ item_title, title })

const scope = 'read:manufacturing'

export const recipes = noun({
  ...{ kind: 'RECIPE', one: 'Recipe', many: 'Recipes' },
  ...{ list: '/recipes', scope },
  of: api => api.recipes,
  named: recipe => ({ id: recipe.id, title: recipeTitle(recipe) }),
  filters: { item_variant_id: filter.variant('Makes', { use: 'is_producible' }) },
})

export const operations = noun({
  ...{ kind: 'OPERATION', one: 'Operation', many: 'Operations' },
  ...{ list: '/operations', under: '/recipes', scope },
  of: api => api.operations,
  order: 'asc',
})
