-- Written by `npm run statements`. `$` is the next parameter.

-- createSupplierItem 2
insert into "supplier_items" ("tenant_id", "id", "supplier_id", "item_variant_id", "supplier_sku", "purchase_unit_name", "conversion_rate",
 "price", "currency", "minimum_quantity", "multiple_of", "lead_time_days", "is_preferred", "notes", "external_ref", "metadata",
 "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::numeric[], $::numeric[], $::text[],
 $::numeric[], $::numeric[], $::integer[], $::boolean[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::boolean[],
 $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "supplier_id", "item_variant_id", "supplier_sku", "purchase_unit_name",
 "conversion_rate", "price", "currency", "minimum_quantity", "multiple_of", "lead_time_days", "is_preferred", "notes", "external_ref",
 "metadata", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")

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

-- updateSupplierItem 1
select q.tenant_id, "r"."id"::text as "id", "r"."supplier_id"::text as "supplier_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."supplier_sku"::text as "supplier_sku", "r"."purchase_unit_name"::text as "purchase_unit_name", "r"."conversion_rate"::text as "conversion_rate",
"r"."price"::text as "price", "r"."currency"::text as "currency", "r"."minimum_quantity"::text as "minimum_quantity", "r"."multiple_of"::text as "multiple_of",
"r"."lead_time_days"::text as "lead_time_days", "r"."is_preferred"::text as "is_preferred", "r"."notes"::text as "notes",
"r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."archived"::text as "archived", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "supplier_items" where tenant_id = q.tenant_id and "id" = q.value limit 1) r
