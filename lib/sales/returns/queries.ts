/**
 * Reads sales returns for answers: one by id, and pages of the list. It must not write; `store.ts` does.
 */
import * as v from 'valibot'
import { createdBetween } from '../../api/created-range.ts'
import type { Json, Row } from '../../api/endpoint.ts'
import { pageStart } from '../../api/list-page.ts'
import { type Connection, type Fragment, rows, sql } from '../../store/postgres.ts'
import { returnDocument } from './return-document.ts'
import type { ReturnFilters } from './schemas.ts'

/** The return's document, or null when the tenant has no such return. */
export async function findReturn(
  connection: Connection,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<Json | null> {
  const row = await connection.maybeOne(rows(v.object({ document: v.string() }))`
    select ${returnDocument()}::text as document
    from sales_returns r
    where r.tenant_id = ${tenantId}::bigint and r.id = ${id}::bigint
  `)
  return row?.document ?? null
}

export type ReturnPage = {
  readonly tenantId: string
  readonly filters: ReturnFilters
  readonly after: string | null
  readonly limit: number
}

/** A page of returns in id order. The ids are chosen first, so that documents are rendered for the page's rows only. */
export async function listReturns(connection: Connection, page: ReturnPage): Promise<readonly Row[]> {
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select r.id::text as id, ${returnDocument()}::text as document
    from sales_returns r
    where r.tenant_id = ${page.tenantId}::bigint and r.id = any (array(
      select r.id from sales_returns r
      where r.tenant_id = ${page.tenantId}::bigint and r.id > ${pageStart(page.after)}::bigint ${conditions(page)}
      order by r.id limit ${page.limit}
    ))
    order by r.id
  `)
}

function conditions({ tenantId, filters }: ReturnPage): Fragment {
  const { status, sales_order_id: orderId, customer_id: customerId, external_return_ref: returnRef } = filters
  const { external_ref: externalRef, number, created_after: after, created_before: before } = filters
  const none = sql.fragment``
  return sql.fragment`
    ${status === undefined ? none : sql.fragment`and r.status = ${status}`}
    ${orderId === undefined ? none : sql.fragment`and r.sales_order_id = ${orderId}::bigint`}
    ${customerId === undefined ? none : sql.fragment`and r.customer_id = ${customerId}::bigint`}
    ${returnRef === undefined ? none : sql.fragment`and r.external_return_ref = ${returnRef}`}
    ${externalRef === undefined ? none : sql.fragment`and r.external_ref = ${externalRef}`}
    ${number === undefined ? none : sql.fragment`and r.number = ${number}`}
    ${createdBetween({ table: 'sales_returns', alias: 'r', tenantId, after, before })}
  `
}
