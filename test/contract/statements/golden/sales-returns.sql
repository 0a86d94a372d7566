-- Written by `npm run statements`. `$` is the next parameter.

-- listSalesReturns 1
select "d"."id"::text as id, (
 select ('{"sales_return":' || ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
   ',"status":"' || "d"."status"::text || '","source_type":"' || "d"."source_type"::text || '","sales_order_id":"' || "d"."sales_order_id"::text || '","sales_order_number":' || to_json("d sales_order_id"."number")::text ||
   ',"customer_id":"' || "d"."customer_id"::text || '","storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
   ',"external_return_ref":' || coalesce((to_json("d"."external_return_ref")::text), 'null') ||
   ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
   ',"tracking_info":' || coalesce((to_json("d"."tracking_info")::text), 'null') ||
   ',"notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
   ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
   ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
   ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
   ',"cancellation_reason":' || coalesce((to_json("d"."cancellation_reason")::text), 'null') ||
   ',"created_date":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","return_date":' || coalesce(('"' || iso("d"."return_date") || '"'), 'null') ||
   ',"refund_amount":' || trim_scale("d"."refund_amount")::text ||
   ',"refund_tax_amount":' || trim_scale("d"."refund_tax_amount")::text ||
   ',"refund_amount_with_tax":' || trim_scale("d"."refund_amount" + "d"."refund_tax_amount")::text || '}') ||
  ',"items":' || ('[' || coalesce((
     select string_agg(('{"id":"' || "line"."id"::text || '","sales_order_item_id":"' || "line"."sales_order_item_id"::text || '","item_variant_id":' || coalesce(('"' || "line"."item_variant_id"::text || '"'), 'null') ||
       ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') ||
       ',"storage_place_id":' || coalesce(('"' || "line"."storage_place_id"::text || '"'), 'null') ||
       ',"sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
       ',"title":' || to_json("line"."title")::text ||
       ',"reason":' || coalesce((to_json("line"."reason")::text), 'null') ||
       ',"reason_note":' || coalesce((to_json("line"."reason_note")::text), 'null') ||
       ',"reason_id":' || coalesce(("line"."reason_id"::text), 'null') ||
       ',"quantity":' || trim_scale("line"."quantity")::text ||
       ',"unit_price":' || trim_scale("line"."unit_price")::text ||
       ',"refund_amount":' || trim_scale("line"."refund_amount")::text ||
       ',"refund_tax_amount":' || trim_scale("line"."refund_tax_amount")::text ||
       ',"refund_amount_with_tax":' || trim_scale("line"."refund_amount" + "line"."refund_tax_amount")::text ||
       ',"taxes":' || case when "line"."taxes" = '[]' then '[]' else (
         select '[' || string_agg(('{' || ('"title":' || (tax -> 'title')::text) || ',' || ('"rate":' || (tax ->> 'rate')) || ',' || ('"amount":' || (tax ->> 'amount')) || '}'),
          ','
          order by place) || ']'
         from jsonb_array_elements("line"."taxes")
         with ordinality taxes (tax, place)) end ||
       ',"restock":' || "line"."restock"::text ||
       ',"quarantine":' || "line"."quarantine"::text ||
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
     from "sales_return_items" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."sales_return_id" = "d"."id"), '') || ']') ||
  ',"charges":' || ('[' || coalesce((
     select string_agg(('{"id":"' || "line"."id"::text || '","sales_order_charge_id":"' || "line"."sales_order_charge_id"::text || '","title":' || to_json("line"."title")::text ||
       ',"amount":' || trim_scale("line"."amount")::text ||
       ',"tax_amount":' || trim_scale("line"."tax_amount")::text ||
       ',"amount_with_tax":' || trim_scale("line"."amount" + "line"."tax_amount")::text ||
       ',"taxes":' || case when "line"."taxes" = '[]' then '[]' else (
         select '[' || string_agg(('{' || ('"title":' || (tax -> 'title')::text) || ',' || ('"rate":' || (tax ->> 'rate')) || ',' || ('"amount":' || (tax ->> 'amount')) || '}'),
          ','
          order by place) || ']'
         from jsonb_array_elements("line"."taxes")
         with ordinality taxes (tax, place)) end || '}'), ','
      order by "line".id)
     from "sales_return_charges" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."sales_return_id" = "d"."id"), '') || ']') || '}')
 from (select) this
 left join lateral (select * from "sales_orders" where tenant_id = "d"."tenant_id" and id = "d"."sales_order_id" limit 1) "d sales_order_id" on true)::text as document
from (
 select r.id
 from (select * from "sales_returns" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "sales_returns" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
