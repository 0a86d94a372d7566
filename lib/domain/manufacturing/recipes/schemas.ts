/** The bodies and filters of recipes (docs/rules/manufacturing.md). */
import type * as v from 'valibot'
import {
  clearable,
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
  text,
  withDefault,
} from '../../../kit/api/fields.ts'
import { orderTypes } from './document.ts'

/** Of materials, and of operations. */
export const LINES_MAX = 500

const NewMaterial = shape({
  item_variant_id: id(),
  quantity: quantity({ moreThan: '0' }),
  notes: nullable(longText()),
})
export type NewMaterial = v.InferOutput<typeof NewMaterial>

const NewRecipeOperation = shape({
  operation_id: id(),
  operation_type: nullable(oneOf(orderTypes)),
  position: optional(int32()),
  duration: quantity({ min: '0' }),
  cost_per_hour: optional(price()),
  notes: nullable(longText()),
})
export type NewRecipeOperation = v.InferOutput<typeof NewRecipeOperation>

const materials = list(NewMaterial, { min: 0, max: LINES_MAX })
const operations = list(NewRecipeOperation, { min: 0, max: LINES_MAX })

export const NewRecipe = shape({
  item_variant_id: nullable(id()),
  item_id: nullable(id()),
  materials,
  operations: withDefault(operations, []),
  external_ref: nullable(text()),
})
export type NewRecipe = v.InferOutput<typeof NewRecipe>

export const RecipeChange = shape({
  materials: optional(materials),
  operations: optional(operations),
  external_ref: clearable(text()),
})
export type RecipeChange = v.InferOutput<typeof RecipeChange>
