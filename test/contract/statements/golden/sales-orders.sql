-- Written by `npm run statements`. `$` is the next parameter.

-- listAllShipments 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
 ',"sales_order_id":"' || "d"."sales_order_id"::text || '","date":"' || iso("d"."date") || '","external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","carrier":' || coalesce((to_json("d"."carrier")::text), 'null') ||
 ',"tracking_number":' || coalesce((to_json("d"."tracking_number")::text), 'null') ||
 ',"tracking_url":' || coalesce((to_json("d"."tracking_url")::text), 'null') ||
 ',"notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
 ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
 ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
 ',"items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","sales_order_item_id":"' || "line"."sales_order_item_id"::text || '","item_variant_id":' || coalesce(('"' || "line"."item_variant_id"::text || '"'), 'null') ||
      ',"quantity":' || trim_scale("line"."quantity")::text ||
      ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') ||
      ',"storage_place_id":' || coalesce(('"' || "line"."storage_place_id"::text || '"'), 'null') ||
      ',"components":' || case when "line"."components" = '[]' then '[]' else ('[' || coalesce((
          select string_agg(('{"item_variant_id":"' || (part.value ->> 'item_variant_id')::bigint::text || '","sku":' || coalesce((to_json((part.value ->> 'sku')::text)::text), 'null') ||
            ',"title":' || to_json((part.value ->> 'title')::text)::text ||
            ',"quantity":' || trim_scale((part.value ->> 'quantity')::numeric)::text ||
            ',"batch_id":' || coalesce(('"' || (part.value ->> 'batch_id')::bigint::text || '"'), 'null') ||
            ',"batch_number":' || coalesce((to_json((part.value ->> 'batch_number')::text)::text), 'null') || '}'), ','
           order by part.place)
          from jsonb_array_elements("line"."components")
          with ordinality part (value, place)), '') || ']') end || '}'), ','
     order by "line".id)
    from "sales_shipment_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."sales_shipment_id" = "d"."id"), '') || ']') || '}')::text as document
