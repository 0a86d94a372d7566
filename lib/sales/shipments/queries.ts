/**
 * The SQL of shipments and packings: their document, pages of an order's, and the rows that a command writes beside the
 * order. It must not decide anything.
 */
import * as v from 'valibot'
import type { CommandContext, Row } from '../../api/endpoint.ts'
import { pageStart } from '../../api/list-page.ts'
import { formatCost, formatMicro } from '../../decimal.ts'
import { type Connection, type Fragment, jsonParameter, object, objects, rows, sql } from '../../store/postgres.ts'
import type { HandledRow, HandlingDocument, HandlingKind } from './rules.ts'

const tables = {
  sales_shipment: { documents: 'sales_shipments', items: 'sales_shipment_items', parent: 'sales_shipment_id' },
  sales_packing: { documents: 'sales_packings', items: 'sales_packing_items', parent: 'sales_packing_id' },
} as const

/** JSON of the shipment or packing `h`: the list and the commands' answers show it so. `items` is a relation with its rows. */
const handlingDocument = (kind: HandlingKind, items: string) =>
  object(sql.fragment`select
  h.id::text as id,
  h.number,
  h.sales_order_id::text as sales_order_id,
  iso(h.date) as date,
  h.external_ref,
  iso(h.created_at) as created_at,
  ${objects(sql.fragment`
    select
      l.id::text as id,
      l.sales_order_item_id::text as sales_order_item_id,
      l.item_variant_id::text as item_variant_id,
      trim_scale(l.quantity) as quantity,
      l.batch_id::text as batch_id
    from ${sql.identifier([items])} l
    where l.tenant_id = h.tenant_id and ${sql.identifier(['l', tables[kind].parent])} = h.id
    order by l.id`)} as items
`)

/** A page of an order's shipments or packings in id order; null when the tenant has no such order. */
export async function listHandlings(
  connection: Connection,
  kind: HandlingKind,
  page: { readonly tenantId: string; readonly orderId: string; readonly after: string | null; readonly limit: number },
): Promise<readonly Row[] | null> {
  const { documents, items } = tables[kind]
  const order = sql.fragment`tenant_id = ${page.tenantId}::bigint`
  const found = await connection.any(rows(v.object({ id: v.string(), document: v.nullable(v.string()) }))`
    select coalesce(h.id, 0)::text as id, h.document
    from (select from sales_orders where ${order} and id = ${page.orderId}::bigint) o
    left join (
      select h.id, ${handlingDocument(kind, items)}::text as document
      from ${sql.identifier([documents])} h
      where h.${order} and h.sales_order_id = ${page.orderId}::bigint and h.id > ${pageStart(page.after)}::bigint
      order by h.id
      limit ${page.limit}
    ) h on true
    order by h.id
  `)
  if (found.length === 0) return null
  return found.flatMap(({ id, document }) => (document === null ? [] : [{ id, document }]))
}

/** A shipment or packing as it was made. */
export type MadeHandling = HandlingDocument & {
  readonly orderId: string
  readonly externalRef: string | null
  readonly rows: readonly HandledRow[]
}

/** The CTEs `new_handling` and `new_items`, and the scalar that renders them. Entries keep their order. */
export function handlingWrite(
  context: CommandContext,
  handling: MadeHandling,
): { readonly inserts: Fragment; readonly rendering: Fragment } {
  const { kind, id, number, orderId, date, externalRef } = handling
  const { documents, items } = tables[kind]
  const tenantId = context.tenant.id
  return {
    inserts: sql.fragment`
      new_handling as (
        insert into ${sql.identifier([documents])} (
          tenant_id, id, number, sales_order_id, date, external_ref, created_at
        ) values (
          ${tenantId}::bigint, ${id}::bigint, ${number}, ${orderId}::bigint, ${date}::timestamptz, ${externalRef},
          ${context.now}::timestamptz
        )
        returning *
      ), new_items as (
        insert into ${sql.identifier([items])} (${columns[kind]})
        select ${tenantId}::bigint, ${id}::bigint, ${values[kind](orderId)}
        from rows from (jsonb_to_recordset(${itemRows(handling.rows)}::jsonb) as (
          sales_order_item_id bigint, item_variant_id bigint, batch_id bigint, quantity numeric, value numeric
        )) with ordinality as l (sales_order_item_id, item_variant_id, batch_id, quantity, value, position)
        order by l.position
        returning *
      )`,
    rendering: sql.fragment`select ${handlingDocument(kind, 'new_items')} from new_handling h`,
  }
}

const columns = {
  sales_shipment: sql.fragment`
    tenant_id, sales_shipment_id, sales_order_id, sales_order_item_id, item_variant_id, batch_id, quantity, value`,
  sales_packing: sql.fragment`
    tenant_id, sales_packing_id, sales_order_item_id, item_variant_id, batch_id, quantity`,
}
const values = {
  sales_shipment: (orderId: string) => sql.fragment`
    ${orderId}::bigint, l.sales_order_item_id, l.item_variant_id, l.batch_id, l.quantity, l.value`,
  sales_packing: () => sql.fragment`l.sales_order_item_id, l.item_variant_id, l.batch_id, l.quantity`,
}

const itemRows = (handled: readonly HandledRow[]) =>
  jsonParameter(
    handled.map(({ line, batchId, quantity, value }) => ({
      sales_order_item_id: line.id,
      item_variant_id: line.itemVariantId,
      batch_id: batchId,
      quantity: formatMicro(quantity),
      value: value === null ? null : formatCost(value),
    })),
  )
