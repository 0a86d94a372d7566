/**
 * The rows of a new manufacturing order, written beside its reservations in the ledger's one statement. It must not decide
 * anything.
 */
import { formatCost, formatMicro } from '../../decimal.ts'
import type { DocumentWrite } from '../../stock/ledger.ts'
import { jsonParameter, sql } from '../../store/postgres.ts'
import type { OrderPlan } from './creation-rules.ts'
import { orderDocument } from './document.ts'
import type { NewOrder } from './schemas.ts'

/** Renders the order's document. Lines and tasks keep their order: their ids ascend in it. */
export function newOrderWrite(
  stamp: { readonly tenantId: string; readonly now: string; readonly currency: string },
  order: {
    readonly id: string
    readonly number: string
    readonly itemTitle: string
    readonly body: NewOrder
    readonly plan: OrderPlan
  },
): DocumentWrite {
  const { tenantId, now } = stamp
  const { id, body, plan } = order
  const { variant } = plan
  return {
    inserts: sql.fragment`
      new_order as (
        insert into manufacturing_orders (
          tenant_id, id, number, type, status, priority, item_id, item_variant_id, item_title, sku, title, quantity, recipe_id,
          sales_order_id, manufacturing_location_id, planned_start_date, production_date, shipping_date, output_batch_number,
          output_manufacture_date, output_expiry_date, notes, external_ref, currency, created_at, updated_at
        ) values (
          ${tenantId}::bigint, ${id}::bigint, ${order.number}, ${plan.type}, 'NOT_STARTED', ${body.priority}::integer,
          ${variant.itemId}::bigint, ${variant.id}::bigint, ${order.itemTitle}, ${variant.sku}, ${variant.title},
          ${formatMicro(plan.quantity)}::numeric, ${plan.recipeId}::bigint, ${body.sales_order_id}::bigint,
          ${plan.placeId}::bigint, ${body.planned_start_date}::timestamptz, ${body.production_date}::timestamptz,
          ${body.shipping_date}::timestamptz, ${body.output_batch_number}, ${body.output_manufacture_date}::date,
          ${body.output_expiry_date}::date, ${body.notes}, ${body.external_ref}, ${stamp.currency}, ${now}::timestamptz,
          ${now}::timestamptz
        )
        returning *
      ), new_items as (
        insert into manufacturing_order_items (
          tenant_id, manufacturing_order_id, item_id, item_variant_id, sku, title, quantity
        )
        select ${tenantId}::bigint, ${id}::bigint, l.item_id, l.item_variant_id, l.sku, l.title, l.quantity
        from rows from (jsonb_to_recordset(${itemRows(plan)}::jsonb) as (
          item_id bigint, item_variant_id bigint, sku text, title text, quantity numeric
        )) with ordinality as l (item_id, item_variant_id, sku, title, quantity, line)
        order by l.line
        returning *
      ), new_tasks as (
        insert into manufacturing_order_tasks (
          tenant_id, manufacturing_order_id, operation_id, operation_title, position, planned_duration, cost_per_hour,
          planned_cost, unit_id, unit_name, notes
        )
        select
          ${tenantId}::bigint, ${id}::bigint, k.operation_id, k.operation_title, k.position, k.planned_duration,
          k.cost_per_hour, k.planned_cost, k.unit_id, k.unit_name, k.notes
        from rows from (jsonb_to_recordset(${taskRows(plan)}::jsonb) as (
          operation_id bigint, operation_title text, position integer, planned_duration numeric, cost_per_hour numeric,
          planned_cost numeric, unit_id bigint, unit_name text, notes text
        )) with ordinality as k (
          operation_id, operation_title, position, planned_duration, cost_per_hour,
          planned_cost, unit_id, unit_name, notes, line
        )
        order by k.line
      )`,
    rendering: sql.fragment`select ${orderDocument(sql.fragment`new_items`)} from new_order o`,
  }
}

const itemRows = ({ items }: OrderPlan) =>
  jsonParameter(
    items.map(({ variant, quantity }) => ({
      item_id: variant.itemId,
      item_variant_id: variant.id,
      sku: variant.sku,
      title: variant.title,
      quantity: formatMicro(quantity),
    })),
  )

const taskRows = ({ tasks }: OrderPlan) =>
  jsonParameter(
    tasks.map(({ step: { operation_type: _, duration: __, ...step }, plannedDuration, plannedCost }) => ({
      ...step,
      planned_duration: formatMicro(plannedDuration),
      planned_cost: formatCost(plannedCost),
    })),
  )
