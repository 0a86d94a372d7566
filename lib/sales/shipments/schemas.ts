/**
 * The bodies and documents of shipments and packings, which differ in nothing but what they do (contract 2, "Sales order").
 * It must not decide anything that needs the tenant's data.
 */
import * as v from 'valibot'
import { code, id, list, nullable, optional, quantity, shape, text, timestamp } from '../../api/fields.ts'
import { decimal, explained, idText, instant, orNull, plainText } from '../../api/reply-fields.ts'

/** A line may come from several batches, each an entry of its own. */
const ENTRIES_MAX = 500

const HandlingItem = shape({
  sales_order_item_id: id(),
  quantity: quantity({ moreThan: '0' }),
  batch_id: nullable(id()),
})
export type HandlingItem = v.InferOutput<typeof HandlingItem>

export const NewHandling = shape({
  date: optional(timestamp()),
  number: nullable(code()),
  external_ref: nullable(text()),
  items: optional(list(HandlingItem, { min: 1, max: ENTRIES_MAX })),
})
export type NewHandling = v.InferOutput<typeof NewHandling>

export const Handling = shape({
  id: idText(),
  number: plainText(),
  sales_order_id: idText(),
  date: instant(),
  external_ref: orNull(plainText()),
  created_at: instant(),
  items: explained(
    v.array(
      shape({
        id: idText(),
        sales_order_item_id: idText(),
        item_variant_id: idText(),
        quantity: decimal(),
        batch_id: orNull(idText()),
      }),
    ),
    'in the order sent; what is shipped from several batches has an entry for each',
  ),
})
