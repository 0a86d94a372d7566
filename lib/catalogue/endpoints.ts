/** The endpoints of products. What writes is declared in `commands.ts`. */
import type { Endpoint } from '../api/endpoint.ts'
import { sameKey, sameManyText } from '../api/list-page.ts'
import { listOf, readOf } from '../documents/reads.ts'
import { type Fragment, sql } from '../postgres/postgres.ts'
import { changeProductEndpoint, createProductEndpoint } from './commands.ts'
import { Product } from './document.ts'
import { ProductFilters } from './schemas.ts'

const words = { tag: 'Products', scope: 'read:catalog' }

export const listProductsEndpoint = listOf(Product, {
  ...words,
  id: 'listProducts',
  path: '/products',
  summary: 'List products',
  description:
    'Products with all their variants, ascending by id. Archived ones are listed unless filtered. `updated_after` is inclusive. ' +
    '`sku` finds the products that have a variant with exactly this sku, archived variants too; together with ' +
    '`archived=false` the variant must be unarchived as well, so that at most one product is found.',
  filters: ProductFilters,
  where: ({ archived, sku, external_ref, type, updated_after }, tenantId) => ({
    same: [...sameKey('external_ref', external_ref), ...sameManyText('type', type)],
    ...(sku === undefined ? {} : { among: withSku({ tenantId, sku, unarchivedOnly: archived === false }) }),
    // The flag is written out rather than bound, so that the partial index serves.
    ...(archived === undefined
      ? {}
      : { and: archived ? sql.fragment`and r.archived` : sql.fragment`and not r.archived` }),
    time: { column: 'updated_at', from: updated_after, until: undefined },
  }),
})

/**
 * Ids of products that have a variant with this sku, archived ones too, unless only unarchived products are asked for: then
 * the variant must be unarchived as well, and at most one product has it.
 */
function withSku(wanted: {
  readonly tenantId: string
  readonly sku: string
  readonly unarchivedOnly: boolean
}): Fragment {
  const column = sql.identifier([wanted.unarchivedOnly ? 'active_sku' : 'sku'])
  return sql.fragment`
    select distinct item_id as id from item_variants where tenant_id = ${wanted.tenantId}::bigint and ${column} = ${wanted.sku}`
}

export const getProductEndpoint = readOf(Product, {
  ...words,
  id: 'getProduct',
  path: '/products/{id}',
  summary: 'Read a product',
})

export { changeProductEndpoint, createProductEndpoint }

export const catalogueEndpoints: readonly Endpoint[] = [
  listProductsEndpoint,
  getProductEndpoint,
  createProductEndpoint,
  changeProductEndpoint,
]
