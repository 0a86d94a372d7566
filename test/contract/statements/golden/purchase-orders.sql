-- Written by `npm run statements`. `$` is the next parameter.

-- listAllPurchaseReceipts 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
 ',"purchase_order_id":"' || "d"."purchase_order_id"::text || '","storage_place_id":"' || "d"."storage_place_id"::text || '","received_date":"' || iso("d"."received_date") || '","created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
 ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
 ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
 ',"notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"currency":' || to_json("d"."currency")::text ||
 ',"exchange_rate":' || trim_scale("d"."exchange_rate")::text ||
 ',"total_amount":' || trim_scale("d"."total_amount")::text ||
 ',"tax_amount":' || trim_scale("d"."tax_amount")::text ||
 ',"total_amount_with_tax":' || trim_scale("d"."total_amount" + "d"."tax_amount")::text ||
 ',"stock_amount":' || trim_scale("d"."stock_amount")::text ||
 ',"items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","purchase_order_item_id":"' || "line"."purchase_order_item_id"::text || '","item_id":"' || "line"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"title":' || to_json("line"."title")::text ||
      ',"quantity":' || trim_scale("line"."quantity")::text ||
      ',"purchase_quantity":' || coalesce((trim_scale("line"."purchase_quantity")::text), 'null') ||
      ',"purchase_unit_name":' || coalesce((to_json("line"."purchase_unit_name")::text), 'null') ||
      ',"conversion_rate":' || trim_scale("line"."conversion_rate")::text ||
      ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') ||
      ',"batch_number":' || coalesce((to_json("line"."batch_number")::text), 'null') ||
      ',"manufacture_date":' || coalesce(('"' || "line"."manufacture_date"::text || '"'), 'null') ||
      ',"expiry_date":' || coalesce(('"' || "line"."expiry_date"::text || '"'), 'null') ||
      ',"price":' || trim_scale("line"."price")::text ||
      ',"purchase_price":' || coalesce((trim_scale("line"."purchase_price")::text), 'null') ||
      ',"discount_percent":' || trim_scale("line"."discount_percent")::text ||
      ',"line_amount":' || trim_scale("line"."line_amount")::text ||
      ',"quarantine":' || "line"."quarantine"::text || '}'), ','
     order by "line".id)
    from "purchase_receipt_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."purchase_receipt_id" = "d"."id"), '') || ']') || '}')::text as document
from (
 select r.id
 from (
  select *
  from "purchase_receipts" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  order by "r"."id" asc
  offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "purchase_receipts" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc

-- listPurchaseOrders 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
 ',"status":"' || "d"."status"::text || '","delivery_status":"' || "d"."delivery_status"::text || '","currency":' || to_json("d"."currency")::text ||
 ',"exchange_rate":' || trim_scale("d"."exchange_rate")::text ||
 ',"date":"' || iso("d"."date") || '","expected_date":' || coalesce(('"' || iso("d"."expected_date") || '"'), 'null') ||
 ',"storage_place_id":' || coalesce(('"' || "d"."expected_place_id"::text || '"'), 'null') ||
 ',"completed_at":' || coalesce(('"' || iso("d"."completed_at") || '"'), 'null') ||
 ',"notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"close_reason":' || coalesce((to_json("d"."close_reason")::text), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","supplier":' || (
  select ('{"id":"' || "other"."id"::text || '","title":' || to_json("other"."title")::text ||
   ',"country_code":' || coalesce((to_json("other"."country_code")::text), 'null') || '}')
  from "suppliers" other
  where other.tenant_id = "d"."tenant_id"
  and other.id = "d"."supplier_id") ||
 ',"total_amount":' || trim_scale("d"."total_amount")::text ||
 ',"tax_amount":' || trim_scale("d"."tax_amount")::text ||
 ',"total_amount_with_tax":' || trim_scale("d"."total_amount" + "d"."tax_amount")::text ||
 ',"items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","item_id":"' || "line"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"supplier_sku":' || coalesce((to_json("line"."supplier_sku")::text), 'null') ||
      ',"title":' || to_json("line"."title")::text ||
      ',"batch_number":' || coalesce((to_json("line"."batch_number")::text), 'null') ||
      ',"expiry_date":' || coalesce(('"' || "line"."expiry_date"::text || '"'), 'null') ||
      ',"expected_date":' || coalesce(('"' || iso("line"."expected_date") || '"'), 'null') ||
      ',"quantity":' || trim_scale("line"."quantity")::text ||
      ',"purchase_quantity":' || coalesce((trim_scale("line"."purchase_quantity")::text), 'null') ||
      ',"purchase_unit_name":' || coalesce((to_json("line"."purchase_unit_name")::text), 'null') ||
      ',"conversion_rate":' || trim_scale("line"."conversion_rate")::text ||
      ',"received_quantity":' || trim_scale("line"."received_quantity")::text ||
      ',"price":' || trim_scale("line"."price")::text ||
      ',"purchase_price":' || coalesce((trim_scale("line"."purchase_price")::text), 'null') ||
      ',"discount_percent":' || trim_scale("line"."discount_percent")::text ||
      ',"tax_rate":' || trim_scale("line"."tax_rate")::text ||
      ',"line_amount":' || trim_scale("line"."line_amount")::text ||
      ',"line_tax_amount":' || trim_scale("line"."line_tax_amount")::text ||
      ',"line_amount_with_tax":' || trim_scale("line"."line_amount" + "line"."line_tax_amount")::text || '}'), ','
     order by "line".id)
    from "purchase_order_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."purchase_order_id" = "d"."id"), '') || ']') || '}')::text as document
from (
 select r.id
 from (select * from "purchase_orders" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "purchase_orders" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
