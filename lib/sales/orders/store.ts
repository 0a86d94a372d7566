/**
 * The rows of sales orders that a command writes beside the stock, for `ledger.store`: one statement, whatever the number
 * of lines, which also renders the order. It must not decide anything.
 */
import * as v from 'valibot'
import { formatAmount, formatTaxRate, totalsOf } from '../../accounting/money.ts'
import type { CommandContext, Json } from '../../api/endpoint.ts'
import { formatCost, formatMicro } from '../../decimal.ts'
import { type ChosenPartner, partnerWrite } from '../../partners/inline.ts'
import { customerKind } from '../../partners/kinds.ts'
import { partnerSummary } from '../../partners/queries.ts'
import type { DocumentWrite } from '../../stock/ledger.ts'
import { type Fragment, jsonParameter, sql } from '../../store/postgres.ts'
import type { Line, Order } from './order.ts'
import { orderDocument } from './order-document.ts'

/** The order's lines, in their order; those that are there already take the new values. */
function lineWrite(context: CommandContext, order: Order, lines: readonly Line[]): Fragment {
  return sql.fragment`
    insert into sales_order_items (
      tenant_id, sales_order_id, id, item_id, item_variant_id, sku, title, holds_stock, storage_place_id, quantity, price,
      tax_rate, line_amount, line_tax_amount, packed_quantity, shipped_quantity, shipped_value
    )
    select
      ${context.tenant.id}::bigint, ${order.id}::bigint, l.id, l.item_id, l.item_variant_id, l.sku, l.title, l.holds_stock,
      l.storage_place_id, l.quantity, l.price, l.tax_rate, l.line_amount, l.line_tax_amount, l.packed_quantity,
      l.shipped_quantity, l.shipped_value
    from jsonb_to_recordset(${lineRows(lines)}::jsonb) as l (
      id bigint, item_id bigint, item_variant_id bigint, sku text, title text, holds_stock boolean,
      storage_place_id bigint, quantity numeric, price numeric, tax_rate numeric, line_amount numeric,
      line_tax_amount numeric, packed_quantity numeric, shipped_quantity numeric, shipped_value numeric
    )`
}

const lineRows = (lines: readonly Line[]) =>
  jsonParameter(
    lines.map(line => ({
      id: line.id,
      item_id: line.itemId,
      item_variant_id: line.itemVariantId,
      sku: line.sku,
      title: line.title,
      holds_stock: line.holdsStock,
      storage_place_id: line.storagePlaceId,
      quantity: formatMicro(line.quantity),
      price: formatMicro(line.price),
      tax_rate: formatTaxRate(line.taxRate),
      line_amount: formatAmount(line.amounts.amount),
      line_tax_amount: formatAmount(line.amounts.taxAmount),
      packed_quantity: formatMicro(line.packed),
      shipped_quantity: formatMicro(line.shipped),
      shipped_value: formatCost(line.shippedValue),
    })),
  )

const orderTotals = (order: Order) => totalsOf(order.lines.map(line => line.amounts))

/** A new order, with its customer when that is new too. Renders the order. */
export function orderInsert(
  context: CommandContext,
  { order, customer }: { readonly order: Order; readonly customer: ChosenPartner },
): DocumentWrite {
  const totals = orderTotals(order)
  const [tenantId, { now }] = [context.tenant.id, context]
  return {
    inserts: sql.fragment`
      ${partnerWrite(customerKind, { tenantId, now, partner: customer })}, new_order as (
        insert into sales_orders (
          tenant_id, id, number, status, delivery_status, customer_id, currency, priority, notes, external_ref,
          allow_backorder, delivery_date, total_amount, tax_amount, created_at
        )
        select
          ${tenantId}::bigint, ${order.id}::bigint, ${order.number}, ${order.status}, ${order.deliveryStatus}, p.id,
          ${order.currency}, ${order.priority}::integer, ${order.notes}, ${order.externalRef}, ${order.allowBackorder},
          ${order.deliveryDate}::timestamptz, ${formatAmount(totals.amount)}::numeric,
          ${formatAmount(totals.taxAmount)}::numeric, ${now}::timestamptz
        from p
        returning *
      ), new_items as (
        ${lineWrite(context, order, order.lines)} returning *
      )`,
    rendering: sql.fragment`
      select ${orderDocument({
        lines: sql.fragment`new_items`,
        customer: sql.fragment`(select ${partnerSummary} from p)`,
      })}
      from new_order o`,
  }
}

/** An order before and after; the customer's id apart, since the rules don't ask for it. */
export type OrderChange = { readonly before: Order; readonly after: Order; readonly customerId: string }

/**
 * The changed rows of an order, as CTEs: `order_after` and `order_before` each hold its `document`. Lines that stay as they
 * were are not written. Whoever cancels is made a user where the tenant knows no user of that name.
 */
export function orderUpdate(context: CommandContext, { before, after, customerId }: OrderChange): Fragment {
  const tenant = sql.fragment`${context.tenant.id}::bigint`
  const id = sql.fragment`${after.id}::bigint`
  const totals = orderTotals(after)
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
        total_amount = ${formatAmount(totals.amount)}::numeric, tax_amount = ${formatAmount(totals.taxAmount)}::numeric
      where tenant_id = ${tenant} and id = ${id}
      returning *
    ), written as (
      ${lineWrite(context, after, written)}
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
