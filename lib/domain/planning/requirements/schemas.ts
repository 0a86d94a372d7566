/** The query and the answer of requirements. */
import * as v from 'valibot'
import { code, id, optional, queryQuantity, shape } from '../../../kit/api/fields.ts'
import { choice, decimal, explained, idText, named, orNull, truth, wholeNumber } from '../../../kit/api/reply-fields.ts'
import { variantFields } from '../row.ts'

export const RequirementsQuery = shape({
  item_variant_id: optional(explained(id(), 'the variant')),
  sku: optional(explained(code(), 'instead of `item_variant_id`: the sku of an unarchived variant')),
  quantity: explained(queryQuantity({ moreThan: '0' }), 'how many are to be made'),
  storage_place_id: optional(explained(id(), 'the place; null is stock without a place')),
})

export const Requirements = named(
  'Requirements',
  shape({
    item_variant_id: explained(idText(), 'the variant'),
    quantity: decimal(),
    storage_place_id: orNull(explained(idText(), 'whose stock is taken; null is stock without a place')),
    is_coverable: explained(truth(), 'nothing has to be bought'),
    max_quantity: explained(wholeNumber(), 'the greatest whole number up to `quantity` that is coverable'),
    rows: explained(
      v.array(
        shape({
          ...variantFields('the longest path from the asked variant, which is at 0'),
          gross_quantity: explained(decimal(), 'what is needed, over everything that it goes into'),
          available_quantity: explained(
            decimal(),
            'what of it stands at the place, neither quarantined, expired nor reserved; not below 0',
          ),
          net_quantity: explained(decimal(), 'what is missing'),
          action: explained(
            choice({ STOCK: 'nothing is missing', MAKE: 'a recipe makes it', BUY: 'no recipe makes it' }),
            'where what is missing comes from',
          ),
          supplier_id: orNull(
            explained(idText(), 'of what is to be bought: the supplier of the preferred supplier item'),
          ),
          supplier_item_id: orNull(explained(idText(), 'of what is to be bought: the preferred supplier item')),
          unit_cost: orNull(
            explained(decimal(), 'of what is to be bought: the average cost at the place, else the purchase price'),
          ),
          cost: orNull(explained(decimal(4), 'net_quantity * unit_cost')),
        }),
      ),
      'by level, then variant; the asked variant is not among them, nor what comes to 0',
    ),
  }),
)
