/**
 * What a product's document holds (contract 2, "Product"), for OpenAPI and for tests of real answers. The SQL that renders
 * it is in `product-document.ts`; the two must name the same fields.
 */
import * as v from 'valibot'
import { shape } from '../api/fields.ts'
import {
  choice,
  decimal,
  explained,
  idText,
  instant,
  orNull,
  plainText,
  stringMap,
  truth,
  wholeNumber,
} from '../api/reply-fields.ts'
import { productTypes } from './schemas.ts'

export const Variant = shape({
  id: idText(),
  item_id: idText(),
  title: plainText(),
  sku: orNull(explained(plainText(), "unique among the tenant's unarchived variants")),
  barcode: orNull(plainText()),
  price: orNull(decimal()),
  purchase_price: orNull(decimal()),
  minimum_stock: orNull(decimal()),
  attributes: stringMap(),
  archived: explained(truth(), "the variant's own flag; a variant of an archived product is archived in effect"),
  created_at: instant(),
  updated_at: instant(),
})

export const Product = shape({
  id: idText(),
  title: plainText(),
  type: choice(productTypes),
  description: orNull(plainText()),
  category: orNull(plainText()),
  unit_id: idText(),
  unit_name: plainText(),
  is_sellable: truth(),
  is_producible: truth(),
  is_purchasable: truth(),
  batch_tracked: truth(),
  shelf_life_days: orNull(wholeNumber()),
  external_ref: orNull(plainText()),
  archived: truth(),
  created_at: instant(),
  updated_at: explained(instant(), 'moves with any change to the product or to its variants'),
  variants: explained(v.array(Variant), 'archived ones included, in the order in which they were made'),
})
