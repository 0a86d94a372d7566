/** The query and the answer of a replenishment. */
import * as v from 'valibot'
import { id, optional, shape, someIds } from '../../../kit/api/fields.ts'
import { choice, decimal, explained, idText, named, orNull, wholeNumber } from '../../../kit/api/reply-fields.ts'
import { variantFields } from '../row.ts'

export const ReplenishmentQuery = shape({
  storage_place_id: optional(
    explained(id(), 'the place; without it the main one, or stock without a place for a tenant without places'),
  ),
  item_variant_id: optional(explained(someIds(), 'begins only with these variants, where they are short')),
})

export const Replenishment = named(
  'Replenishment',
  shape({
    storage_place_id: orNull(explained(idText(), 'where; null is stock without a place')),
    rows: explained(
      v.array(
        shape({
          ...variantFields('the longest path from the variants that are short'),
          action: choice({ MAKE: 'a recipe makes it', BUY: 'no recipe makes it' }),
          projected_quantity: explained(
            decimal(),
            'what is there, neither quarantined nor expired, less what is reserved, with what is expected',
          ),
          minimum_stock: orNull(explained(decimal(), "the variant's; it counts at the main place")),
          dependent_quantity: explained(decimal(), 'what the proposals of other rows take of it'),
          net_quantity: explained(decimal(), 'what is missing'),
          order_quantity: explained(decimal(), 'the net quantity, raised to the minimum, then up to the next multiple'),
          supplier_id: orNull(explained(idText(), 'of what is bought: its preferred supplier')),
          supplier_item_id: orNull(explained(idText(), "this supplier's item")),
          lead_time_days: orNull(
            explained(
              wholeNumber(),
              "of what is bought the supplier's item's, else the variant's; of what is made its own",
            ),
          ),
          unit_cost: orNull(
            explained(
              decimal(),
              "of what is bought: the supplier's item's price in the tenant's currency, else the average cost at the place, else the " +
                'purchase price',
            ),
          ),
          cost: orNull(explained(decimal(4), 'order_quantity * unit_cost')),
        }),
      ),
      'by level, then variant',
    ),
  }),
)
