/** The filters of stock movements. */
import { created, fewIds, filtersOf, manyIds, oneText } from '../../../kit/api/list-filters.ts'
import { sourceTypes } from './document.ts'

/** The narrowest first. */
export const movementFilters = filtersOf({
  source_id: fewIds(),
  batch_id: fewIds(),
  item_variant_id: fewIds(),
  storage_place_id: manyIds(),
  source_type: oneText(sourceTypes),
  ...created,
})
