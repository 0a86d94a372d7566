/** The request bodies and filters of products. */
import * as v from 'valibot'
import {
  clearable,
  code,
  flag,
  id,
  integer,
  list,
  longText,
  nullable,
  oneOf,
  optional,
  price,
  quantity,
  shape,
  text,
  textMap,
  title,
  withDefault,
} from '../../kit/api/fields.ts'
import { productTypes } from './document.ts'

export const VARIANTS_PER_REQUEST_MAX = 100
/** Archived ones included: a product answers all its variants in one document. */
export const VARIANTS_PER_PRODUCT_MAX = 1_000
const SHELF_LIFE_DAYS_MAX = 36_500

/** The fields of a variant that may stand in the product's body itself when it has one variant. */
export const shorthandNames = ['sku', 'barcode', 'price', 'purchase_price', 'minimum_stock'] as const

/** Null counts as given: `"sku": null` beside `variants` is as ambiguous as a sku. */
const shorthandFields = {
  sku: clearable(code()),
  barcode: clearable(text()),
  price: clearable(price()),
  purchase_price: clearable(price()),
  minimum_stock: clearable(quantity({ min: '0' })),
}

type Shorthand = { readonly [name in (typeof shorthandNames)[number]]?: string | null | undefined }

/** The shorthand field that a body gives first, if any. */
export function firstShorthand(body: Shorthand): (typeof shorthandNames)[number] | undefined {
  return shorthandNames.find(name => body[name] !== undefined)
}

function variantsOrShorthand(body: Shorthand & { readonly variants?: unknown }): boolean {
  return body.variants === undefined || firstShorthand(body) === undefined
}
const BOTH_GIVEN = `must not stand beside ${shorthandNames.join(', ')}`

const NewVariant = shape({
  title: optional(title()),
  sku: nullable(code()),
  barcode: nullable(text()),
  price: nullable(price()),
  purchase_price: nullable(price()),
  minimum_stock: nullable(quantity({ min: '0' })),
  attributes: withDefault(textMap(), {}),
})

const newProductFields = shape({
  title: title(),
  type: withDefault(oneOf(productTypes), 'PRODUCT'),
  description: nullable(longText()),
  category: nullable(text()),
  unit_name: withDefault(text(), 'pcs'),
  is_sellable: withDefault(flag(), true),
  is_producible: optional(flag()),
  is_purchasable: withDefault(flag(), true),
  batch_tracked: withDefault(flag(), false),
  shelf_life_days: nullable(integer(0, SHELF_LIFE_DAYS_MAX)),
  external_ref: nullable(text()),
  ...shorthandFields,
  variants: optional(list(NewVariant, { min: 1, max: VARIANTS_PER_REQUEST_MAX })),
})
export const NewProduct = v.pipe(
  newProductFields,
  v.forward(v.check<v.InferOutput<typeof newProductFields>, string>(variantsOrShorthand, BOTH_GIVEN), ['variants']),
)
export type NewProduct = v.InferOutput<typeof NewProduct>

const VariantChange = shape({
  id: optional(id()),
  title: optional(title()),
  ...shorthandFields,
  attributes: optional(textMap()),
  archived: optional(flag()),
})

const productChangeFields = shape({
  title: optional(title()),
  description: clearable(longText()),
  category: clearable(text()),
  unit_name: optional(text()),
  is_sellable: optional(flag()),
  is_producible: optional(flag()),
  is_purchasable: optional(flag()),
  batch_tracked: optional(flag()),
  shelf_life_days: clearable(integer(0, SHELF_LIFE_DAYS_MAX)),
  external_ref: clearable(text()),
  archived: optional(flag()),
  ...shorthandFields,
  variants: optional(list(VariantChange, { min: 1, max: VARIANTS_PER_REQUEST_MAX })),
})
export const ProductChange = v.pipe(
  productChangeFields,
  v.forward(v.check<v.InferOutput<typeof productChangeFields>, string>(variantsOrShorthand, BOTH_GIVEN), ['variants']),
)
export type ProductChange = v.InferOutput<typeof ProductChange>
export type VariantChange = v.InferOutput<typeof VariantChange>
