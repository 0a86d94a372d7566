-- Written by `npm run statements`. `$` is the next parameter.

-- listSupplierItems 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","supplier_id":"' || "d"."supplier_id"::text || '","item_variant_id":"' || "d"."item_variant_id"::text || '","supplier_sku":' || coalesce((to_json("d"."supplier_sku")::text), 'null') ||
 ',"purchase_unit_name":' || coalesce((to_json("d"."purchase_unit_name")::text), 'null') ||
 ',"conversion_rate":' || trim_scale("d"."conversion_rate")::text ||
 ',"price":' || coalesce((trim_scale("d"."price")::text), 'null') ||
 ',"currency":' || coalesce((to_json("d"."currency")::text), 'null') ||
 ',"minimum_quantity":' || coalesce((trim_scale("d"."minimum_quantity")::text), 'null') ||
 ',"multiple_of":' || coalesce((trim_scale("d"."multiple_of")::text), 'null') ||
 ',"lead_time_days":' || coalesce(("d"."lead_time_days"::text), 'null') ||
 ',"is_preferred":' || "d"."is_preferred"::text ||
 ',"notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"archived":' || "d"."archived"::text ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')::text as document
from (
 select r.id
 from (select * from "supplier_items" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "supplier_items" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
