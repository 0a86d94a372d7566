/** The bodies of sales returns. */
import type * as v from 'valibot'
import {
  clearable,
  code,
  flag,
  id,
  int32,
  list,
  longText,
  nullable,
  optional,
  price,
  quantity,
  shape,
  text,
  timestamp,
  withDefault,
} from '../../../kit/api/fields.ts'

const LINES_MAX = 500

const NewReturnItem = shape({
  sales_order_item_id: id(),
  quantity: quantity({ moreThan: '0' }),
  reason_id: nullable(int32()),
  reason: nullable(text()),
  reason_note: nullable(text()),
  quarantine: withDefault(flag(), false),
  // Null is stock without a place; left out it is the return's own where that is given, else the order line's.
  storage_place_id: clearable(id()),
  batch_id: nullable(id()),
  unit_price: optional(price()),
})
export type NewReturnItem = v.InferOutput<typeof NewReturnItem>

export const NewReturn = shape({
  sales_order_id: id(),
  storage_place_id: clearable(id()),
  external_return_ref: nullable(text()),
  tracking_info: nullable(text()),
  notes: nullable(longText()),
  number: nullable(code()),
  external_ref: nullable(text()),
  items: list(NewReturnItem, { min: 1, max: LINES_MAX }),
})
export type NewReturn = v.InferOutput<typeof NewReturn>

export const Receiving = shape({ return_date: optional(timestamp()) })
export type Receiving = v.InferOutput<typeof Receiving>

export const Cancelling = shape({ reason: nullable(text()) })
export type Cancelling = v.InferOutput<typeof Cancelling>
