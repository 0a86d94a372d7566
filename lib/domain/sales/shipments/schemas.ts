/** The bodies and documents of shipments and packings, which differ in nothing but what they do. */
import type * as v from 'valibot'
import { code, id, list, nullable, optional, quantity, shape, text, timestamp } from '../../../kit/api/fields.ts'

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
