/** The endpoints of products. What writes is declared in `commands.ts`. */
import type { Endpoint } from '../../kit/api/endpoint.ts'
import { code, text } from '../../kit/api/fields.ts'
import { amongThe, changes, filtersOf, flagged, oneText, uniqueText } from '../../kit/api/list-filters.ts'
import { searchIn } from '../../kit/api/search-filter.ts'
import { listOf, readOf } from '../../kit/documents/reads.ts'
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import { changeProductEndpoint, createProductEndpoint } from './commands.ts'
import { Product, productTypes } from './document.ts'

const words = { tag: 'Products', scope: 'read:catalog' }

/** Titles, skus and barcodes of a product and its variants stand together in one row, kept by triggers. */
const searched = {
  table: 'product_texts',
  text: (alias: string) => sql.fragment`${sql.identifier([alias, 'text'])}`,
  textOfRow: sql.fragment`(select text from product_texts where tenant_id = r.tenant_id and id = r.id limit 1)`,
}

export const listProductsEndpoint = listOf(Product, {
  ...words,
  id: 'listProducts',
  path: '/products',
  summary: 'List products',
  description:
    'Products with all their variants, ascending by id. Archived ones are listed unless filtered. `q` and `barcode` look ' +
    'at archived variants too. ' +
    '`sku` finds the products that have a variant with exactly this sku, archived variants too; together with ' +
    '`archived=false` the variant must be unarchived as well, so that at most one product is found.',
  filters: filtersOf({
    external_ref: uniqueText(),
    sku: amongThe(code(), (sku, { tenantId, given }) =>
      withSku({ tenantId, sku, unarchivedOnly: given['archived'] === false }),
    ),
    barcode: amongThe(text(), (barcode, { tenantId }) => withBarcode({ tenantId, barcode })),
    q: searchIn(searched),
    type: oneText(productTypes),
    archived: flagged(),
    ...changes,
  }),
})

/** Ids of products that have a variant with this barcode, which need not be unique. */
const withBarcode = ({ tenantId, barcode }: { readonly tenantId: string; readonly barcode: string }): Fragment =>
  sql.fragment`select distinct item_id as id from item_variants where tenant_id = ${tenantId}::bigint and barcode = ${barcode}`

/**
 * Ids of products that have a variant with this sku, archived ones too, unless only unarchived products are asked for: then
 * the variant must be unarchived as well, and at most one product has it.
 */
function withSku(wanted: {
  readonly tenantId: string
  readonly sku: string
  readonly unarchivedOnly: boolean
}): Fragment {
  return sql.fragment`
    select distinct item_id as id from item_variants
    where tenant_id = ${wanted.tenantId}::bigint and sku = ${wanted.sku} and (active or not ${wanted.unarchivedOnly}::boolean)`
}

export const getProductEndpoint = readOf(Product, {
  ...words,
  id: 'getProduct',
  path: '/products/{id}',
  summary: 'Read a product',
})

export const catalogueEndpoints: readonly Endpoint[] = [
  listProductsEndpoint,
  getProductEndpoint,
  createProductEndpoint,
  changeProductEndpoint,
]
