/** The filters of what is available. */
import type * as v from 'valibot'
import { code, optional, shape, someIds } from '../../../kit/api/fields.ts'

export const AvailabilityFilters = shape({
  item_variant_id: optional(someIds()),
  sku: optional(code()),
  storage_place_id: optional(someIds()),
})
export type AvailabilityFilters = v.InferOutput<typeof AvailabilityFilters>
