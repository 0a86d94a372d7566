-- Written by `npm run statements`. `$` is the next parameter.

-- closePurchaseOrder 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."status"::text as "status", "r"."delivery_status"::text as "delivery_status",
"r"."currency"::text as "currency", "r"."exchange_rate"::text as "exchange_rate", iso("r"."date") as "date", iso("r"."expected_date") as "expected_date",
"r"."expected_place_id"::text as "storage_place_id", iso("r"."completed_at") as "completed_at", "r"."notes"::text as "notes",
"r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."close_reason"::text as "close_reason", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at", "r"."supplier_id"::text as "supplier_id", "r"."total_amount"::text as "total_amount",
"r"."tax_amount"::text as "tax_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "purchase_orders" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- closePurchaseOrder 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."supplier_sku"::text as "supplier_sku", "r"."title"::text as "title", "r"."batch_number"::text as "batch_number",
"r"."expiry_date"::text as "expiry_date", iso("r"."expected_date") as "expected_date", "r"."holds_stock"::text as "holds_stock",
"r"."is_open"::text as "is_open", "r"."was_received"::text as "was_received", "r"."quantity"::text as "quantity", "r"."purchase_quantity"::text as "purchase_quantity",
"r"."purchase_unit_name"::text as "purchase_unit_name", "r"."conversion_rate"::text as "conversion_rate", "r"."received_quantity"::text as "received_quantity",
"r"."received_rest"::text as "received_rest", "r"."price"::text as "price", "r"."purchase_price"::text as "purchase_price",
"r"."discount_percent"::text as "discount_percent", "r"."tax_rate"::text as "tax_rate", "r"."line_amount"::text as "line_amount",
"r"."line_tax_amount"::text as "line_tax_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "purchase_order_items" where tenant_id = q.tenant_id and "purchase_order_id" = q.value offset 0) r
order by r.id

-- createLandedCost 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."purchase_order_id"::text as "purchase_order_id",
"r"."storage_place_id"::text as "storage_place_id", iso("r"."received_date") as "received_date", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at", "r"."reversed"::text as "reversed", iso("r"."reversed_at") as "reversed_at", "r"."reversal_reason"::text as "reversal_reason",
"r"."reversed_by_user_name"::text as "reversed_by_user_name", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
"r"."currency"::text as "currency", "r"."exchange_rate"::text as "exchange_rate", "r"."total_amount"::text as "total_amount",
"r"."tax_amount"::text as "tax_amount", "r"."stock_amount"::text as "stock_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "purchase_receipts" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- createLandedCost 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."purchase_order_item_id"::text as "purchase_order_item_id",
"r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id", "r"."sku"::text as "sku", "r"."title"::text as "title",
"r"."quantity"::text as "quantity", "r"."purchase_quantity"::text as "purchase_quantity", "r"."purchase_unit_name"::text as "purchase_unit_name",
"r"."conversion_rate"::text as "conversion_rate", "r"."exact_quantity"::text as "exact_quantity", "r"."batch_id"::text as "batch_id",
"r"."batch_number"::text as "batch_number", "r"."manufacture_date"::text as "manufacture_date", "r"."expiry_date"::text as "expiry_date",
"r"."price"::text as "price", "r"."purchase_price"::text as "purchase_price", "r"."discount_percent"::text as "discount_percent",
"r"."line_amount"::text as "line_amount", "r"."line_tax_amount"::text as "line_tax_amount", "r"."quarantine"::text as "quarantine",
"r"."purchase_order_id"::text as "order_id", "r"."stock_value"::text as "stock_value"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "purchase_receipt_items" where tenant_id = q.tenant_id and "purchase_receipt_id" = q.value offset 0) r
order by r.id

-- createPurchaseOrder 3
insert into "purchase_orders" ("tenant_id", "id", "number", "status", "delivery_status", "currency", "exchange_rate", "date",
 "expected_date", "expected_place_id", "completed_at", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name",
 "close_reason", "created_at", "updated_at", "supplier_id", "total_amount", "tax_amount")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::numeric[], $::timestamptz[], $::timestamptz[],
 $::bigint[], $::timestamptz[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::text[], $::timestamptz[], $::timestamptz[],
 $::bigint[], $::numeric[], $::numeric[]) as r ("tenant_id", "id", "number", "status", "delivery_status", "currency", "exchange_rate",
 "date", "expected_date", "expected_place_id", "completed_at", "notes", "external_ref", "metadata", "created_by_user_name",
 "updated_by_user_name", "close_reason", "created_at", "updated_at", "supplier_id", "total_amount", "tax_amount")

