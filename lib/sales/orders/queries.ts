/**
 * Reads sales orders for answers: one by id, and pages of the list. It must not write; `store.ts` does.
 */
import * as v from 'valibot'
import type { Json, Row } from '../../api/endpoint.ts'
import { pageRows, sameKey, sameMany, sameManyText } from '../../api/list-page.ts'
import { type Connection, rows } from '../../store/postgres.ts'
import { orderDocument } from './order-document.ts'
import type { OrderFilters } from './schemas.ts'

/** The order's document, or null when the tenant has no such order. */
export async function findOrder(
  connection: Connection,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<Json | null> {
  const row = await connection.maybeOne(rows(v.object({ document: v.string() }))`
    select ${orderDocument()}::text as document
    from sales_orders o
    where o.tenant_id = ${tenantId}::bigint and o.id = ${id}::bigint
  `)
  return row?.document ?? null
}

export type OrderPage = {
  readonly tenantId: string
  readonly filters: OrderFilters
  readonly after: string | null
  readonly limit: number
}

/** A page of orders in id order. The ids are chosen first, so that documents are rendered for the page's rows only. */
export async function listOrders(connection: Connection, page: OrderPage): Promise<readonly Row[]> {
  const { filters, ...of } = page
  const found = pageRows(
    {
      table: 'sales_orders',
      ...of,
      same: [
        ...sameKey('number', filters.number),
        ...sameKey('external_ref', filters.external_ref),
        ...sameMany('customer_id', filters.customer_id),
        ...sameManyText('status', filters.status),
        ...sameManyText('delivery_status', filters.delivery_status),
      ],
      created: { from: filters.created_after, until: filters.created_before },
    },
    'o',
  )
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select o.id::text as id, ${orderDocument()}::text as document
    from ${found}
    order by o.id
  `)
}
