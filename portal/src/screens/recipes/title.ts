/** What a recipe is called: what it makes. */
import { variantTitle } from '../../patterns/titles.ts'

type Makes = { readonly item_title: string; readonly item_variant_title: string | null }

export const recipeTitle = ({ item_title, item_variant_title: title }: Makes): string =>
  title === null ? `${item_title}, every variant` : variantTitle({ item_title, title })
