/** The filters of what is available. */
import type * as v from 'valibot'
import { code, optional, queryFlag, shape, someIds } from '../../../kit/api/fields.ts'
import { explained } from '../../../kit/api/reply-fields.ts'

export const AvailabilityFilters = shape({
  item_variant_id: optional(someIds()),
  sku: optional(code()),
  storage_place_id: optional(someIds()),
  sales_allowed: optional(explained(queryFlag(), 'of the place; stock without a place counts as allowed')),
})
export type AvailabilityFilters = v.InferOutput<typeof AvailabilityFilters>
