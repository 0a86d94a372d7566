-- Written by `npm run statements`. `$` is the next parameter.

-- listStockCountItems 1
select l.id::text as id, case when l.id is not null then ('{"id":"' || "l"."id"::text || '","item_id":"' || "l"."item_id"::text || '","item_variant_id":"' || "l"."item_variant_id"::text || '","sku":' || coalesce((to_json("l"."sku")::text), 'null') ||
  ',"title":' || to_json("l"."title")::text ||
  ',"batch_id":' || coalesce(('"' || "l"."batch_id"::text || '"'), 'null') ||
  ',"batch_number":' || coalesce((to_json("l"."batch_number")::text), 'null') ||
  ',"expected_quantity":' || trim_scale("l"."expected_quantity")::text ||
  ',"counted_quantity":' || trim_scale("l"."counted_quantity")::text ||
  ',"difference":' || trim_scale("l"."difference")::text ||
  ',"counted_at":"' || iso("l"."counted_at") || '","counted_by_user_name":' || coalesce((to_json("l"."counted_by_user_name")::text), 'null') || '}') end as document
from stock_counts c
left join stock_count_items l on l.tenant_id = c.tenant_id
and l.stock_count_id = c.id
and l.id > $::bigint
and case when $::"int8"[] is null then true else "l"."id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "l"."item_variant_id" = any ($::"int8"[]) end
where c.tenant_id = $::bigint
and c.id = $::bigint
order by "l"."id" asc
limit $

-- listStockCounts 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
 ',"title":' || coalesce((to_json("d"."title")::text), 'null') ||
 ',"storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
 ',"status":"' || "d"."status"::text || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"line_count":' || "d"."line_count"::text ||
 ',"difference_count":' || "d"."difference_count"::text ||
 ',"adjustment_id":' || coalesce(('"' || "d"."adjustment_id"::text || '"'), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","completed_at":' || coalesce(('"' || iso("d"."completed_at") || '"'), 'null') || '}')::text as document
from (
 select r.id
 from (select * from "stock_counts" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "stock_counts" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