from (
 select r.id
 from (select * from "sales_shipments" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "sales_shipments" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc

-- listPackings 1
select coalesce(h.id, 0)::text as id, h.document
from (select from sales_orders where tenant_id = $::bigint and id = $::bigint) o
left join (
 select h.id, ('{"id":"' || "h"."id"::text || '","number":' || to_json("h"."number")::text ||
  ',"sales_order_id":"' || "h"."sales_order_id"::text || '","date":"' || iso("h"."date") || '","external_ref":' || coalesce((to_json("h"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "h"."metadata" = '{}' then '{}' else json_strip_nulls("h"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("h"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("h"."updated_by_user_name")::text), 'null') ||
  ',"created_at":"' || iso("h"."created_at") || '","items":' || ('[' || coalesce((
     select string_agg(('{"id":"' || "line"."id"::text || '","sales_order_item_id":"' || "line"."sales_order_item_id"::text || '","item_variant_id":' || coalesce(('"' || "line"."item_variant_id"::text || '"'), 'null') ||
       ',"quantity":' || trim_scale("line"."quantity")::text ||
       ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') || '}'), ','
      order by "line".id)
     from "sales_packing_items" "line"
     where "line".tenant_id = "h"."tenant_id"
     and "line"."sales_packing_id" = "h"."id"), '') || ']') || '}') as document
 from "sales_packings" h
 where h.tenant_id = $::bigint
 and h.sales_order_id = $::bigint
 and h.id > $::bigint
 and case when $::"int8"[] is null then true else "h"."id" = any ($::"int8"[]) end
 order by "h"."id" asc
 limit $) h on true
order by "h"."id" asc

-- listSalesOrders 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
 ',"status":"' || "d"."status"::text || '","delivery_status":"' || "d"."delivery_status"::text || '","currency":' || to_json("d"."currency")::text ||
 ',"exchange_rate":' || coalesce((trim_scale("d"."exchange_rate")::text), 'null') ||
 ',"prices_include_tax":' || "d"."prices_include_tax"::text ||
 ',"tax_rounding":"' || "d"."tax_rounding"::text || '","tax_rounding_mode":"' || "d"."tax_rounding_mode"::text || '","priority":' || "d"."priority"::text ||
 ',"notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"allow_backorder":' || "d"."allow_backorder"::text ||
 ',"created_date":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","ordered_at":' || coalesce(('"' || iso("d"."ordered_at") || '"'), 'null') ||
 ',"delivery_date":' || coalesce(('"' || iso("d"."delivery_date") || '"'), 'null') ||
 ',"shipped_at":' || coalesce(('"' || iso("d"."shipped_at") || '"'), 'null') ||
 ',"cancelled_at":' || coalesce(('"' || iso("d"."cancelled_at") || '"'), 'null') ||
 ',"cancelled_by_user_id":' || coalesce(('"' || "d"."cancelled_by_user_id"::text || '"'), 'null') ||
 ',"cancelled_by_user_name":' || coalesce((to_json("d"."cancelled_by_user_name")::text), 'null') ||
 ',"cancel_reason":' || coalesce((to_json("d"."cancel_reason")::text), 'null') ||
 ',"customer":' || (
  select ('{"id":"' || "other"."id"::text || '","title":' || to_json("other"."title")::text ||
   ',"country_code":' || coalesce((to_json("other"."country_code")::text), 'null') || '}')
  from "customers" other
  where other.tenant_id = "d"."tenant_id"
  and other.id = "d"."customer_id") ||
 ',"shipping_address":' || coalesce((case when "d"."shipping_address" is not null then ('{"name":' || coalesce(("d"."shipping_address" -> 'name')::text, 'null') ||
     ',"company":' || coalesce(("d"."shipping_address" -> 'company')::text, 'null') ||
     ',"line_1":' || coalesce(("d"."shipping_address" -> 'line_1')::text, 'null') ||
     ',"line_2":' || coalesce(("d"."shipping_address" -> 'line_2')::text, 'null') ||
     ',"city":' || coalesce(("d"."shipping_address" -> 'city')::text, 'null') ||
     ',"region":' || coalesce(("d"."shipping_address" -> 'region')::text, 'null') ||
     ',"zip":' || coalesce(("d"."shipping_address" -> 'zip')::text, 'null') ||
     ',"country_code":' || coalesce(("d"."shipping_address" -> 'country_code')::text, 'null') ||
     ',"phone":' || coalesce(("d"."shipping_address" -> 'phone')::text, 'null') || '}') end), 'null') ||
 ',"billing_address":' || coalesce((case when "d"."billing_address" is not null then ('{"name":' || coalesce(("d"."billing_address" -> 'name')::text, 'null') ||
     ',"company":' || coalesce(("d"."billing_address" -> 'company')::text, 'null') ||
     ',"line_1":' || coalesce(("d"."billing_address" -> 'line_1')::text, 'null') ||
     ',"line_2":' || coalesce(("d"."billing_address" -> 'line_2')::text, 'null') ||
     ',"city":' || coalesce(("d"."billing_address" -> 'city')::text, 'null') ||
     ',"region":' || coalesce(("d"."billing_address" -> 'region')::text, 'null') ||
     ',"zip":' || coalesce(("d"."billing_address" -> 'zip')::text, 'null') ||
     ',"country_code":' || coalesce(("d"."billing_address" -> 'country_code')::text, 'null') ||
     ',"phone":' || coalesce(("d"."billing_address" -> 'phone')::text, 'null') || '}') end), 'null') ||
 ',"total_amount":' || trim_scale("d"."total_amount")::text ||
 ',"tax_amount":' || trim_scale("d"."tax_amount")::text ||
 ',"total_amount_with_tax":' || trim_scale("d"."total_amount" + "d"."tax_amount")::text ||
 ',"items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","item_id":' || coalesce(('"' || "line"."item_id"::text || '"'), 'null') ||
      ',"item_variant_id":' || coalesce(('"' || "line"."item_variant_id"::text || '"'), 'null') ||
      ',"sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"title":' || to_json("line"."title")::text ||
      ',"storage_place_id":' || coalesce(('"' || "line"."storage_place_id"::text || '"'), 'null') ||
      ',"quantity":' || trim_scale("line"."quantity")::text ||
      ',"price":' || trim_scale("line"."price")::text ||
      ',"discount_percent":' || trim_scale("line"."discount_percent")::text ||
      ',"discount_amount":' || trim_scale("line"."discount_amount")::text ||
      ',"tax_rate":' || trim_scale("line"."tax_rate")::text ||
      ',"taxes":' || case when "line"."taxes" = '[]' then '[]' else (
        select '[' || string_agg(('{' || ('"title":' || (tax -> 'title')::text) || ',' || ('"rate":' || (tax ->> 'rate')) || ',' || ('"amount":' || (tax ->> 'amount')) || '}'),
         ','
         order by place) || ']'
        from jsonb_array_elements("line"."taxes")
        with ordinality taxes (tax, place)) end ||
      ',"line_amount":' || trim_scale("line"."line_amount")::text ||
      ',"line_tax_amount":' || trim_scale("line"."line_tax_amount")::text ||
      ',"line_amount_with_tax":' || trim_scale("line"."line_amount" + "line"."line_tax_amount")::text ||
      ',"packed_quantity":' || trim_scale("line"."packed_quantity")::text ||
      ',"shipped_quantity":' || trim_scale("line"."shipped_quantity")::text ||
      ',"external_ref":' || coalesce((to_json("line"."external_ref")::text), 'null') ||
      ',"metadata":' || case when "line"."metadata" = '{}' then '{}' else json_strip_nulls("line"."metadata"::json)::text end ||
      ',"components":' || case when "line"."components" = '[]' then '[]' else ('[' || coalesce((
          select string_agg(('{"id":"' || (part.value ->> 'id')::bigint::text || '","item_variant_id":"' || (part.value ->> 'item_variant_id')::bigint::text || '","sku":' || coalesce((to_json((part.value ->> 'sku')::text)::text), 'null') ||
            ',"title":' || to_json((part.value ->> 'title')::text)::text ||
            ',"quantity_per_kit":' || trim_scale((part.value ->> 'quantity_per_kit')::numeric)::text ||
            ',"quantity":' || trim_scale((part.value ->> 'quantity')::numeric)::text ||
            ',"shipped_quantity":' || trim_scale((part.value ->> 'shipped_quantity')::numeric)::text || '}'), ','
           order by part.place)
          from jsonb_array_elements("line"."components")
          with ordinality part (value, place)), '') || ']') end || '}'), ','
     order by "line".id)
    from "sales_order_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."sales_order_id" = "d"."id"), '') || ']') ||
 ',"charges":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","title":' || to_json("line"."title")::text ||
      ',"amount":' || trim_scale("line"."amount")::text ||
      ',"tax_rate":' || trim_scale("line"."tax_rate")::text ||
      ',"taxes":' || case when "line"."taxes" = '[]' then '[]' else (
        select '[' || string_agg(('{' || ('"title":' || (tax -> 'title')::text) || ',' || ('"rate":' || (tax ->> 'rate')) || ',' || ('"amount":' || (tax ->> 'amount')) || '}'),
         ','
         order by place) || ']'
        from jsonb_array_elements("line"."taxes")
        with ordinality taxes (tax, place)) end ||
      ',"tax_amount":' || trim_scale("line"."tax_amount")::text ||
      ',"amount_with_tax":' || trim_scale(("line".amount + "line".tax_amount))::text ||
      ',"external_ref":' || coalesce((to_json("line"."external_ref")::text), 'null') || '}'), ','
     order by "line".id)
    from "sales_order_charges" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."sales_order_id" = "d"."id"), '') || ']') || '}')::text as document
from (
 select r.id
 from (select * from "sales_orders" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "sales_orders" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
