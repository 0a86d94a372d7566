/** What a variant is made of, and what that costs at today's averages. */
import { Group, Stack, Text } from '@mantine/core'
import type { Product, Recipe } from '@millrace/client'
import { queryOptions } from '@tanstack/react-query'
import { type Decimal, type Exact, type ExactApi, sum, times } from '../../exact.ts'
import { Instant, moneyText, quantityText } from '../../format.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { DocumentLink, PathLink } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { useSession } from '../../session.tsx'

/** Costs are read material by material. */
const COSTS_MAX = 25
const ITEM_RECIPES_MAX = 200

type Material = Exact<Recipe>['materials'][number]
/** The recipe that manufacturing orders take by default: the variant's newest, else the product's. */
async function recipeOf(
  api: ExactApi,
  { item_id, item_variant_id }: { readonly item_id: string; readonly item_variant_id: string },
  options: { readonly signal: AbortSignal },
): Promise<Exact<Recipe> | null> {
  const own = await api.recipes.list({ item_variant_id, order: 'desc', limit: 1 }, options)
  if (own.data[0]) return own.data[0]
  const ofItem = await api.recipes.list({ item_id, order: 'desc', limit: ITEM_RECIPES_MAX }, options)
  return ofItem.data.find(recipe => recipe.item_variant_id === null) ?? null
}

const columns: Columns<Material & { readonly cost: Decimal | null }> = [
  column.shown('For one unit', ({ item_id, item_variant_id, title }) => (
    <DocumentLink kind="VARIANT" id={`${item_id}/${item_variant_id}`}>
      {title}
    </DocumentLink>
  )),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.cost('Cost', ({ cost }) => cost),
]

type Props = { readonly product: Exact<Product>; readonly variantId: string }

export function RecipeSection({ product, variantId }: Props) {
  const { api, can, me } = useSession()
  const query = queryOptions({
    queryKey: ['recipes', 'of', variantId] as readonly unknown[],
    queryFn: async ({ signal }) => {
      const options = { signal }
      const recipe = await recipeOf(api, { item_id: product.id, item_variant_id: variantId }, options)
      if (recipe === null) return null
      const [costs, made] = await Promise.all([
        can('read:stock') ? costsOf(api, variantId, recipe, options) : new Map<string, Decimal>(),
        api.manufacturingOrders.list({ item_variant_id: variantId, status: 'DONE', order: 'desc', limit: 1 }, options),
      ])
      return { recipe, costs, last: made.data[0] ?? null }
    },
  })
  if (!product.is_producible) return null
  return (
    <Panel
      title="Recipe"
      scope="read:manufacturing"
      query={query}
      isEmpty={data => data === null}
      whenEmpty="It has no recipe: send one to POST /recipes, and orders know their materials."
      aside={
        <PathLink to="/planner/requirements" search={{ item_variant_id: variantId }}>
          Can we make it?
        </PathLink>
      }
    >
      {data => {
        if (data === null) return null
        const { recipe, costs, last } = data
        const materials = recipe.materials.map(material => {
          const cost = costs.get(material.item_variant_id)
          return { ...material, cost: cost === undefined ? null : times(material.quantity, cost) }
        })
        const known = materials.flatMap(({ cost }) => (cost === null ? [] : [cost]))
        const work = recipe.operations.map(({ duration, cost_per_hour }) => times(duration, cost_per_hour))
        return (
          <Stack gap="xs">
            <DataTable label="Recipe" columns={columns} rows={materials} />
            <Stack gap={2} px="sm" pb="sm" className="numbers">
              {recipe.operations.map(({ id, operation_title, duration, cost_per_hour }) => (
                <Group key={id} justify="space-between" wrap="nowrap">
                  <Text size="sm">
                    {operation_title}, {quantityText(duration)} h
                  </Text>
                  <Text size="sm">{moneyText(times(duration, cost_per_hour), me.currency)}</Text>
                </Group>
              ))}
              <Group justify="space-between" wrap="nowrap">
                <Text size="sm" fw={600}>
                  {known.length === materials.length ? 'One costs' : 'One costs, of what has a cost'}
                </Text>
                <Text size="sm" fw={600}>
                  {moneyText(sum([...known, ...work]), me.currency)}
                </Text>
              </Group>
              <Text size="xs" c="dimmed">
                Materials at their average cost where it is made, else at their purchase price.
              </Text>
              {last !== null && last.actual_cost.unit_cost !== null && (
                <Text size="sm">
                  Last made for {moneyText(last.actual_cost.unit_cost, last.actual_cost.currency)} each, with{' '}
                  <DocumentLink inText kind="MANUFACTURING_ORDER" id={last.id}>
                    {last.number}
                  </DocumentLink>
                  , <Instant at={last.completed_at} />
                </Text>
              )}
            </Stack>
          </Stack>
        )
      }}
    </Panel>
  )
}

/** What a unit of each material costs where the variant is made: the average there, else the purchase price. */
async function costsOf(
  api: ExactApi,
  item_variant_id: string,
  { materials }: Exact<Recipe>,
  options: { readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, Decimal>> {
  const { storage_place_id } = await api.requirements({ item_variant_id, quantity: 1 }, options)
  const found = await Promise.all(
    materials.slice(0, COSTS_MAX).map(async material => {
      const { data } = await api.availability.list({ item_variant_id: material.item_variant_id, limit: 200 }, options)
      const cost =
        data.find(row => row.storage_place_id === storage_place_id)?.average_cost ??
        (await purchasePrice(api, material, options))
      return cost === null ? [] : [[material.item_variant_id, cost] as const]
    }),
  )
  return new Map(found.flat())
}

async function purchasePrice(
  api: ExactApi,
  { item_id, item_variant_id }: Material,
  options: { readonly signal: AbortSignal },
): Promise<Decimal | null> {
  const { variants } = await api.products.get(item_id, options)
  return variants.find(({ id }) => id === item_variant_id)?.purchase_price ?? null
}
