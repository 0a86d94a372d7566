/**
 * Pages of the shipments and packings of one order.
 */
import * as v from 'valibot'
import type { Row } from '../../api/endpoint.ts'
import { type Beginning, behind, rowOrder } from '../../api/page-order.ts'
import { documentJson } from '../../documents/render.ts'
import { type Connection, fixedFragment, rows, sql } from '../../postgres/postgres.ts'
import { documents } from './document.ts'
import type { HandlingKind } from './rules.ts'

/** A page of an order's shipments or packings; null when the tenant has no such order. */
export async function listHandlings(
  connection: Connection,
  kind: HandlingKind,
  page: Beginning & { readonly tenantId: string; readonly orderId: string; readonly limit: number },
): Promise<readonly Row[] | null> {
  const { table } = documents[kind]
  const order = sql.fragment`tenant_id = ${page.tenantId}::bigint`
  const found = await connection.any(rows(v.object({ id: v.string(), document: v.nullable(v.string()) }))`
    select coalesce(h.id, 0)::text as id, h.document
    from (select from sales_orders where ${order} and id = ${page.orderId}::bigint) o
    left join (
      select h.id, ${fixedFragment(documentJson(documents[kind], 'h'))} as document
      from ${sql.identifier([table])} h
      where h.${order} and h.sales_order_id = ${page.orderId}::bigint and ${behind(sql.fragment`h.id`, page)}
      order by ${rowOrder('h', page)}
      limit ${page.limit}
    ) h on true
    order by ${rowOrder('h', page)}
  `)
  if (found.length === 0) return null
  return found.flatMap(({ id, document }) => (document === null ? [] : [{ id, document }]))
}
