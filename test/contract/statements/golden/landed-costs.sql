-- Written by `npm run statements`. `$` is the next parameter.

-- createLandedCost 4
insert into "landed_costs" ("tenant_id", "id", "number", "purchase_receipt_id", "purchase_order_id", "storage_place_id", "currency",
 "exchange_rate", "date", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at",
 "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name", "total_amount", "stock_amount", "expensed_amount")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::numeric[], $::timestamptz[],
 $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[], $::boolean[], $::timestamptz[],
 $::text[], $::text[], $::numeric[], $::numeric[], $::numeric[]) as r ("tenant_id", "id", "number", "purchase_receipt_id",
 "purchase_order_id", "storage_place_id", "currency", "exchange_rate", "date", "notes", "external_ref", "metadata", "created_by_user_name",
 "updated_by_user_name", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name",
 "total_amount", "stock_amount", "expensed_amount")

-- createLandedCost 5
insert into "landed_cost_items" ("tenant_id", "landed_cost_id", "id", "title", "amount", "distribution")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::text[], $::numeric[], $::text[]) as r ("tenant_id", "landed_cost_id", "id", "title", "amount", "distribution")

-- createLandedCost 6
insert into "landed_cost_allocations" ("tenant_id", "landed_cost_id", "id", "purchase_receipt_id", "item_variant_id", "sku",
 "batch_id", "stock_quantity", "amount", "stock_amount", "expensed_amount")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::bigint[], $::numeric[], $::numeric[],
 $::numeric[], $::numeric[]) as r ("tenant_id", "landed_cost_id", "id", "purchase_receipt_id", "item_variant_id", "sku", "batch_id",
 "stock_quantity", "amount", "stock_amount", "expensed_amount")

-- listLandedCosts 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
 ',"purchase_receipt_id":"' || "d"."purchase_receipt_id"::text || '","purchase_order_id":"' || "d"."purchase_order_id"::text || '","storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
 ',"currency":' || to_json("d"."currency")::text ||
 ',"exchange_rate":' || trim_scale("d"."exchange_rate")::text ||
 ',"date":"' || iso("d"."date") || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
 ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
 ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
 ',"total_amount":' || trim_scale("d"."total_amount")::text ||
 ',"stock_amount":' || trim_scale("d"."stock_amount")::text ||
 ',"expensed_amount":' || trim_scale("d"."expensed_amount")::text ||
 ',"items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","title":' || to_json("line"."title")::text ||
      ',"amount":' || trim_scale("line"."amount")::text ||
      ',"distribution":"' || "line"."distribution"::text || '"}'), ','
     order by "line".id)
    from "landed_cost_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."landed_cost_id" = "d"."id"), '') || ']') ||
 ',"allocations":' || ('[' || coalesce((
    select string_agg(('{"purchase_receipt_item_id":"' || "line"."id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"amount":' || trim_scale("line"."amount")::text ||
      ',"stock_amount":' || trim_scale("line"."stock_amount")::text ||
      ',"expensed_amount":' || trim_scale("line"."expensed_amount")::text || '}'), ','
     order by "line".id)
    from "landed_cost_allocations" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."landed_cost_id" = "d"."id"), '') || ']') || '}')::text as document
from (
 select r.id
 from (select * from "landed_costs" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "landed_costs" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc

-- reverseLandedCost 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."purchase_receipt_id"::text as "purchase_receipt_id",
"r"."purchase_order_id"::text as "purchase_order_id", "r"."storage_place_id"::text as "storage_place_id", "r"."currency"::text as "currency",
"r"."exchange_rate"::text as "exchange_rate", iso("r"."date") as "date", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at", "r"."reversed"::text as "reversed", iso("r"."reversed_at") as "reversed_at",
"r"."reversal_reason"::text as "reversal_reason", "r"."reversed_by_user_name"::text as "reversed_by_user_name", "r"."total_amount"::text as "total_amount",
"r"."stock_amount"::text as "stock_amount", "r"."expensed_amount"::text as "expensed_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "landed_costs" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- reverseLandedCost 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."title"::text as "title", "r"."amount"::text as "amount",
"r"."distribution"::text as "distribution"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "landed_cost_items" where tenant_id = q.tenant_id and "landed_cost_id" = q.value offset 0) r
order by r.id

-- reverseLandedCost 3
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."purchase_receipt_id"::text as "receipt_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."batch_id"::text as "batch_id", "r"."stock_quantity"::text as "stock_quantity", "r"."amount"::text as "amount",
"r"."stock_amount"::text as "stock_amount", "r"."expensed_amount"::text as "expensed_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "landed_cost_allocations" where tenant_id = q.tenant_id and "landed_cost_id" = q.value offset 0) r
order by r.id
