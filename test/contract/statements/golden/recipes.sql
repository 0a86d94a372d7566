-- Written by `npm run statements`. `$` is the next parameter.

-- createManufacturingOrder 13
select q.tenant_id, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."output_quantity"::text as "output_quantity", "r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata",
"r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "recipes" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- createManufacturingOrder 14
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_variant_id"::text as "item_variant_id", "r"."quantity"::text as "quantity",
"r"."scrap_percent"::text as "scrap_percent", "r"."notes"::text as "notes"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "recipe_materials" where tenant_id = q.tenant_id and "recipe_id" = q.value offset 0) r
order by r.id

-- createManufacturingOrder 15
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."operation_id"::text as "operation_id", "r"."operation_type"::text as "operation_type",
"r"."position"::text as "position", "r"."duration"::text as "duration", "r"."cost_per_hour"::text as "cost_per_hour", "r"."notes"::text as "notes"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "recipe_operations" where tenant_id = q.tenant_id and "recipe_id" = q.value offset 0) r
order by r.id

-- createRecipe 2
insert into "recipes" ("tenant_id", "id", "item_id", "item_variant_id", "output_quantity", "external_ref", "metadata", "created_by_user_name",
 "updated_by_user_name", "created_at", "updated_at")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::numeric[], $::text[], $::jsonb[], $::text[], $::text[],
 $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "item_id", "item_variant_id", "output_quantity", "external_ref",
 "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at")

-- createRecipe 3
insert into "recipe_materials" ("tenant_id", "recipe_id", "id", "item_variant_id", "quantity", "scrap_percent", "notes")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::numeric[], $::numeric[], $::text[]) as r ("tenant_id", "recipe_id", "id", "item_variant_id", "quantity", "scrap_percent", "notes")

-- createRecipe 4
insert into "recipe_operations" ("tenant_id", "recipe_id", "id", "operation_id", "operation_type", "position", "duration", "cost_per_hour", "notes")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::integer[], $::numeric[], $::numeric[], $::text[]) as r ("tenant_id", "recipe_id", "id", "operation_id", "operation_type", "position", "duration", "cost_per_hour", "notes")

-- listRecipes 1
select "d"."id"::text as id, (
 select ('{"id":"' || "d"."id"::text || '","item_id":"' || "d"."item_id"::text || '","item_variant_id":' || coalesce(('"' || "d"."item_variant_id"::text || '"'), 'null') ||
  ',"item_title":' || to_json("d item_id"."title")::text ||
  ',"item_variant_title":' || coalesce((to_json("d item_variant_id"."title")::text), 'null') ||
  ',"sku":' || coalesce((to_json("d item_variant_id"."sku")::text), 'null') ||
  ',"output_quantity":' || trim_scale("d"."output_quantity")::text ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","materials":' || ('[' || coalesce((
     select string_agg((
       select ('{"id":"' || "line"."id"::text || '","item_id":"' || "line item_variant_id"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line item_variant_id"."sku")::text), 'null') ||
        ',"title":' || to_json("line item_variant_id"."title")::text ||
        ',"quantity":' || trim_scale("line"."quantity")::text ||
        ',"scrap_percent":' || trim_scale("line"."scrap_percent")::text ||
        ',"notes":' || coalesce((to_json("line"."notes")::text), 'null') || '}')
       from (select) this
       left join lateral (select * from "item_variants" where tenant_id = "line"."tenant_id" and id = "line"."item_variant_id" limit 1) "line item_variant_id" on true),
      ','
      order by "line".id)
     from "recipe_materials" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."recipe_id" = "d"."id"), '') || ']') ||
  ',"operations":' || ('[' || coalesce((
     select string_agg((
       select ('{"id":"' || "line"."id"::text || '","operation_id":"' || "line"."operation_id"::text || '","operation_title":' || to_json("line operation_id"."title")::text ||
        ',"operation_type":' || coalesce(('"' || "line"."operation_type"::text || '"'), 'null') ||
        ',"position":' || "line"."position"::text ||
        ',"duration":' || trim_scale("line"."duration")::text ||
        ',"cost_per_hour":' || trim_scale("line"."cost_per_hour")::text ||
        ',"notes":' || coalesce((to_json("line"."notes")::text), 'null') || '}')
       from (select) this
       left join lateral (select * from "operations" where tenant_id = "line"."tenant_id" and id = "line"."operation_id" limit 1) "line operation_id" on true),
      ','
      order by "line".id)
     from "recipe_operations" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."recipe_id" = "d"."id"), '') || ']') || '}')
 from (select) this
 left join lateral (select * from "items" where tenant_id = "d"."tenant_id" and id = "d"."item_id" limit 1) "d item_id" on true
 left join lateral (select * from "item_variants" where tenant_id = "d"."tenant_id" and id = "d"."item_variant_id" limit 1) "d item_variant_id" on true)::text as document
from (
 select r.id
 from (select * from "recipes" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "recipes" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
