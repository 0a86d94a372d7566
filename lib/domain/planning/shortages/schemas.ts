/** The filters of shortages. */
import * as v from 'valibot'
import { oneOf, optional, shape, someIds } from '../../../kit/api/fields.ts'
import { explained } from '../../../kit/api/reply-fields.ts'

export const ShortageFilters = shape({
  item_variant_id: optional(someIds()),
  storage_place_id: optional(someIds()),
  below: v.optional(
    explained(
      oneOf({ zero: 'less than nothing is left', minimum: 'less is left than the minimum stock' }),
      'what counts as short',
    ),
    'zero',
  ),
})
export type ShortageFilters = v.InferOutput<typeof ShortageFilters>
