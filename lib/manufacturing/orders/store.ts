/**
 * The rows that the moves of a manufacturing order write, beside the stock in the ledger's one statement or by themselves. It
 * must not decide anything.
 */
import * as v from 'valibot'
import type { CommandContext, Json } from '../../api/endpoint.ts'
import { formatCost, formatMicro } from '../../decimal.ts'
import type { DocumentWrite } from '../../stock/ledger.ts'
import { type Fragment, jsonParameter, rows, sql } from '../../store/postgres.ts'
import type { Completed } from './completion-rules.ts'
import { orderDocument } from './document.ts'
import type { Order, OrderStatus } from './order.ts'
import type { Started } from './start-rules.ts'

/** Which order, and when. */
export type Stamp = { readonly tenantId: string; readonly now: string; readonly id: string }

const ofOrder = ({ tenantId, id }: Stamp): Fragment =>
  sql.fragment`tenant_id = ${tenantId}::bigint and manufacturing_order_id = ${id}::bigint`
const isOrder = ({ tenantId, id }: Stamp): Fragment =>
  sql.fragment`tenant_id = ${tenantId}::bigint and id = ${id}::bigint`

/**
 * `{ order, previous }`, each as JSON text: the order of the relation `changed_order`, and the old values of what changed. A
 * statement sees the tables without its own writes, so they show the order as it was.
 */
const changedRendering = (stamp: Stamp, items?: Fragment): Fragment => sql.fragment`
  select json_build_object('order', after::text, 'previous', changed_fields(before, after)::text)
  from (
    select ${orderDocument(items)} as after,
      (select ${orderDocument()} from manufacturing_orders o where ${isOrder(stamp)}) as before
    from changed_order o
  ) rendered`

const Changed = v.object({ order: v.string(), previous: v.string() })

/** Reads what `changedRendering` rendered. */
export const readChanged = (rendered: Json): { readonly order: Json; readonly previous: Json } =>
  v.parse(Changed, JSON.parse(rendered))

/** The start. Null notes stay as they are. */
export function startWrite(
  stamp: Stamp,
  start: {
    readonly started: Started
    readonly status: OrderStatus
    readonly startedAt: string
    readonly notes: string | null
  },
): DocumentWrite {
  const { started } = start
  const writeOffs = started.writeOffs.map(({ itemId, quantity, cost }) => ({
    id: itemId,
    quantity: formatMicro(quantity),
    cost: formatCost(cost),
  }))
  return {
    inserts: sql.fragment`
      changed_items as (
        update manufacturing_order_items l set actual_quantity = n.quantity, cost = n.cost
        from jsonb_to_recordset(${jsonParameter(writeOffs)}::jsonb) as n (id bigint, quantity numeric, cost numeric)
        where l.tenant_id = ${stamp.tenantId}::bigint and l.manufacturing_order_id = ${stamp.id}::bigint and l.id = n.id
        returning l.*
      ), changed_order as (
        update manufacturing_orders set
          status = ${start.status}, started_at = ${start.startedAt}::timestamptz,
          materials_cost = ${formatCost(started.materialsCost)}::numeric,
          operations_cost = ${formatCost(started.operationsCost)}::numeric,
          notes = coalesce(${start.notes}, notes), updated_at = ${stamp.now}::timestamptz
        where ${isOrder(stamp)}
        returning *
      )`,
    rendering: changedRendering(stamp, sql.fragment`changed_items`),
  }
}

/** A completion. The order shows the batch of its last output; null notes stay as they are. */
export function completionWrite(
  stamp: Stamp,
  completion: {
    readonly completed: Completed
    readonly status: OrderStatus
    /** Null unless the order is done. */
    readonly completedAt: string | null
    readonly notes: string | null
  },
): DocumentWrite {
  const { completed } = completion
  const { output } = completed
  const batch = output?.batch ?? null
  const reports = completed.reports.map(({ id, actualDuration, actualCost }) => ({
    id,
    duration: formatMicro(actualDuration),
    cost: formatCost(actualCost),
  }))
  return {
    inserts: sql.fragment`
      changed_tasks as (
        update manufacturing_order_tasks k set actual_duration = n.duration, actual_cost = n.cost
        from jsonb_to_recordset(${jsonParameter(reports)}::jsonb) as n (id bigint, duration numeric, cost numeric)
        where k.tenant_id = ${stamp.tenantId}::bigint and k.manufacturing_order_id = ${stamp.id}::bigint and k.id = n.id
      ), changed_order as (
        update manufacturing_orders set
          status = ${completion.status}, completed_at = ${completion.completedAt}::timestamptz,
          released_quantity = ${formatMicro(completed.released)}::numeric,
          actual_quantity = ${formatMicro(completed.actual)}::numeric,
          operations_cost = ${formatCost(completed.operationsCost)}::numeric,
          posted_cost = ${formatCost(completed.postedCost)}::numeric,
          expensed_cost = ${formatCost(completed.expensedCost)}::numeric,
          last_output_place_id = coalesce(${output?.placeId ?? null}::bigint, last_output_place_id),
          last_output_batch_id = case when ${output === null} then last_output_batch_id else ${batch?.id ?? null}::bigint end,
          output_batch_number = case when ${batch === null} then output_batch_number else ${batch?.number ?? null} end,
          output_manufacture_date =
            case when ${batch === null} then output_manufacture_date else ${batch?.manufactureDate ?? null}::date end,
          output_expiry_date =
            case when ${batch === null} then output_expiry_date else ${batch?.expiryDate ?? null}::date end,
          notes = coalesce(${completion.notes}, notes), updated_at = ${stamp.now}::timestamptz
        where ${isOrder(stamp)}
        returning *
      )`,
    rendering: changedRendering(stamp),
  }
}

/** The end of an order that never started. Renders it as it last was. */
export const deletionWrite = (stamp: Stamp): DocumentWrite => ({
  inserts: sql.fragment`
    gone_tasks as (
      delete from manufacturing_order_tasks where ${ofOrder(stamp)}
    ), gone_items as (
      delete from manufacturing_order_items where ${ofOrder(stamp)}
    ), gone_order as (
      delete from manufacturing_orders where ${isOrder(stamp)}
    )`,
  rendering: sql.fragment`select ${orderDocument()} from manufacturing_orders o where ${isOrder(stamp)}`,
})

/** Blocks or unblocks: writes the status and renders `{ order, previous }`. It touches no stock. */
export async function writeBlock(
  { connection }: CommandContext,
  stamp: Stamp,
  change: {
    readonly status: OrderStatus
    readonly statusBeforeBlock: Order['statusBeforeBlock']
    readonly reason: string | null
  },
): Promise<Json> {
  const { rendered } = await connection.one(rows(v.object({ rendered: v.string() }))`
    with changed_order as (
      update manufacturing_orders set
        status = ${change.status}, status_before_block = ${change.statusBeforeBlock}, block_reason = ${change.reason},
        updated_at = ${stamp.now}::timestamptz
      where ${isOrder(stamp)}
      returning *
    )
    select (${changedRendering(stamp)})::text as rendered
  `)
  return rendered
}
