/** The query and the answer of a projection. */
import * as v from 'valibot'
import { code, id, optional, shape } from '../../../kit/api/fields.ts'
import { choice, day, decimal, explained, idText, named, orNull, plainText } from '../../../kit/api/reply-fields.ts'

/** The query parameters for a variant and a place. */
export const variantAndPlace = {
  item_variant_id: optional(explained(id(), 'the variant')),
  sku: optional(explained(code(), 'instead of `item_variant_id`: the sku of an unarchived variant')),
  storage_place_id: optional(
    explained(id(), 'the place; without it the main one, or stock without a place for a tenant without places'),
  ),
}

export const ProjectionQuery = shape(variantAndPlace)

const source = named(
  'ProjectionSource',
  shape({
    source_type: choice({
      SALES_ORDER: 'a sales order takes it',
      RESERVATION: 'a hold takes it, without a date',
      MANUFACTURING_ORDER: 'a manufacturing order makes it, or needs it where the quantity is below 0',
      PURCHASE_ORDER: 'a purchase order brings it',
    }),
    source_id: idText(),
    number: plainText(),
    quantity: explained(decimal(), 'above 0 the document brings it, below 0 it takes it'),
    due_date: orNull(explained(day(), 'the UTC day for which the document says it')),
  }),
)

export const Projection = named(
  'Projection',
  shape({
    item_variant_id: explained(idText(), 'the variant'),
    storage_place_id: orNull(explained(idText(), 'where; null is stock without a place')),
    quantity: explained(decimal(), 'what is physically there, neither quarantined nor expired today'),
    minimum_stock: orNull(explained(decimal(), "the variant's; it counts at the main place")),
    days: explained(
      v.array(
        shape({
          date: explained(day(), 'a UTC day'),
          supply_quantity: explained(decimal(), 'what comes on the day'),
          demand_quantity: explained(decimal(), 'what goes on the day'),
          projected_quantity: explained(decimal(), 'what is there at the end of the day; may be below 0'),
          sources: explained(v.array(source), 'which documents bring and take it, by their dates'),
        }),
      ),
      'today and each later day on which something happens',
    ),
    undated_supply: explained(v.array(source), 'what is expected without a date: no day counts it'),
    first_short_date: orNull(explained(day(), 'the first day that ends below 0')),
    first_below_minimum_date: orNull(
      explained(day(), 'the first day that ends below the minimum stock, or below 0 where no minimum counts'),
    ),
  }),
)
