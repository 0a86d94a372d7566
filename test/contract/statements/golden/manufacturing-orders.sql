-- Written by `npm run statements`. `$` is the next parameter.

-- blockManufacturingOrder 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."type"::text as "type", "r"."status"::text as "status",
"r"."status_before_block"::text as "status_before_block", "r"."block_reason"::text as "block_reason", "r"."priority"::text as "priority",
"r"."quantity"::text as "quantity", "r"."actual_quantity"::text as "actual_quantity", "r"."released_quantity"::text as "released_quantity",
iso("r"."planned_start_date") as "planned_start_date", iso("r"."started_at") as "started_at", iso("r"."completed_at") as "completed_at",
iso("r"."production_date") as "production_date", iso("r"."shipping_date") as "shipping_date", "r"."output_batch_number"::text as "output_batch_number",
"r"."output_manufacture_date"::text as "output_manufacture_date", "r"."output_expiry_date"::text as "output_expiry_date",
"r"."last_output_place_id"::text as "last_output_place_id", "r"."last_output_batch_id"::text as "last_output_batch_id", "r"."manufacturing_location_id"::text as "manufacturing_location_id",
"r"."sales_order_id"::text as "sales_order_id", "r"."recipe_id"::text as "recipe_id", "r"."recipe_output_quantity"::text as "recipe_output_quantity",
"r"."unneeded_materials"::text as "unneeded_materials", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at", "r"."expensed_cost"::text as "expensed_cost",
"r"."currency"::text as "currency", "r"."materials_cost"::text as "materials_cost", "r"."operations_cost"::text as "operations_cost",
"r"."posted_cost"::text as "posted_cost", "r"."item_variant_id"::text as "item_variant_id", "r"."item_id"::text as "item_id",
"r"."item_title"::text as "item_title", "r"."sku"::text as "sku", "r"."title"::text as "title"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "manufacturing_orders" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- blockManufacturingOrder 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."title"::text as "title", "r"."quantity"::text as "quantity", "r"."quantity_per_unit"::text as "quantity_per_unit",
"r"."recipe_quantity"::text as "recipe_quantity", "r"."scrap_percent"::text as "scrap_percent", "r"."actual_quantity"::text as "actual_quantity",
"r"."cost"::text as "cost", "r"."is_open"::text as "is_open"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "manufacturing_order_items" where tenant_id = q.tenant_id and "manufacturing_order_id" = q.value offset 0) r
order by r.id

-- blockManufacturingOrder 3
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."operation_id"::text as "operation_id", "r"."operation_title"::text as "operation_title",
"r"."position"::text as "position", "r"."planned_duration"::text as "planned_duration", "r"."recipe_duration"::text as "recipe_duration",
"r"."actual_duration"::text as "actual_duration", "r"."cost_per_hour"::text as "cost_per_hour", "r"."planned_cost"::text as "planned_cost",
"r"."actual_cost"::text as "actual_cost", "r"."unit_id"::text as "unit_id", "r"."unit_name"::text as "unit_name", "r"."notes"::text as "notes"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "manufacturing_order_tasks" where tenant_id = q.tenant_id and "manufacturing_order_id" = q.value offset 0) r
order by r.id

-- createManufacturingOrder 11
insert into "manufacturing_orders" ("tenant_id", "id", "number", "type", "status", "status_before_block", "block_reason",
 "priority", "quantity", "actual_quantity", "released_quantity", "planned_start_date", "started_at", "completed_at", "production_date",
 "shipping_date", "output_batch_number", "output_manufacture_date", "output_expiry_date", "last_output_place_id", "last_output_batch_id",
 "manufacturing_location_id", "sales_order_id", "recipe_id", "recipe_output_quantity", "unneeded_materials", "notes", "external_ref",
 "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at", "expensed_cost", "currency", "materials_cost",
 "operations_cost", "posted_cost", "item_variant_id", "item_id", "item_title", "sku", "title")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::text[], $::integer[], $::numeric[], $::numeric[],
 $::numeric[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::text[], $::date[],
 $::date[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::numeric[], $::jsonb[], $::text[], $::text[],
 $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[], $::numeric[], $::text[], $::numeric[], $::numeric[],
 $::numeric[], $::bigint[], $::bigint[], $::text[], $::text[], $::text[]) as r ("tenant_id", "id", "number", "type", "status",
 "status_before_block", "block_reason", "priority", "quantity", "actual_quantity", "released_quantity", "planned_start_date",
 "started_at", "completed_at", "production_date", "shipping_date", "output_batch_number", "output_manufacture_date", "output_expiry_date",
 "last_output_place_id", "last_output_batch_id", "manufacturing_location_id", "sales_order_id", "recipe_id", "recipe_output_quantity",
 "unneeded_materials", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at",
 "expensed_cost", "currency", "materials_cost", "operations_cost", "posted_cost", "item_variant_id", "item_id", "item_title",
 "sku", "title")

-- createManufacturingOrder 12
insert into "manufacturing_order_items" ("tenant_id", "manufacturing_order_id", "id", "item_id", "item_variant_id", "sku",
 "title", "quantity", "quantity_per_unit", "recipe_quantity", "scrap_percent", "actual_quantity", "cost", "is_open")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::numeric[], $::numeric[],
 $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::boolean[]) as r ("tenant_id", "manufacturing_order_id", "id", "item_id",
 "item_variant_id", "sku", "title", "quantity", "quantity_per_unit", "recipe_quantity", "scrap_percent", "actual_quantity",
 "cost", "is_open")

-- createManufacturingOrder 22
insert into "manufacturing_order_tasks" ("tenant_id", "manufacturing_order_id", "id", "operation_id", "operation_title", "position",
 "planned_duration", "recipe_duration", "actual_duration", "cost_per_hour", "planned_cost", "actual_cost", "unit_id", "unit_name",
 "notes")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::integer[], $::numeric[], $::numeric[], $::numeric[],
 $::numeric[], $::numeric[], $::numeric[], $::bigint[], $::text[], $::text[]) as r ("tenant_id", "manufacturing_order_id",
 "id", "operation_id", "operation_title", "position", "planned_duration", "recipe_duration", "actual_duration", "cost_per_hour",
 "planned_cost", "actual_cost", "unit_id", "unit_name", "notes")

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

-- listProductionTasks 1
select k.id::text as id, case when k.id is not null then ('{"id":"' || "k"."id"::text || '","manufacturing_order_id":"' || (o.id)::text || '","operation_id":"' || "k"."operation_id"::text || '","operation_title":' || to_json("k"."operation_title")::text ||
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
  ',"completed_at":' || coalesce(('"' || iso((o.completed_at)) || '"'), 'null') || '}') end as document
from manufacturing_orders o
left join manufacturing_order_tasks k on k.tenant_id = o.tenant_id
and k.manufacturing_order_id = o.id
and k.id > $::bigint
and case when $::"int8"[] is null then true else "k"."id" = any ($::"int8"[]) end
where o.tenant_id = $::bigint
and o.id = $::bigint
order by "k"."id" asc
limit $
