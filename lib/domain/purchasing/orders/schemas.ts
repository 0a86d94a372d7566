/** The bodies of purchase orders. */
import type * as v from 'valibot'
import {
  code,
  currency,
  date,
  exchangeRate,
  id,
  list,
  longText,
  nullable,
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

export const LINES_MAX = 500

const NewOrderItem = shape({
  item_variant_id: id(),
  quantity: quantity({ moreThan: '0' }),
  price: optional(price()),
  tax_rate: withDefault(taxRate(), new JsonNumber('0')),
  batch_number: nullable(text()),
  expiry_date: nullable(date()),
})
export type NewOrderItem = v.InferOutput<typeof NewOrderItem>

export const NewOrder = shape({
  supplier_id: nullable(id()),
  supplier: nullable(bodyOf(inlineFields)),
  currency: optional(currency()),
  exchange_rate: optional(exchangeRate()),
  date: optional(timestamp()),
  expected_date: nullable(timestamp()),
  number: nullable(code()),
  notes: nullable(longText()),
  external_ref: nullable(text()),
  items: list(NewOrderItem, { min: 1, max: LINES_MAX }),
})
export type NewOrder = v.InferOutput<typeof NewOrder>

export const OrderClosing = shape({ reason: nullable(text()) })
export type OrderClosing = v.InferOutput<typeof OrderClosing>
