/** What several parts of these screens read. */
import { queryOptions } from '@tanstack/react-query'
import type { ExactApi } from '../../exact.ts'

/** Of one variant by place. */
export const availabilityQuery = (api: ExactApi, item_variant_id: string) =>
  queryOptions({
    queryKey: ['availability', 'of', item_variant_id] as readonly unknown[],
    queryFn: ({ signal }) => api.availability.list({ item_variant_id, limit: 200 }, { signal }).toArray({ max: 5_000 }),
  })
