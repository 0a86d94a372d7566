/** `find`: records by words. */

import * as v from 'valibot'
import type { StoragePlace } from '../../../../client/src/index.ts'
import { allPlaces } from '../look-up.ts'
import { extended, picked, rowsOf } from '../outputs.ts'
import { field, rowsAnswer, slice, tool } from '../tool.ts'

export const find = tool({
  name: 'find',
  title: 'Find records',
  about:
    'Finds products (with SKUs, prices, units, and what kits are made of), suppliers, customers or storage places by words of their titles; without words ' +
    'it lists them. Archived ones are left out.',
  scopes: ['read:catalog', 'read:purchase', 'read:sales', 'read:stock'],
  anyScope: true,
  input: v.strictObject({
    kind: v.pipe(
      v.picklist(['product', 'supplier', 'customer', 'storage_place']),
      v.description('What is looked for; a key needs the scope of this kind alone, in the order of the scopes.'),
    ),
    words: v.optional(field.words('Every word must be part of what is found.')),
    limit: field.limit,
    cursor: field.cursor,
  }),
  output: rowsOf({
    anyOf: [
      extended(picked('Product', ['title', 'type', 'category', 'batch_tracked']), {
        product_id: { type: 'string' },
        unit: { type: 'string' },
        variants: {
          type: 'array',
          items: extended(
            picked('ProductVariant', ['sku', 'title', 'price', 'purchase_price', 'minimum_stock', 'components']),
            { item_variant_id: { type: 'string' } },
          ),
        },
      }),
      picked('StoragePlace', [
        'id',
        'title',
        'code',
        'is_main',
        'manufacturing_allowed',
        'sales_allowed',
        'purchase_allowed',
      ]),
      picked('Supplier', ['id', 'title', 'country_code', 'email', 'phone']),
    ],
  }),
  run: async ({ kind, words, limit, cursor }, context) => {
    const { millrace, signal } = context
    const page = { archived: false, limit, cursor } as const
    if (kind === 'product') {
      const { data, next_cursor } = await millrace.products.list({ ...page, q: words }, { signal })
      const rows = data.map(product => ({
        product_id: product.id,
        title: product.title,
        type: product.type,
        unit: product.unit_name,
        category: product.category,
        batch_tracked: product.batch_tracked,
        variants: product.variants
          .filter(({ archived }) => !archived)
          .map(({ id, sku, title, price, purchase_price, minimum_stock, components }) => ({
            item_variant_id: id,
            sku,
            title,
            price,
            purchase_price,
            minimum_stock,
            components,
          })),
      }))
      return rowsAnswer('Products', rows, next_cursor)
    }
    if (kind === 'storage_place') {
      const places = (await allPlaces(context)).filter(({ title, code }) =>
        (words ?? '').split(/\s+/).every(word => `${title} ${code}`.toLowerCase().includes(word.toLowerCase())),
      )
      const { rows, next_cursor } = slice(places, { limit, cursor })
      return rowsAnswer('Storage places', rows.map(shownPlace), next_cursor)
    }
    const partners = kind === 'supplier' ? millrace.suppliers : millrace.customers
    const { data, next_cursor } = await partners.list({ ...page, q: words }, { signal })
    const rows = data.map(({ id, title, country_code, email, phone }) => ({ id, title, country_code, email, phone }))
    return rowsAnswer(kind === 'supplier' ? 'Suppliers' : 'Customers', rows, next_cursor)
  },
})

const shownPlace = (place: StoragePlace) => ({
  id: place.id,
  title: place.title,
  code: place.code,
  is_main: place.is_main,
  manufacturing_allowed: place.manufacturing_allowed,
  sales_allowed: place.sales_allowed,
  purchase_allowed: place.purchase_allowed,
})
