-- Written by `npm run statements`. `$` is the next parameter.

-- listSuppliers 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||
 ',"country_code":' || coalesce((to_json("d"."country_code")::text), 'null') ||
 ',"email":' || coalesce((to_json("d"."email")::text), 'null') ||
 ',"phone":' || coalesce((to_json("d"."phone")::text), 'null') ||
 ',"tax_number":' || coalesce((to_json("d"."tax_number")::text), 'null') ||
 ',"currency":' || coalesce((to_json("d"."currency")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"address":' || coalesce((case when "d"."address" is not null then ('{"name":' || coalesce(("d"."address" -> 'name')::text, 'null') ||
     ',"company":' || coalesce(("d"."address" -> 'company')::text, 'null') ||
     ',"line_1":' || coalesce(("d"."address" -> 'line_1')::text, 'null') ||
     ',"line_2":' || coalesce(("d"."address" -> 'line_2')::text, 'null') ||
     ',"city":' || coalesce(("d"."address" -> 'city')::text, 'null') ||
     ',"region":' || coalesce(("d"."address" -> 'region')::text, 'null') ||
     ',"zip":' || coalesce(("d"."address" -> 'zip')::text, 'null') ||
     ',"country_code":' || coalesce(("d"."address" -> 'country_code')::text, 'null') ||
     ',"phone":' || coalesce(("d"."address" -> 'phone')::text, 'null') || '}') end), 'null') ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"archived":' || "d"."archived"::text ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')::text as document
from (
 select r.id
 from (select * from "suppliers" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "suppliers" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
