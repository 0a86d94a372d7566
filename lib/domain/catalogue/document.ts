/** What a product is, and its variants (docs/rules/catalogue.md). */
import { document, fieldOf, lineOf, lines, type RecordOf } from '../../kit/documents/document.ts'
import { choice, flag, instant, key, price, quantity, reference, text, textMap, whole } from '../../kit/fields/kinds.ts'
import { Unit } from './units/document.ts'

export const productTypes = {
  PRODUCT: 'made or bought, and sold',
  MATERIAL: 'goes into what is made',
  SERVICE: 'holds no stock: on orders it is counted without movements',
} as const

const Variant = lineOf({
  table: 'item_variants',
  parent: 'item_id',
  fields: {
    id: key(),
    item_id: reference(),
    title: text(),
    sku: text().words("stock keeping unit; unique among the tenant's unarchived variants").orNull(),
    barcode: text().orNull(),
    price: price().orNull(),
    purchase_price: price().orNull(),
    minimum_stock: quantity().orNull(),
    attributes: textMap(),
    archived: flag().words("the variant's own flag; a variant of an archived product is archived in effect"),
    /** Unarchived in effect: neither the variant nor its product is archived. */
    active: flag().hidden(),
    created_at: instant(),
    updated_at: instant(),
  },
})

export const Product = document({
  kind: 'product',
  noun: 'product',
  table: 'items',
  fields: {
    id: key(),
    title: text(),
    type: choice(productTypes),
    description: text().orNull(),
    category: text().orNull(),
    unit_id: reference(Unit),
    unit_name: fieldOf('unit_id', Unit, 'name'),
    is_sellable: flag(),
    is_producible: flag(),
    is_purchasable: flag(),
    batch_tracked: flag(),
    shelf_life_days: whole().orNull(),
    external_ref: text().orNull(),
    archived: flag(),
    created_at: instant(),
    updated_at: instant().words('moves with any change to the product or to its variants'),
    variants: lines(Variant, 'archived ones included, in the order in which they were made'),
  },
  unique: ['external_ref'],
})

export type Product = RecordOf<typeof Product>
export type Variant = RecordOf<typeof Variant>
