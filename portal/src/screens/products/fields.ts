/** The fields of products and variants in forms. */
import { field, numbers } from '../../patterns/fields.tsx'
import type { Fields } from '../../patterns/record-fields.tsx'
import type { Product } from '../../records.ts'
import { componentsField } from './components.tsx'

export const productFields = {
  title: field.title('Name'),
  category: field.text('Category'),
  unit_name: field.decided('Unit', { placeholder: 'pcs' }),
  shelf_life_days: field.number('Shelf life, days', { rule: numbers.whole }),
  external_ref: field.text('Reference'),
  description: field.longText('Description'),
  is_sellable: field.flag('It is sold', true),
  is_purchasable: field.flag('It is bought', true),
  is_producible: field.flag('It is made', true),
  batch_tracked: field.flag('Its stock is kept by batch', false),
  metadata: field.metadata(),
}

const { title, ...rest } = productFields

/** The type of a product never changes. */
export const newProductFields = {
  title,
  type: field.choice('Kind', { PRODUCT: 'Product', MATERIAL: 'Material', SERVICE: 'Service', KIT: 'Kit' }),
  ...rest,
}

const positive = { rule: numbers.positive }

export const variantFields = {
  title: field.decided('Name of the variant', { placeholder: "the product's name" }),
  sku: field.text('SKU', { maxLength: 64 }),
  barcodes: field.textLines('Barcodes', { max: 20 }),
  price: field.number('Price'),
  purchase_price: field.number('Purchase price'),
  minimum_stock: field.number('Minimum stock'),
  lead_time_days: field.number('Lead time, days', { rule: numbers.whole }),
  minimum_order_quantity: field.number('Minimum order', positive),
  order_multiple: field.number('Ordered in multiples of', positive),
  components: componentsField,
  external_ref: field.text('Reference'),
  attributes: field.texts('Attributes'),
  metadata: field.metadata(),
}

/** The fields that kits lack: they are neither bought, made nor tracked. */
const ofStock: ReadonlySet<string> = new Set([
  ...['shelf_life_days', 'is_purchasable', 'is_producible', 'batch_tracked'],
  ...['purchase_price', 'minimum_stock', 'lead_time_days', 'minimum_order_quantity', 'order_multiple'],
])

/** The fields of this type of product, or of its variants. Other fields are neither shown nor sent. */
export const fieldsFor = <All extends Fields>(type: Product['type'], all: All): All =>
  Object.fromEntries(
    Object.entries(all).filter(([name]) => (type === 'KIT' ? !ofStock.has(name) : name !== 'components')),
  ) as All

export const productScopes = { create: 'write:catalog.product.create', update: 'write:catalog.product.update' }
