/**
 * Reads purchase orders for answers: one by id, and pages of the list. It must not write; `store.ts` does.
 */
import * as v from 'valibot'
import type { Json, Row } from '../../api/endpoint.ts'
import { idsWithin, pageStart } from '../../api/list-page.ts'
import { type Connection, type Fragment, rows, sql } from '../../store/postgres.ts'
import { orderDocument } from './document.ts'
import type { OrderFilters } from './schemas.ts'

/** The order's document, or null when the tenant has no such order. */
export async function findOrder(
  connection: Connection,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<Json | null> {
  const row = await connection.maybeOne(rows(v.object({ document: v.string() }))`
    select ${orderDocument()}::text as document
    from purchase_orders o
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
    from purchase_orders o
    where o.tenant_id = ${page.tenantId}::bigint and o.id = any (array${chosenIds(page)})
    order by o.id
  `)
}

/** No condition. */
const any = sql.fragment``

/** A subquery of the ids of the page. `created_after` and `created_before` speak of the order's date, which ids don't follow. */
function chosenIds({ tenantId, filters, after, limit }: OrderPage): Fragment {
  const { status, delivery_status: delivery, supplier_id: supplierId, number, external_ref: externalRef } = filters
  const and = sql.fragment`
    ${status === undefined ? any : sql.fragment`and r.status = ${status}`}
    ${delivery === undefined ? any : sql.fragment`and r.delivery_status = ${delivery}`}
    ${supplierId === undefined ? any : sql.fragment`and r.supplier_id = ${supplierId}::bigint`}
    ${number === undefined ? any : sql.fragment`and r.number = ${number}`}
    ${externalRef === undefined ? any : sql.fragment`and r.external_ref = ${externalRef}`}
  `
  const time = datedBetween(filters)
  if (time !== null && number === undefined && externalRef === undefined)
    return idsWithin({ table: 'purchase_orders', tenantId, time, after, limit, and })
  return sql.fragment`(
    select r.id from purchase_orders r
    where r.tenant_id = ${tenantId}::bigint and r.id > ${pageStart(after)}::bigint ${and}
      ${time === null ? any : sql.fragment`and ${time}`}
    order by r.id limit ${limit}
  )`
}

function datedBetween({ created_after: since, created_before: until }: OrderFilters): Fragment | null {
  const from = sql.fragment`date >= ${since ?? null}::timestamptz`
  const to = sql.fragment`date < ${until ?? null}::timestamptz`
  if (since !== undefined && until !== undefined) return sql.fragment`(${from} and ${to})`
  return since !== undefined ? from : until !== undefined ? to : null
}
