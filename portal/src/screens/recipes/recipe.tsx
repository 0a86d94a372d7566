/** A recipe: what one unit takes and costs, and whether it counts. */
import { Badge } from '@mantine/core'
import type { Recipe as Made } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { Instant } from '../../format.tsx'
import { RecordOf, RecordPage } from '../../patterns/detail-page.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { Section } from '../../patterns/section.tsx'
import { useApi } from '../../session.tsx'
import { RecipeCosts } from './costs.tsx'
import { recipeThatCounts } from './counts.ts'
import { EditRecipe } from './recipe-steps.tsx'
import { recipeTitle } from './title.ts'

const route = getRouteApi('/recipes/$id')

export const Recipe = () => (
  <RecordOf route={route} kind="Recipe" name="recipes" of={api => api.recipes}>
    {recipe => <Shown recipe={recipe} />}
  </RecordOf>
)

function Shown({ recipe }: { readonly recipe: Exact<Made> }) {
  const api = useApi()
  const { id, item_id, item_variant_id } = recipe
  const { data: counting } = useQuery({
    queryKey: ['recipes', 'counting', item_id, item_variant_id],
    queryFn: ({ signal }) => recipeThatCounts(api, { item_id, item_variant_id }, { signal }),
  })
  const document = item_variant_id === null ? 'PRODUCT' : 'VARIANT'
  const path = item_variant_id === null ? item_id : `${item_id}/${item_variant_id}`
  return (
    <RecordPage
      title={recipeTitle(recipe)}
      of={recipe}
      status={
        counting && (
          <Badge color={counting.id === id ? 'green' : 'gray'}>{counting.id === id ? 'Newest' : 'Older'}</Badge>
        )
      }
      steps={<EditRecipe recipe={recipe} />}
      facts={[
        [
          'Makes',
          <DocumentLink key="makes" kind={document} id={path}>
            {recipeTitle(recipe)}
          </DocumentLink>,
        ],
        ['SKU', recipe.sku],
        ['Made', <Instant key="made" at={recipe.created_at} />],
        ['Reference', recipe.external_ref],
        [
          'Orders take',
          counting && counting.id !== id ? (
            <DocumentLink key="newer" kind="RECIPE" id={counting.id}>
              a newer recipe
            </DocumentLink>
          ) : null,
        ],
      ]}
    >
      <Section title="What it takes">
        <RecipeCosts recipe={recipe} />
      </Section>
    </RecordPage>
  )
}
