/** What a variant is made of: the recipe of what is made, with its costs, and the components of a kit, which limit how many can be sold. */
import { Group, Text } from '@mantine/core'
import { queryOptions } from '@tanstack/react-query'
import { Instant, moneyText } from '../../format.tsx'
import { type Columns, column } from '../../patterns/columns.tsx'
import { TableSection } from '../../patterns/data-table.tsx'
import type { Choice } from '../../patterns/inputs.tsx'
import { type KitLevel, type KitVariant, kitQuery } from '../../patterns/kits.tsx'
import { DocumentLink, PathLink, What } from '../../patterns/links.tsx'
import { Panel, TablePanel } from '../../patterns/panel.tsx'
import type { ManufacturingOrder, Product } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { RecipeCosts } from '../recipes/costs.tsx'
import { recipeThatCounts } from '../recipes/counts.ts'
import { NewRecipe } from '../recipes/recipe-steps.tsx'

const componentColumns: Columns<KitVariant['components'][number]> = [
  column.shown('Component', part => <What {...part} />, { says: ({ title }) => title }),
  column.quantity('In one kit', ({ quantity }) => quantity),
]

const soldColumns: Columns<KitLevel> = [
  column.place('Place', ({ storage_place_id }) => storage_place_id),
  column.number('Could be sold', ({ available_quantity }) => available_quantity),
  column.shown('Scarcest component', ({ scarcest }) => scarcest),
]

export function Kit({ variant }: { readonly variant: KitVariant }) {
  const api = useApi()
  return (
    <>
      <Text size="sm">A kit: it holds no stock. Its components leave when it is shipped.</Text>
      <TableSection
        title="Components"
        columns={componentColumns}
        rows={variant.components}
        rowId={({ item_variant_id }) => item_variant_id}
      />
      <TablePanel
        title="Could be sold"
        scope="read:stock"
        query={kitQuery(api, variant)}
        whenEmpty="An archived kit is not sold."
        columns={soldColumns}
        rows={levels => levels}
        rowId={({ storage_place_id }) => storage_place_id ?? ''}
      />
    </>
  )
}

export function RecipeSection({ product, variant }: { readonly product: Product; readonly variant: Choice }) {
  const api = useApi()
  const item_variant_id = variant.id
  const query = queryOptions({
    queryKey: ['recipes', 'of', item_variant_id] as readonly unknown[],
    queryFn: async ({ signal }) => {
      const recipe = await recipeThatCounts(api, { item_id: product.id, item_variant_id }, { signal })
      if (recipe === null) return null
      const done = { item_variant_id, status: 'DONE', order: 'desc', limit: 1 } as const
      const { data } = await api.manufacturingOrders.list(done, { signal })
      return { recipe, last: data[0] }
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
            {data.last && <LastMade {...data.last} />}
            <DocumentLink kind="RECIPE" id={data.recipe.id}>
              The recipe
            </DocumentLink>
          </RecipeCosts>
        )
      }
    </Panel>
  )
}

const LastMade = ({ id, number, completed_at, actual_cost: { unit_cost, currency } }: ManufacturingOrder) =>
  unit_cost !== null && (
    <Text size="sm">
      Last made for {moneyText(unit_cost, currency)} each, with{' '}
      <DocumentLink inText kind="MANUFACTURING_ORDER" id={id}>
        {number}
      </DocumentLink>
      , <Instant at={completed_at} />
    </Text>
  )
