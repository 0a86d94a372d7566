-- Written by `npm run statements`. `$` is the next parameter.

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
