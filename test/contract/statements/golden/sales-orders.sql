-- Written by `npm run statements`. `$` is the next parameter.

-- annotateSalesOrder 9
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."status"::text as "status", "r"."delivery_status"::text as "delivery_status",
"r"."currency"::text as "currency", "r"."exchange_rate"::text as "exchange_rate", "r"."prices_include_tax"::text as "prices_include_tax",
"r"."tax_rounding"::text as "tax_rounding", "r"."tax_rounding_mode"::text as "tax_rounding_mode", "r"."priority"::text as "priority",
"r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."allow_backorder"::text as "allow_backorder", iso("r"."created_at") as "created_date",
iso("r"."updated_at") as "updated_at", iso("r"."ordered_at") as "ordered_at", iso("r"."delivery_date") as "delivery_date",
iso("r"."shipped_at") as "shipped_at", iso("r"."cancelled_at") as "cancelled_at", "r"."cancelled_by_user_id"::text as "cancelled_by_user_id",
"r"."cancelled_by_user_name"::text as "cancelled_by_user_name", "r"."cancel_reason"::text as "cancel_reason", "r"."customer_id"::text as "customer_id",
"r"."shipping_address"::text as "shipping_address", "r"."billing_address"::text as "billing_address", "r"."total_amount"::text as "total_amount",
"r"."tax_amount"::text as "tax_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_orders" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- annotateSalesOrder 10
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."title"::text as "title", "r"."holds_stock"::text as "holds_stock", "r"."is_open"::text as "is_open",
"r"."was_shipped"::text as "was_shipped", "r"."storage_place_id"::text as "storage_place_id", "r"."quantity"::text as "quantity",
"r"."price"::text as "price", "r"."discount_percent"::text as "discount_percent", "r"."discount_amount"::text as "discount_amount",
"r"."tax_rate"::text as "tax_rate", "r"."taxes"::text as "taxes", "r"."line_amount"::text as "line_amount", "r"."line_tax_amount"::text as "line_tax_amount",
"r"."packed_quantity"::text as "packed_quantity", "r"."shipped_quantity"::text as "shipped_quantity", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."components"::text as "components", "r"."shipped_value"::text as "shipped_value"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_order_items" where tenant_id = q.tenant_id and "sales_order_id" = q.value offset 0) r
order by r.id

-- annotateSalesOrder 11
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."title"::text as "title", "r"."amount"::text as "amount",
"r"."tax_rate"::text as "tax_rate", "r"."taxes"::text as "taxes", "r"."tax_amount"::text as "tax_amount", ("r".amount + "r".tax_amount)::text as "amount_with_tax",
"r"."external_ref"::text as "external_ref"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_order_charges" where tenant_id = q.tenant_id and "sales_order_id" = q.value offset 0) r
order by r.id

-- createPacking 3
insert into "sales_packings" ("tenant_id", "id", "number", "sales_order_id", "date", "external_ref", "metadata", "created_by_user_name",
 "updated_by_user_name", "created_at")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::timestamptz[], $::text[], $::jsonb[], $::text[], $::text[],
 $::timestamptz[]) as r ("tenant_id", "id", "number", "sales_order_id", "date", "external_ref", "metadata", "created_by_user_name",
 "updated_by_user_name", "created_at")

-- createPacking 4
insert into "sales_packing_items" ("tenant_id", "sales_packing_id", "id", "sales_order_item_id", "item_variant_id", "quantity", "batch_id")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::numeric[], $::bigint[]) as r ("tenant_id", "sales_packing_id", "id", "sales_order_item_id", "item_variant_id", "quantity", "batch_id")

-- createSalesOrder 2
insert into "sales_orders" ("tenant_id", "id", "number", "status", "delivery_status", "currency", "exchange_rate", "prices_include_tax",
 "tax_rounding", "tax_rounding_mode", "priority", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name",
 "allow_backorder", "created_at", "updated_at", "ordered_at", "delivery_date", "shipped_at", "cancelled_at", "cancelled_by_user_id",
 "cancelled_by_user_name", "cancel_reason", "customer_id", "shipping_address", "billing_address", "total_amount", "tax_amount")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::numeric[], $::boolean[], $::text[], $::text[],
 $::integer[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[], $::timestamptz[],
 $::timestamptz[], $::timestamptz[], $::timestamptz[], $::bigint[], $::text[], $::text[], $::bigint[], $::jsonb[], $::jsonb[],
 $::numeric[], $::numeric[]) as r ("tenant_id", "id", "number", "status", "delivery_status", "currency", "exchange_rate", "prices_include_tax",
 "tax_rounding", "tax_rounding_mode", "priority", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name",
 "allow_backorder", "created_at", "updated_at", "ordered_at", "delivery_date", "shipped_at", "cancelled_at", "cancelled_by_user_id",
 "cancelled_by_user_name", "cancel_reason", "customer_id", "shipping_address", "billing_address", "total_amount", "tax_amount")

