-- Written by `npm run statements`. `$` is the next parameter.

-- listAvailability 1
select concat(b.item_variant_id, '_', b.place_key) as id, ('{"item_variant_id":"' || (b.item_variant_id)::text || '","sku":' || coalesce((to_json((v.sku))::text), 'null') ||
 ',"storage_place_id":' || coalesce(('"' || (nullif(b.place_key, 0))::text || '"'), 'null') ||
 ',"quantity":' || trim_scale((b.quantity))::text ||
 ',"quarantine_quantity":' || trim_scale((b.quarantine_quantity))::text ||
 ',"reserved_quantity":' || trim_scale((coalesce(l.reserved, 0)))::text ||
 ',"expected_quantity":' || trim_scale((coalesce(l.expected, 0)))::text ||
 ',"available_quantity":' || trim_scale((b.quantity - b.quarantine_quantity - coalesce(l.reserved, 0)))::text ||
 ',"average_cost":' || coalesce((trim_scale((cost_ratio(b.value, b.quantity)))::text), 'null') || '}') as document
from (
 select *
 from (
  select *
  from (
   select *
   from stock_balances r
   where r.tenant_id = $::bigint
   and ("r"."item_variant_id", "r"."place_key") > ($::bigint, $::bigint)
   order by "r"."item_variant_id" asc, "r"."place_key" asc
   offset 0) r
  where true
  order by "r"."item_variant_id" asc, "r"."place_key" asc
  limit $) found
 order by "found"."item_variant_id" asc, "found"."place_key" asc
 limit $) b
cross join lateral (select sku from item_variants where tenant_id = b.tenant_id and id = b.item_variant_id limit 1) v
left join lateral (
 -- Reserved and expected stand on the entry without a batch.
 select reserved_quantity as reserved, expected_quantity as expected
 from stock_levels
 where tenant_id = b.tenant_id
 and item_variant_id = b.item_variant_id
 and place_key = b.place_key
 and batch_key = 0
 limit 1) l on true
order by "b"."item_variant_id" asc, "b"."place_key" asc

