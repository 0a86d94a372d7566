/** The import of products. A row is the body of `POST /products`, and is found again by its external_ref or first sku. */

import { Product, shorthandNames } from '../../domain/catalogue/noun.ts'
import type { JsonObject } from '../../platform/json.ts'
import { columnsOf } from './columns.ts'
import { nameOf } from './in-order.ts'
import { objectsOf, sameFields, sameValue } from './json-values.ts'
import type { ImportKind } from './kind.ts'
import { recordWriter } from './record-writer.ts'

export const products: ImportKind = {
  name: 'products',
  about: 'as in POST /products, JSON lines also with variants; found again by external_ref, else by sku',
  // For a product with one variant. JSON lines may have `variants` instead.
  columns: columnsOf(Product),
  scopes: ['read:catalog', 'write:catalog.product.create'],
  open: service => {
    // Without the kind in the key, as in the first release: within 30 days its imports are recognised by these keys.
    const write = recordWriter(service, { path: '/products', keyPrefix: 'import', lookupOf, isSame: isSameProduct })
    return { names: namesOf, take: ({ body }) => write(body) }
  },
}

const shorthand: ReadonlySet<string> = new Set(shorthandNames)

/** A product is found by its reference, and by the sku of each of its variants. */
const namesOf = (row: JsonObject): readonly string[] => [
  ...nameOf('external_ref', row['external_ref']),
  ...[row, ...objectsOf(row['variants'])].flatMap(({ sku }) => nameOf('sku', sku)),
]

/** Whether the product's document has every field of the row. */
export function isSameProduct(row: JsonObject, product: JsonObject): boolean {
  const found = objectsOf(product['variants'])
  return Object.entries(row).every(([name, value]) => {
    if (name === 'variants') {
      const asked = objectsOf(value)
      return asked.length === found.length && asked.every((variant, at) => sameFields(variant, found[at] ?? {}))
    }
    if (shorthand.has(name)) return found.length === 1 && sameValue(value, found[0]?.[name])
    return sameValue(value, product[name])
  })
}

/** The query with which the list of products finds the row's product, or null when the row names none. */
export function lookupOf(row: JsonObject): string | null {
  const externalRef = row['external_ref']
  if (typeof externalRef === 'string') return `external_ref=${encodeURIComponent(externalRef.trim())}`
  const sku = row['sku'] ?? objectsOf(row['variants']).find(variant => typeof variant['sku'] === 'string')?.['sku']
  return typeof sku === 'string' ? `archived=false&sku=${encodeURIComponent(sku.trim())}` : null
}