-- createPurchaseOrder 4
insert into "purchase_order_items" ("tenant_id", "purchase_order_id", "id", "item_id", "item_variant_id", "sku", "supplier_sku",
 "title", "batch_number", "expiry_date", "expected_date", "holds_stock", "is_open", "was_received", "quantity", "purchase_quantity",
 "purchase_unit_name", "conversion_rate", "received_quantity", "received_rest", "price", "purchase_price", "discount_percent",
 "tax_rate", "line_amount", "line_tax_amount")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::date[],
 $::timestamptz[], $::boolean[], $::boolean[], $::boolean[], $::numeric[], $::numeric[], $::text[], $::numeric[], $::numeric[],
 $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[]) as r ("tenant_id", "purchase_order_id",
 "id", "item_id", "item_variant_id", "sku", "supplier_sku", "title", "batch_number", "expiry_date", "expected_date", "holds_stock",
 "is_open", "was_received", "quantity", "purchase_quantity", "purchase_unit_name", "conversion_rate", "received_quantity",
 "received_rest", "price", "purchase_price", "discount_percent", "tax_rate", "line_amount", "line_tax_amount")

-- createPurchaseReceipt 2
insert into "purchase_receipts" ("tenant_id", "id", "number", "purchase_order_id", "storage_place_id", "received_date", "created_at",
 "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name", "notes", "external_ref", "metadata",
 "created_by_user_name", "updated_by_user_name", "currency", "exchange_rate", "total_amount", "tax_amount", "stock_amount")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::bigint[], $::timestamptz[], $::timestamptz[], $::timestamptz[],
 $::boolean[], $::timestamptz[], $::text[], $::text[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::text[], $::numeric[],
 $::numeric[], $::numeric[], $::numeric[]) as r ("tenant_id", "id", "number", "purchase_order_id", "storage_place_id", "received_date",
 "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name", "notes", "external_ref",
 "metadata", "created_by_user_name", "updated_by_user_name", "currency", "exchange_rate", "total_amount", "tax_amount", "stock_amount")

-- createPurchaseReceipt 3
insert into "purchase_receipt_items" ("tenant_id", "purchase_receipt_id", "id", "purchase_order_item_id", "item_id", "item_variant_id",
 "sku", "title", "quantity", "purchase_quantity", "purchase_unit_name", "conversion_rate", "exact_quantity", "batch_id", "batch_number",
 "manufacture_date", "expiry_date", "price", "purchase_price", "discount_percent", "line_amount", "line_tax_amount", "quarantine",
 "purchase_order_id", "stock_value")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::numeric[],
 $::numeric[], $::text[], $::numeric[], $::numeric[], $::bigint[], $::text[], $::date[], $::date[], $::numeric[], $::numeric[],
 $::numeric[], $::numeric[], $::numeric[], $::boolean[], $::bigint[], $::numeric[]) as r ("tenant_id", "purchase_receipt_id",
 "id", "purchase_order_item_id", "item_id", "item_variant_id", "sku", "title", "quantity", "purchase_quantity", "purchase_unit_name",
 "conversion_rate", "exact_quantity", "batch_id", "batch_number", "manufacture_date", "expiry_date", "price", "purchase_price",
 "discount_percent", "line_amount", "line_tax_amount", "quarantine", "purchase_order_id", "stock_value")

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

-- listPurchaseReceipts 1
select r.id::text as id, ('{"id":"' || "r"."id"::text || '","number":' || to_json("r"."number")::text ||
 ',"purchase_order_id":"' || "r"."purchase_order_id"::text || '","storage_place_id":"' || "r"."storage_place_id"::text || '","received_date":"' || iso("r"."received_date") || '","created_at":"' || iso("r"."created_at") || '","updated_at":"' || iso("r"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("r"."reversed_at") || '"'), 'null') ||
 ',"reversal_reason":' || coalesce((to_json("r"."reversal_reason")::text), 'null') ||
 ',"reversed_by_user_name":' || coalesce((to_json("r"."reversed_by_user_name")::text), 'null') ||
 ',"notes":' || coalesce((to_json("r"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("r"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "r"."metadata" = '{}' then '{}' else json_strip_nulls("r"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("r"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("r"."updated_by_user_name")::text), 'null') ||
 ',"currency":' || to_json("r"."currency")::text ||
 ',"exchange_rate":' || trim_scale("r"."exchange_rate")::text ||
 ',"total_amount":' || trim_scale("r"."total_amount")::text ||
 ',"tax_amount":' || trim_scale("r"."tax_amount")::text ||
 ',"total_amount_with_tax":' || trim_scale("r"."total_amount" + "r"."tax_amount")::text ||
 ',"stock_amount":' || trim_scale("r"."stock_amount")::text ||
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
    where "line".tenant_id = "r"."tenant_id"
    and "line"."purchase_receipt_id" = "r"."id"), '') || ']') || '}') as document
from purchase_receipts r
where r.tenant_id = $::bigint
and r.purchase_order_id = $::bigint
and r.id > $::bigint
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
order by "r"."id" asc
limit $
