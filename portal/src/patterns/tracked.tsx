/** Whether products are kept in batches, and their shelf life, for forms with batches. */
import { TextInput, type TextInputProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dayAfter } from '../days.ts'
import type { Decimal } from '../exact.ts'
import { dayText } from '../format.tsx'
import { type Reader, useSession } from '../session.tsx'
import { rowsOf } from './groups.ts'

type Tracked = {
  /** False only for a product that surely has no batches. */
  readonly mayHaveBatch: boolean
  /** In days; null: the product has none. */
  readonly shelfLife: Decimal | null
}

export function useTracked(itemIds: readonly string[]): (itemId: string) => Tracked {
  const { api, can } = useSession()
  const ids = [...new Set(itemIds)]
  const { data } = useQuery({
    queryKey: ['products', 'tracked', ...ids],
    queryFn: async ({ signal }) => {
      const products = await rowsOf(ids, id => api.products.list({ id, limit: id.length }, { signal }))
      return new Map(
        products.map(({ id, batch_tracked: mayHaveBatch, shelf_life_days: shelfLife }) => [
          id,
          { mayHaveBatch, shelfLife },
        ]),
      )
    },
    enabled: can('read:catalog') && ids.length > 0,
    staleTime: 300_000,
  })
  return itemId => data?.get(itemId) ?? { mayHaveBatch: true, shelfLife: null }
}

export function useMayHaveBatch(itemIds: readonly string[]): (itemId: string) => boolean {
  const trackedOf = useTracked(itemIds)
  return itemId => trackedOf(itemId).mayHaveBatch
}

/** A batch that is there keeps its dates: others are refused. */
export async function isNewBatch({ api, can }: Reader, item_variant_id: string, number: string): Promise<boolean> {
  if (number === '') return true
  return can('read:stock') && (await api.batches.list({ item_variant_id, number, limit: 1 })).data.length === 0
}

type Props = TextInputProps & {
  readonly shelfLife: Decimal | null
  /** The day on which the shelf life begins. */
  readonly from: string
}

/** The input says which day an empty field means. */
export const ExpiryInput = ({ shelfLife, from, ...props }: Props) => (
  <TextInput
    type="date"
    label="Expires"
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    description={
      shelfLife !== null && props.value === '' && `If empty ${dayText(dayAfter(from, shelfLife))}, by its shelf life`
    }
    {...props}
  />
)
