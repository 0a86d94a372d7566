/**
 * What a sales return's document holds (interface "Sales return"), for OpenAPI and for tests of real answers. The SQL that
 * renders it is in `return-document.ts`; the two must name the same fields.
 */
import * as v from 'valibot'
import { shape } from '../../api/fields.ts'
import {
  choice,
  decimal,
  explained,
  idText,
  instant,
  orNull,
  plainText,
  truth,
  wholeNumber,
} from '../../api/reply-fields.ts'
import { returnStatuses } from './schemas.ts'

const ReturnItem = shape({
  id: idText(),
  sales_order_item_id: idText(),
  item_variant_id: idText(),
  batch_id: orNull(idText()),
  storage_place_id: orNull(explained(idText(), 'where the goods come back to; null is stock without a place')),
  sku: orNull(plainText()),
  title: plainText(),
  reason: orNull(plainText()),
  reason_note: orNull(plainText()),
  reason_id: orNull(wholeNumber()),
  quantity: decimal(),
  unit_price: decimal(),
  quarantine: truth(),
})

export const SalesReturn = shape({
  sales_return: shape({
    id: idText(),
    number: plainText(),
    status: choice(returnStatuses),
    source_type: choice(['SALES_ORDER']),
    sales_order_id: idText(),
    sales_order_number: plainText(),
    customer_id: idText(),
    storage_place_id: orNull(idText()),
    external_return_ref: orNull(explained(plainText(), 'reference in an external system; need not be unique')),
    external_ref: orNull(plainText()),
    tracking_info: orNull(plainText()),
    notes: orNull(plainText()),
    cancellation_reason: orNull(plainText()),
    created_date: instant(),
    return_date: orNull(explained(instant(), 'when the goods were received')),
    refund_amount: explained(
      decimal(4),
      "sum of quantity * unit_price, each rounded half up to the minor unit of the order's currency",
    ),
  }),
  items: explained(v.array(ReturnItem), 'in the order sent'),
})
