/** Pages of the shipments and packings of one order, and the filters by lines of shipments. */
import * as v from 'valibot'
import { idsCreatedBetween } from '../../../kit/api/created-range.ts'
import type { Row } from '../../../kit/api/endpoint.ts'
import { id } from '../../../kit/api/fields.ts'
import type { Filter } from '../../../kit/api/list-filters.ts'
import { type Beginning, behind, rowOrder } from '../../../kit/api/page-order.ts'
import type { Document } from '../../../kit/documents/document.ts'
import { documentJson } from '../../../kit/documents/render.ts'
import { type Connection, type Fragment, fixedFragment, rows, sql } from '../../../platform/postgres/postgres.ts'

/** A page of an order's shipments or packings; null when the tenant has no such order. */
export async function listHandlings(
  connection: Connection,
  document: Document,
  page: Beginning & { readonly tenantId: string; readonly orderId: string; readonly limit: number },
): Promise<readonly Row[] | null> {
  const { table } = document
  const order = sql.fragment`tenant_id = ${page.tenantId}::bigint`
  const found = await connection.any(rows(v.object({ id: v.string(), document: v.nullable(v.string()) }))`
    select coalesce(h.id, 0)::text as id, h.document
    from (select from sales_orders where ${order} and id = ${page.orderId}::bigint) o
    left join (
      select h.id, ${fixedFragment(documentJson(document, 'h'))} as document
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

/** Of a line that has both, where both are given. */
export const lineFilters: Readonly<Record<'item_variant_id' | 'batch_id', Filter>> = {
  item_variant_id: {
    schema: id(),
    ask: (given, { tenantId }) =>
      given['item_variant_id'] === undefined && given['batch_id'] === undefined
        ? {}
        : { among: shipmentsWith({ tenantId, ...given }) },
  },
  batch_id: { schema: id(), ask: () => ({}) },
}

/** Selects the ids of the shipments that have a line of the variant, of the batch, or of both. */
function shipmentsWith(of: {
  readonly tenantId: string
  readonly sales_order_id?: string
  readonly item_variant_id?: string
  readonly batch_id?: string
  readonly created_after?: string
  readonly created_before?: string
}): Fragment {
  const { tenantId, sales_order_id: orderId, item_variant_id: variantId, batch_id: batchId } = of
  const isLine = (alias: string) => {
    const is = (column: string, value: string | undefined) =>
      value === undefined ? sql.fragment`` : sql.fragment`and ${sql.identifier([alias, column])} = ${value}::bigint`
    return sql.fragment`${is('item_variant_id', variantId)} ${is('batch_id', batchId)}`
  }
  const firstLine = (shipment: Fragment) => sql.fragment`(
    select i.id from sales_shipment_items i
    where i.tenant_id = ${tenantId}::bigint and i.sales_shipment_id = ${shipment} ${isLine('i')} order by i.id limit 1
  )`
  if (orderId !== undefined)
    return sql.fragment`
      select s.id from sales_shipments s
      where s.tenant_id = ${tenantId}::bigint and s.sales_order_id = ${orderId}::bigint
        and ${firstLine(sql.fragment`s.id`)} is not null`
  const { created_after: from, created_before: until } = of
  const created =
    from === undefined && until === undefined
      ? sql.fragment``
      : idsCreatedBetween(sql.fragment`l.sales_shipment_id`, { table: 'sales_shipments', tenantId, from, until })
  // Each once, and still in the order of the index, either way, which `distinct` would lose.
  return sql.fragment`
    select l.sales_shipment_id as id from sales_shipment_items l
    where l.tenant_id = ${tenantId}::bigint ${isLine('l')} ${created} and l.id = ${firstLine(sql.fragment`l.sales_shipment_id`)}`
}
