/** Kits: how many could be sold now, which component is scarcest, and the components of a line in words. */
import { Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { compare, type Decimal, type ExactApi, sum, times } from '../exact.ts'
import { quantityText } from '../format.tsx'
import type { Availability, Product } from '../records.ts'
import { useSession } from '../session.tsx'
import { usePlaces } from './places.tsx'
import { joinedTexts } from './titles.ts'

export type KitVariant = Pick<Product['variants'][number], 'id' | 'components'>

export type KitLevel = Pick<Availability, 'storage_place_id' | 'available_quantity'> & {
  /** The components that limit the number of kits. */
  readonly scarcest: string
}

export function kitQuery(api: ExactApi, { id, components }: KitVariant) {
  const item_variant_id = [id, ...components.map(part => part.item_variant_id)]
  return queryOptions({
    queryKey: ['availability', 'of-kit', ...item_variant_id] as readonly unknown[],
    queryFn: async ({ signal }): Promise<readonly KitLevel[]> => {
      const found = api.availability.list({ item_variant_id, limit: 200 }, { signal })
      const levels = await found.toArray({ max: 5_000 })
      return levels
        .filter(row => row.item_variant_id === id)
        .map(({ storage_place_id, available_quantity }) => ({
          ...{ storage_place_id, available_quantity },
          scarcest: scarcestOf({ storage_place_id, available_quantity }, components, levels),
        }))
    },
  })
}

function scarcestOf(
  { storage_place_id: place, available_quantity: count }: Omit<KitLevel, 'scarcest'>,
  components: KitVariant['components'],
  levels: readonly Availability[],
): string {
  if (count === null) return ''
  const oneMore = sum([count, '1'])
  const there = (id: string) =>
    levels.find(row => row.item_variant_id === id && row.storage_place_id === place)?.available_quantity ?? '0'
  // A service has no stock rows.
  return components
    .filter(part => levels.some(row => row.item_variant_id === part.item_variant_id))
    .filter(part => compare(there(part.item_variant_id), times(part.quantity, oneMore)) < 0)
    .map(({ sku, title }) => joinedTexts(title, sku))
    .join('; ')
}

type SoldProps = {
  readonly id: string
  /** Undefined: the main place. */
  readonly place: string | null | undefined
}

/** The note below a new line of a kit. There is no promised day for a kit. */
export function KitSold({ id, place }: SoldProps) {
  const { api, can } = useSession()
  const places = usePlaces()
  const { data } = useQuery({
    queryKey: ['availability', 'of-kit', id],
    queryFn: ({ signal }) =>
      api.availability.list({ item_variant_id: id, limit: 200 }, { signal }).toArray({ max: 5_000 }),
    enabled: can('read:stock'),
  })
  if (data === undefined || places === undefined) return null
  const from = place === undefined ? (places.find(({ is_main }) => is_main)?.id ?? null) : place
  const row = data.find(({ storage_place_id }) => storage_place_id === from)
  if (row?.available_quantity === null) return null
  return (
    <Text size="xs" c="dimmed" role="status">
      A kit: {quantityText(row?.available_quantity ?? '0')} could be sold now
    </Text>
  )
}

type Part = {
  readonly item_variant_id: string
  readonly sku: string | null
  readonly title: string
  readonly quantity: Decimal
  readonly batch_id?: string | null
  readonly batch_number?: string | null
}

/** The components that a kit's line takes or brings back, a row for each component and batch. */
export const PartTexts = ({ of }: { readonly of: readonly Part[] }) =>
  of.map(part => (
    <Text key={`${part.item_variant_id} ${part.batch_id}`} span size="xs" c="dimmed" display="block">
      {partText(part)}
    </Text>
  ))

export const partText = ({ quantity, sku, title, batch_number }: Part): string =>
  `${quantityText(quantity)} × ${joinedTexts(title, sku)}${batch_number == null ? '' : `, batch ${batch_number}`}`
