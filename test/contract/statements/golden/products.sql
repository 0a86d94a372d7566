-- Written by `npm run statements`. `$` is the next parameter.

-- createProduct 3
insert into "items" ("tenant_id", "id", "title", "type", "description", "category", "unit_id", "is_sellable", "is_producible",
 "is_purchasable", "batch_tracked", "shelf_life_days", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name",
 "archived", "created_at", "updated_at")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::bigint[], $::boolean[], $::boolean[],
 $::boolean[], $::boolean[], $::integer[], $::text[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id",
 "id", "title", "type", "description", "category", "unit_id", "is_sellable", "is_producible", "is_purchasable", "batch_tracked",
 "shelf_life_days", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")

-- createProduct 4
insert into "item_variants" ("tenant_id", "item_id", "id", "title", "sku", "barcode", "barcodes", "price", "purchase_price",
 "minimum_stock", "lead_time_days", "minimum_order_quantity", "order_multiple", "components", "attributes", "external_ref",
 "metadata", "archived", "active", "created_at", "updated_at")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::jsonb[], $::numeric[], $::numeric[],
 $::numeric[], $::integer[], $::numeric[], $::numeric[], $::jsonb[], $::jsonb[], $::text[], $::jsonb[], $::boolean[], $::boolean[],
 $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "item_id", "id", "title", "sku", "barcode", "barcodes", "price", "purchase_price",
 "minimum_stock", "lead_time_days", "minimum_order_quantity", "order_multiple", "components", "attributes", "external_ref",
 "metadata", "archived", "active", "created_at", "updated_at")

-- createRecipe 6
select q.tenant_id, "r"."id"::text as "id", "r"."title"::text as "title", "r"."type"::text as "type", "r"."batch_tracked"::text as "batch_tracked"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "items" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

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

-- putProductByRef 1
select q.tenant_id, "r"."id"::text as "id", "r"."title"::text as "title", "r"."type"::text as "type", "r"."description"::text as "description",
"r"."category"::text as "category", "r"."unit_id"::text as "unit_id", "r"."is_sellable"::text as "is_sellable", "r"."is_producible"::text as "is_producible",
"r"."is_purchasable"::text as "is_purchasable", "r"."batch_tracked"::text as "batch_tracked", "r"."shelf_life_days"::text as "shelf_life_days",
"r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."archived"::text as "archived", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "items" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- putProductByRef 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."title"::text as "title",
"r"."sku"::text as "sku", "r"."barcode"::text as "barcode", "r"."barcodes"::text as "barcodes", "r"."price"::text as "price",
"r"."purchase_price"::text as "purchase_price", "r"."minimum_stock"::text as "minimum_stock", "r"."lead_time_days"::text as "lead_time_days",
"r"."minimum_order_quantity"::text as "minimum_order_quantity", "r"."order_multiple"::text as "order_multiple", (case when "r".components = '[]' then '[]'::jsonb else (
   select jsonb_agg(jsonb_build_object('item_variant_id', v.id::text, 'item_id', v.item_id::text, 'sku', v.sku, 'title', v.title,
     'quantity', kit.part ->> 'quantity')
    order by kit.place)
   from jsonb_array_elements("r".components)
   with ordinality kit (part, place)
   cross join lateral (
    select id, item_id, sku, title
    from item_variants
    where tenant_id = "r".tenant_id
    and id = (kit.part ->> 'item_variant_id')::bigint
    limit 1) v) end)::text as "components", "r"."components"::text as "made_of", "r"."attributes"::text as "attributes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."archived"::text as "archived", "r"."active"::text as "active", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "item_variants" where tenant_id = q.tenant_id and "item_id" = q.value offset 0) r
order by r.id
