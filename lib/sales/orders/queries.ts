/**
 * Reads sales orders for answers: one by id, and pages of the list. It must not write; `store.ts` does.
 */
import * as v from 'valibot'
import { createdBetween } from '../../api/created-range.ts'
import type { Json, Row } from '../../api/endpoint.ts'
import { pageStart } from '../../api/list-page.ts'
import { type Connection, type Fragment, rows, sql } from '../../store/postgres.ts'
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
  return connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select o.id::text as id, ${orderDocument()}::text as document
    from sales_orders o
    where o.tenant_id = ${page.tenantId}::bigint and o.id = any (array(
      select o.id from sales_orders o
      where o.tenant_id = ${page.tenantId}::bigint and o.id > ${pageStart(page.after)}::bigint ${conditions(page)}
      order by o.id limit ${page.limit}
    ))
    order by o.id
  `)
}

function conditions({ tenantId, filters }: OrderPage): Fragment {
  const { status, delivery_status: deliveryStatus, customer_id: customerId } = filters
  const { external_ref: externalRef, number, created_after: after, created_before: before } = filters
  const none = sql.fragment``
  return sql.fragment`
    ${status === undefined ? none : sql.fragment`and o.status = ${status}`}
    ${deliveryStatus === undefined ? none : sql.fragment`and o.delivery_status = ${deliveryStatus}`}
    ${customerId === undefined ? none : sql.fragment`and o.customer_id = ${customerId}::bigint`}
    ${externalRef === undefined ? none : sql.fragment`and o.external_ref = ${externalRef}`}
    ${number === undefined ? none : sql.fragment`and o.number = ${number}`}
    ${createdBetween({ table: 'sales_orders', alias: 'o', tenantId, after, before })}
  `
}
