/**
 * Reads products for answers: one by id, and pages of the list. It must not write; `store.ts` does.
 */
import * as v from 'valibot'
import type { Json, Row } from '../api/endpoint.ts'
import { changedIds, pageStart } from '../api/list-page.ts'
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
    from items i join units u on u.tenant_id = i.tenant_id and u.id = i.unit_id
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
    from ${chosenIds(page)} page
    join items i on i.tenant_id = ${page.tenantId}::bigint and i.id = page.id
    join units u on u.tenant_id = i.tenant_id and u.id = i.unit_id
    order by i.id
  `)
}

/** No condition. */
const any = sql.fragment``

/** A subquery of the ids of the page. Flags are written out rather than bound, so that the partial index serves. */
function chosenIds({ tenantId, filters, after, limit }: ProductPage): Fragment {
  const { updated_after: updatedAfter, external_ref: externalRef, type, archived, sku } = filters
  const and = sql.fragment`
    ${type === undefined ? any : sql.fragment`and r.type = ${type}`}
    ${archived === undefined ? any : archived ? sql.fragment`and r.archived` : sql.fragment`and not r.archived`}
    ${externalRef === undefined ? any : sql.fragment`and r.external_ref = ${externalRef}`}
    ${sku === undefined ? any : withSku({ tenantId, sku, unarchivedOnly: archived === false })}
  `
  const selective = sku !== undefined || externalRef !== undefined
  if (updatedAfter !== undefined && !selective)
    return changedIds({ table: 'items', tenantId, updatedAfter, after, limit, and })
  const since = updatedAfter === undefined ? any : sql.fragment`and r.updated_at >= ${updatedAfter}::timestamptz`
  return sql.fragment`(
    select r.id from items r
    where r.tenant_id = ${tenantId}::bigint and r.id > ${pageStart(after)}::bigint ${and} ${since}
    order by r.id limit ${limit}
  )`
}

/**
 * Products that have a variant with this sku, archived ones too, unless only unarchived products are asked for: then the
 * variant must be unarchived as well, and at most one product has it.
 */
function withSku(wanted: {
  readonly tenantId: string
  readonly sku: string
  readonly unarchivedOnly: boolean
}): Fragment {
  const column = sql.identifier([wanted.unarchivedOnly ? 'active_sku' : 'sku'])
  // As an array, so that the few items are looked up by id instead of all items being tried.
  return sql.fragment`and r.id = any (array(
    select item_id from item_variants where tenant_id = ${wanted.tenantId}::bigint and ${column} = ${wanted.sku}
  ))`
}
