/**
 * Reads manufacturing orders and their tasks for answers. It must not write; the stores do.
 */
import * as v from 'valibot'
import { createdBetween } from '../../api/created-range.ts'
import type { Json, Row } from '../../api/endpoint.ts'
import { pageStart } from '../../api/list-page.ts'
import { type Connection, type Fragment, rows, sql } from '../../store/postgres.ts'
import { orderDocument, taskDocument } from './document.ts'
import type { OrderFilters } from './schemas.ts'

type Wanted = { readonly tenantId: string; readonly id: string }

/** The order's document, or null when the tenant has no such order. */
export async function findOrder(connection: Connection, { tenantId, id }: Wanted): Promise<Json | null> {
  const row = await connection.maybeOne(rows(v.object({ document: v.string() }))`
    select ${orderDocument()}::text as document
    from manufacturing_orders o
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
    from (
      select r.id from manufacturing_orders r
      where r.tenant_id = ${page.tenantId}::bigint and r.id > ${pageStart(page.after)}::bigint ${conditions(page)}
      order by r.id limit ${page.limit}
    ) page
    join manufacturing_orders o on o.tenant_id = ${page.tenantId}::bigint and o.id = page.id
    order by o.id
  `)
}

function conditions({ tenantId, filters }: OrderPage): Fragment {
  const any = sql.fragment``
  const id = (column: string, value: string | undefined) =>
    value === undefined ? any : sql.fragment`and ${sql.identifier(['r', column])} = ${value}::bigint`
  const text = (column: string, value: string | undefined) =>
    value === undefined ? any : sql.fragment`and ${sql.identifier(['r', column])} = ${value}`
  const { created_after: after, created_before: before } = filters
  return sql.fragment`
    ${text('status', filters.status)}
    ${text('type', filters.type)}
    ${text('number', filters.number)}
    ${text('external_ref', filters.external_ref)}
    ${id('item_variant_id', filters.item_variant_id)}
    ${id('sales_order_id', filters.sales_order_id)}
    ${createdBetween({ table: 'manufacturing_orders', alias: 'r', tenantId, after, before })}
  `
}

/**
 * A page of an order's tasks; null when the tenant has no such order. They were written in technology order (position, then
 * the recipe's), so their ids ascend in it.
 */
export async function listTasks(
  connection: Connection,
  { tenantId, id, after, limit }: Wanted & { readonly after: string | null; readonly limit: number },
): Promise<readonly Row[] | null> {
  const found = await connection.any(rows(v.object({ id: v.nullable(v.string()), document: v.nullable(v.string()) }))`
    select k.id::text as id, case when k.id is not null then ${taskDocument}::text end as document
    from manufacturing_orders o
    left join manufacturing_order_tasks k on k.tenant_id = o.tenant_id and k.manufacturing_order_id = o.id
      and k.id > ${pageStart(after)}::bigint
    where o.tenant_id = ${tenantId}::bigint and o.id = ${id}::bigint
    order by k.id
    limit ${limit}
  `)
  if (found.length === 0) return null
  return found.flatMap(row =>
    row.id === null || row.document === null ? [] : [{ id: row.id, document: row.document }],
  )
}
