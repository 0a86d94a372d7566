/** Which recipe counts: the one that manufacturing orders take unless they name another. */
import type { ExactApi } from '../../exact.ts'
import type { Recipe } from '../../records.ts'

const ITEM_RECIPES_MAX = 200

type Reading = { readonly signal: AbortSignal }
type Product = { readonly item_id: string }

/** The newest recipe for every variant of a product that has none of its own. */
async function ofProduct(api: ExactApi, { item_id }: Product, options: Reading): Promise<Recipe | null> {
  const { data } = await api.recipes.list({ item_id, order: 'desc', limit: ITEM_RECIPES_MAX }, options)
  return data.find(recipe => recipe.item_variant_id === null) ?? null
}

/** Of a variant: its own newest recipe, else the product's. Without a variant the product's. */
export async function recipeThatCounts(
  api: ExactApi,
  { item_id, item_variant_id }: Product & { readonly item_variant_id: string | null },
  options: Reading,
): Promise<Recipe | null> {
  if (item_variant_id === null) return ofProduct(api, { item_id }, options)
  const own = await api.recipes.list({ item_variant_id, order: 'desc', limit: 1 }, options)
  return own.data[0] ?? ofProduct(api, { item_id }, options)
}
