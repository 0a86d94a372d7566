/**
 * Reads sales returns for answers: one by id, and pages of the list. It must not write; `store.ts` does.
 */
import * as v from 'valibot'
import type { Json, Row } from '../../api/endpoint.ts'
import { pageRows, sameFew, sameFewText, sameKey, sameMany, sameManyText } from '../../api/list-page.ts'
import { type Connection, rows } from '../../store/postgres.ts'
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
  const { filters, ...of } = page
  const found = pageRows(
    {
      table: 'sales_returns',
      ...of,
      same: [
        ...sameKey('number', filters.number),
        ...sameKey('external_ref', filters.external_ref),
        ...sameFew('sales_order_id', filters.sales_order_id),
        ...sameFewText('external_return_ref', filters.external_return_ref),
        ...sameMany('customer_id', filters.customer_id),
        ...sameManyText('status', filters.status),
      ],
      created: { from: filters.created_after, until: filters.created_before },
    },
    'r',
  )
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select r.id::text as id, ${returnDocument()}::text as document
    from ${found}
    order by r.id
  `)
}
