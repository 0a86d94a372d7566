/** Whether products are kept in batches, for forms that ask for batches. */
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session.tsx'
import { rowsOf } from './groups.ts'

/** False for a product of which it is known that it has no batches. */
export function useMayHaveBatch(itemIds: readonly string[]): (itemId: string) => boolean {
  const { api, can } = useSession()
  const ids = [...new Set(itemIds)]
  const { data } = useQuery({
    queryKey: ['products', 'tracked', ...ids],
    queryFn: async ({ signal }) => {
      const products = await rowsOf(ids, id => api.products.list({ id, limit: id.length }, { signal }))
      return new Map(products.map(({ id, batch_tracked }) => [id, batch_tracked]))
    },
    enabled: can('read:catalog') && ids.length > 0,
    staleTime: 300_000,
  })
  return itemId => data?.get(itemId) ?? true
}
