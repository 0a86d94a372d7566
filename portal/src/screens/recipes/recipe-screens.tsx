/** Recipes: their list, and a page for each with its needs, its costs, and whether it is the current one. */
import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Instant } from '../../format.tsx'
import { titleColumn } from '../../patterns/archived.tsx'
import { column } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { linkTo } from '../../patterns/links.tsx'
import { Section } from '../../patterns/section.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { Recipe } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { RecipeCosts } from './costs.tsx'
import { recipeThatCounts } from './counts.ts'
import { recipes, recipeTitle } from './nouns.ts'
import { EditRecipe, NewRecipe } from './recipe-steps.tsx'

export const { List, Page } = documentScreens(recipes, {
  columns: [
    titleColumn(recipes, 'Makes'),
    column.sku('SKU', ({ sku }) => sku, 'md'),
    column.quantity('For', ({ output_quantity }) => output_quantity),
    column.lines('It takes', ({ materials }) => materials),
    column.shown('Work', ({ operations }) => operations.map(line => line.operation_title).join(', ') || null, 'md'),
    column.day('Created', ({ created_at }) => created_at, 'sm'),
  ],
  actions: <NewRecipe />,
  whenEmpty: 'There are no recipes yet. Make one, and manufacturing orders know their materials and their cost.',
  useMore: useThatCounts,
  status: ({ id }, counting) =>
    counting && <Badge color={counting.id === id ? 'green' : 'gray'}>{counting.id === id ? 'Newest' : 'Older'}</Badge>,
  steps: recipe => <EditRecipe recipe={recipe} />,
  facts: (recipe, counting) => [
    ['Makes', madeLink(recipe)],
    ['SKU', recipe.sku],
    ['For', <Quantity key="for" of={recipe.output_quantity} goods={recipe} />],
    ['Created', <Instant key="made" at={recipe.created_at} />],
    ['Reference', recipe.external_ref],
    ['Orders take', counting && counting.id !== recipe.id ? linkTo('RECIPE', counting.id, 'a newer recipe') : null],
  ],
  related: recipe => (
    <Section title="What it takes">
      <RecipeCosts recipe={recipe} />
    </Section>
  ),
})

const madeLink = (recipe: Recipe) =>
  recipe.item_variant_id === null
    ? linkTo('PRODUCT', recipe.item_id, recipeTitle(recipe))
    : linkTo('VARIANT', `${recipe.item_id}/${recipe.item_variant_id}`, recipeTitle(recipe))

/** The current recipe of its variant or product; undefined until it is loaded. */
function useThatCounts({ item_id, item_variant_id }: Recipe) {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['recipes', 'counting', item_id, item_variant_id],
    queryFn: ({ signal }) => recipeThatCounts(api, { item_id, item_variant_id }, { signal }),
  })
  return data
}
