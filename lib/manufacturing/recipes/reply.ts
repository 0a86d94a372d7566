/**
 * What a recipe's document holds (interface "Recipe", contract 2), for OpenAPI and for tests of real answers. The SQL that
 * renders it is in `document.ts`; the two must name the same fields.
 */
import * as v from 'valibot'
import { shape } from '../../api/fields.ts'
import { choice, decimal, explained, idText, instant, orNull, plainText, wholeNumber } from '../../api/reply-fields.ts'
import { orderTypes } from './schemas.ts'

const Material = shape({
  id: idText(),
  item_id: idText(),
  item_variant_id: idText(),
  sku: orNull(plainText()),
  title: plainText(),
  quantity: explained(decimal(), 'per unit of output'),
  notes: orNull(plainText()),
})

const RecipeOperation = shape({
  id: idText(),
  operation_id: idText(),
  operation_title: plainText(),
  operation_type: orNull(explained(choice(orderTypes), 'null serves both types of order')),
  position: wholeNumber(),
  duration: explained(decimal(), 'hours per unit of output'),
  cost_per_hour: explained(decimal(), 'as of the writing of the recipe'),
  notes: orNull(plainText()),
})

export const Recipe = shape({
  id: idText(),
  item_id: idText(),
  item_variant_id: orNull(explained(idText(), 'null: for every variant of the item that has no recipe of its own')),
  item_title: plainText(),
  item_variant_title: orNull(plainText()),
  sku: orNull(plainText()),
  external_ref: orNull(plainText()),
  created_at: instant(),
  updated_at: instant(),
  materials: explained(v.array(Material), 'in the order sent'),
  operations: explained(v.array(RecipeOperation), 'in the order sent; tasks go by position'),
})
