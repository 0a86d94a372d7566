-- Written by `npm run statements`. `$` is the next parameter.

-- listStockTransfers 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
 ',"from_storage_place_id":' || coalesce(('"' || "d"."from_storage_place_id"::text || '"'), 'null') ||
 ',"to_storage_place_id":' || coalesce(('"' || "d"."to_storage_place_id"::text || '"'), 'null') ||
 ',"date":"' || iso("d"."date") || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
 ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
 ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
 ',"items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"title":' || to_json("line"."title")::text ||
      ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') ||
      ',"batch_number":' || coalesce((to_json("line"."batch_number")::text), 'null') ||
      ',"quantity":' || trim_scale("line"."quantity")::text ||
      ',"value":' || trim_scale("line"."value")::text || '}'), ','
     order by "line".id)
    from "stock_transfer_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."stock_transfer_id" = "d"."id"), '') || ']') || '}')::text as document
from (
 select r.id
 from (select * from "stock_transfers" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "stock_transfers" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
