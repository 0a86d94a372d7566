/** The bodies and filters of manufacturing orders (docs/rules/manufacturing.md). */
import type * as v from 'valibot'
import {
  code,
  date,
  flag,
  id,
  int32,
  list,
  longText,
  nullable,
  oneOf,
  optional,
  quantity,
  shape,
  someOf,
  text,
  timestamp,
  withDefault,
} from '../../../kit/api/fields.ts'
import { JsonNumber } from '../../../platform/json.ts'
import { orderTypes } from '../recipes/noun.ts'
import { taskStatuses } from './document.ts'

export const LINES_MAX = 500

const outputFields = {
  output_batch_number: nullable(text()),
  output_manufacture_date: nullable(date()),
  output_expiry_date: nullable(date()),
}

const NewItem = shape({ item_variant_id: id(), quantity: quantity({ moreThan: '0' }) })

export const NewOrder = shape({
  item_variant_id: id(),
  quantity: quantity({ moreThan: '0' }),
  manufacturing_location_id: optional(id()),
  type: optional(oneOf(orderTypes)),
  sales_order_id: nullable(id()),
  recipe_id: optional(id()),
  priority: withDefault(int32(), new JsonNumber('0')),
  number: nullable(code()),
  planned_start_date: nullable(timestamp()),
  production_date: nullable(timestamp()),
  shipping_date: nullable(timestamp()),
  ...outputFields,
  notes: nullable(longText()),
  external_ref: nullable(text()),
  items: optional(list(NewItem, { min: 0, max: LINES_MAX })),
})
export type NewOrder = v.InferOutput<typeof NewOrder>

const WriteOff = shape({ id: id(), quantity: quantity({ min: '0' }) })

export const Start = shape({
  started_at: optional(timestamp()),
  items: withDefault(list(WriteOff, { min: 0, max: LINES_MAX }), []),
  notes: nullable(longText()),
})
export type Start = v.InferOutput<typeof Start>

const TaskReport = shape({ id: id(), actual_duration: quantity({ min: '0' }) })

export const Completion = shape({
  quantity: optional(quantity({ min: '0' })),
  is_final: withDefault(flag(), false),
  completed_at: optional(timestamp()),
  ...outputFields,
  storage_place_id: optional(id()),
  quarantine: withDefault(flag(), false),
  tasks: withDefault(list(TaskReport, { min: 0, max: LINES_MAX }), []),
  notes: nullable(longText()),
})
export type Completion = v.InferOutput<typeof Completion>

export const Blocking = shape({ reason: nullable(text()) })
export type Blocking = v.InferOutput<typeof Blocking>

export const Unblocking = shape({})
export type Unblocking = v.InferOutput<typeof Unblocking>

export const TaskFilters = shape({
  status: optional(someOf(taskStatuses)),
  operation_id: optional(id()),
  manufacturing_order_id: optional(id()),
})
export type TaskFilters = v.InferOutput<typeof TaskFilters>
