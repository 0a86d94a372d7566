/** The current recipe: the one that manufacturing orders use unless they name another. */
import type { ExactApi } from '../../exact.ts'
import type { Recipe } from '../../records.ts'

const ITEM_RECIPES_MAX = 200

type Makes = { readonly item_id: string; readonly item_variant_id: string | null }

/** Of a variant: its own newest recipe, else that for every variant of the product. Without a variant the product's. */
export async function recipeThatCounts(
  { recipes }: ExactApi,
  { item_id, item_variant_id }: Makes,
  options: { readonly signal: AbortSignal },
): Promise<Recipe | null> {
  const newest = { item_variant_id: item_variant_id ?? undefined, order: 'desc', limit: 1 } as const
  const own = item_variant_id === null ? undefined : (await recipes.list(newest, options)).data[0]
  if (own) return own
  const { data } = await recipes.list({ item_id, order: 'desc', limit: ITEM_RECIPES_MAX }, options)
  return data.find(recipe => recipe.item_variant_id === null) ?? null
}
