/**
 * The needs of a recipe, and the cost of one unit: materials at their average cost at the place of manufacture, else at their purchase
 * price.
 */
import { Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Decimal, isZero, perOne, sum, times } from '../../exact.ts'
import { moneyText, quantityText, totalText } from '../../format.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { inGroups } from '../../patterns/groups.ts'
import { VariantLink } from '../../patterns/links.tsx'
import { usePlaces, usualPlace } from '../../patterns/places.tsx'
import { Small } from '../../patterns/small.tsx'
import type { Recipe } from '../../records.ts'
import { useSession } from '../../session.tsx'

/** The unit cost of each variant, without those that have none. Empty until the costs are loaded. */
export function useMaterialCosts(ids: readonly string[]): ReadonlyMap<string, Decimal> {
  const { api, can } = useSession()
  const places = usePlaces()
  const place = usualPlace(places, 'manufacturing_allowed')
  const wanted = [...new Set(ids)].toSorted()
  const { data } = useQuery({
    queryKey: ['availability', 'costs', place, ...wanted],
    queryFn: async ({ signal }) => {
      const read = async (item_variant_id: readonly string[]) => {
        const at = place === null ? {} : { storage_place_id: place }
        const [products, levels] = await Promise.all([
          api.products.list({ item_variant_id, limit: 100 }, { signal }),
          api.availability.list({ item_variant_id, ...at, limit: 200 }, { signal }),
        ])
        const prices = products.data.flatMap(({ variants }) =>
          variants.map(({ id, purchase_price }) => [id, purchase_price] as const),
        )
        const averages = levels.data
          .filter(({ storage_place_id }) => storage_place_id === place)
          .map(({ item_variant_id: id, average_cost }) => [id, average_cost] as const)
        return [...prices, ...averages]
      }
      const found = (await Promise.all(inGroups(wanted).map(read))).flat()
      return new Map(found.flatMap(([id, cost]) => (cost === null ? [] : [[id, cost] as const])))
    },
    enabled: can('read:stock') && can('read:catalog') && places !== undefined && wanted.length > 0,
    placeholderData: keepPreviousData,
  })
  return data ?? new Map()
}

/** A quantity plus a share of it in percent. */
export const withScrap = (quantity: Decimal, percent: Decimal): Decimal =>
  sum([quantity, times(times(quantity, percent), '0.01')])

/** `quantity` of materials: with scrap. */
export type Needs = {
  readonly output: Decimal
  readonly materials: readonly { readonly item_variant_id: string; readonly quantity: Decimal }[]
  readonly operations: readonly { readonly duration: Decimal; readonly cost_per_hour: Decimal }[]
}

/** @param costs the unit cost of each material. */
function costOfOne({ output, materials, operations }: Needs, costs: ReadonlyMap<string, Decimal>) {
  const known = materials.flatMap(({ item_variant_id, quantity }) => {
    const cost = costs.get(item_variant_id)
    return cost === undefined ? [] : [times(quantity, cost)]
  })
  const work = operations.map(({ duration, cost_per_hour }) => times(duration, cost_per_hour))
  return { cost: perOne(sum([...known, ...work]), output), isWhole: known.length === materials.length }
}

type Row = Recipe['materials'][number] & { readonly cost: Decimal | null }

const columns: Columns<Row> = [
  column.shown('Material', line => <VariantLink of={line} />),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.shown('Scrap', ({ scrap_percent }) => (isZero(scrap_percent) ? null : `${quantityText(scrap_percent)} %`)),
  column.amount('Cost', ({ cost }) => cost),
]

type Props = { readonly recipe: Recipe; readonly children?: ReactNode }

/** The materials and operations of a recipe with their costs. */
export function RecipeCosts({ recipe, children }: Props) {
  const { me } = useSession()
  const { operations } = recipe
  const materials = recipe.materials.map(line => ({ ...line, planned: withScrap(line.quantity, line.scrap_percent) }))
  const needs = {
    ...{ output: recipe.output_quantity, operations },
    materials: materials.map(({ item_variant_id, planned }) => ({ item_variant_id, quantity: planned })),
  }
  const costs = useMaterialCosts(materials.map(({ item_variant_id }) => item_variant_id))
  const rows = materials.map(material => {
    const cost = costs.get(material.item_variant_id)
    return { ...material, cost: cost === undefined ? null : times(material.planned, cost) }
  })
  return (
    <Stack gap="xs">
      <DataTable label="Recipe" columns={columns} rows={rows} />
      <Stack gap={2} px="sm" pb="sm" className="numbers">
        {operations.map(({ id, operation_title, duration, cost_per_hour }) => (
          <Figure key={id} label={`${operation_title}, ${quantityText(duration)} h`}>
            {totalText(times(duration, cost_per_hour), me.currency)}
          </Figure>
        ))}
        <OneCosts needs={needs} costs={costs} />
        {children}
      </Stack>
    </Stack>
  )
}

type OneCostsProps = { readonly needs: Needs; readonly costs: ReadonlyMap<string, Decimal> }

export function OneCosts({ needs, costs }: OneCostsProps) {
  const { me } = useSession()
  const { cost, isWhole } = costOfOne(needs, costs)
  return (
    <>
      <Figure label={isWhole ? 'One costs' : 'One costs, of what has a cost'} fw={600}>
        {moneyText(cost, me.currency)}
      </Figure>
      <Small>Materials at their average cost where it is made, else at their purchase price.</Small>
    </>
  )
}

type FigureProps = { readonly label: string; readonly fw?: number; readonly children: string }

const Figure = ({ label, fw = 400, children }: FigureProps) => (
  <Group justify="space-between" wrap="nowrap">
    <Text size="sm" fw={fw}>
      {label}
    </Text>
    <Text size="sm" fw={fw}>
      {children}
    </Text>
  </Group>
)
