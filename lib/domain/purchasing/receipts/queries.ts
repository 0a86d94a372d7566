/**
 * Pages of the receipts of one order.
 */
import * as v from 'valibot'
import type { Row } from '../../../kit/api/endpoint.ts'
import { isOwn, type OwnPage } from '../../../kit/api/list-filters.ts'
import { type Beginning, behind, rowOrder } from '../../../kit/api/page-order.ts'
import { documentJson } from '../../../kit/documents/render.ts'
import { type Connection, fixedFragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import { PurchaseReceipt } from './noun.ts'

/** A page of an order's receipts; null when the tenant has no such order. */
export async function receiptsOf(connection: Connection, page: Beginning & OwnPage): Promise<readonly Row[] | null> {
  const { tenantId, orderId } = page
  const found = await connection.any(rows(v.object({ id: v.string(), document: v.string() }))`
    select r.id::text as id, ${fixedFragment(documentJson(PurchaseReceipt, 'r'))} as document
    from purchase_receipts r
    where r.tenant_id = ${tenantId}::bigint and r.purchase_order_id = ${orderId}::bigint
      and ${behind(sql.fragment`r.id`, page)} and ${isOwn('r', page.filters)}
    order by ${rowOrder('r', page)}
    limit ${page.limit}
  `)
  // No receipts: the order may have none, or it may not exist.
  return found.length > 0 || (await orderExists(connection, { tenantId, orderId })) ? found : null
}

async function orderExists(
  connection: Connection,
  { tenantId, orderId }: { readonly tenantId: string; readonly orderId: string },
): Promise<boolean> {
  const { found } = await connection.one(rows(v.object({ found: v.boolean() }))`
    select exists (
      select from purchase_orders where tenant_id = ${tenantId}::bigint and id = ${orderId}::bigint
    ) as found
  `)
  return found
}
