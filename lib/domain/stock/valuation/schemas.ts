/** The filters of the stock's value at a time. */
import type * as v from 'valibot'
import { date, optional, shape, someIds, timestamp } from '../../../kit/api/fields.ts'
import { explained } from '../../../kit/api/reply-fields.ts'

export const ValuationFilters = shape({
  as_of: optional(
    explained(timestamp(), 'the moment: what had been posted by then, inclusive; this or `through` is required'),
  ),
  through: optional(explained(date(), 'instead of `as_of`: a day, by the dates of documents, inclusive')),
  item_variant_id: optional(someIds()),
  storage_place_id: optional(someIds()),
})
export type ValuationFilters = v.InferOutput<typeof ValuationFilters>
