-- Written by `npm run statements`. `$` is the next parameter.

-- listBatches 1
select "d"."id"::text as id, (
 select ('{"id":"' || "d"."id"::text || '","item_id":"' || "d item_variant_id"."item_id"::text || '","item_variant_id":"' || "d"."item_variant_id"::text || '","sku":' || coalesce((to_json("d item_variant_id"."sku")::text), 'null') ||
  ',"title":' || to_json("d item_variant_id"."title")::text ||
  ',"number":' || to_json("d"."number")::text ||
  ',"manufacture_date":' || coalesce(('"' || "d"."manufacture_date"::text || '"'), 'null') ||
  ',"expiry_date":' || coalesce(('"' || "d"."expiry_date"::text || '"'), 'null') ||
  ',"is_expired":' || (coalesce("d".expiry_date < (now() at time zone 'utc')::date + 1
    and "d".expiry_date < local_day((select time_zone from tenants where tenant_id = "d".tenant_id limit 1), now()), false))::text ||
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
  ',"is_expired":' || (coalesce("d".expires_on < (now() at time zone 'utc')::date + 1
    and "d".expires_on < local_day((select time_zone from tenants where tenant_id = "d".tenant_id limit 1), now()), false))::text ||
  ',"unit_name":' || to_json((u.name))::text ||
  ',"quantity":' || trim_scale("d"."quantity")::text ||
  ',"quarantine_quantity":' || trim_scale("d"."quarantine_quantity")::text ||
  ',"expired_quantity":' || trim_scale((case when coalesce("d".expires_on < (now() at time zone 'utc')::date + 1 and "d".expires_on < local_day((select time_zone from tenants where tenant_id = "d".tenant_id limit 1), now()), false) then "d".quantity - "d".quarantine_quantity else 0 end))::text ||
  ',"reserved_quantity":' || trim_scale("d"."reserved_quantity")::text ||
  ',"expected_quantity":' || trim_scale("d"."expected_quantity")::text ||
  ',"available_quantity":' || trim_scale(("d".quantity - "d".quarantine_quantity - case when coalesce("d".expires_on < (now() at time zone 'utc')::date + 1 and "d".expires_on < local_day((select time_zone from tenants where tenant_id = "d".tenant_id limit 1), now()), false) then "d".quantity - "d".quarantine_quantity else 0 end - "d".reserved_quantity))::text ||
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
select "d"."id"::text as id, (
 select ('{"id":"' || "d"."id"::text || '","item_variant_id":"' || "d"."item_variant_id"::text || '","sku":' || coalesce((to_json((v.sku))::text), 'null') ||
  ',"title":' || to_json((v.title))::text ||
  ',"storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
  ',"batch_id":' || coalesce(('"' || "d"."batch_id"::text || '"'), 'null') ||
  ',"kind":"' || "d"."kind"::text || '","quantity":' || trim_scale("d"."quantity")::text ||
  ',"value":' || trim_scale("d"."value")::text ||
  ',"quantity_after":' || trim_scale("d"."quantity_after")::text ||
  ',"source_type":"' || "d"."source_type"::text || '","source_id":"' || "d"."source_id"::text || '","source_number":' || coalesce((to_json((source.number))::text), 'null') ||
  ',"reason":' || coalesce((to_json((source.reason))::text), 'null') ||
  ',"document_date":"' || iso("d"."document_date") || '","created_at":"' || iso("d"."created_at") || '"}')
 from (select sku, title from item_variants where tenant_id = "d".tenant_id and id = "d".item_variant_id limit 1) v
 cross join lateral (
  select max(number) as number, max(reason) as reason
  from ((
    select number, reason as reason
    from stock_adjustments
    where "d".source_type = 'STOCK_ADJUSTMENT'
    and tenant_id = "d".tenant_id
    and id = "d".source_id
    limit 1)
   union all (
    select number, null::text as reason
    from purchase_receipts
    where "d".source_type = 'PURCHASE_RECEIPT'
    and tenant_id = "d".tenant_id
    and id = "d".source_id
    limit 1)
   union all (
    select number, null::text as reason
    from manufacturing_orders
    where "d".source_type = 'MANUFACTURING_ORDER'
    and tenant_id = "d".tenant_id
    and id = "d".source_id
    limit 1)
   union all (
    select number, null::text as reason
    from sales_shipments
    where "d".source_type = 'SALES_SHIPMENT'
    and tenant_id = "d".tenant_id
    and id = "d".source_id
    limit 1)
   union all (
    select number, null::text as reason
    from sales_returns
    where "d".source_type = 'SALES_RETURN'
    and tenant_id = "d".tenant_id
    and id = "d".source_id
    limit 1)
   union all (
    select number, null::text as reason
    from stock_transfers
    where "d".source_type = 'STOCK_TRANSFER'
    and tenant_id = "d".tenant_id
    and id = "d".source_id
    limit 1)
   union all (
    select number, null::text as reason
    from landed_costs
    where "d".source_type = 'LANDED_COST'
    and tenant_id = "d".tenant_id
    and id = "d".source_id
    limit 1)) one) source)::text as document
from (
 select r.id
 from (select * from "stock_movements" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "stock_movements" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
