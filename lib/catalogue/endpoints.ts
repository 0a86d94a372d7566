/**
 * The endpoints of products. It declares; what runs is in `commands.ts` and `queries.ts`.
 */
import { defineCommand, defineList, defineRead, type Endpoint } from '../api/endpoint.ts'
import { changeProduct, createProduct, noSuchProduct } from './commands.ts'
import { findProduct, listProducts } from './queries.ts'
import { Product } from './reply.ts'
import {
  NewProduct,
  ProductChange,
  ProductFilters,
  VARIANTS_PER_PRODUCT_MAX,
  VARIANTS_PER_REQUEST_MAX,
} from './schemas.ts'

const tag = 'Products'

export const listProductsEndpoint = defineList({
  id: 'listProducts',
  path: '/products',
  tag,
  scope: 'read:catalog',
  summary: 'List products',
  description:
    'Products with all their variants, ascending by id. Archived ones are listed unless filtered. `updated_after` is inclusive. ' +
    '`sku` finds the products that have a variant with exactly this sku, archived variants too; together with ' +
    '`archived=false` the variant must be unarchived as well, so that at most one product is found.',
  filters: ProductFilters,
  refusals: [],
  reply: Product,
  page: ({ pool, tenantId }, { filters, after, limit }) => listProducts(pool, { tenantId, filters, after, limit }),
})

export const getProductEndpoint = defineRead({
  id: 'getProduct',
  path: '/products/{id}',
  tag,
  scope: 'read:catalog',
  summary: 'Read a product',
  refusals: [],
  reply: Product,
  handle: async ({ pool, tenantId }, { params }) =>
    (await findProduct(pool, { tenantId, id: params['id'] ?? '' })) ?? noSuchProduct(),
})

export const createProductEndpoint = defineCommand({
  id: 'createProduct',
  method: 'POST',
  path: '/products',
  tag,
  scope: 'write:catalog.product.create',
  summary: 'Create a product',
  description:
    'Takes either `variants` or, for a product with one variant, the shorthand `sku`, `barcode`, `price`, `purchase_price`, ' +
    '`minimum_stock`. Any shorthand field beside `variants`, also with null, is 400. With neither, the product gets one ' +
    "variant without sku. A variant without `title` takes the product's. `is_producible` defaults to true for a PRODUCT, " +
    'else to false. A `unit_name` that is new makes the unit. A sku is unique (by its exact spelling) among the unarchived ' +
    'variants of the tenant.',
  body: NewProduct,
  example: {
    title: 'Oak table',
    category: 'Furniture',
    unit_name: 'pcs',
    variants: [
      {
        title: 'Oak table, natural',
        sku: 'OAK-TABLE',
        price: 249,
        purchase_price: 120,
        attributes: { color: 'natural' },
      },
      {
        title: 'Oak table, black',
        sku: 'OAK-TABLE-BLACK',
        price: 259,
        minimum_stock: 2,
        attributes: { color: 'black' },
      },
    ],
  },
  success: 201,
  replay: 200,
  countsAsDocument: true,
  refusals: ['SUBSCRIPTION_LIMIT'],
  reply: Product,
  execute: createProduct,
})

export const changeProductEndpoint = defineCommand({
  id: 'updateProduct',
  method: 'PATCH',
  path: '/products/{id}',
  tag,
  scope: 'write:catalog.product.update',
  summary: 'Update a product',
  description:
    'What is omitted stays; null clears a nullable field. `variants` entries with `id` change that variant (also `archived`), ' +
    `entries without add one (up to ${VARIANTS_PER_REQUEST_MAX} entries a request, ${VARIANTS_PER_PRODUCT_MAX} variants a ` +
    'product, archived ones included); unnamed variants stay. The shorthand fields change the one unarchived variant; with ' +
    'none or several they are 400. `attributes` are replaced as a whole. `archived` archives the product and with it, in ' +
    'effect, its variants, whose skus become free. `batch_tracked` cannot change while the product has stock. A body that ' +
    'changes nothing answers the product as it is.',
  body: ProductChange,
  example: { category: 'Tables', shelf_life_days: null },
  success: 200,
  countsAsDocument: false,
  refusals: ['SUBSCRIPTION_LIMIT'],
  reply: Product,
  execute: changeProduct,
})

export const catalogueEndpoints: readonly Endpoint[] = [
  listProductsEndpoint,
  getProductEndpoint,
  createProductEndpoint,
  changeProductEndpoint,
]
