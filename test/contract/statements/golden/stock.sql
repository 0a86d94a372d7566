-- Written by `npm run statements`. `$` is the next parameter.

-- listAvailability 1
with clock as materialized (
 select today, coalesce((
   select expiry_date
   from batches
   where tenant_id = $::bigint
   and not expired
   and expiry_date is not null
   order by expiry_date asc
   limit 1) < today
  or (
   select expiry_date
   from batches
   where tenant_id = $::bigint
   and expired
   and expiry_date is not null
   order by expiry_date desc
   limit 1) >= today, false) as is_turning
 from (select local_day(time_zone, now()) as today from tenants where tenant_id = $::bigint limit 1) t), moved as materialized (select id, sales_changed_at from storage_places where tenant_id = $::bigint and sales_changed_at is not null),
main as materialized (
 select id, sales_allowed, coalesce(sales_changed_at, created_at) as since
 from storage_places
 where tenant_id = $::bigint
 and is_main
 limit 1), page as materialized (
 select tenant_id, item_variant_id, place_key, quantity, quarantine_quantity, expired_quantity, expired_before, value, updated_at
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
 order by item_variant_id asc, place_key asc
 limit $), found as (
 select *
 from page
 union all (
  select v.tenant_id, v.id as item_variant_id, coalesce(m.id, 0) as place_key, 0::numeric as quantity, 0::numeric as quarantine_quantity,
  0::numeric as expired_quantity, current_date as expired_before, 0::numeric as value, greatest(i.updated_at, m.since) as updated_at
  from (
   select *
   from item_variants r
   where r.tenant_id = $::bigint
   and r.id >= $::bigint
   and r.id <= coalesce((select case when count(*) = $ then max(item_variant_id) end from page), 9223372036854775807)
   and true
   order by "r"."id"
   offset 0) v
  left join main m on true
  cross join lateral (
   select updated_at
   from items
   where tenant_id = v.tenant_id
   and id = v.item_id
   and v.active
   and type not in ('SERVICE', 'KIT')
   limit 1) i
  where (v.id, coalesce(m.id, 0)) > ($::bigint, $::bigint)
  and true
  and v.id not in (select item_variant_id from page where place_key = (select coalesce(max(id), 0) from main))
  order by "v"."id"
  limit $)
 order by item_variant_id asc, place_key asc
 limit $)
select s.is_plain, r.id, r.document
from (
 select not is_turning
 and not exists (select from item_variants where tenant_id = $::bigint and components <> '[]') as is_plain
 from clock) s
left join lateral (
 select concat(b.item_variant_id, '_', b.place_key) as id, ('{"item_variant_id":"' || (b.item_variant_id)::text || '","sku":' || coalesce((to_json((v.sku))::text), 'null') ||
  ',"storage_place_id":' || coalesce(('"' || (nullif(b.place_key, 0))::text || '"'), 'null') ||
  ',"is_kit":' || (b.is_kit)::text ||
  ',"quantity":' || coalesce((trim_scale((b.quantity))::text), 'null') ||
  ',"quarantine_quantity":' || coalesce((trim_scale((b.quarantine_quantity))::text), 'null') ||
  ',"expired_quantity":' || coalesce((trim_scale((x.expired))::text), 'null') ||
  ',"reserved_quantity":' || coalesce((trim_scale((case when not b.is_kit then coalesce(l.reserved, 0) end))::text), 'null') ||
  ',"expected_quantity":' || coalesce((trim_scale((case when not b.is_kit then coalesce(l.expected, 0) end))::text), 'null') ||
  ',"available_quantity":' || coalesce((trim_scale((case when b.is_kit then kit.available else b.quantity - b.quarantine_quantity - x.expired - coalesce(l.reserved, 0) end))::text),
   'null') ||
  ',"average_cost":' || coalesce((trim_scale((cost_ratio(b.value, b.quantity)))::text), 'null') ||
  ',"updated_at":' || coalesce(('"' || iso((x.updated_at)) || '"'), 'null') || '}') as document, b.item_variant_id, b.place_key,
 x.updated_at
 from (
  select tenant_id, item_variant_id, place_key, quantity, quarantine_quantity, expired_quantity, expired_before, value, updated_at,
  false as is_kit
  from found) b
 cross join lateral (
  select tenant_id, sku, components, b.place_key, b.is_kit
  from item_variants
  where tenant_id = b.tenant_id
  and id = b.item_variant_id
  limit 1) v
 left join lateral (
  select reserved_quantity as reserved, expected_quantity as expected
  from stock_levels
  where tenant_id = "b"."tenant_id"
  and item_variant_id = "b"."item_variant_id"
  and place_key = "b"."place_key"
  and batch_key = 0
  limit 1) l on true
 left join moved p on p.id = b.place_key
 cross join lateral (select b.expired_quantity as expired, greatest("b"."updated_at", p.sales_changed_at) as updated_at) x
 cross join (select null::numeric as available) kit
 where s.is_plain
 -- So that nothing is read where the page is not plain.
 offset 0) r on true
order by "r"."item_variant_id" asc, "r"."place_key" asc

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

-- listStockValuation 1
select iso(last_command_at) as at
from tenant_streams
where tenant_id = $::bigint
