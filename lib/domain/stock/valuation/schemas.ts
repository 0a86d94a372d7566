/** The filters of the value of the stock at a time. */
import type * as v from 'valibot'
import { id, optional, shape, timestamp } from '../../../kit/api/fields.ts'
import { explained } from '../../../kit/api/reply-fields.ts'

export const ValuationFilters = shape({
  as_of: explained(timestamp(), 'the moment: what had been posted by then, inclusive'),
  item_variant_id: optional(id()),
  storage_place_id: optional(id()),
})
export type ValuationFilters = v.InferOutput<typeof ValuationFilters>
