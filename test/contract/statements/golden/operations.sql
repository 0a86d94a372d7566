-- Written by `npm run statements`. `$` is the next parameter.

-- listOperations 1
select "d"."id"::text as id, (
 select ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||
  ',"position":' || "d"."position"::text ||
  ',"cost_per_hour":' || trim_scale("d"."cost_per_hour")::text ||
  ',"unit_id":' || coalesce(('"' || "d"."unit_id"::text || '"'), 'null') ||
  ',"unit_name":' || coalesce((to_json("d unit_id"."name")::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')
 from (select) this
 left join lateral (select * from "units" where tenant_id = "d"."tenant_id" and id = "d"."unit_id" limit 1) "d unit_id" on true)::text as document
from (
 select r.id
 from (select * from "operations" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "operations" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
