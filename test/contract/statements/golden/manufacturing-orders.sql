-- Written by `npm run statements`. `$` is the next parameter.

-- listAllProductionTasks 1
select concat(o.id, '_', k.id) as id, ('{"id":"' || "k"."id"::text || '","manufacturing_order_id":"' || (o.id)::text || '","operation_id":"' || "k"."operation_id"::text || '","operation_title":' || to_json("k"."operation_title")::text ||
 ',"position":' || "k"."position"::text ||
 ',"status":"' || (case o.status when 'PARTIALLY_DONE' then 'IN_PROGRESS' else o.status end)::text || '","planned_duration":' || trim_scale("k"."planned_duration")::text ||
 ',"actual_duration":' || coalesce((trim_scale("k"."actual_duration")::text), 'null') ||
 ',"cost_per_hour":' || trim_scale("k"."cost_per_hour")::text ||
 ',"planned_cost":' || trim_scale("k"."planned_cost")::text ||
 ',"actual_cost":' || coalesce((trim_scale("k"."actual_cost")::text), 'null') ||
 ',"unit_id":' || coalesce(('"' || "k"."unit_id"::text || '"'), 'null') ||
 ',"unit_name":' || coalesce((to_json("k"."unit_name")::text), 'null') ||
 ',"notes":' || coalesce((to_json("k"."notes")::text), 'null') ||
 ',"started_at":' || coalesce(('"' || iso((o.started_at)) || '"'), 'null') ||
 ',"completed_at":' || coalesce(('"' || iso((o.completed_at)) || '"'), 'null') || '}') as document
from (
 select *
 from (
  select r.manufacturing_order_id as order_id, r.id
  from (
   select *
   from manufacturing_order_tasks r
   where r.tenant_id = $::bigint
   and ("r"."manufacturing_order_id", "r"."id") > ($::bigint, $::bigint)
   order by r.manufacturing_order_id asc, r.id asc
   offset 0) r
  where true
  order by r.manufacturing_order_id asc, r.id asc
  limit $) found
 order by found.order_id asc, found.id asc
 limit $) page
cross join lateral (
 select *
 from manufacturing_order_tasks
 where tenant_id = $::bigint
 and manufacturing_order_id = page.order_id
 and id = page.id
 limit 1) k
cross join lateral (select * from manufacturing_orders where tenant_id = $::bigint and id = page.order_id limit 1) o
order by o.id asc, k.id asc

-- listManufacturingOrders 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
 ',"type":"' || "d"."type"::text || '","status":"' || "d"."status"::text || '","block_reason":' || coalesce((to_json("d"."block_reason")::text), 'null') ||
 ',"priority":' || "d"."priority"::text ||
 ',"quantity":' || trim_scale("d"."quantity")::text ||
 ',"actual_quantity":' || trim_scale("d"."actual_quantity")::text ||
 ',"released_quantity":' || trim_scale("d"."released_quantity")::text ||
 ',"created_date":"' || iso(("d"."created_at")) || '","planned_start_date":' || coalesce(('"' || iso("d"."planned_start_date") || '"'), 'null') ||
 ',"started_at":' || coalesce(('"' || iso("d"."started_at") || '"'), 'null') ||
 ',"completed_at":' || coalesce(('"' || iso("d"."completed_at") || '"'), 'null') ||
 ',"production_date":' || coalesce(('"' || iso("d"."production_date") || '"'), 'null') ||
 ',"shipping_date":' || coalesce(('"' || iso("d"."shipping_date") || '"'), 'null') ||
 ',"output_batch_number":' || coalesce((to_json("d"."output_batch_number")::text), 'null') ||
 ',"output_manufacture_date":' || coalesce(('"' || "d"."output_manufacture_date"::text || '"'), 'null') ||
 ',"output_expiry_date":' || coalesce(('"' || "d"."output_expiry_date"::text || '"'), 'null') ||
 ',"manufacturing_location_id":"' || "d"."manufacturing_location_id"::text || '","sales_order_id":' || coalesce(('"' || "d"."sales_order_id"::text || '"'), 'null') ||
 ',"recipe_id":' || coalesce(('"' || "d"."recipe_id"::text || '"'), 'null') ||
 ',"notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","actual_cost":' || ('{"currency":' || to_json("d"."currency")::text ||
  ',"materials_cost":' || trim_scale("d"."materials_cost")::text ||
  ',"operations_cost":' || trim_scale("d"."operations_cost")::text ||
  ',"total_cost":' || trim_scale(("d"."materials_cost" + "d"."operations_cost"))::text ||
  ',"posted_cost":' || trim_scale("d"."posted_cost")::text ||
  ',"wip_cost":' || trim_scale(("d"."materials_cost" + "d"."operations_cost" - "d"."posted_cost"))::text ||
  ',"unit_cost":' || coalesce((trim_scale((cost_ratio("d"."posted_cost", "d"."released_quantity")))::text), 'null') ||
  ',"is_final":' || ("d"."status" = 'DONE')::text || '}') ||
 ',"item_variant":' || ('{"id":"' || "d"."item_variant_id"::text || '","item_id":"' || "d"."item_id"::text || '","item_title":' || to_json("d"."item_title")::text ||
  ',"sku":' || coalesce((to_json("d"."sku")::text), 'null') ||
  ',"title":' || to_json("d"."title")::text || '}') ||
 ',"items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","item_id":"' || "line"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"title":' || to_json("line"."title")::text ||
      ',"quantity":' || trim_scale("line"."quantity")::text ||
      ',"quantity_per_unit":' || coalesce((trim_scale("line"."quantity_per_unit")::text), 'null') ||
      ',"actual_quantity":' || trim_scale("line"."actual_quantity")::text || '}'), ','
     order by "line".id)
    from "manufacturing_order_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."manufacturing_order_id" = "d"."id"), '') || ']') || '}')::text as document
from (
 select r.id
 from (
  select *
  from "manufacturing_orders" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  order by "r"."id" asc
  offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "manufacturing_orders" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
