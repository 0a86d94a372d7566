/** The body and filters of stock transfers. */
import * as v from 'valibot'
import {
  code,
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

export const LINES_MAX = 500

const NewTransferItem = shape({
  item_variant_id: id(),
  quantity: quantity({ moreThan: '0' }),
  batch_id: nullable(id()),
  from_quarantine: withDefault(flag(), false),
  to_quarantine: withDefault(flag(), false),
})
export type NewTransferItem = v.InferOutput<typeof NewTransferItem>

export const NewTransfer = shape({
  // Null is a value here (stock without a place), so leaving the field out is refused.
  from_storage_place_id: v.nullable(id()),
  to_storage_place_id: v.nullable(id()),
  date: optional(timestamp()),
  notes: nullable(longText()),
  number: nullable(code()),
  external_ref: nullable(text()),
  items: list(NewTransferItem, { min: 1, max: LINES_MAX }),
})
export type NewTransfer = v.InferOutput<typeof NewTransfer>
