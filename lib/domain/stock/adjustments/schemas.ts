/** The body and filters of stock adjustments. */
import type * as v from 'valibot'
import {
  clearable,
  code,
  date,
  id,
  list,
  longText,
  nullable,
  oneOf,
  optional,
  price,
  quantity,
  shape,
  text,
  timestamp,
  withDefault,
} from '../../../kit/api/fields.ts'
import { adjustmentReasons } from './document.ts'

export const LINES_MAX = 500

const NewAdjustmentItem = shape({
  item_variant_id: id(),
  quantity: nullable(quantity()),
  counted_quantity: nullable(quantity({ min: '0' })),
  expected_quantity: nullable(quantity({ min: '0' })),
  unit_cost: optional(price()),
  batch_id: nullable(id()),
  batch_number: nullable(text()),
  manufacture_date: nullable(date()),
  expiry_date: nullable(date()),
})
export type NewAdjustmentItem = v.InferOutput<typeof NewAdjustmentItem>

export const NewAdjustment = shape({
  storage_place_id: clearable(id()),
  date: optional(timestamp()),
  reason: withDefault(oneOf(adjustmentReasons), 'CORRECTION'),
  notes: nullable(longText()),
  number: nullable(code()),
  external_ref: nullable(text()),
  items: list(NewAdjustmentItem, { min: 1, max: LINES_MAX }),
})
export type NewAdjustment = v.InferOutput<typeof NewAdjustment>