-- listBatches 1
select "d"."id"::text as id, (
 select ('{"id":"' || "d"."id"::text || '","item_id":"' || "d item_variant_id"."item_id"::text || '","item_variant_id":"' || "d"."item_variant_id"::text || '","sku":' || coalesce((to_json("d item_variant_id"."sku")::text), 'null') ||
  ',"title":' || to_json("d item_variant_id"."title")::text ||
  ',"number":' || to_json("d"."number")::text ||
  ',"manufacture_date":' || coalesce(('"' || "d"."manufacture_date"::text || '"'), 'null') ||
  ',"expiry_date":' || coalesce(('"' || "d"."expiry_date"::text || '"'), 'null') ||
  ',"is_expired":' || (coalesce("d".expiry_date < (now() at time zone 'utc')::date, false))::text ||
  ',"quantity":' || trim_scale((l.quantity))::text ||
  ',"quarantine_quantity":' || trim_scale((l.quarantine_quantity))::text ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')
 from (
  select coalesce(sum(quantity), 0) as quantity, coalesce(sum(quarantine_quantity), 0) as quarantine_quantity
  from stock_levels
  where tenant_id = "d".tenant_id
  and batch_id = "d".id) l
 left join lateral (select * from "item_variants" where tenant_id = "d"."tenant_id" and id = "d"."item_variant_id" limit 1) "d item_variant_id" on true)::text as document
from (
 select r.id
 from (select * from "batches" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "batches" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc

-- listStock 1
select "d"."id"::text as id, (
 select ('{"id":"' || "d"."id"::text || '","item_id":"' || (v.item_id)::text || '","item_variant_id":"' || "d"."item_variant_id"::text || '","sku":' || coalesce((to_json((v.sku))::text), 'null') ||
  ',"title":' || to_json((v.title))::text ||
  ',"storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
  ',"batch_id":' || coalesce(('"' || "d"."batch_id"::text || '"'), 'null') ||
  ',"batch_number":' || coalesce((to_json("d batch_id"."number")::text), 'null') ||
  ',"manufacture_date":' || coalesce(('"' || "d batch_id"."manufacture_date"::text || '"'), 'null') ||
  ',"expiry_date":' || coalesce(('"' || "d batch_id"."expiry_date"::text || '"'), 'null') ||
  ',"is_expired":' || (coalesce("d".expires_on < (now() at time zone 'utc')::date, false))::text ||
  ',"unit_name":' || to_json((u.name))::text ||
  ',"quantity":' || trim_scale("d"."quantity")::text ||
  ',"quarantine_quantity":' || trim_scale("d"."quarantine_quantity")::text ||
  ',"reserved_quantity":' || trim_scale("d"."reserved_quantity")::text ||
  ',"expected_quantity":' || trim_scale("d"."expected_quantity")::text ||
  ',"available_quantity":' || trim_scale(("d".quantity - "d".quarantine_quantity - "d".reserved_quantity))::text ||
  ',"average_cost":' || coalesce((trim_scale((cost_ratio(b.value, b.quantity)))::text), 'null') ||
  ',"stock_value":' || trim_scale(((case when "d".quantity = 0 then 0 when "d".quantity = b.quantity then b.value when (
       select true
       from stock_levels o
       where o.tenant_id = "d".tenant_id
       and o.item_variant_id = "d".item_variant_id
       and o.place_key = "d".place_key
       and o.quantity > 0
       and o.id > "d".id
       limit 1) then cost_ratio(b.value * "d".quantity, b.quantity) else b.value - (
       select sum(cost_ratio(b.value * o.quantity, b.quantity))
       from stock_levels o
       where o.tenant_id = "d".tenant_id
       and o.item_variant_id = "d".item_variant_id
       and o.place_key = "d".place_key
       and o.quantity > 0
       and o.id <> "d".id) end)))::text ||
  ',"updated_at":"' || iso((greatest("d".updated_at, b.averaged_at, case when "d".quantity > 0 then b.valued_at end))) || '"}')
 from (
  select *
  from stock_balances
  where tenant_id = "d".tenant_id
  and item_variant_id = "d".item_variant_id
  and place_key = "d".place_key
  limit 1) b
 cross join lateral (select item_id, sku, title from item_variants where tenant_id = "d".tenant_id and id = "d".item_variant_id limit 1) v
 cross join lateral (select unit_id from items where tenant_id = "d".tenant_id and id = v.item_id limit 1) i
 cross join lateral (select name from units where tenant_id = "d".tenant_id and id = i.unit_id limit 1) u
 left join lateral (select * from "batches" where tenant_id = "d"."tenant_id" and id = "d"."batch_id" limit 1) "d batch_id" on true)::text as document
from (
 select r.id
 from (select * from "stock_levels" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "stock_levels" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc

-- listStockMovements 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","item_variant_id":"' || "d"."item_variant_id"::text || '","storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
 ',"batch_id":' || coalesce(('"' || "d"."batch_id"::text || '"'), 'null') ||
 ',"kind":"' || "d"."kind"::text || '","quantity":' || trim_scale("d"."quantity")::text ||
 ',"value":' || trim_scale("d"."value")::text ||
 ',"quantity_after":' || trim_scale("d"."quantity_after")::text ||
 ',"source_type":"' || "d"."source_type"::text || '","source_id":"' || "d"."source_id"::text || '","document_date":"' || iso("d"."document_date") || '","created_at":"' || iso("d"."created_at") || '"}')::text as document
from (
 select r.id
 from (select * from "stock_movements" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "stock_movements" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc

-- listStockValuation 1
select iso(last_command_at) as at
from tenant_streams
where tenant_id = $::bigint

-- updateBatch 1
select q.tenant_id, "r"."id"::text as "id", "r"."item_variant_id"::text as "item_variant_id", "r"."number"::text as "number",
"r"."manufacture_date"::text as "manufacture_date", "r"."expiry_date"::text as "expiry_date", (coalesce("r".expiry_date < (now() at time zone 'utc')::date, false))::text as "is_expired",
(l.quantity)::text as "quantity", (l.quarantine_quantity)::text as "quarantine_quantity", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "batches" where tenant_id = q.tenant_id and "id" = q.value limit 1) r
cross join lateral (
 select coalesce(sum(quantity), 0) as quantity, coalesce(sum(quarantine_quantity), 0) as quarantine_quantity
 from stock_levels
 where tenant_id = r.tenant_id
 and batch_id = r.id) l
