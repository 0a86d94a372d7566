/** The filters of available stock. */
import type * as v from 'valibot'
import { code, optional, queryFlag, shape, someIds, type timestamp } from '../../../kit/api/fields.ts'
import { changes } from '../../../kit/api/list-filters.ts'
import { explained } from '../../../kit/api/reply-fields.ts'

export const AvailabilityFilters = shape({
  item_variant_id: optional(someIds()),
  sku: optional(code()),
  is_kit: optional(explained(queryFlag(), 'only kits, or all but kits; with `updated_after` there are no kits')),
  storage_place_id: optional(someIds()),
  sales_allowed: optional(
    explained(
      queryFlag(),
      'at places where sales orders may ship from, or may not; stock without a place counts as allowed',
    ),
  ),
  updated_after: optional(changes.updated_after.schema as ReturnType<typeof timestamp>),
})
export type AvailabilityFilters = v.InferOutput<typeof AvailabilityFilters>
