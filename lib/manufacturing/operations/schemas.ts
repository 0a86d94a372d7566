/**
 * The bodies, filters and document of operations (interface "Operation", contract 2, "Operation, recipe"). It must not decide
 * anything that needs the tenant's data.
 */
import type * as v from 'valibot'
import { clearable, int32, nullable, optional, price, shape, text, title, withDefault } from '../../api/fields.ts'
import { JsonNumber } from '../../api/json.ts'
import { decimal, explained, idText, instant, orNull, plainText, wholeNumber } from '../../api/reply-fields.ts'

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

export const OperationFilters = shape({ external_ref: optional(text()) })
export type OperationFilters = v.InferOutput<typeof OperationFilters>

export const Operation = shape({
  id: idText(),
  title: plainText(),
  position: explained(wholeNumber(), 'its place in the technology; several may share one'),
  cost_per_hour: explained(decimal(), "in the tenant's currency"),
  unit_id: orNull(idText()),
  unit_name: orNull(plainText()),
  external_ref: orNull(plainText()),
  created_at: instant(),
  updated_at: instant(),
})
