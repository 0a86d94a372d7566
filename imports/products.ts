/**
 * The import of products. A row is the body of `POST /products`, and is found again by its external_ref, else its sku. Rows that repeat the
 * external_ref of a product are its variants.
 */
import { codes, columnsNamed, flag, number, required, text } from './columns.ts'
import { componentNames, isComponentRow } from './components.ts'
import { productHeadings } from './headings.ts'
import { nameOf } from './in-order.ts'
import type { ImportKind } from './kind.ts'
import { stockColumns, stockScopes } from './opening-stock.ts'
import { rowNames } from './product-finder.ts'
import { takerWithStock } from './product-stock.ts'
import { productTaker } from './take-product.ts'
import { type Fields, fieldsIn } from './values.ts'

export const products: ImportKind = {
  name: 'products',
  title: 'Products',
  about:
    "as in POST /products, JSON lines also with variants; found again by external_ref, else by sku. Rows that repeat a product's " +
    'external_ref (or handle) are its variants: a sku that is not there is a new one. Rows that repeat the sku of a kit are its ' +
    'components (component_sku, component_quantity), which stand before it in the file. With a quantity a row also books opening stock',
  columns: {
    ...{ title: required(text), ...columnsNamed(text, 'sku barcode'), barcodes: codes },
    ...columnsNamed(number, 'price purchase_price'),
    ...columnsNamed(text, 'type category unit_name'),
    ...columnsNamed(flag, 'is_sellable is_producible is_purchasable batch_tracked'),
    ...columnsNamed(number, 'shelf_life_days minimum_stock lead_time_days minimum_order_quantity order_multiple'),
    ...columnsNamed(text, 'external_ref description metadata.*'),
    ...columnsNamed(text, 'variant_title variant_external_ref variant_metadata.* attributes.* component_sku'),
    ...{ ...columnsNamed(number, 'component_quantity'), ...stockColumns },
  },
  aliases: productHeadings,
  // A row may add a variant to a product.
  scopes: ['read:catalog', 'write:catalog.product.create', 'write:catalog.product.update'],
  createScopes: columns => ['write:catalog.product.create', ...(columns.includes('quantity') ? stockScopes : [])],
  updateScope: 'write:catalog.product.update',
  unique: ['sku'],
  rowsInDocument: 1,
  open: (service, how = { update: false }) => {
    // Without the kind in the key, as in the first release: within 30 days its imports are recognised by these keys.
    const take = productTaker(service, { path: '/products', keyPrefix: 'import', hasByRef: true, lookupOf }, how)
    // A product is found by its reference, and by the sku of each of its variants.
    return { names: row => [...rowNames(row), ...componentNames(row)], joins, ...takerWithStock(service, take) }
  },
}

function joins(row: Fields, before: Fields): boolean {
  const isSame = (name: string) => {
    const [own] = nameOf(name, row[name])
    return own !== undefined && own === nameOf(name, before[name])[0]
  }
  return isSame('external_ref') || (isComponentRow(row) && row['external_ref'] === undefined && isSame('sku'))
}

/** The query with which the list of products finds the row's product, or null when the row names none. */
export function lookupOf(row: Fields): string | null {
  const externalRef = row['external_ref']
  if (typeof externalRef === 'string') return `external_ref=${encodeURIComponent(externalRef.trim())}`
  const sku = row['sku'] ?? fieldsIn(row['variants']).find(variant => typeof variant['sku'] === 'string')?.['sku']
  return typeof sku === 'string' ? `archived=false&sku=${encodeURIComponent(sku.trim())}` : null
}
