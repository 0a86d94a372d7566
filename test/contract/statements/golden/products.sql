-- Written by `npm run statements`. `$` is the next parameter.

-- listProducts 1
select "d"."id"::text as id, (
 select ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||
  ',"type":"' || "d"."type"::text || '","description":' || coalesce((to_json("d"."description")::text), 'null') ||
  ',"category":' || coalesce((to_json("d"."category")::text), 'null') ||
  ',"unit_id":"' || "d"."unit_id"::text || '","unit_name":' || to_json("d unit_id"."name")::text ||
  ',"is_sellable":' || "d"."is_sellable"::text ||
  ',"is_producible":' || "d"."is_producible"::text ||
  ',"is_purchasable":' || "d"."is_purchasable"::text ||
  ',"batch_tracked":' || "d"."batch_tracked"::text ||
  ',"shelf_life_days":' || coalesce(("d"."shelf_life_days"::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"archived":' || "d"."archived"::text ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","variants":' || ('[' || coalesce((
     select string_agg(('{"id":"' || "line"."id"::text || '","item_id":"' || "line"."item_id"::text || '","title":' || to_json("line"."title")::text ||
       ',"sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
       ',"barcode":' || coalesce((to_json("line"."barcode")::text), 'null') ||
       ',"barcodes":' || case when "line"."barcodes" = '[]' then '[]' else json_strip_nulls("line"."barcodes"::json)::text end ||
       ',"price":' || coalesce((trim_scale("line"."price")::text), 'null') ||
       ',"purchase_price":' || coalesce((trim_scale("line"."purchase_price")::text), 'null') ||
       ',"minimum_stock":' || coalesce((trim_scale("line"."minimum_stock")::text), 'null') ||
       ',"lead_time_days":' || coalesce(("line"."lead_time_days"::text), 'null') ||
       ',"minimum_order_quantity":' || coalesce((trim_scale("line"."minimum_order_quantity")::text), 'null') ||
       ',"order_multiple":' || coalesce((trim_scale("line"."order_multiple")::text), 'null') ||
       ',"components":' || case when (case when "line".components = '[]' then '[]'::jsonb else (
           select jsonb_agg(jsonb_build_object('item_variant_id', v.id::text, 'item_id', v.item_id::text, 'sku', v.sku, 'title', v.title,
             'quantity', kit.part ->> 'quantity')
            order by kit.place)
           from jsonb_array_elements("line".components)
           with ordinality kit (part, place)
           cross join lateral (
            select id, item_id, sku, title
            from item_variants
            where tenant_id = "line".tenant_id
            and id = (kit.part ->> 'item_variant_id')::bigint
            limit 1) v) end) = '[]' then '[]' else ('[' || coalesce((
           select string_agg(('{"item_variant_id":"' || (part.value ->> 'item_variant_id')::bigint::text || '","item_id":"' || (part.value ->> 'item_id')::bigint::text || '","sku":' || coalesce((to_json((part.value ->> 'sku')::text)::text), 'null') ||
             ',"title":' || to_json((part.value ->> 'title')::text)::text ||
             ',"quantity":' || trim_scale((part.value ->> 'quantity')::numeric)::text || '}'), ','
            order by part.place)
           from jsonb_array_elements((case when "line".components = '[]' then '[]'::jsonb else (
               select jsonb_agg(jsonb_build_object('item_variant_id', v.id::text, 'item_id', v.item_id::text, 'sku', v.sku, 'title', v.title,
                 'quantity', kit.part ->> 'quantity')
                order by kit.place)
               from jsonb_array_elements("line".components)
               with ordinality kit (part, place)
               cross join lateral (
                select id, item_id, sku, title
                from item_variants
                where tenant_id = "line".tenant_id
                and id = (kit.part ->> 'item_variant_id')::bigint
                limit 1) v) end))
           with ordinality part (value, place)), '') || ']') end ||
       ',"attributes":' || case when "line"."attributes" = '{}' then '{}' else json_strip_nulls("line"."attributes"::json)::text end ||
       ',"external_ref":' || coalesce((to_json("line"."external_ref")::text), 'null') ||
       ',"metadata":' || case when "line"."metadata" = '{}' then '{}' else json_strip_nulls("line"."metadata"::json)::text end ||
       ',"archived":' || "line"."archived"::text ||
       ',"created_at":"' || iso("line"."created_at") || '","updated_at":"' || iso("line"."updated_at") || '"}'), ','
      order by "line".id)
     from "item_variants" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."item_id" = "d"."id"), '') || ']') || '}')
 from (select) this
 left join lateral (select * from "units" where tenant_id = "d"."tenant_id" and id = "d"."unit_id" limit 1) "d unit_id" on true)::text as document
from (
 select r.id
 from (select * from "items" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "items" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
