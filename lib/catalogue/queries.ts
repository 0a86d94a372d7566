/**
 * Reads products for answers: one by id, and pages of the list. It must not write; `store.ts` does.
 */
import * as v from 'valibot'
import type { Json, Row } from '../api/endpoint.ts'
import { type PageQuestion, pageRows, sameKey, sameManyText } from '../api/list-page.ts'
import { type Connection, type Fragment, rows, sql } from '../store/postgres.ts'
import { productDocument } from './product-document.ts'
import type { ProductFilters } from './schemas.ts'

/** The product's document, or null when the tenant has no such product. */
export async function findProduct(
  connection: Connection,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<Json | null> {
  const row = await connection.maybeOne(rows(v.object({ document: v.string() }))`
    select ${productDocument()}::text as document
    from items i
    cross join lateral (select * from units where tenant_id = i.tenant_id and id = i.unit_id limit 1) u
    where i.tenant_id = ${tenantId}::bigint and i.id = ${id}::bigint
  `)
  return row?.document ?? null
}

export type ProductPage = {
  readonly tenantId: string
  readonly filters: ProductFilters
  readonly after: string | null
  readonly limit: number
}

/** A page of products in id order. The ids are chosen first, so that documents are rendered for the page's rows only. */
export async function listProducts(connection: Connection, page: ProductPage): Promise<readonly Row[]> {
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select i.id::text as id, ${productDocument()}::text as document
    from ${pageRows(questionOf(page), 'i')}
    cross join lateral (select * from units where tenant_id = i.tenant_id and id = i.unit_id limit 1) u
    order by i.id
  `)
}

/** Flags are written out rather than bound, so that the partial index serves. */
function questionOf({ filters, ...of }: ProductPage): PageQuestion {
  const { archived, sku } = filters
  const flag = archived ? sql.fragment`and r.archived` : sql.fragment`and not r.archived`
  return {
    table: 'items',
    ...of,
    same: [...sameKey('external_ref', filters.external_ref), ...sameManyText('type', filters.type)],
    ...(sku === undefined ? {} : { among: withSku({ ...of, sku, unarchivedOnly: archived === false }) }),
    ...(archived === undefined ? {} : { and: flag }),
    time: { column: 'updated_at', from: filters.updated_after, until: undefined },
  }
}

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
