/** The filters of what is available. */
import type * as v from 'valibot'
import { code, id, optional, shape } from '../../../kit/api/fields.ts'

export const AvailabilityFilters = shape({
  item_variant_id: optional(id()),
  sku: optional(code()),
  storage_place_id: optional(id()),
})
export type AvailabilityFilters = v.InferOutput<typeof AvailabilityFilters>
