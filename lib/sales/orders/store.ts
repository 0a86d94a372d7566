/**
 * The rows of sales orders that commands write beside the stock: one statement, whatever the number of lines, which also
 * renders the orders. It must not decide anything.
 */
import * as v from 'valibot'
import type { CommandContext, Json } from '../../api/endpoint.ts'
import { formatCost, formatMicro } from '../../decimal.ts'
import {
  type ChosenPartner,
  partnerColumns,
  partnerLookup,
  partnersWrite,
  writtenPartner,
} from '../../partners/inline.ts'
import { customerKind } from '../../partners/kinds.ts'
import type { DocumentSource } from '../../stock/document-task.ts'
import { orderedColumns, totalColumns } from '../../stock/order-line.ts'
import { type Fragment, jsonParameter, sql } from '../../store/postgres.ts'
import { closedPlaceIds } from '../open-document.ts'
import type { Line, Order } from './order.ts'
import { orderDocument } from './order-document.ts'

/** Lines of orders. */
function lineWrite(tenantId: string, lines: readonly OrderLine[]): Fragment {
  return sql.fragment`
    insert into sales_order_items (
      tenant_id, sales_order_id, id, item_id, item_variant_id, sku, title, holds_stock, storage_place_id, quantity, price,
      tax_rate, line_amount, line_tax_amount, packed_quantity, shipped_quantity, shipped_value
    )
    select
      ${tenantId}::bigint, l.sales_order_id, l.id, l.item_id, l.item_variant_id, l.sku, l.title, l.holds_stock,
      l.storage_place_id, l.quantity, l.price, l.tax_rate, l.line_amount, l.line_tax_amount, l.packed_quantity,
      l.shipped_quantity, l.shipped_value
    from jsonb_to_recordset(${lineRows(lines)}::jsonb) as l (
      sales_order_id bigint, id bigint, item_id bigint, item_variant_id bigint, sku text, title text, holds_stock boolean,
      storage_place_id bigint, quantity numeric, price numeric, tax_rate numeric, line_amount numeric,
      line_tax_amount numeric, packed_quantity numeric, shipped_quantity numeric, shipped_value numeric
    )`
}

type OrderLine = { readonly orderId: string; readonly line: Line }
const linesOf = ({ id }: Order, lines: readonly Line[]): OrderLine[] => lines.map(line => ({ orderId: id, line }))

const lineRows = (lines: readonly OrderLine[]) =>
  jsonParameter(
    lines.map(({ orderId, line }) => ({
      sales_order_id: orderId,
      id: line.id,
      ...orderedColumns(line),
      storage_place_id: line.storagePlaceId,
      packed_quantity: formatMicro(line.packed),
      shipped_quantity: formatMicro(line.shipped),
      shipped_value: formatCost(line.shippedValue),
    })),
  )

/** A new order, decided. */
export type OrderRow = { readonly order: Order; readonly customer: ChosenPartner }

/** New orders with their lines, and with their customers where those are new too. */
export const orderSource: DocumentSource<OrderRow> = {
  kind: 'sales_order',
  table: 'sales_orders',
  questionColumns: partnerColumns,
  found: tenantId => sql.fragment`json_build_object(
    'customer', ${partnerLookup(customerKind, tenantId)}, 'closed_place_ids', ${closedPlaceIds(tenantId)}
  )`,
  write: ({ tenantId, now }, made) => ({
    inserts: sql.fragment`
      ${partnersWrite(customerKind, { tenantId, now, partners: made.map(({ customer }) => customer) })},
      new_sales_orders as (
        insert into sales_orders (
          tenant_id, id, number, status, delivery_status, customer_id, currency, priority, notes, external_ref,
          allow_backorder, delivery_date, total_amount, tax_amount, created_at
        )
        select
          ${tenantId}::bigint, o.id, o.number, o.status, o.delivery_status, o.customer_id, o.currency, o.priority, o.notes,
          o.external_ref, o.allow_backorder, o.delivery_date, o.total_amount, o.tax_amount, ${now}::timestamptz
        from jsonb_to_recordset(${headRows(made)}::jsonb) as o (
          id bigint, number text, status text, delivery_status text, customer_id bigint, currency text, priority integer,
          notes text, external_ref text, allow_backorder boolean, delivery_date timestamptz, total_amount numeric,
          tax_amount numeric
        )
        returning *
      ), new_sales_order_items as (
        ${lineWrite(
          tenantId,
          made.flatMap(({ order }) => linesOf(order, order.lines)),
        )} returning *
      )`,
    renderings: sql.fragment`
      select o.id, ${orderDocument({
        lines: sql.fragment`new_sales_order_items`,
        customer: writtenPartner(customerKind, tenantId),
      })} as document
      from new_sales_orders o`,
  }),
}

