/**
 * The one place where a manufacturing order, or a task of it, becomes JSON: GET, lists, the commands' answers and the events
 * all render it by these fragments. It must not choose which.
 */
import { type Fragment, object, objects, sql } from '../../store/postgres.ts'

/**
 * JSON of the manufacturing order `o`. `items` is a relation with the columns of `manufacturing_order_items`: the table, or in
 * a statement that writes the rows as they will be.
 */
export function orderDocument(items: Fragment = sql.fragment`manufacturing_order_items`): Fragment {
  return object(sql.fragment`select
  o.id::text as id,
  o.number,
  o.type,
  o.status,
  o.block_reason,
  o.priority,
  trim_scale(o.quantity) as quantity,
  trim_scale(o.actual_quantity) as actual_quantity,
  trim_scale(o.released_quantity) as released_quantity,
  iso(o.created_at) as created_date,
  iso(o.planned_start_date) as planned_start_date,
  iso(o.started_at) as started_at,
  iso(o.completed_at) as completed_at,
  iso(o.production_date) as production_date,
  iso(o.shipping_date) as shipping_date,
  o.output_batch_number,
  o.output_manufacture_date::text as output_manufacture_date,
  o.output_expiry_date::text as output_expiry_date,
  o.manufacturing_location_id::text as manufacturing_location_id,
  o.sales_order_id::text as sales_order_id,
  o.recipe_id::text as recipe_id,
  o.notes,
  o.external_ref,
  iso(o.created_at) as created_at,
  iso(o.updated_at) as updated_at,
  ${object(sql.fragment`select
    o.currency,
    trim_scale(o.materials_cost) as materials_cost,
    trim_scale(o.operations_cost) as operations_cost,
    trim_scale(o.materials_cost + o.operations_cost) as total_cost,
    trim_scale(o.posted_cost) as posted_cost,
    trim_scale(o.materials_cost + o.operations_cost - o.posted_cost) as wip_cost,
    trim_scale(cost_ratio(o.posted_cost, o.released_quantity)) as unit_cost,
    o.status = 'DONE' as is_final
  `)} as actual_cost,
  ${object(sql.fragment`select
    o.item_variant_id::text as id,
    o.item_id::text as item_id,
    o.item_title,
    o.sku,
    o.title
  `)} as item_variant,
  ${objects(sql.fragment`
    select
      l.id::text as id,
      l.item_id::text as item_id,
      l.item_variant_id::text as item_variant_id,
      l.sku,
      l.title,
      trim_scale(l.quantity) as quantity,
      trim_scale(l.actual_quantity) as actual_quantity
    from ${items} l
    where l.tenant_id = o.tenant_id and l.manufacturing_order_id = o.id
    order by l.id`)} as items
`)
}

/** JSON of the task `k` of the order `o`: its status and times follow from the order's. */
export const taskDocument = object(sql.fragment`select
  k.id::text as id,
  k.manufacturing_order_id::text as manufacturing_order_id,
  k.operation_id::text as operation_id,
  k.operation_title,
  k.position,
  case o.status when 'PARTIALLY_DONE' then 'IN_PROGRESS' else o.status end as status,
  trim_scale(k.planned_duration) as planned_duration,
  trim_scale(k.actual_duration) as actual_duration,
  trim_scale(k.cost_per_hour) as cost_per_hour,
  trim_scale(k.planned_cost) as planned_cost,
  trim_scale(k.actual_cost) as actual_cost,
  k.unit_id::text as unit_id,
  k.unit_name,
  k.notes,
  iso(o.started_at) as started_at,
  iso(o.completed_at) as completed_at
`)
