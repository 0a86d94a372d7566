-- Written by `npm run statements`. `$` is the next parameter.

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
