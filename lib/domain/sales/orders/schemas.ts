/** The bodies of sales orders. */
import type * as v from 'valibot'
import {
  clearable,
  code,
  currency,
  flag,
  id,
  int32,
  list,
  longText,
  nullable,
  oneOf,
  optional,
  price,
  quantity,
  shape,
  taxRate,
  text,
  timestamp,
  withDefault,
} from '../../../kit/api/fields.ts'
import { bodyOf } from '../../../kit/fields/bodies.ts'
import { JsonNumber } from '../../../platform/json.ts'
import { inlineFields } from '../../partners/noun.ts'

/** Of an order, removed ones not counted. */
export const LINES_MAX = 500

const NewOrderItem = shape({
  item_variant_id: id(),
  quantity: quantity({ moreThan: '0' }),
  price: optional(price()),
  tax_rate: withDefault(taxRate(), new JsonNumber('0')),
  // Null is stock without a place; left out it is the main place.
  storage_place_id: clearable(id()),
})
export type NewOrderItem = v.InferOutput<typeof NewOrderItem>

export const NewOrder = shape({
  customer_id: nullable(id()),
  customer: nullable(bodyOf(inlineFields)),
  currency: optional(currency()),
  priority: withDefault(int32(), new JsonNumber('0')),
  delivery_date: nullable(timestamp()),
  number: nullable(code()),
  notes: nullable(longText()),
  external_ref: nullable(text()),
  allow_backorder: withDefault(flag(), true),
  items: list(NewOrderItem, { min: 1, max: LINES_MAX }),
})
export type NewOrder = v.InferOutput<typeof NewOrder>

/** With `id` a change or removal of that line, without one a new line; `refuseBody` holds the two apart. */
const OrderItemChange = shape({
  id: optional(id()),
  item_variant_id: optional(id()),
  quantity: optional(quantity({ moreThan: '0' })),
  price: optional(price()),
  tax_rate: optional(taxRate()),
  storage_place_id: clearable(id()),
  remove: withDefault(flag(), false),
})
export type OrderItemChange = v.InferOutput<typeof OrderItemChange>

export const OrderChange = shape({
  notes: clearable(longText()),
  priority: optional(int32()),
  delivery_date: clearable(timestamp()),
  customer_id: optional(id()),
  external_ref: clearable(text()),
  // As many as there can be: each line changed or removed, and as many added.
  items: optional(list(OrderItemChange, { min: 1, max: 2 * LINES_MAX })),
  status: optional(
    oneOf({ DONE: 'releases what is reserved and moves no stock', CANCELLED: 'the same, while nothing is shipped' }),
  ),
  cancel_reason: clearable(text()),
  delivery_status: optional(
    oneOf({ PACKED: 'packs what is left to pack', SHIPPED: 'ships what is left, which ends the order' }),
  ),
})
export type OrderChange = v.InferOutput<typeof OrderChange>
