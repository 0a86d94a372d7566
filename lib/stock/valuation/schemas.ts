/** The filters and the rows of the value of the stock at a time. */
import type * as v from 'valibot'
import { id, optional, shape, timestamp } from '../../api/fields.ts'
import { decimal, explained, idText, instant, named, orNull, plainText } from '../../api/reply-fields.ts'

export const ValuationFilters = shape({
  as_of: timestamp(),
  item_variant_id: optional(id()),
  storage_place_id: optional(id()),
})
export type ValuationFilters = v.InferOutput<typeof ValuationFilters>

export const Valuation = named(
  'StockValuation',
  shape({
    item_id: idText(),
    item_variant_id: idText(),
    sku: orNull(plainText()),
    title: plainText(),
    storage_place_id: orNull(idText()),
    quantity: explained(decimal(), 'physical stock over all batches, quarantined or not'),
    average_cost: orNull(explained(decimal(4), 'stock_value / quantity, rounded; null without stock')),
    stock_value: explained(decimal(4), "in the tenant's currency"),
    as_of: instant(),
  }),
)
