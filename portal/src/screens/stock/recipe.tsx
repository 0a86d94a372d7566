/** What a variant is made of, and what that costs at today's averages. */
import { Group, Text } from '@mantine/core'
import { queryOptions } from '@tanstack/react-query'
import { Instant, moneyText } from '../../format.tsx'
import type { Choice } from '../../patterns/inputs.tsx'
import { DocumentLink, PathLink } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import type { Product } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { RecipeCosts } from '../recipes/costs.tsx'
import { recipeThatCounts } from '../recipes/counts.ts'
import { NewRecipe } from '../recipes/recipe-steps.tsx'

type Props = { readonly product: Product; readonly variant: Choice }

export function RecipeSection({ product, variant }: Props) {
  const api = useApi()
  const item_variant_id = variant.id
  const query = queryOptions({
    queryKey: ['recipes', 'of', item_variant_id] as readonly unknown[],
    queryFn: async ({ signal }) => {
      const options = { signal }
      const recipe = await recipeThatCounts(api, { item_id: product.id, item_variant_id }, options)
      if (recipe === null) return null
      const made = await api.manufacturingOrders.list(
        { item_variant_id, status: 'DONE', order: 'desc', limit: 1 },
        options,
      )
      return { recipe, last: made.data[0] ?? null }
    },
  })
  if (!product.is_producible) return null
  return (
    <Panel
      title="Recipe"
      scope="read:manufacturing"
      query={query}
      isEmpty={data => data === null}
      whenEmpty="It has no recipe. Make one, and orders know their materials."
      aside={
        <Group gap="xs">
          <PathLink to="/recipes" search={{ item_variant_id }}>
            Its recipes
          </PathLink>
          <PathLink to="/planner/requirements" search={{ item_variant_id }}>
            Can we make it?
          </PathLink>
          <NewRecipe makes={variant} />
        </Group>
      }
    >
      {data =>
        data && (
          <RecipeCosts recipe={data.recipe}>
            {data.last !== null && data.last.actual_cost.unit_cost !== null && (
              <Text size="sm">
                Last made for {moneyText(data.last.actual_cost.unit_cost, data.last.actual_cost.currency)} each, with{' '}
                <DocumentLink inText kind="MANUFACTURING_ORDER" id={data.last.id}>
                  {data.last.number}
                </DocumentLink>
                , <Instant at={data.last.completed_at} />
              </Text>
            )}
            <DocumentLink kind="RECIPE" id={data.recipe.id}>
              The recipe
            </DocumentLink>
          </RecipeCosts>
        )
      }
    </Panel>
  )
}
