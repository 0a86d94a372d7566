/** The filters and the document of what is available. */
import type * as v from 'valibot'
import { code, id, optional, shape } from '../../api/fields.ts'
import { decimal, explained, idText, named, orNull, plainText } from '../../api/reply-fields.ts'

export const AvailabilityFilters = shape({
  item_variant_id: optional(id()),
  sku: optional(code()),
  storage_place_id: optional(id()),
})
export type AvailabilityFilters = v.InferOutput<typeof AvailabilityFilters>

/** Also the `data` of a `stock.changed` event. */
export const Availability = named(
  'Availability',
  shape({
    item_variant_id: idText(),
    sku: orNull(plainText()),
    storage_place_id: orNull(idText()),
    quantity: explained(decimal(), 'physical stock over all batches, quarantined or not'),
    quarantine_quantity: explained(decimal(), 'of the quantity'),
    reserved_quantity: decimal(),
    expected_quantity: decimal(),
    available_quantity: explained(decimal(), 'quantity - quarantine - reserved; may be negative'),
    average_cost: orNull(explained(decimal(4), 'null without stock')),
  }),
)
