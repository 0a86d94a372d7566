/** What several parts of these screens read. */
import { queryOptions } from '@tanstack/react-query'
import type { ExactApi } from '../../exact.ts'

/** Of one variant by place. */
export const availabilityQuery = (api: ExactApi, item_variant_id: string) =>
  queryOptions({
    queryKey: ['availability', 'of', item_variant_id] as readonly unknown[],
    queryFn: ({ signal }) => api.availability.list({ item_variant_id, limit: 200 }, { signal }).toArray({ max: 5_000 }),
  })

/** Rows are kept when they are empty, and each batch has its own. */
const ENTRIES_MAX = 200

/** Of one variant by place and batch. */
export const entriesQuery = (api: ExactApi, item_variant_id: string) =>
  queryOptions({
    queryKey: ['stock', 'of', item_variant_id] as readonly unknown[],
    queryFn: async ({ signal }) =>
      await api.stock.list({ item_variant_id, order: 'desc', limit: ENTRIES_MAX }, { signal }),
  })
