/** The body and the document of receipts. */
import type * as v from 'valibot'
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
} from '../../../kit/api/fields.ts'
import { LINES_MAX } from '../orders/noun.ts'

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
