/** The bodies and filters of operations (docs/rules/manufacturing.md). */
import type * as v from 'valibot'
import {
  clearable,
  int32,
  nullable,
  optional,
  price,
  shape,
  text,
  title,
  withDefault,
} from '../../../kit/api/fields.ts'
import { JsonNumber } from '../../../platform/json.ts'

export const NewOperation = shape({
  title: title(),
  cost_per_hour: price(),
  position: withDefault(int32(), new JsonNumber('0')),
  unit_name: nullable(text()),
  external_ref: nullable(text()),
})
export type NewOperation = v.InferOutput<typeof NewOperation>

export const OperationChange = shape({
  title: optional(title()),
  cost_per_hour: optional(price()),
  position: optional(int32()),
  unit_name: clearable(text()),
  external_ref: clearable(text()),
})
export type OperationChange = v.InferOutput<typeof OperationChange>
