/** The filters and the document of shortages. */
import * as v from 'valibot'
import { id, oneOf, optional, shape } from '../../api/fields.ts'
import { choice, decimal, explained, idText, instant, named, orNull, plainText } from '../../api/reply-fields.ts'

export const ShortageFilters = shape({
  item_variant_id: optional(id()),
  storage_place_id: optional(id()),
  below: v.optional(
    oneOf({ zero: 'less than nothing is left', minimum: 'less is left than the minimum stock' }),
    'zero',
  ),
})
export type ShortageFilters = v.InferOutput<typeof ShortageFilters>

export const Shortage = named(
  'Shortage',
  shape({
    item_id: idText(),
    item_variant_id: idText(),
    sku: orNull(plainText()),
    title: plainText(),
    storage_place_id: orNull(idText()),
    quantity: explained(decimal(), 'physical stock over all batches, quarantined or not'),
    quarantine_quantity: explained(decimal(), 'of the quantity'),
    reserved_quantity: explained(decimal(), 'the sum of `demand`'),
    expected_quantity: explained(decimal(), 'the sum of `supply`'),
    available_quantity: explained(decimal(), 'quantity - quarantine - reserved; may be negative'),
    projected_quantity: explained(decimal(), 'available + expected'),
    minimum_stock: orNull(explained(decimal(), "the variant's, wherever the row stands")),
    short_quantity: explained(decimal(), 'what is missing to 0, or to the minimum'),
    demand: explained(
      v.array(
        shape({
          source_type: choice({
            SALES_ORDER: 'a sales order reserves it',
            MANUFACTURING_ORDER: 'a manufacturing order needs it',
          }),
          source_id: idText(),
          number: plainText(),
          quantity: explained(decimal(), 'what the document still reserves, over its lines'),
          needed_by: orNull(
            explained(instant(), "the sales order's delivery date, or the manufacturing order's planned start"),
          ),
        }),
      ),
      'open reservations, one entry per document: the earliest first, those without a date last',
    ),
    supply: explained(
      v.array(
        shape({
          source_type: choice({
            PURCHASE_ORDER: 'a purchase order brings it',
            MANUFACTURING_ORDER: 'a manufacturing order makes it',
          }),
          source_id: idText(),
          number: plainText(),
          quantity: explained(decimal(), 'what is still to come, over its lines'),
          expected_by: orNull(
            explained(instant(), "the purchase order's expected date, or the manufacturing order's production date"),
          ),
        }),
      ),
      'what is expected, one entry per document: the earliest first, those without a date last',
    ),
  }),
)
