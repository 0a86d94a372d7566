/**
 * Pages of the tasks of one order.
 */
import * as v from 'valibot'
import type { Row } from '../../../kit/api/endpoint.ts'
import { isOwn, type OwnPage } from '../../../kit/api/list-filters.ts'
import { type Beginning, behind, rowOrder } from '../../../kit/api/page-order.ts'
import { documentJson } from '../../../kit/documents/render.ts'
import { type Connection, fixedFragment, rows, sql } from '../../../platform/postgres/postgres.ts'
import { ProductionTask } from './noun.ts'

/**
 * A page of an order's tasks; null when the tenant has no such order. Tasks were written in technology order (position, then the order of
 * the recipe), so their ids ascend in it.
 */
export async function listTasks(connection: Connection, page: Beginning & OwnPage): Promise<readonly Row[] | null> {
  const found = await connection.any(rows(v.object({ id: v.nullable(v.string()), document: v.nullable(v.string()) }))`
    select k.id::text as id, case when k.id is not null then ${fixedFragment(documentJson(ProductionTask, 'k'))} end as document
    from manufacturing_orders o
    left join manufacturing_order_tasks k on k.tenant_id = o.tenant_id and k.manufacturing_order_id = o.id
      and ${behind(sql.fragment`k.id`, page)} and ${isOwn('k', page.filters)}
    where o.tenant_id = ${page.tenantId}::bigint and o.id = ${page.orderId}::bigint
    order by ${rowOrder('k', page)}
    limit ${page.limit}
  `)
  if (found.length === 0) return null
  return found.flatMap(row =>
    row.id === null || row.document === null ? [] : [{ id: row.id, document: row.document }],
  )
}
