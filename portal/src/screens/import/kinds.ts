/** What can be imported: the kinds of `bin/millrace import` that a browser takes, with the same columns. */
import type { CellType } from '../../../../csv/rows.ts'

export type ImportKind = {
  readonly title: string
  /** Of the POST that makes one. */
  readonly path: string
  /** What Idempotency-Keys begin with: the same as those of `bin/millrace import`. */
  readonly keyPrefix: string
  readonly scope: string
  readonly columns: Readonly<Record<string, CellType>>
  readonly required: readonly string[]
  /** No two lines have the same of these. */
  readonly unique: readonly string[]
  /** Whether each counts in the key's documents of a day. */
  readonly isDocument: boolean
}

const typed = <Type extends CellType>(type: Type, names: string): Record<string, Type> =>
  Object.fromEntries(names.split(' ').map(name => [name, type]))

const partner = typed('text', 'title country_code email phone tax_number currency external_ref')

const address = (name: string) =>
  typed(
    'text',
    'name company line_1 line_2 city region zip country_code phone'
      .split(' ')
      .map(part => `${name}.${part}`)
      .join(' '),
  )

export const importKinds = {
  products: {
    title: 'Products',
    path: '/products',
    keyPrefix: 'import',
    scope: 'write:catalog.product.create',
    columns: {
      ...typed('text', 'title sku barcode'),
      ...typed('number', 'price purchase_price'),
      ...typed('text', 'type category unit_name'),
      ...typed('flag', 'is_sellable is_producible is_purchasable batch_tracked'),
      ...typed('number', 'shelf_life_days minimum_stock lead_time_days minimum_order_quantity order_multiple'),
      ...typed('text', 'external_ref description'),
    },
    required: ['title'],
    unique: ['sku', 'external_ref'],
    isDocument: true,
  },
  customers: {
    title: 'Customers',
    path: '/customers',
    keyPrefix: 'import-customers',
    scope: 'write:sales.customer.create',
    columns: { ...partner, ...address('shipping_address'), ...address('billing_address') },
    required: ['title'],
    unique: ['external_ref'],
    isDocument: false,
  },
  suppliers: {
    title: 'Suppliers',
    path: '/suppliers',
    keyPrefix: 'import-suppliers',
    scope: 'write:purchase.supplier.create',
    columns: { ...partner, ...address('address') },
    required: ['title'],
    unique: ['external_ref'],
    isDocument: false,
  },
  'supplier-items': {
    title: 'Supplier items',
    path: '/supplier-items',
    keyPrefix: 'import-supplier-items',
    scope: 'write:purchase.supplier.update',
    columns: {
      ...typed('text', 'supplier_ref supplier_id sku item_variant_id supplier_sku purchase_unit_name'),
      ...typed('number', 'conversion_rate price'),
      ...typed('text', 'currency'),
      ...typed('number', 'minimum_quantity multiple_of lead_time_days'),
      ...typed('flag', 'is_preferred'),
      ...typed('text', 'notes external_ref'),
    },
    required: [],
    unique: ['external_ref'],
    isDocument: false,
  },
} as const satisfies Record<string, ImportKind>

export type KindName = keyof typeof importKinds

export const isKind = (name: string | undefined): name is KindName =>
  name !== undefined && Object.hasOwn(importKinds, name)
