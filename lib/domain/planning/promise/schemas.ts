/** The query and the answer of a promise. */
import * as v from 'valibot'
import { queryQuantity, shape } from '../../../kit/api/fields.ts'
import { choice, day, decimal, explained, idText, named, orNull } from '../../../kit/api/reply-fields.ts'
import { variantAndPlace } from '../projection/schemas.ts'

export const PromiseQuery = shape({
  ...variantAndPlace,
  quantity: explained(queryQuantity({ moreThan: '0' }), 'how many are wanted'),
})

export const DeliveryPromise = named(
  'DeliveryPromise',
  shape({
    item_variant_id: explained(idText(), 'the variant'),
    storage_place_id: orNull(explained(idText(), 'where; null is stock without a place')),
    quantity: decimal(),
    available_now: explained(decimal(), 'so many can be promised for today'),
    promise_date: orNull(explained(day(), 'the first UTC day for which the quantity can be promised; null: unknown')),
    basis: orNull(
      explained(
        choice({
          STOCK: 'enough is there',
          SUPPLY: 'enough will be there on that day',
          LEAD_TIME: 'ordered or made now, it is there on that day',
        }),
        'what the date rests on',
      ),
    ),
    days: explained(
      v.array(
        shape({
          date: explained(day(), 'a UTC day'),
          available_quantity: explained(
            decimal(),
            'so many can be promised for the day; nobody else then waits for them',
          ),
        }),
      ),
      'today and each later day on which something happens',
    ),
  }),
)
