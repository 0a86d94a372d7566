-- Written by `npm run statements`. `$` is the next parameter.

-- createReservation 2
insert into "reservations" ("tenant_id", "id", "number", "status", "customer_id", "sales_order_id", "expires_at", "notes",
 "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::bigint[], $::timestamptz[], $::text[], $::text[],
 $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "number", "status", "customer_id",
 "sales_order_id", "expires_at", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at",
 "updated_at")

-- createReservation 3
insert into "reservation_items" ("tenant_id", "reservation_id", "id", "item_id", "item_variant_id", "sku", "title", "storage_place_id",
 "quantity", "components", "is_open")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::numeric[],
 $::jsonb[], $::boolean[]) as r ("tenant_id", "reservation_id", "id", "item_id", "item_variant_id", "sku", "title", "storage_place_id",
 "quantity", "components", "is_open")

-- createSalesOrder 8
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."status"::text as "status", "r"."customer_id"::text as "customer_id",
"r"."sales_order_id"::text as "sales_order_id", iso("r"."expires_at") as "expires_at", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "reservations" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- createSalesOrder 9
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."title"::text as "title", "r"."storage_place_id"::text as "storage_place_id", "r"."quantity"::text as "quantity",
"r"."components"::text as "components", "r"."is_open"::text as "is_open"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "reservation_items" where tenant_id = q.tenant_id and "reservation_id" = q.value offset 0) r
order by r.id

-- listReservations 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
 ',"status":"' || "d"."status"::text || '","customer_id":' || coalesce(('"' || "d"."customer_id"::text || '"'), 'null') ||
 ',"sales_order_id":' || coalesce(('"' || "d"."sales_order_id"::text || '"'), 'null') ||
 ',"expires_at":"' || iso("d"."expires_at") || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","item_id":"' || "line"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"title":' || to_json("line"."title")::text ||
      ',"storage_place_id":' || coalesce(('"' || "line"."storage_place_id"::text || '"'), 'null') ||
      ',"quantity":' || trim_scale("line"."quantity")::text ||
      ',"components":' || case when "line"."components" = '[]' then '[]' else ('[' || coalesce((
          select string_agg(('{"item_variant_id":"' || (part.value ->> 'item_variant_id')::bigint::text || '","sku":' || coalesce((to_json((part.value ->> 'sku')::text)::text), 'null') ||
            ',"title":' || to_json((part.value ->> 'title')::text)::text ||
            ',"quantity_per_kit":' || trim_scale((part.value ->> 'quantity_per_kit')::numeric)::text ||
            ',"quantity":' || trim_scale((part.value ->> 'quantity')::numeric)::text || '}'), ','
           order by part.place)
          from jsonb_array_elements("line"."components")
          with ordinality part (value, place)), '') || ']') end || '}'), ','
     order by "line".id)
    from "reservation_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."reservation_id" = "d"."id"), '') || ']') || '}')::text as document
from (
 select r.id
 from (select * from "reservations" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "reservations" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
