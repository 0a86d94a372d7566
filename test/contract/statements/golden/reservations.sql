-- Written by `npm run statements`. `$` is the next parameter.

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
