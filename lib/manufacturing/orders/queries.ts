/**
 * Reads manufacturing orders and their tasks for answers. It must not write; the stores do.
 */
import * as v from 'valibot'
import { type DocumentPage, type Documents, findDocument, listDocuments } from '../../api/document-queries.ts'
import type { Json, Row } from '../../api/endpoint.ts'
import { pageStart, sameFew, sameKey, sameManyText } from '../../api/list-page.ts'
import { type Connection, rows } from '../../store/postgres.ts'
import { orderDocument, taskDocument } from './document.ts'
import type { OrderFilters } from './schemas.ts'

type Wanted = { readonly tenantId: string; readonly id: string }

const orders: Documents = { table: 'manufacturing_orders', alias: 'o', document: orderDocument() }

/** The order's document, or null when the tenant has no such order. */
export const findOrder = (
  connection: Connection,
  wanted: { readonly tenantId: string; readonly id: string },
): Promise<Json | null> => findDocument(connection, orders, wanted)

/** A page of orders in id order. */
export const listOrders = (
  connection: Connection,
  { filters, ...of }: DocumentPage<OrderFilters>,
): Promise<readonly Row[]> =>
  listDocuments(connection, orders, {
    ...of,
    same: [
      ...sameKey('number', filters.number),
      ...sameKey('external_ref', filters.external_ref),
      ...sameFew('sales_order_id', filters.sales_order_id),
      ...sameFew('item_variant_id', filters.item_variant_id),
      ...sameManyText('status', filters.status),
      ...sameManyText('type', filters.type),
    ],
    created: { from: filters.created_after, until: filters.created_before },
  })

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