const headRows = (made: readonly OrderRow[]) =>
  jsonParameter(
    made.map(({ order, customer }) => ({
      id: order.id,
      number: order.number,
      status: order.status,
      delivery_status: order.deliveryStatus,
      customer_id: customer.id,
      currency: order.currency,
      priority: order.priority,
      notes: order.notes,
      external_ref: order.externalRef,
      allow_backorder: order.allowBackorder,
      delivery_date: order.deliveryDate,
      ...totalColumns(order.lines),
    })),
  )

/** An order before and after; the customer's id apart, since the rules don't ask for it. */
export type OrderChange = { readonly before: Order; readonly after: Order; readonly customerId: string }

/**
 * The changed rows of an order, as CTEs: `order_after` and `order_before` each hold its `document`. Lines that stay as they
 * were are not written. Whoever cancels is made a user where the tenant knows no user of that name.
 */
export function orderUpdate(context: CommandContext, { before, after, customerId }: OrderChange): Fragment {
  const tenant = sql.fragment`${context.tenant.id}::bigint`
  const id = sql.fragment`${after.id}::bigint`
  const totals = totalColumns(after.lines)
  const known = new Map(before.lines.map(line => [line.id, line]))
  const kept = new Set(after.lines.map(line => line.id))
  const written = after.lines.filter(line => known.get(line.id) !== line)
  const removed = before.lines.filter(line => !kept.has(line.id)).map(line => line.id)
  const canceller = after.status === 'CANCELLED' ? context.actor.userName : null
  return sql.fragment`
    made_user as (
      insert into users (tenant_id, name)
      select ${tenant}, ${canceller}::text
      where ${canceller}::text is not null
        and not exists (select from users where tenant_id = ${tenant} and name = ${canceller}::text)
      returning id
    ), o as (
      update sales_orders set
        status = ${after.status}, delivery_status = ${after.deliveryStatus}, customer_id = ${customerId}::bigint,
        priority = ${after.priority}::integer, notes = ${after.notes}, external_ref = ${after.externalRef},
        delivery_date = ${after.deliveryDate}::timestamptz, shipped_at = ${after.shippedAt}::timestamptz,
        cancelled_at = ${after.cancelledAt}::timestamptz, cancel_reason = ${after.cancelReason},
        cancelled_by_user_name = ${canceller}::text,
        cancelled_by_user_id = coalesce(
          (select id from made_user),
          (select id from users where tenant_id = ${tenant} and name = ${canceller}::text)
        ),
        total_amount = ${totals.total_amount}::numeric, tax_amount = ${totals.tax_amount}::numeric
      where tenant_id = ${tenant} and id = ${id}
      returning *
    ), written as (
      ${lineWrite(context.tenant.id, linesOf(after, written))}
      on conflict (tenant_id, sales_order_id, id) do update set
        storage_place_id = excluded.storage_place_id, quantity = excluded.quantity, price = excluded.price,
        tax_rate = excluded.tax_rate, line_amount = excluded.line_amount, line_tax_amount = excluded.line_tax_amount,
        packed_quantity = excluded.packed_quantity, shipped_quantity = excluded.shipped_quantity,
        shipped_value = excluded.shipped_value
      returning *
    ), removed as (
      delete from sales_order_items
      where tenant_id = ${tenant} and sales_order_id = ${id} and id = any (${sql.array([...removed], 'int8')})
      returning id
    ), lines_after as (
      select * from written
      union all
      select same.* from sales_order_items same
      where same.tenant_id = ${tenant} and same.sales_order_id = ${id}
        and not exists (select from written where written.id = same.id)
        and not exists (select from removed where removed.id = same.id)
    ), order_after as (
      select ${orderDocument({ lines: sql.fragment`lines_after` })} as document from o
    ), order_before as (
      -- The tables, which a statement sees as they were.
      select ${orderDocument()} as document
      from sales_orders o
      where o.tenant_id = ${tenant} and o.id = ${id}
    )`
}

/**
 * Renders a changed order: the object of `readChanged`, with the text of `made` (JSON, or null) as what else the command made.
 * Texts in JSON, since parsing the documents would round their decimals.
 */
export const changedRendering = (made: Fragment = sql.fragment`null::json`): Fragment => sql.fragment`
  select json_build_object(
    'document', a.document::text, 'previous', changed_fields(b.document, a.document)::text, 'made', (${made})::text
  ) from order_after a, order_before b`

const Changed = v.object({ document: v.string(), previous: v.nullable(v.string()), made: v.nullable(v.string()) })

/** What `changedRendering` rendered: the order, the old values of its changed fields, and the document made with it. */
export const readChanged = (rendered: Json): v.InferOutput<typeof Changed> => v.parse(Changed, JSON.parse(rendered))
