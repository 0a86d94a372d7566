/**
 * The body and the document of receipts (contract 2, "Purchase order"). It must not decide anything that needs the tenant's
 * data.
 */
import * as v from 'valibot'
import {
  code,
  date,
  flag,
  id,
  list,
  longText,
  nullable,
  optional,
  quantity,
  shape,
  text,
  timestamp,
  withDefault,
} from '../../api/fields.ts'
import { day, decimal, explained, idText, instant, orNull, plainText, truth } from '../../api/reply-fields.ts'
import { LINES_MAX } from '../orders/schemas.ts'

const NewReceiptItem = shape({
  purchase_order_item_id: id(),
  quantity: quantity({ moreThan: '0' }),
  batch_number: nullable(text()),
  manufacture_date: nullable(date()),
  expiry_date: nullable(date()),
  quarantine: withDefault(flag(), false),
})
export type NewReceiptItem = v.InferOutput<typeof NewReceiptItem>

export const NewReceipt = shape({
  storage_place_id: id(),
  received_date: optional(timestamp()),
  items: optional(list(NewReceiptItem, { min: 1, max: LINES_MAX })),
  notes: nullable(longText()),
  number: nullable(code()),
  external_ref: nullable(text()),
})
export type NewReceipt = v.InferOutput<typeof NewReceipt>

const ReceiptItem = shape({
  id: idText(),
  purchase_order_item_id: idText(),
  item_id: idText(),
  item_variant_id: idText(),
  sku: orNull(plainText()),
  title: plainText(),
  quantity: decimal(),
  batch_id: orNull(idText()),
  batch_number: orNull(plainText()),
  manufacture_date: orNull(day()),
  expiry_date: orNull(day()),
  price: explained(decimal(), "the order line's, in the order's currency"),
  line_amount: explained(decimal(4), 'quantity times price, rounded half up to the minor unit, without tax'),
  quarantine: truth(),
})

export const PurchaseReceipt = shape({
  id: idText(),
  number: plainText(),
  purchase_order_id: idText(),
  storage_place_id: idText(),
  received_date: instant(),
  created_at: instant(),
  notes: orNull(plainText()),
  external_ref: orNull(plainText()),
  total_amount: explained(decimal(4), 'sum of the line amounts'),
  items: explained(v.array(ReceiptItem), 'in the order sent'),
})
