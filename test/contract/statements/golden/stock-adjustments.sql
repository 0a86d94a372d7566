-- Written by `npm run statements`. `$` is the next parameter.

-- completeStockCount 3
insert into "stock_adjustments" ("tenant_id", "id", "number", "storage_place_id", "date", "reason", "notes", "external_ref",
 "metadata", "created_by_user_name", "updated_by_user_name", "stock_count_id", "created_at", "updated_at", "reversed", "reversed_at",
 "reversal_reason", "reversed_by_user_name", "total_amount")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::timestamptz[], $::text[], $::text[], $::text[], $::jsonb[],
 $::text[], $::text[], $::bigint[], $::timestamptz[], $::timestamptz[], $::boolean[], $::timestamptz[], $::text[], $::text[],
 $::numeric[]) as r ("tenant_id", "id", "number", "storage_place_id", "date", "reason", "notes", "external_ref", "metadata",
 "created_by_user_name", "updated_by_user_name", "stock_count_id", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason",
 "reversed_by_user_name", "total_amount")

-- completeStockCount 4
insert into "stock_adjustment_items" ("tenant_id", "stock_adjustment_id", "id", "item_id", "item_variant_id", "sku", "title",
 "batch_id", "batch_number", "quantity", "quantity_before", "quantity_after", "unit_cost", "amount")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::text[],
 $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[]) as r ("tenant_id", "stock_adjustment_id", "id", "item_id",
 "item_variant_id", "sku", "title", "batch_id", "batch_number", "quantity", "quantity_before", "quantity_after", "unit_cost",
 "amount")

-- listStockAdjustments 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
 ',"storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
 ',"date":"' || iso("d"."date") || '","reason":"' || "d"."reason"::text || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"stock_count_id":' || coalesce(('"' || "d"."stock_count_id"::text || '"'), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
 ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
 ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
 ',"total_amount":' || trim_scale("d"."total_amount")::text ||
 ',"items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","item_id":"' || "line"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"title":' || to_json("line"."title")::text ||
      ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') ||
      ',"batch_number":' || coalesce((to_json("line"."batch_number")::text), 'null') ||
      ',"quantity":' || trim_scale("line"."quantity")::text ||
      ',"quantity_before":' || trim_scale("line"."quantity_before")::text ||
      ',"quantity_after":' || trim_scale("line"."quantity_after")::text ||
      ',"unit_cost":' || trim_scale("line"."unit_cost")::text ||
      ',"amount":' || trim_scale("line"."amount")::text || '}'), ','
     order by "line".id)
    from "stock_adjustment_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."stock_adjustment_id" = "d"."id"), '') || ']') || '}')::text as document
from (
 select r.id
 from (
  select *
  from "stock_adjustments" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  order by "r"."id" asc
  offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "stock_adjustments" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc

-- reverseStockAdjustment 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."storage_place_id"::text as "storage_place_id",
iso("r"."date") as "date", "r"."reason"::text as "reason", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
"r"."stock_count_id"::text as "stock_count_id", iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at",
"r"."reversed"::text as "reversed", iso("r"."reversed_at") as "reversed_at", "r"."reversal_reason"::text as "reversal_reason",
"r"."reversed_by_user_name"::text as "reversed_by_user_name", "r"."total_amount"::text as "total_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "stock_adjustments" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- reverseStockAdjustment 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."title"::text as "title", "r"."batch_id"::text as "batch_id", "r"."batch_number"::text as "batch_number",
"r"."quantity"::text as "quantity", "r"."quantity_before"::text as "quantity_before", "r"."quantity_after"::text as "quantity_after",
"r"."unit_cost"::text as "unit_cost", "r"."amount"::text as "amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "stock_adjustment_items" where tenant_id = q.tenant_id and "stock_adjustment_id" = q.value offset 0) r
order by r.id
