/**
 * The one place where a manufacturing order, or a task of it, becomes JSON: GET, lists, the commands' answers and the events
 * all render it by these fragments. It must not choose which.
 */
import { type Fragment, sql } from '../../store/postgres.ts'

/**
 * JSON of the manufacturing order `o`. `items` is a relation with the columns of `manufacturing_order_items`: the table, or in
 * a statement that writes the rows as they will be.
 */
export function orderDocument(items: Fragment = sql.fragment`manufacturing_order_items`): Fragment {
  return sql.fragment`json_build_object(
  'id', o.id::text,
  'number', o.number,
  'type', o.type,
  'status', o.status,
  'block_reason', o.block_reason,
  'priority', o.priority,
  'quantity', trim_scale(o.quantity),
  'actual_quantity', trim_scale(o.actual_quantity),
  'released_quantity', trim_scale(o.released_quantity),
  'created_date', iso(o.created_at),
  'planned_start_date', iso(o.planned_start_date),
  'started_at', iso(o.started_at),
  'completed_at', iso(o.completed_at),
  'production_date', iso(o.production_date),
  'shipping_date', iso(o.shipping_date),
  'output_batch_number', o.output_batch_number,
  'output_manufacture_date', o.output_manufacture_date::text,
  'output_expiry_date', o.output_expiry_date::text,
  'manufacturing_location_id', o.manufacturing_location_id::text,
  'sales_order_id', o.sales_order_id::text,
  'recipe_id', o.recipe_id::text,
  'notes', o.notes,
  'external_ref', o.external_ref,
  'created_at', iso(o.created_at),
  'updated_at', iso(o.updated_at),
  'actual_cost', json_build_object(
    'currency', o.currency,
    'materials_cost', trim_scale(o.materials_cost),
    'operations_cost', trim_scale(o.operations_cost),
    'total_cost', trim_scale(o.materials_cost + o.operations_cost),
    'posted_cost', trim_scale(o.posted_cost),
    'wip_cost', trim_scale(o.materials_cost + o.operations_cost - o.posted_cost),
    'unit_cost', trim_scale(cost_ratio(o.posted_cost, o.released_quantity)),
    'is_final', o.status = 'DONE'
  ),
  'item_variant', json_build_object(
    'id', o.item_variant_id::text,
    'item_id', o.item_id::text,
    'item_title', o.item_title,
    'sku', o.sku,
    'title', o.title
  ),
  'items', (
    select coalesce(json_agg(json_build_object(
      'id', l.id::text,
      'item_id', l.item_id::text,
      'item_variant_id', l.item_variant_id::text,
      'sku', l.sku,
      'title', l.title,
      'quantity', trim_scale(l.quantity),
      'actual_quantity', trim_scale(l.actual_quantity)
    ) order by l.id), '[]')
    from ${items} l
    where l.tenant_id = o.tenant_id and l.manufacturing_order_id = o.id
  )
)`
}

/** JSON of the task `k` of the order `o`: its status and times follow from the order's. */
export const taskDocument = sql.fragment`json_build_object(
  'id', k.id::text,
  'manufacturing_order_id', k.manufacturing_order_id::text,
  'operation_id', k.operation_id::text,
  'operation_title', k.operation_title,
  'position', k.position,
  'status', case o.status when 'PARTIALLY_DONE' then 'IN_PROGRESS' else o.status end,
  'planned_duration', trim_scale(k.planned_duration),
  'actual_duration', trim_scale(k.actual_duration),
  'cost_per_hour', trim_scale(k.cost_per_hour),
  'planned_cost', trim_scale(k.planned_cost),
  'actual_cost', trim_scale(k.actual_cost),
  'unit_id', k.unit_id::text,
  'unit_name', k.unit_name,
  'notes', k.notes,
  'started_at', iso(o.started_at),
  'completed_at', iso(o.completed_at)
)`
