/** Pages of the shipments and packings of one order, and the filters by lines of shipments. */
import * as v from 'valibot'
import { idsCreatedBetween } from '../../../kit/api/created-range.ts'
import type { Row } from '../../../kit/api/endpoint.ts'
import { someIds } from '../../../kit/api/fields.ts'
import { type Filter, isOwn, type OwnPage } from '../../../kit/api/list-filters.ts'
import { type Beginning, behind, rowOrder } from '../../../kit/api/page-order.ts'
import { type Same, same, wantedIn } from '../../../kit/api/same.ts'
import type { Document } from '../../../kit/documents/document.ts'
import { documentJson } from '../../../kit/documents/render.ts'
import { type Connection, type Fragment, fixedFragment, rows, sql } from '../../../platform/postgres/postgres.ts'

/** A page of an order's shipments or packings; null when the tenant has no such order. */
export async function listHandlings(
  connection: Connection,
  document: Document,
  page: Beginning & OwnPage,
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
        and ${isOwn('h', page.filters)}
      order by ${rowOrder('h', page)}
      limit ${page.limit}
    ) h on true
    order by ${rowOrder('h', page)}
  `)
  if (found.length === 0) return null
  return found.flatMap(({ id, document }) => (document === null ? [] : [{ id, document }]))
}

/** With both filters, one line must match both. */
export const lineFilters: Readonly<Record<'item_variant_id' | 'batch_id', Filter>> = {
  item_variant_id: { schema: someIds(), ask: (given, { tenantId }) => ({ same: [lineOf({ tenantId, ...given })] }) },
  batch_id: { schema: someIds(), ask: () => ({}) },
}

/** The shipments with a line of one of the variants, of one of the batches, or of both. A line of a kit matches by its components too. */
function lineOf(of: {
  readonly tenantId: string
  readonly item_variant_id?: readonly string[]
  readonly batch_id?: readonly string[]
  readonly created_after?: string
  readonly created_before?: string
}): Same {
  const { tenantId, item_variant_id: variantIds, batch_id: batchIds, created_after: from, created_before: until } = of
  const [variant, batch] = [
    same(ofLine, 'item_variant_id', variantIds, { alias: 'i' }),
    same(ofLine, 'batch_id', batchIds, { alias: 'i' }),
  ]
  const lead = batch.isGiven ? batch : variant
  const ofPart = (name: string, wanted: Fragment) => sql.fragment`case when ${wanted} is null then true
    else (e.part ->> ${sql.literalValue(name)})::bigint = any (${wanted}) end`
  /** Whether the component `e.part` of a kit's line is wanted. */
  const isPart = sql.fragment`${ofPart('item_variant_id', variant.values)} and ${ofPart('batch_id', batch.values)}`
  const firstLine = (shipment: Fragment) => sql.fragment`(
    select i.id from sales_shipment_items i
    where i.tenant_id = ${tenantId}::bigint and i.sales_shipment_id = ${shipment} and (
      ${variant.conditionIfGiven} and ${batch.conditionIfGiven}
      or i.components <> '[]' and exists (select from jsonb_array_elements(i.components) e (part) where ${isPart})
    )
    order by i.id limit 1
  )`
  const created = (shipment: Fragment) =>
    from === undefined && until === undefined
      ? sql.fragment``
      : idsCreatedBetween(shipment, { table: 'sales_shipments', tenantId, from, until })
  const ofKits = batch.isGiven
    ? sql.fragment`kit_batches k where k.batch_id = wanted.value`
    : sql.fragment`kit_lines k where k.item_variant_id = wanted.value and k.kind = 'SHIPMENT'`
  // If several components of a line are wanted, only the one with the least id lists the line, so the line is listed once.
  const isLeast = sql.fragment`(
    select min((e.part ->> ${sql.literalValue(batch.isGiven ? 'batch_id' : 'item_variant_id')})::bigint)
    from sales_shipment_items i cross join lateral jsonb_array_elements(i.components) e (part)
    where i.tenant_id = ${tenantId}::bigint and i.id = k.line_id and ${isPart}
  ) = wanted.value`
  return {
    ...lead,
    conditionIfGiven: sql.fragment`case when ${variant.values} is null and ${batch.values} is null then true
      else ${firstLine(sql.fragment`r.id`)} is not null end`,
    // Each shipment once, in the order of the index. `distinct` would lose the order.
    ids: sql.fragment`
      select r.sales_shipment_id as id from sales_shipment_items r
      where r.tenant_id = ${tenantId}::bigint ${wantedIn(lead)} ${created(sql.fragment`r.sales_shipment_id`)}
        and r.id = ${firstLine(sql.fragment`r.sales_shipment_id`)}
      union all
      select k.document_id from ${ofKits} and k.tenant_id = ${tenantId}::bigint ${created(sql.fragment`k.document_id`)}
        and k.line_id = ${firstLine(sql.fragment`k.document_id`)} and ${isLeast}`,
  }
}

const ofLine = { leaves: 'few', type: 'int8' } as const