-- createSalesOrder 3
insert into "sales_order_items" ("tenant_id", "sales_order_id", "id", "item_id", "item_variant_id", "sku", "title", "holds_stock",
 "is_open", "was_shipped", "storage_place_id", "quantity", "price", "discount_percent", "discount_amount", "tax_rate", "taxes",
 "line_amount", "line_tax_amount", "packed_quantity", "shipped_quantity", "external_ref", "metadata", "components", "shipped_value")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::boolean[], $::boolean[],
 $::boolean[], $::bigint[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::jsonb[], $::numeric[],
 $::numeric[], $::numeric[], $::numeric[], $::text[], $::jsonb[], $::jsonb[], $::numeric[]) as r ("tenant_id", "sales_order_id",
 "id", "item_id", "item_variant_id", "sku", "title", "holds_stock", "is_open", "was_shipped", "storage_place_id", "quantity",
 "price", "discount_percent", "discount_amount", "tax_rate", "taxes", "line_amount", "line_tax_amount", "packed_quantity",
 "shipped_quantity", "external_ref", "metadata", "components", "shipped_value")

-- createShipment 2
insert into "sales_shipments" ("tenant_id", "id", "number", "sales_order_id", "date", "external_ref", "metadata", "created_by_user_name",
 "updated_by_user_name", "created_at", "carrier", "tracking_number", "tracking_url", "notes", "updated_at", "reversed", "reversed_at",
 "reversal_reason", "reversed_by_user_name")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::timestamptz[], $::text[], $::jsonb[], $::text[], $::text[],
 $::timestamptz[], $::text[], $::text[], $::text[], $::text[], $::timestamptz[], $::boolean[], $::timestamptz[], $::text[],
 $::text[]) as r ("tenant_id", "id", "number", "sales_order_id", "date", "external_ref", "metadata", "created_by_user_name",
 "updated_by_user_name", "created_at", "carrier", "tracking_number", "tracking_url", "notes", "updated_at", "reversed", "reversed_at",
 "reversal_reason", "reversed_by_user_name")

-- createShipment 3
insert into "sales_shipment_items" ("tenant_id", "sales_shipment_id", "id", "sales_order_item_id", "item_variant_id", "quantity",
 "batch_id", "storage_place_id", "components", "sales_order_id", "value")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::numeric[], $::bigint[], $::bigint[], $::jsonb[],
 $::bigint[], $::numeric[]) as r ("tenant_id", "sales_shipment_id", "id", "sales_order_item_id", "item_variant_id", "quantity",
 "batch_id", "storage_place_id", "components", "sales_order_id", "value")

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

-- listShipments 1
select coalesce(h.id, 0)::text as id, h.document
from (select from sales_orders where tenant_id = $::bigint and id = $::bigint) o
left join (
 select h.id, ('{"id":"' || "h"."id"::text || '","number":' || to_json("h"."number")::text ||
  ',"sales_order_id":"' || "h"."sales_order_id"::text || '","date":"' || iso("h"."date") || '","external_ref":' || coalesce((to_json("h"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "h"."metadata" = '{}' then '{}' else json_strip_nulls("h"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("h"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("h"."updated_by_user_name")::text), 'null') ||
  ',"created_at":"' || iso("h"."created_at") || '","carrier":' || coalesce((to_json("h"."carrier")::text), 'null') ||
  ',"tracking_number":' || coalesce((to_json("h"."tracking_number")::text), 'null') ||
  ',"tracking_url":' || coalesce((to_json("h"."tracking_url")::text), 'null') ||
  ',"notes":' || coalesce((to_json("h"."notes")::text), 'null') ||
  ',"updated_at":"' || iso("h"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("h"."reversed_at") || '"'), 'null') ||
  ',"reversal_reason":' || coalesce((to_json("h"."reversal_reason")::text), 'null') ||
  ',"reversed_by_user_name":' || coalesce((to_json("h"."reversed_by_user_name")::text), 'null') ||
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
     where "line".tenant_id = "h"."tenant_id"
     and "line"."sales_shipment_id" = "h"."id"), '') || ']') || '}') as document
 from "sales_shipments" h
 where h.tenant_id = $::bigint
 and h.sales_order_id = $::bigint
 and h.id > $::bigint
 and case when $::"int8"[] is null then true else "h"."id" = any ($::"int8"[]) end
 order by "h"."id" asc
 limit $) h on true
order by "h"."id" asc

-- reverseSalesShipment 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."sales_order_id"::text as "sales_order_id",
iso("r"."date") as "date", "r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", iso("r"."created_at") as "created_at", "r"."carrier"::text as "carrier",
"r"."tracking_number"::text as "tracking_number", "r"."tracking_url"::text as "tracking_url", "r"."notes"::text as "notes",
iso("r"."updated_at") as "updated_at", "r"."reversed"::text as "reversed", iso("r"."reversed_at") as "reversed_at", "r"."reversal_reason"::text as "reversal_reason",
"r"."reversed_by_user_name"::text as "reversed_by_user_name"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_shipments" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- reverseSalesShipment 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."sales_order_item_id"::text as "sales_order_item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."quantity"::text as "quantity", "r"."batch_id"::text as "batch_id", "r"."storage_place_id"::text as "storage_place_id",
"r"."components"::text as "components", "r"."sales_order_id"::text as "order_id", "r"."value"::text as "value"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_shipment_items" where tenant_id = q.tenant_id and "sales_shipment_id" = q.value offset 0) r
order by r.id
