-- Statements that the service sends. Written by `npm run statements`.
-- Each stands once, under the first of its senders in the order of their names. `$` is the next parameter. `[1]` stands for the passage
-- of this number; the passages of a sender stand before its statements.

-- getApiKey 1
select event_sequence
from tenant_streams
where tenant_id = $::bigint

-- getApiKey 2
with recent as materialized (select key_id, max(hour * 3600::bigint + second) as second from security_recent where tenant_id = $ group by key_id)
select id as key_id, name, user_name, case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'valid' end as status,
user_name = (select owner_email from tenants where tenant_id = api_keys.tenant_id) as is_unnamed, to_json(scopes)::text as scopes,
rate_per_minute, burst, daily_documents, iso(created_at) as created_at, iso(expires_at) as expires_at, iso(revoked_at) as revoked_at,
iso(last_used_at) as last_used_at
from api_keys
-- From the counts of the security telemetry, which come a few seconds after the request and stay for 90 days. The last one
-- reads minutes as earlier versions wrote them.
left join lateral (
 select to_timestamp(max(second)) as last_used_at
 from ((select second from recent where recent.key_id = api_keys.id)
  union all (
   select hour * 3600::bigint + (select max(second) from unnest(seconds) second)
   from security_hours
   where tenant_id = api_keys.tenant_id
   and key_id = api_keys.id
   order by hour desc, 1 desc
   limit 1)
  union all (
   select extract(epoch from minute)::bigint + (select max(second) from unnest(seconds) second)
   from security_key_minutes
   where tenant_id = api_keys.tenant_id
   and key_id = api_keys.id
   order by minute desc
   limit 1)) lasts) used on true
where tenant_id = $
and id = $
and not (for_one_run and (revoked_at is not null or coalesce(expires_at <= now(), false)))
order by id asc
limit $::integer

-- getBatch 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select (
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
  left join lateral (select * from "item_variants" where tenant_id = "d"."tenant_id" and id = "d"."item_variant_id" limit 1) "d item_variant_id" on true)
 from "batches" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getCustomer 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||
  ',"country_code":' || coalesce((to_json("d"."country_code")::text), 'null') ||
  ',"email":' || coalesce((to_json("d"."email")::text), 'null') ||
  ',"phone":' || coalesce((to_json("d"."phone")::text), 'null') ||
  ',"tax_number":' || coalesce((to_json("d"."tax_number")::text), 'null') ||
  ',"currency":' || coalesce((to_json("d"."currency")::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"shipping_address":' || coalesce((case when "d"."shipping_address" is not null then ('{"name":' || coalesce(("d"."shipping_address" -> 'name')::text, 'null') ||
      ',"line_1":' || coalesce(("d"."shipping_address" -> 'line_1')::text, 'null') ||
      ',"line_2":' || coalesce(("d"."shipping_address" -> 'line_2')::text, 'null') ||
      ',"city":' || coalesce(("d"."shipping_address" -> 'city')::text, 'null') ||
      ',"region":' || coalesce(("d"."shipping_address" -> 'region')::text, 'null') ||
      ',"zip":' || coalesce(("d"."shipping_address" -> 'zip')::text, 'null') ||
      ',"country_code":' || coalesce(("d"."shipping_address" -> 'country_code')::text, 'null') ||
      ',"phone":' || coalesce(("d"."shipping_address" -> 'phone')::text, 'null') || '}') end), 'null') ||
  ',"billing_address":' || coalesce((case when "d"."billing_address" is not null then ('{"name":' || coalesce(("d"."billing_address" -> 'name')::text, 'null') ||
      ',"line_1":' || coalesce(("d"."billing_address" -> 'line_1')::text, 'null') ||
      ',"line_2":' || coalesce(("d"."billing_address" -> 'line_2')::text, 'null') ||
      ',"city":' || coalesce(("d"."billing_address" -> 'city')::text, 'null') ||
      ',"region":' || coalesce(("d"."billing_address" -> 'region')::text, 'null') ||
      ',"zip":' || coalesce(("d"."billing_address" -> 'zip')::text, 'null') ||
      ',"country_code":' || coalesce(("d"."billing_address" -> 'country_code')::text, 'null') ||
      ',"phone":' || coalesce(("d"."billing_address" -> 'phone')::text, 'null') || '}') end), 'null') ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"archived":' || "d"."archived"::text ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')
 from "customers" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getLandedCost 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
  ',"purchase_receipt_id":"' || "d"."purchase_receipt_id"::text || '","purchase_order_id":"' || "d"."purchase_order_id"::text || '","storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
  ',"currency":' || to_json("d"."currency")::text ||
  ',"exchange_rate":' || trim_scale("d"."exchange_rate")::text ||
  ',"date":"' || iso("d"."date") || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
  ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
  ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
  ',"total_amount":' || trim_scale("d"."total_amount")::text ||
  ',"stock_amount":' || trim_scale("d"."stock_amount")::text ||
  ',"expensed_amount":' || trim_scale("d"."expensed_amount")::text ||
  ',"items":' || ('[' || coalesce((
     select string_agg(('{"id":"' || "line"."id"::text || '","title":' || to_json("line"."title")::text ||
       ',"amount":' || trim_scale("line"."amount")::text ||
       ',"distribution":"' || "line"."distribution"::text || '"}'), ','
      order by "line".id)
     from "landed_cost_items" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."landed_cost_id" = "d"."id"), '') || ']') ||
  ',"allocations":' || ('[' || coalesce((
     select string_agg(('{"purchase_receipt_item_id":"' || "line"."id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
       ',"amount":' || trim_scale("line"."amount")::text ||
       ',"stock_amount":' || trim_scale("line"."stock_amount")::text ||
       ',"expensed_amount":' || trim_scale("line"."expensed_amount")::text || '}'), ','
      order by "line".id)
     from "landed_cost_allocations" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."landed_cost_id" = "d"."id"), '') || ']') || '}')
 from "landed_costs" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getManufacturingOrder 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
  ',"type":"' || "d"."type"::text || '","status":"' || "d"."status"::text || '","block_reason":' || coalesce((to_json("d"."block_reason")::text), 'null') ||
  ',"priority":' || "d"."priority"::text ||
  ',"quantity":' || trim_scale("d"."quantity")::text ||
  ',"actual_quantity":' || trim_scale("d"."actual_quantity")::text ||
  ',"released_quantity":' || trim_scale("d"."released_quantity")::text ||
  ',"created_date":"' || iso(("d"."created_at")) || '","planned_start_date":' || coalesce(('"' || iso("d"."planned_start_date") || '"'), 'null') ||
  ',"started_at":' || coalesce(('"' || iso("d"."started_at") || '"'), 'null') ||
  ',"completed_at":' || coalesce(('"' || iso("d"."completed_at") || '"'), 'null') ||
  ',"production_date":' || coalesce(('"' || iso("d"."production_date") || '"'), 'null') ||
  ',"shipping_date":' || coalesce(('"' || iso("d"."shipping_date") || '"'), 'null') ||
  ',"output_batch_number":' || coalesce((to_json("d"."output_batch_number")::text), 'null') ||
  ',"output_manufacture_date":' || coalesce(('"' || "d"."output_manufacture_date"::text || '"'), 'null') ||
  ',"output_expiry_date":' || coalesce(('"' || "d"."output_expiry_date"::text || '"'), 'null') ||
  ',"manufacturing_location_id":"' || "d"."manufacturing_location_id"::text || '","sales_order_id":' || coalesce(('"' || "d"."sales_order_id"::text || '"'), 'null') ||
  ',"recipe_id":' || coalesce(('"' || "d"."recipe_id"::text || '"'), 'null') ||
  ',"notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","actual_cost":' || ('{"currency":' || to_json("d"."currency")::text ||
   ',"materials_cost":' || trim_scale("d"."materials_cost")::text ||
   ',"operations_cost":' || trim_scale("d"."operations_cost")::text ||
   ',"total_cost":' || trim_scale(("d"."materials_cost" + "d"."operations_cost"))::text ||
   ',"posted_cost":' || trim_scale("d"."posted_cost")::text ||
   ',"wip_cost":' || trim_scale(("d"."materials_cost" + "d"."operations_cost" - "d"."posted_cost"))::text ||
   ',"unit_cost":' || coalesce((trim_scale((cost_ratio("d"."posted_cost", "d"."released_quantity")))::text), 'null') ||
   ',"is_final":' || ("d"."status" = 'DONE')::text || '}') ||
  ',"item_variant":' || ('{"id":"' || "d"."item_variant_id"::text || '","item_id":"' || "d"."item_id"::text || '","item_title":' || to_json("d"."item_title")::text ||
   ',"sku":' || coalesce((to_json("d"."sku")::text), 'null') ||
   ',"title":' || to_json("d"."title")::text || '}') ||
  ',"items":' || ('[' || coalesce((
     select string_agg(('{"id":"' || "line"."id"::text || '","item_id":"' || "line"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
       ',"title":' || to_json("line"."title")::text ||
       ',"quantity":' || trim_scale("line"."quantity")::text ||
       ',"quantity_per_unit":' || coalesce((trim_scale((coalesce("line".quantity_per_unit, (
             select m.quantity
             from (select * from manufacturing_orders where tenant_id = "line".tenant_id and id = "line".manufacturing_order_id limit 1) mo
             cross join lateral (select * from recipe_materials where tenant_id = mo.tenant_id and recipe_id = mo.recipe_id offset 0) m
             where mo.keeps_per_unit is null
             and m.item_variant_id = "line".item_variant_id
             and round(m.quantity * mo.quantity, 6) = "line".quantity
             order by m.id
             limit 1))))::text), 'null') ||
       ',"actual_quantity":' || trim_scale("line"."actual_quantity")::text || '}'), ','
      order by "line".id)
     from "manufacturing_order_items" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."manufacturing_order_id" = "d"."id"), '') || ']') || '}')
 from "manufacturing_orders" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getMe 1
select (
 select to_json(object)
 from (
  select t.tenant_id::text as tenant_id, t.name as tenant_name, t.currency, t.plan, k.id::text as key_id, k.name as key_name,
  k.user_name, k.scopes, iso(k.expires_at) as expires_at, (select to_json(object) from (select k.rate_per_minute as per_minute, k.burst) object) as rate,
  (
   select to_json(object)
   from (select k.daily_documents as limit, documents_spent(k.tenant_id, k.quota_group, $::date) as spent, $::text as resets_at) object) as documents) object)::text as document
from (select * from api_keys where tenant_id = $::bigint and id = $::bigint limit 1) k
cross join lateral (select * from tenants where tenant_id = k.tenant_id limit 1) t

-- getOperation 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select (
  select ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||
   ',"position":' || "d"."position"::text ||
   ',"cost_per_hour":' || trim_scale("d"."cost_per_hour")::text ||
   ',"unit_id":' || coalesce(('"' || "d"."unit_id"::text || '"'), 'null') ||
   ',"unit_name":' || coalesce((to_json("d unit_id"."name")::text), 'null') ||
   ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
   ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
   ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
   ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
   ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')
  from (select) this
  left join lateral (select * from "units" where tenant_id = "d"."tenant_id" and id = "d"."unit_id" limit 1) "d unit_id" on true)
 from "operations" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getProduct 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select (
  select ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||
   ',"type":"' || "d"."type"::text || '","description":' || coalesce((to_json("d"."description")::text), 'null') ||
   ',"category":' || coalesce((to_json("d"."category")::text), 'null') ||
   ',"unit_id":"' || "d"."unit_id"::text || '","unit_name":' || to_json("d unit_id"."name")::text ||
   ',"is_sellable":' || "d"."is_sellable"::text ||
   ',"is_producible":' || "d"."is_producible"::text ||
   ',"is_purchasable":' || "d"."is_purchasable"::text ||
   ',"batch_tracked":' || "d"."batch_tracked"::text ||
   ',"shelf_life_days":' || coalesce(("d"."shelf_life_days"::text), 'null') ||
   ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
   ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
   ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
   ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
   ',"archived":' || "d"."archived"::text ||
   ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","variants":' || ('[' || coalesce((
      select string_agg(('{"id":"' || "line"."id"::text || '","item_id":"' || "line"."item_id"::text || '","title":' || to_json("line"."title")::text ||
        ',"sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
        ',"barcode":' || coalesce((to_json("line"."barcode")::text), 'null') ||
        ',"price":' || coalesce((trim_scale("line"."price")::text), 'null') ||
        ',"purchase_price":' || coalesce((trim_scale("line"."purchase_price")::text), 'null') ||
        ',"minimum_stock":' || coalesce((trim_scale("line"."minimum_stock")::text), 'null') ||
        ',"lead_time_days":' || coalesce(("line"."lead_time_days"::text), 'null') ||
        ',"minimum_order_quantity":' || coalesce((trim_scale("line"."minimum_order_quantity")::text), 'null') ||
        ',"order_multiple":' || coalesce((trim_scale("line"."order_multiple")::text), 'null') ||
        ',"attributes":' || case when "line"."attributes" = '{}' then '{}' else json_strip_nulls("line"."attributes"::json)::text end ||
        ',"archived":' || "line"."archived"::text ||
        ',"created_at":"' || iso("line"."created_at") || '","updated_at":"' || iso("line"."updated_at") || '"}'), ','
       order by "line".id)
      from "item_variants" "line"
      where "line".tenant_id = "d"."tenant_id"
      and "line"."item_id" = "d"."id"), '') || ']') || '}')
  from (select) this
  left join lateral (select * from "units" where tenant_id = "d"."tenant_id" and id = "d"."unit_id" limit 1) "d unit_id" on true)
 from "items" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getProjection 1
with place as materialized (
 select p.*, coalesce(p.id, 0) as key, (select currency from tenants where tenant_id = p.tenant_id limit 1) as currency, coalesce((select is_main from storage_places where tenant_id = p.tenant_id and id = p.id limit 1), not p.has_places) as is_main
 from (
  select q.tenant_id, case when q.named is null then (select id from storage_places where tenant_id = q.tenant_id and is_main limit 1) else (select id from storage_places where tenant_id = q.tenant_id and id = q.named limit 1) end as id,
  coalesce((select true from storage_places where tenant_id = q.tenant_id limit 1), false) as has_places
  from (select $::bigint as tenant_id, $::bigint as named) q
  offset 0) p), unknown as materialized (
 select exists (select from stock_levels where tenant_id = $::bigint and batch_id is not null and expires_on is null limit 1) as is_any)
select (now() at time zone 'utc')::date::text as today, place.id::text as place_id, place.has_places, place.is_main, v.id::text as variant_id,
(coalesce(b.quantity, 0) - coalesce(b.quarantine_quantity, 0) - coalesce(e.quantity, 0))::text as quantity, v.minimum_stock::text as minimum_stock,
(
 select coalesce((select max(id) from recipes where tenant_id = v.tenant_id and item_variant_id = v.id), (select max(id) from recipes where tenant_id = v.tenant_id and item_id = v.item_id and item_variant_id is null)) is not null) as is_made, coalesce(preferred.lead_time_days, v.lead_time_days) as lead_time_days, d.source_type, d.source_id::text as source_id, d.number, d.quantity::text as source_quantity, d.day::text as due_date
from place
cross join lateral (select place.tenant_id, $::bigint as id) r
left join lateral (select * from item_variants where tenant_id = r.tenant_id and id = r.id and ctid <> '(0,0)' limit 1) v on true
left join lateral (select * from supplier_items where tenant_id = r.tenant_id and preferred_variant_id = r.id and not archived limit 1) preferred on true
left join lateral (select * from stock_balances where tenant_id = r.tenant_id and item_variant_id = r.id and place_key = place.key limit 1) b on true
left join lateral (
 select reserved_quantity, expected_quantity
 from stock_levels
 where tenant_id = r.tenant_id
 and item_variant_id = r.id
 and place_key = place.key and batch_key = 0
 limit 1) l on true
left join lateral (
 select sum(quantity) as quantity
 from (
  select s.quantity - s.quarantine_quantity as quantity
  from stock_levels s
  where s.tenant_id = r.tenant_id
  and s.item_variant_id = r.id
  and s.place_key = place.key and s.batch_id is not null
  and s.quantity > s.quarantine_quantity
  and s.expires_on < (now() at time zone 'utc')::date
  union all
  select s.quantity - s.quarantine_quantity
  from stock_levels s
  where (select is_any from unknown)
  and s.tenant_id = r.tenant_id
  and s.item_variant_id = r.id
  and s.place_key = place.key and s.batch_id is not null
  and s.quantity > s.quarantine_quantity
  and s.expires_on is null
  and coalesce(s.expires_on, (select coalesce(expiry_date, 'infinity') from batches where tenant_id = s.tenant_id and id = s.batch_id limit 1)) < (now() at time zone 'utc')::date) expired) e on true
left join lateral (
 select e.source_type, e.source_id, e.number, sum(e.quantity) as quantity, (e.due at time zone 'utc')::date as day
 from (select r.tenant_id, r.id as item_variant_id, place.key as place_key) p
 cross join lateral (
  select source_type, source_id, number, -quantity as quantity, due
  from (
   select 'SALES_ORDER' as source_type, o.id as source_id, o.number, sum(l.quantity - l.shipped_quantity) as quantity, o.delivery_date as due
   from (
    select *
    from sales_order_items
    where tenant_id = p.tenant_id
    and item_variant_id = p.item_variant_id
    and is_open
    and holds_stock
    and quantity > shipped_quantity
    offset 0) l
   cross join lateral (
    select id, number, delivery_date
    from sales_orders
    where tenant_id = l.tenant_id
    and id = l.sales_order_id
    and status = 'OPEN'
    limit 1) o
   where coalesce(l.storage_place_id, 0) = p.place_key
   group by o.id, o.number, o.delivery_date
   union all
   select 'RESERVATION', h.id, h.number, sum(l.quantity), null::timestamptz
   from (
    select *
    from reservation_items
    where tenant_id = p.tenant_id
    and item_variant_id = p.item_variant_id
    and is_open
    offset 0) l
   cross join lateral (select id, number from reservations where tenant_id = l.tenant_id and id = l.reservation_id and status = 'HELD' limit 1) h
   where coalesce(l.storage_place_id, 0) = p.place_key
   group by h.id, h.number
   union all
   select 'MANUFACTURING_ORDER', o.id, o.number, sum(l.quantity), o.planned_start_date
   from (
    select *
    from manufacturing_order_items
    where tenant_id = p.tenant_id
    and item_variant_id = p.item_variant_id
    and is_open
    and quantity > 0
    offset 0) l
   cross join lateral (
    select id, number, planned_start_date
    from manufacturing_orders o
    where tenant_id = l.tenant_id
    and id = l.manufacturing_order_id
    and manufacturing_location_id = p.place_key
    and (o.status = 'NOT_STARTED' or o.status_before_block = 'NOT_STARTED')
    limit 1) o
   group by o.id, o.number, o.planned_start_date) needed
  union all
  select source_type, source_id, number, quantity, due
  from (
   select 'PURCHASE_ORDER' as source_type, o.id as source_id, o.number, sum(l.quantity - l.received_quantity) as quantity, coalesce(l.expected_date, o.expected_date) as due
   from (
    select *
    from purchase_order_items
    where tenant_id = p.tenant_id
    and item_variant_id = p.item_variant_id
    and is_open
    and holds_stock
    and quantity > received_quantity
    offset 0) l
   cross join lateral (
    select id, number, expected_date
    from purchase_orders
    where tenant_id = l.tenant_id
    and id = l.purchase_order_id
    and status = 'OPEN'
    and coalesce(expected_place_id, 0) = p.place_key
    limit 1) o
   group by o.id, o.number, coalesce(l.expected_date, o.expected_date)
   union all
   select 'MANUFACTURING_ORDER', o.id, o.number, o.quantity - o.released_quantity, o.production_date
   from (
    select *
    from manufacturing_orders
    where tenant_id = p.tenant_id
    and item_variant_id = p.item_variant_id
    and completed_at is null
    and quantity > released_quantity
    offset 0) o
   where o.manufacturing_location_id = p.place_key) coming) e
 group by e.source_type, e.source_id, e.number, day) d on true
order by d.day, d.source_id

-- getPurchaseOrder 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
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
     and "line"."purchase_order_id" = "d"."id"), '') || ']') || '}')
 from "purchase_orders" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getPurchaseReceipt 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
  ',"purchase_order_id":"' || "d"."purchase_order_id"::text || '","storage_place_id":"' || "d"."storage_place_id"::text || '","received_date":"' || iso("d"."received_date") || '","created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
  ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
  ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
  ',"notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"total_amount":' || trim_scale("d"."total_amount")::text ||
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
     and "line"."purchase_receipt_id" = "d"."id"), '') || ']') || '}')
 from "purchase_receipts" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getRecipe 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select (
  select ('{"id":"' || "d"."id"::text || '","item_id":"' || "d"."item_id"::text || '","item_variant_id":' || coalesce(('"' || "d"."item_variant_id"::text || '"'), 'null') ||
   ',"item_title":' || to_json("d item_id"."title")::text ||
   ',"item_variant_title":' || coalesce((to_json("d item_variant_id"."title")::text), 'null') ||
   ',"sku":' || coalesce((to_json("d item_variant_id"."sku")::text), 'null') ||
   ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
   ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
   ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
   ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
   ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","materials":' || ('[' || coalesce((
      select string_agg((
        select ('{"id":"' || "line"."id"::text || '","item_id":"' || "line item_variant_id"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line item_variant_id"."sku")::text), 'null') ||
         ',"title":' || to_json("line item_variant_id"."title")::text ||
         ',"quantity":' || trim_scale("line"."quantity")::text ||
         ',"notes":' || coalesce((to_json("line"."notes")::text), 'null') || '}')
        from (select) this
        left join lateral (select * from "item_variants" where tenant_id = "line"."tenant_id" and id = "line"."item_variant_id" limit 1) "line item_variant_id" on true), ','
       order by "line".id)
      from "recipe_materials" "line"
      where "line".tenant_id = "d"."tenant_id"
      and "line"."recipe_id" = "d"."id"), '') || ']') ||
   ',"operations":' || ('[' || coalesce((
      select string_agg((
        select ('{"id":"' || "line"."id"::text || '","operation_id":"' || "line"."operation_id"::text || '","operation_title":' || to_json("line operation_id"."title")::text ||
         ',"operation_type":' || coalesce(('"' || "line"."operation_type"::text || '"'), 'null') ||
         ',"position":' || "line"."position"::text ||
         ',"duration":' || trim_scale("line"."duration")::text ||
         ',"cost_per_hour":' || trim_scale("line"."cost_per_hour")::text ||
         ',"notes":' || coalesce((to_json("line"."notes")::text), 'null') || '}')
        from (select) this
        left join lateral (select * from "operations" where tenant_id = "line"."tenant_id" and id = "line"."operation_id" limit 1) "line operation_id" on true), ','
       order by "line".id)
      from "recipe_operations" "line"
      where "line".tenant_id = "d"."tenant_id"
      and "line"."recipe_id" = "d"."id"), '') || ']') || '}')
  from (select) this
  left join lateral (select * from "items" where tenant_id = "d"."tenant_id" and id = "d"."item_id" limit 1) "d item_id" on true
  left join lateral (select * from "item_variants" where tenant_id = "d"."tenant_id" and id = "d"."item_variant_id" limit 1) "d item_variant_id" on true)
 from "recipes" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getReplenishment 1
with recursive place as materialized (
 select p.*, coalesce(p.id, 0) as key, (select currency from tenants where tenant_id = p.tenant_id limit 1) as currency, coalesce((select is_main from storage_places where tenant_id = p.tenant_id and id = p.id limit 1), not p.has_places) as is_main
 from (
  select q.tenant_id, case when q.named is null then (select id from storage_places where tenant_id = q.tenant_id and is_main limit 1) else (select id from storage_places where tenant_id = q.tenant_id and id = q.named limit 1) end as id,
  coalesce((select true from storage_places where tenant_id = q.tenant_id limit 1), false) as has_places
  from (select $::bigint as tenant_id, $::bigint as named) q
  offset 0) p), unknown as materialized (
 select exists (select from stock_levels where tenant_id = $::bigint and batch_id is not null and expires_on is null limit 1) as is_any), reached (tenant_id, id) as (
 select $::bigint, started.id
 from (
  select item_variant_id as id
  from (
   select distinct on (item_variant_id, place_key) *
   from (((
      select l.tenant_id, l.item_variant_id, l.place_key, b.quantity, b.quarantine_quantity, l.reserved_quantity, l.expected_quantity,
      l.minimum_stock as bound
      from (
       select *
       from stock_levels r
       where r.tenant_id = $::bigint
       and ("r"."item_variant_id", (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0))) > ($::bigint, $::bigint)
       and "r"."item_variant_id" >= $::bigint
       and (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0)) = (select key from place)
       and r.place_key = (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0))
       and r.batch_id is null
       and r.quantity - r.quarantine_quantity - r.reserved_quantity + r.expected_quantity < r.minimum_stock
       order by r.item_variant_id asc
       offset 0) l
      cross join lateral (
       select *
       from stock_balances
       where tenant_id = $::bigint
       and item_variant_id = l.item_variant_id
       and place_key = (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0))
       limit 1) b
      where b.quantity - b.quarantine_quantity - l.reserved_quantity + l.expected_quantity < l.minimum_stock
      order by l.item_variant_id asc
      limit $)
     union all (
      select $::bigint, v.id, (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0)),
      coalesce(b.quantity, 0), coalesce(b.quarantine_quantity, 0), 0, 0, v.minimum_stock
      from (
       select *
       from item_variants r
       where r.tenant_id = $::bigint
       and ("r"."id", (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0))) > ($::bigint, $::bigint)
       and "r"."id" >= $::bigint
       and (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0)) = (select key from place)
       and r.minimum_stock > 0
       and not r.has_main_entry
       order by r.id asc
       offset 0) v
      left join lateral (
       select *
       from stock_balances
       where tenant_id = $::bigint
       and item_variant_id = v.id
       and place_key = (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0))
       limit 1) b on true
      where coalesce(b.quantity - b.quarantine_quantity, 0) < v.minimum_stock
      and (b.item_variant_id is not null
       or (v.active and (select type <> 'SERVICE' from items where tenant_id = $::bigint and id = v.item_id limit 1)))
      order by v.id asc
      limit $))
    union all (
     select l.tenant_id, l.item_variant_id, l.place_key, b.quantity, b.quarantine_quantity, l.reserved_quantity, l.expected_quantity,
     0::numeric as bound
     from (
      select *
      from stock_levels r
      where r.tenant_id = $::bigint
      and r.batch_id is null
      and r.quantity - r.quarantine_quantity - r.reserved_quantity + r.expected_quantity < 0
      and (r.item_variant_id, r.place_key) > ($::bigint, $::bigint)
      and r.place_key = (select key from place)
      order by r.item_variant_id asc, r.place_key asc
      offset 0) l
     cross join lateral (
      select *
      from stock_balances
      where tenant_id = l.tenant_id
      and item_variant_id = l.item_variant_id
      and place_key = l.place_key
      limit 1) b
     where b.quantity - b.quarantine_quantity - l.reserved_quantity + l.expected_quantity < 0
     order by l.item_variant_id asc, l.place_key asc
     limit $)) short
   order by item_variant_id asc, place_key asc, bound desc
   limit $) short
  union
  select s.item_variant_id
  from stock_levels s
  where s.tenant_id = $::bigint
  and s.batch_id is not null
  and s.quantity > s.quarantine_quantity
  and case when $::"int8"[] is null then true else s.item_variant_id = any ($::"int8"[]) end
  and s.place_key = (select key from place)
  and s.expires_on < (now() at time zone 'utc')::date
  union
  select s.item_variant_id
  from stock_levels s
  where (select is_any from unknown)
  and s.tenant_id = $::bigint
  and s.batch_id is not null
  and s.quantity > s.quarantine_quantity
  and case when $::"int8"[] is null then true else s.item_variant_id = any ($::"int8"[]) end
  and s.place_key = (select key from place)
  and s.expires_on is null
  and coalesce(s.expires_on, (select coalesce(expiry_date, 'infinity') from batches where tenant_id = s.tenant_id and id = s.batch_id limit 1)) < (now() at time zone 'utc')::date) started
 union
 select r.tenant_id, line.item_variant_id
 from reached r
 cross join lateral (select * from item_variants where tenant_id = r.tenant_id and id = r.id and ctid <> '(0,0)' limit 1) v
 cross join lateral (
  select item_variant_id
  from recipe_materials
  where tenant_id = r.tenant_id
  and recipe_id = coalesce((select max(id) from recipes where tenant_id = v.tenant_id and item_variant_id = v.id), (select max(id) from recipes where tenant_id = v.tenant_id and item_id = v.item_id and item_variant_id is null))
  offset 0) line)
select place.id::text as place_id, place.has_places, place.is_main, part.*
from place
left join lateral (
 select v.id::text as id, v.item_id::text as item_id, v.sku, v.title, v.purchase_price::text as purchase_price, v.minimum_stock::text as minimum_stock,
 v.lead_time_days, v.minimum_order_quantity::text as minimum_order_quantity, v.order_multiple::text as order_multiple, preferred.id::text as preferred_id,
 preferred.supplier_id::text as supplier_id, preferred.conversion_rate::text as supplier_rate, preferred.minimum_quantity::text as supplier_minimum,
 preferred.multiple_of::text as supplier_multiple, preferred.lead_time_days as supplier_lead_time_days, case when coalesce(preferred.currency, place.currency) = place.currency then preferred.price end::text as supplier_price,
 cost_ratio(b.value, b.quantity)::text as average_cost, greatest(coalesce(b.quantity, 0) - coalesce(b.quarantine_quantity, 0) - coalesce(e.quantity, 0) - coalesce(l.reserved_quantity, 0), 0)::text as available,
 (coalesce(b.quantity, 0) - coalesce(b.quarantine_quantity, 0) - coalesce(e.quantity, 0) - coalesce(l.reserved_quantity, 0) + coalesce(l.expected_quantity, 0))::text as projected,
 case when n.recipe_id is not null then (select concat('', string_agg(concat(item_variant_id, ':', quantity), ' ')) from recipe_materials where tenant_id = r.tenant_id and recipe_id = n.recipe_id) end as materials
 from (select * from reached limit $) r
 cross join lateral (select * from item_variants where tenant_id = r.tenant_id and id = r.id and ctid <> '(0,0)' limit 1) v
 cross join lateral (
  select coalesce((select max(id) from recipes where tenant_id = v.tenant_id and item_variant_id = v.id), (select max(id) from recipes where tenant_id = v.tenant_id and item_id = v.item_id and item_variant_id is null)) as recipe_id
  offset 0) n
 left join lateral (select * from supplier_items where tenant_id = r.tenant_id and preferred_variant_id = r.id and not archived limit 1) preferred on n.recipe_id is null
 left join lateral (select * from stock_balances where tenant_id = r.tenant_id and item_variant_id = r.id and place_key = place.key limit 1) b on true
 left join lateral (
  select reserved_quantity, expected_quantity
  from stock_levels
  where tenant_id = r.tenant_id
  and item_variant_id = r.id
  and place_key = place.key and batch_key = 0
  limit 1) l on true
 left join lateral (
  select sum(quantity) as quantity
  from (
   select s.quantity - s.quarantine_quantity as quantity
   from stock_levels s
   where s.tenant_id = r.tenant_id
   and s.item_variant_id = r.id
   and s.place_key = place.key and s.batch_id is not null
   and s.quantity > s.quarantine_quantity
   and s.expires_on < (now() at time zone 'utc')::date
   union all
   select s.quantity - s.quarantine_quantity
   from stock_levels s
   where (select is_any from unknown)
   and s.tenant_id = r.tenant_id
   and s.item_variant_id = r.id
   and s.place_key = place.key and s.batch_id is not null
   and s.quantity > s.quarantine_quantity
   and s.expires_on is null
   and coalesce(s.expires_on, (select coalesce(expiry_date, 'infinity') from batches where tenant_id = s.tenant_id and id = s.batch_id limit 1)) < (now() at time zone 'utc')::date) expired) e on true) part on true

-- getRequirements 1
with recursive place as materialized (
 select p.*, coalesce(p.id, 0) as key, (select currency from tenants where tenant_id = p.tenant_id limit 1) as currency, coalesce((select is_main from storage_places where tenant_id = p.tenant_id and id = p.id limit 1), not p.has_places) as is_main
 from (
  select q.tenant_id, case when q.named is null then coalesce((select id from storage_places where tenant_id = q.tenant_id and manufacturing_allowed and not archived and is_main), (
     select id
     from storage_places
     where tenant_id = q.tenant_id
     and manufacturing_allowed
     and not archived
     order by id
     limit 1)) else (select id from storage_places where tenant_id = q.tenant_id and id = q.named limit 1) end as id, coalesce((select true from storage_places where tenant_id = q.tenant_id limit 1), false) as has_places
  from (select $::bigint as tenant_id, $::bigint as named) q
  offset 0) p), unknown as materialized (
 select exists (select from stock_levels where tenant_id = $::bigint and batch_id is not null and expires_on is null limit 1) as is_any), reached (tenant_id, id) as (
 select $::bigint, started.id
 from (select $::bigint as id) started
 union
 select r.tenant_id, line.item_variant_id
 from reached r
 cross join lateral (select * from item_variants where tenant_id = r.tenant_id and id = r.id and ctid <> '(0,0)' limit 1) v
 cross join lateral (
  select item_variant_id
  from recipe_materials
  where tenant_id = r.tenant_id
  and recipe_id = coalesce((select max(id) from recipes where tenant_id = v.tenant_id and item_variant_id = v.id), (select max(id) from recipes where tenant_id = v.tenant_id and item_id = v.item_id and item_variant_id is null))
  offset 0) line)
select place.id::text as place_id, place.has_places, place.is_main, part.*
from place
left join lateral (
 select v.id::text as id, v.item_id::text as item_id, v.sku, v.title, v.purchase_price::text as purchase_price, v.minimum_stock::text as minimum_stock,
 v.lead_time_days, v.minimum_order_quantity::text as minimum_order_quantity, v.order_multiple::text as order_multiple, preferred.id::text as preferred_id,
 preferred.supplier_id::text as supplier_id, preferred.conversion_rate::text as supplier_rate, preferred.minimum_quantity::text as supplier_minimum,
 preferred.multiple_of::text as supplier_multiple, preferred.lead_time_days as supplier_lead_time_days, case when coalesce(preferred.currency, place.currency) = place.currency then preferred.price end::text as supplier_price,
 cost_ratio(b.value, b.quantity)::text as average_cost, greatest(coalesce(b.quantity, 0) - coalesce(b.quarantine_quantity, 0) - coalesce(e.quantity, 0) - coalesce(l.reserved_quantity, 0), 0)::text as available,
 (coalesce(b.quantity, 0) - coalesce(b.quarantine_quantity, 0) - coalesce(e.quantity, 0) - coalesce(l.reserved_quantity, 0) + coalesce(l.expected_quantity, 0))::text as projected,
 case when n.recipe_id is not null then (select concat('', string_agg(concat(item_variant_id, ':', quantity), ' ')) from recipe_materials where tenant_id = r.tenant_id and recipe_id = n.recipe_id) end as materials
 from (select * from reached limit $) r
 cross join lateral (select * from item_variants where tenant_id = r.tenant_id and id = r.id and ctid <> '(0,0)' limit 1) v
 cross join lateral (
  select coalesce((select max(id) from recipes where tenant_id = v.tenant_id and item_variant_id = v.id), (select max(id) from recipes where tenant_id = v.tenant_id and item_id = v.item_id and item_variant_id is null)) as recipe_id
  offset 0) n
 left join lateral (select * from supplier_items where tenant_id = r.tenant_id and preferred_variant_id = r.id and not archived limit 1) preferred on n.recipe_id is null
 left join lateral (select * from stock_balances where tenant_id = r.tenant_id and item_variant_id = r.id and place_key = place.key limit 1) b on true
 left join lateral (
  select reserved_quantity, expected_quantity
  from stock_levels
  where tenant_id = r.tenant_id
  and item_variant_id = r.id
  and place_key = place.key and batch_key = 0
  limit 1) l on true
 left join lateral (
  select sum(quantity) as quantity
  from (
   select s.quantity - s.quarantine_quantity as quantity
   from stock_levels s
   where s.tenant_id = r.tenant_id
   and s.item_variant_id = r.id
   and s.place_key = place.key and s.batch_id is not null
   and s.quantity > s.quarantine_quantity
   and s.expires_on < (now() at time zone 'utc')::date
   union all
   select s.quantity - s.quarantine_quantity
   from stock_levels s
   where (select is_any from unknown)
   and s.tenant_id = r.tenant_id
   and s.item_variant_id = r.id
   and s.place_key = place.key and s.batch_id is not null
   and s.quantity > s.quarantine_quantity
   and s.expires_on is null
   and coalesce(s.expires_on, (select coalesce(expiry_date, 'infinity') from batches where tenant_id = s.tenant_id and id = s.batch_id limit 1)) < (now() at time zone 'utc')::date) expired) e on true) part on true

-- getReservation 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
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
       ',"quantity":' || trim_scale("line"."quantity")::text || '}'), ','
      order by "line".id)
     from "reservation_items" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."reservation_id" = "d"."id"), '') || ']') || '}')
 from "reservations" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getSalesOrder 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
  ',"status":"' || "d"."status"::text || '","delivery_status":"' || "d"."delivery_status"::text || '","currency":' || to_json("d"."currency")::text ||
  ',"priority":' || "d"."priority"::text ||
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
      ',"line_1":' || coalesce(("d"."shipping_address" -> 'line_1')::text, 'null') ||
      ',"line_2":' || coalesce(("d"."shipping_address" -> 'line_2')::text, 'null') ||
      ',"city":' || coalesce(("d"."shipping_address" -> 'city')::text, 'null') ||
      ',"region":' || coalesce(("d"."shipping_address" -> 'region')::text, 'null') ||
      ',"zip":' || coalesce(("d"."shipping_address" -> 'zip')::text, 'null') ||
      ',"country_code":' || coalesce(("d"."shipping_address" -> 'country_code')::text, 'null') ||
      ',"phone":' || coalesce(("d"."shipping_address" -> 'phone')::text, 'null') || '}') end), 'null') ||
  ',"billing_address":' || coalesce((case when "d"."billing_address" is not null then ('{"name":' || coalesce(("d"."billing_address" -> 'name')::text, 'null') ||
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
     select string_agg(('{"id":"' || "line"."id"::text || '","item_id":"' || "line"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
       ',"title":' || to_json("line"."title")::text ||
       ',"storage_place_id":' || coalesce(('"' || "line"."storage_place_id"::text || '"'), 'null') ||
       ',"quantity":' || trim_scale("line"."quantity")::text ||
       ',"price":' || trim_scale("line"."price")::text ||
       ',"discount_percent":' || trim_scale("line"."discount_percent")::text ||
       ',"tax_rate":' || trim_scale("line"."tax_rate")::text ||
       ',"line_amount":' || trim_scale("line"."line_amount")::text ||
       ',"line_tax_amount":' || trim_scale("line"."line_tax_amount")::text ||
       ',"line_amount_with_tax":' || trim_scale("line"."line_amount" + "line"."line_tax_amount")::text ||
       ',"packed_quantity":' || trim_scale("line"."packed_quantity")::text ||
       ',"shipped_quantity":' || trim_scale("line"."shipped_quantity")::text || '}'), ','
      order by "line".id)
     from "sales_order_items" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."sales_order_id" = "d"."id"), '') || ']') ||
  ',"charges":' || ('[' || coalesce((
     select string_agg(('{"id":"' || "line"."id"::text || '","title":' || to_json("line"."title")::text ||
       ',"amount":' || trim_scale("line"."amount")::text ||
       ',"tax_rate":' || trim_scale("line"."tax_rate")::text ||
       ',"tax_amount":' || trim_scale("line"."tax_amount")::text ||
       ',"amount_with_tax":' || trim_scale("line"."amount" + "line"."tax_amount")::text || '}'), ','
      order by "line".id)
     from "sales_order_charges" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."sales_order_id" = "d"."id"), '') || ']') || '}')
 from "sales_orders" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getSalesReturn 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select (
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
    ',"refund_amount":' || trim_scale("d"."refund_amount")::text || '}') ||
   ',"items":' || ('[' || coalesce((
      select string_agg(('{"id":"' || "line"."id"::text || '","sales_order_item_id":"' || "line"."sales_order_item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') ||
        ',"storage_place_id":' || coalesce(('"' || "line"."storage_place_id"::text || '"'), 'null') ||
        ',"sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
        ',"title":' || to_json("line"."title")::text ||
        ',"reason":' || coalesce((to_json("line"."reason")::text), 'null') ||
        ',"reason_note":' || coalesce((to_json("line"."reason_note")::text), 'null') ||
        ',"reason_id":' || coalesce(("line"."reason_id"::text), 'null') ||
        ',"quantity":' || trim_scale("line"."quantity")::text ||
        ',"unit_price":' || trim_scale("line"."unit_price")::text ||
        ',"quarantine":' || "line"."quarantine"::text || '}'), ','
       order by "line".id)
      from "sales_return_items" "line"
      where "line".tenant_id = "d"."tenant_id"
      and "line"."sales_return_id" = "d"."id"), '') || ']') || '}')
  from (select) this
  left join lateral (select * from "sales_orders" where tenant_id = "d"."tenant_id" and id = "d"."sales_order_id" limit 1) "d sales_order_id" on true)
 from "sales_returns" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getSecurityTelemetry [1]
select *
from (
 select hour * 3600::bigint as at, key_id, method, route, metric, total as count
 from security_hours

-- getSecurityTelemetry [2]
select hour * 3600::bigint + second, key_id, method, route, metric, coalesce(cell.count, 1)
from security_hours
cross join lateral unnest(seconds, counts) as cell(second, count)

-- getSecurityTelemetry [3]
and hour >= $
and hour < $
and hour = any (array(select jsonb_array_elements_text($::jsonb)::int))

-- getSecurityTelemetry [4]
where tenant_id = $
and minute > to_timestamp($)
and minute < to_timestamp($)
and not extract(epoch from minute)::bigint / 3600 = any (array(select jsonb_array_elements_text($::jsonb)::int))

-- getSecurityTelemetry 1
select least((at - $) / $, $)::int as day, key_id, metric, sum(count)::text as count
from (
 [1]
  where tenant_id = $
  and hour >= $
  and hour < $
  and not hour = any (array(select jsonb_array_elements_text($::jsonb)::int))
  union all
  [2]
  where tenant_id = $
  [3]
  union all
  select hour * 3600::bigint + second, key_id, method, route, metric, count
  from security_recent
  where tenant_id = $
  and hour >= $
  and hour < $
  union all
  select hour * 3600, key_id, '', '', (place - 1)::int, count
  from (
   select extract(epoch from minute)::bigint / 3600 as hour, key_id, array[sum("responses_2xx"), sum("responses_4xx"), sum("responses_5xx"),
   sum("unauthorized"), sum("forbidden"), sum("not_found"), sum("rate_limited"), sum("quota_exceeded"), sum("idempotency_replays"),
   sum("idempotency_conflicts"), sum("foreign_references"), sum("webhook_failures")] as sums
   from security_key_minutes
   [4]
   group by 1, 2) as hours
  cross join lateral unnest(sums)
  with ordinality as total(count, place)
  union all
  select extract(epoch from minute)::bigint + second, key_id, '', '', metric, count
  from security_key_minutes
  cross join lateral unnest(seconds, metrics, counts) as cell(second, metric, count)
  where tenant_id = $
  and minute > to_timestamp($)
  and minute < to_timestamp($)
  and extract(epoch from minute)::bigint / 3600 = any (array(select jsonb_array_elements_text($::jsonb)::int))) as counted
 where at >= $
 and at < $) as counted
group by 1, 2, 3

-- getSecurityTelemetry 2
select method, route, sum(count)::text as requests, coalesce(sum(count) filter (where metric <> $), 0)::text as errors
from (
 [1]
  where tenant_id = $
  and hour >= $
  and hour < $
  and not hour = any (array(select jsonb_array_elements_text($::jsonb)::int))
  union all
  [2]
  where tenant_id = $
  [3]
  union all
  select hour * 3600::bigint + second, key_id, method, route, metric, count
  from security_recent
  where tenant_id = $
  and hour >= $
  and hour < $
  union all
  select at, 0, method, route, of_class.metric, of_class.count
  from (
   select extract(epoch from minute)::bigint / 3600 * 3600 as at, method, route, requests, errors
   from security_route_minutes
   [4]
   union all
   select extract(epoch from minute)::bigint + second, method, route, cell.requests, cell.errors
   from security_route_minutes
   cross join lateral unnest(seconds, second_requests, second_errors) as cell(second, requests, errors)
   where tenant_id = $
   and minute > to_timestamp($)
   and minute < to_timestamp($)
   and extract(epoch from minute)::bigint / 3600 = any (array(select jsonb_array_elements_text($::jsonb)::int))) as minutes
  cross join lateral (values ($::int, requests - errors), ($::int, errors)) as of_class(metric, count)) as counted
 where at >= $
 and at < $) as counted
where route <> ''
group by method, route
order by sum(count) desc, route, method

-- getSecurityTelemetry 3
select key_id, count(distinct network)::int as networks
from (
 select key_id, network
 from security_networks
 where tenant_id = $
 and day = date '1970-01-01' + $::int
 and last_seen >= to_timestamp($)
 union all
 select key_id, network_before
 from security_networks
 where tenant_id = $
 and day = date '1970-01-01' + $::int + 1
 and first_seen < to_timestamp($)
 union all
 select key_id, case when hour / 24 = $ then network else network_before end
 from security_recent
 where tenant_id = $
 and hour >= $
 and hour < $
 and hour * 3600::bigint + second >= $
 and hour * 3600::bigint + second < $
 and network is not null) as seen
group by key_id

-- getSecurityTelemetry 4
with changes as (
 select floor(extract(epoch from created_at))::bigint as at, 1 as created, 0 as revoked
 from api_keys
 where tenant_id = $
 union all
 select floor(extract(epoch from revoked_at))::bigint, 0, 1
 from api_keys
 where tenant_id = $
 and revoked_at is not null)
select least((at - $) / $, $)::int as day, sum(created)::int as keys_created, sum(revoked)::int as keys_revoked
from changes
where at >= $
and at < $
group by 1

-- getSecurityTelemetry 5
select iso(ended.at) as at, ended.given_name as operator, ended.command, array(select key from jsonb_each(ended.state) where begun.state -> key <> value order by key) as changed
from operator_actions ended
left join operator_actions begun on begun.tenant_id = ended.tenant_id
and begun.action_id = ended.action_id
and begun.phase = 'begun'
where ended.tenant_id = $
and ended.phase = 'ended'
and ended.outcome = 'done'
and ended.at >= to_timestamp($)
and ended.at < to_timestamp($)
order by ended.at desc
limit $

-- getShipment 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
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
     select string_agg(('{"id":"' || "line"."id"::text || '","sales_order_item_id":"' || "line"."sales_order_item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","quantity":' || trim_scale("line"."quantity")::text ||
       ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') || '}'), ','
      order by "line".id)
     from "sales_shipment_items" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."sales_shipment_id" = "d"."id"), '') || ']') || '}')
 from "sales_shipments" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getStockAdjustment 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
  ',"storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
  ',"date":"' || iso("d"."date") || '","reason":"' || "d"."reason"::text || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"stock_count_id":' || coalesce(('"' || "d"."stock_count_id"::text || '"'), 'null') ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
  ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
  ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
  ',"total_amount":' || trim_scale("d"."total_amount")::text ||
  ',"items":' || ('[' || coalesce((
     select string_agg(('{"id":"' || "line"."id"::text || '","item_id":"' || "line"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
       ',"title":' || to_json("line"."title")::text ||
       ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') ||
       ',"batch_number":' || coalesce((to_json("line"."batch_number")::text), 'null') ||
       ',"quantity":' || trim_scale("line"."quantity")::text ||
       ',"quantity_before":' || trim_scale("line"."quantity_before")::text ||
       ',"quantity_after":' || trim_scale("line"."quantity_after")::text ||
       ',"unit_cost":' || trim_scale("line"."unit_cost")::text ||
       ',"amount":' || trim_scale("line"."amount")::text || '}'), ','
      order by "line".id)
     from "stock_adjustment_items" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."stock_adjustment_id" = "d"."id"), '') || ']') || '}')
 from "stock_adjustments" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getStockCount 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
  ',"title":' || coalesce((to_json("d"."title")::text), 'null') ||
  ',"storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
  ',"status":"' || "d"."status"::text || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"line_count":' || "d"."line_count"::text ||
  ',"difference_count":' || "d"."difference_count"::text ||
  ',"adjustment_id":' || coalesce(('"' || "d"."adjustment_id"::text || '"'), 'null') ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","completed_at":' || coalesce(('"' || iso("d"."completed_at") || '"'), 'null') || '}')
 from "stock_counts" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getStockTransfer 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||
  ',"from_storage_place_id":' || coalesce(('"' || "d"."from_storage_place_id"::text || '"'), 'null') ||
  ',"to_storage_place_id":' || coalesce(('"' || "d"."to_storage_place_id"::text || '"'), 'null') ||
  ',"date":"' || iso("d"."date") || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
  ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
  ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
  ',"items":' || ('[' || coalesce((
     select string_agg(('{"id":"' || "line"."id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
       ',"title":' || to_json("line"."title")::text ||
       ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') ||
       ',"batch_number":' || coalesce((to_json("line"."batch_number")::text), 'null') ||
       ',"quantity":' || trim_scale("line"."quantity")::text ||
       ',"value":' || trim_scale("line"."value")::text || '}'), ','
      order by "line".id)
     from "stock_transfer_items" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."stock_transfer_id" = "d"."id"), '') || ']') || '}')
 from "stock_transfers" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getStoragePlace 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||
  ',"code":' || coalesce((to_json("d"."code")::text), 'null') ||
  ',"is_main":' || "d"."is_main"::text ||
  ',"manufacturing_allowed":' || "d"."manufacturing_allowed"::text ||
  ',"sales_allowed":' || "d"."sales_allowed"::text ||
  ',"purchase_allowed":' || "d"."purchase_allowed"::text ||
  ',"address":' || coalesce((case when "d"."address" is not null then ('{"line_1":' || coalesce(("d"."address" -> 'line_1')::text, 'null') ||
      ',"line_2":' || coalesce(("d"."address" -> 'line_2')::text, 'null') ||
      ',"city":' || coalesce(("d"."address" -> 'city')::text, 'null') ||
      ',"region":' || coalesce(("d"."address" -> 'region')::text, 'null') ||
      ',"zip":' || coalesce(("d"."address" -> 'zip')::text, 'null') ||
      ',"country_code":' || coalesce(("d"."address" -> 'country_code')::text, 'null') || '}') end), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"archived":' || "d"."archived"::text ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')
 from "storage_places" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getSupplier 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||
  ',"country_code":' || coalesce((to_json("d"."country_code")::text), 'null') ||
  ',"email":' || coalesce((to_json("d"."email")::text), 'null') ||
  ',"phone":' || coalesce((to_json("d"."phone")::text), 'null') ||
  ',"tax_number":' || coalesce((to_json("d"."tax_number")::text), 'null') ||
  ',"currency":' || coalesce((to_json("d"."currency")::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"address":' || coalesce((case when "d"."address" is not null then ('{"name":' || coalesce(("d"."address" -> 'name')::text, 'null') ||
      ',"line_1":' || coalesce(("d"."address" -> 'line_1')::text, 'null') ||
      ',"line_2":' || coalesce(("d"."address" -> 'line_2')::text, 'null') ||
      ',"city":' || coalesce(("d"."address" -> 'city')::text, 'null') ||
      ',"region":' || coalesce(("d"."address" -> 'region')::text, 'null') ||
      ',"zip":' || coalesce(("d"."address" -> 'zip')::text, 'null') ||
      ',"country_code":' || coalesce(("d"."address" -> 'country_code')::text, 'null') ||
      ',"phone":' || coalesce(("d"."address" -> 'phone')::text, 'null') || '}') end), 'null') ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"archived":' || "d"."archived"::text ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')
 from "suppliers" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getSupplierItem 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","supplier_id":"' || "d"."supplier_id"::text || '","item_variant_id":"' || "d"."item_variant_id"::text || '","supplier_sku":' || coalesce((to_json("d"."supplier_sku")::text), 'null') ||
  ',"purchase_unit_name":' || coalesce((to_json("d"."purchase_unit_name")::text), 'null') ||
  ',"conversion_rate":' || trim_scale("d"."conversion_rate")::text ||
  ',"price":' || coalesce((trim_scale("d"."price")::text), 'null') ||
  ',"currency":' || coalesce((to_json("d"."currency")::text), 'null') ||
  ',"minimum_quantity":' || coalesce((trim_scale("d"."minimum_quantity")::text), 'null') ||
  ',"multiple_of":' || coalesce((trim_scale("d"."multiple_of")::text), 'null') ||
  ',"lead_time_days":' || coalesce(("d"."lead_time_days"::text), 'null') ||
  ',"is_preferred":' || "d"."is_preferred"::text ||
  ',"notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"archived":' || "d"."archived"::text ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')
 from "supplier_items" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- getWebhookSubscription 1
select q.position, (select event_sequence from tenant_streams where tenant_id = q.tenant_id) as event_sequence, (
 select ('{"id":"' || "d"."id"::text || '","url":' || to_json("d"."url")::text ||
  ',"description":' || coalesce((to_json("d"."description")::text), 'null') ||
  ',"events":' || to_json("d"."events")::text ||
  ',"enabled":' || "d"."enabled"::text ||
  ',"status":"' || "d"."status"::text || '","consecutive_failures":' || "d"."consecutive_failures"::text ||
  ',"created_at":"' || iso("d"."created_at") || '","last_delivery_at":' || coalesce(('"' || iso("d"."last_delivery_at") || '"'), 'null') ||
  ',"last_failure_at":' || coalesce(('"' || iso("d"."last_failure_at") || '"'), 'null') ||
  ',"last_failure_reason":' || coalesce((to_json("d"."last_failure_reason")::text), 'null') || '}')
 from "webhook_subscriptions" d
 where d.tenant_id = q.tenant_id
 and d.id = q.id
 and "d"."deleted_at" is null) as document
from unnest($::bigint[], $::bigint[])
with ordinality as q (tenant_id, id, position)

-- listAllProductionTasks [1]
select concat(o.id, '_', k.id) as id, ('{"id":"' || "k"."id"::text || '","manufacturing_order_id":"' || (o.id)::text || '","operation_id":"' || "k"."operation_id"::text || '","operation_title":' || to_json("k"."operation_title")::text ||
 ',"position":' || "k"."position"::text ||
 ',"status":"' || (case o.status when 'PARTIALLY_DONE' then 'IN_PROGRESS' else o.status end)::text || '","planned_duration":' || trim_scale("k"."planned_duration")::text ||
 ',"actual_duration":' || coalesce((trim_scale("k"."actual_duration")::text), 'null') ||
 ',"cost_per_hour":' || trim_scale("k"."cost_per_hour")::text ||
 ',"planned_cost":' || trim_scale("k"."planned_cost")::text ||
 ',"actual_cost":' || coalesce((trim_scale("k"."actual_cost")::text), 'null') ||
 ',"unit_id":' || coalesce(('"' || "k"."unit_id"::text || '"'), 'null') ||
 ',"unit_name":' || coalesce((to_json("k"."unit_name")::text), 'null') ||
 ',"notes":' || coalesce((to_json("k"."notes")::text), 'null') ||
 ',"started_at":' || coalesce(('"' || iso((o.started_at)) || '"'), 'null') ||
 ',"completed_at":' || coalesce(('"' || iso((o.completed_at)) || '"'), 'null') || '}') as document
from (
 select *
 from (

-- listAllProductionTasks [2]
 and manufacturing_order_id = page.order_id
 and id = page.id
 limit 1) k
cross join lateral (select * from manufacturing_orders where tenant_id = $::bigint and id = page.order_id limit 1) o

-- listAllProductionTasks [3]
and case when $::"int8"[] is null then true else "r"."manufacturing_order_id" = any ($::"int8"[]) end

-- listAllProductionTasks [4]
and case when $::"int8"[] is null then true else "r"."operation_id" = any ($::"int8"[]) end

-- listAllProductionTasks [5]
and case when $::"text"[] is null then true else (select status from manufacturing_orders where tenant_id = r.tenant_id and id = r.manufacturing_order_id limit 1) = any ($::"text"[]) end) found

-- listAllProductionTasks [6]
select manufacturing_order_id
from manufacturing_order_tasks
where tenant_id = $::bigint
order by manufacturing_order_id desc, id desc

-- listAllProductionTasks [7]
select id
from manufacturing_orders
where tenant_id = $::bigint
and status = 'IN_PROGRESS'
and 'IN_PROGRESS' = any ($::"text"[])

-- listAllProductionTasks [8]
select manufacturing_order_id
from manufacturing_order_tasks
where tenant_id = $::bigint
order by manufacturing_order_id asc, id asc

-- listAllProductionTasks [9]
select id
from manufacturing_orders
where tenant_id = $::bigint
and status = 'BLOCKED'
and 'BLOCKED' = any ($::"text"[])

-- listAllProductionTasks [10]
select id
from manufacturing_orders
where tenant_id = $::bigint
and status = 'PARTIALLY_DONE'
and 'PARTIALLY_DONE' = any ($::"text"[])

-- listAllProductionTasks [11]
select id
from manufacturing_orders
where tenant_id = $::bigint
and status = 'DONE'
and 'DONE' = any ($::"text"[])

-- listAllProductionTasks [12]
and case when $::"text"[] is null then true else (select status from manufacturing_orders where tenant_id = r.tenant_id and id = r.manufacturing_order_id limit 1) = any ($::"text"[]) end

-- listAllProductionTasks 1
[1]
  select r.manufacturing_order_id as order_id, r.id
  from (
   select *
   from manufacturing_order_tasks r
   where r.tenant_id = $::bigint
   and ("r"."manufacturing_order_id", "r"."id") > ($::bigint, $::bigint)
   order by r.manufacturing_order_id asc, r.id asc
   offset 0) r
  where true
  order by r.manufacturing_order_id asc, r.id asc
  limit $) found
 order by found.order_id asc, found.id asc
 limit $) page
cross join lateral (
 select *
 from manufacturing_order_tasks
 where tenant_id = $::bigint
[2]
order by o.id asc, k.id asc

-- listAllProductionTasks 2
[1]
  select r.manufacturing_order_id as order_id, r.id
  from (
   select *
   from manufacturing_order_tasks r
   where r.tenant_id = $::bigint
   and ("r"."manufacturing_order_id", "r"."id") < ($::bigint, $::bigint)
   order by r.manufacturing_order_id desc, r.id desc
   offset 0) r
  where true
  order by r.manufacturing_order_id desc, r.id desc
  limit $) found
 order by found.order_id desc, found.id desc
 limit $) page
cross join lateral (
 select *
 from manufacturing_order_tasks
 where tenant_id = $::bigint
[2]
order by o.id desc, k.id desc

-- listAllProductionTasks 3
[1]
  select r.manufacturing_order_id as order_id, r.id
  from unnest($::"int8"[]) wanted (value)
  cross join lateral (
   select *
   from manufacturing_order_tasks r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   limit 1) r
  where ("r"."manufacturing_order_id", "r"."id") > ($::bigint, $::bigint)
  [3]
  [4]
  [5]
 order by found.order_id asc, found.id asc
 limit $) page
cross join lateral (
 select *
 from manufacturing_order_tasks
 where tenant_id = $::bigint
[2]
order by o.id asc, k.id asc

-- listAllProductionTasks 4
[1]
  select r.manufacturing_order_id as order_id, r.id
  from unnest($::"int8"[]) wanted (value)
  cross join lateral (
   select *
   from manufacturing_order_tasks r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   limit 1) r
  where ("r"."manufacturing_order_id", "r"."id") < ($::bigint, $::bigint)
  [3]
  [4]
  [5]
 order by found.order_id desc, found.id desc
 limit $) page
cross join lateral (
 select *
 from manufacturing_order_tasks
 where tenant_id = $::bigint
[2]
order by o.id desc, k.id desc

-- listAllProductionTasks 5
[1]
  select orders.id as order_id, r.id
  from (
   select id
   from ((
     select id
     from manufacturing_orders
     where tenant_id = $::bigint
     and status = 'NOT_STARTED'
     and 'NOT_STARTED' = any ($::"text"[])
     and id between coalesce($::bigint, (
       select manufacturing_order_id
       from manufacturing_order_tasks
       where tenant_id = $::bigint
       order by manufacturing_order_id asc, id asc
       limit 1))
     and (
      [6]
      limit 1)
     order by id asc
     offset 0)
    union all (
     [7]
     and id between coalesce($::bigint, (
       [8]
       limit 1))
     and (
      [6]
      limit 1)
     order by id asc
     offset 0)
    union all (
     [9]
     and id between coalesce($::bigint, (
       [8]
       limit 1))
     and (
      [6]
      limit 1)
     order by id asc
     offset 0)
    union all (
     [10]
     and id between coalesce($::bigint, (
       [8]
       limit 1))
     and (
      [6]
      limit 1)
     order by id asc
     offset 0)
    union all (
     [11]
     and id between coalesce($::bigint, (
       [8]
       limit 1))
     and (
      [6]
      limit 1)
     order by id asc
     offset 0)) every
   order by id asc
   offset 0) orders
  cross join lateral (
   select *
   from manufacturing_order_tasks r
   where r.tenant_id = $::bigint
   and r.manufacturing_order_id = orders.id
   and ("r"."manufacturing_order_id", "r"."id") > ($::bigint, $::bigint)
   order by r.id asc
   offset 0) r
  where true) found
 order by found.order_id asc, found.id asc
 limit $) page
cross join lateral (
 select *
 from manufacturing_order_tasks
 where tenant_id = $::bigint
[2]
order by o.id asc, k.id asc

-- listAllProductionTasks 6
[1]
  select orders.id as order_id, r.id
  from (
   select id
   from ((
     select id
     from manufacturing_orders
     where tenant_id = $::bigint
     and status = 'NOT_STARTED'
     and 'NOT_STARTED' = any ($::"text"[])
     and id between (
      select manufacturing_order_id
      from manufacturing_order_tasks
      where tenant_id = $::bigint
      order by manufacturing_order_id asc, id asc
      limit 1)
     and coalesce($::bigint, (
       [6]
       limit 1))
     order by id desc
     offset 0)
    union all (
     [7]
     and id between (
      [8]
      limit 1)
     and coalesce($::bigint, (
       [6]
       limit 1))
     order by id desc
     offset 0)
    union all (
     [9]
     and id between (
      [8]
      limit 1)
     and coalesce($::bigint, (
       [6]
       limit 1))
     order by id desc
     offset 0)
    union all (
     [10]
     and id between (
      [8]
      limit 1)
     and coalesce($::bigint, (
       [6]
       limit 1))
     order by id desc
     offset 0)
    union all (
     [11]
     and id between (
      [8]
      limit 1)
     and coalesce($::bigint, (
       [6]
       limit 1))
     order by id desc
     offset 0)) every
   order by id desc
   offset 0) orders
  cross join lateral (
   select *
   from manufacturing_order_tasks r
   where r.tenant_id = $::bigint
   and r.manufacturing_order_id = orders.id
   and ("r"."manufacturing_order_id", "r"."id") < ($::bigint, $::bigint)
   order by r.id desc
   offset 0) r
  where true) found
 order by found.order_id desc, found.id desc
 limit $) page
cross join lateral (
 select *
 from manufacturing_order_tasks
 where tenant_id = $::bigint
[2]
order by o.id desc, k.id desc

-- listAllProductionTasks 7
[1]
  select r.*
  from unnest($::"int8"[]) wanted (value)
  cross join lateral (
   select r.manufacturing_order_id as order_id, r.id
   from (
    select *
    from manufacturing_order_tasks r
    where r.tenant_id = $::bigint
    and ("r"."manufacturing_order_id", "r"."id") > ($::bigint, $::bigint)
    and "r"."operation_id" = wanted.value
    order by r.manufacturing_order_id asc, r.id asc
    offset 0) r
   where true
   [12]
   order by r.manufacturing_order_id asc, r.id asc
   limit $) r) found
 order by found.order_id asc, found.id asc
 limit $) page
cross join lateral (
 select *
 from manufacturing_order_tasks
 where tenant_id = $::bigint
[2]
order by o.id asc, k.id asc

-- listAllProductionTasks 8
[1]
  select r.*
  from unnest($::"int8"[]) wanted (value)
  cross join lateral (
   select r.manufacturing_order_id as order_id, r.id
   from (
    select *
    from manufacturing_order_tasks r
    where r.tenant_id = $::bigint
    and ("r"."manufacturing_order_id", "r"."id") < ($::bigint, $::bigint)
    and "r"."operation_id" = wanted.value
    order by r.manufacturing_order_id desc, r.id desc
    offset 0) r
   where true
   [12]
   order by r.manufacturing_order_id desc, r.id desc
   limit $) r) found
 order by found.order_id desc, found.id desc
 limit $) page
cross join lateral (
 select *
 from manufacturing_order_tasks
 where tenant_id = $::bigint
[2]
order by o.id desc, k.id desc

-- listAllProductionTasks 9
[1]
  select r.*
  from unnest($::"int8"[]) wanted (value)
  cross join lateral (
   select r.manufacturing_order_id as order_id, r.id
   from (
    select *
    from manufacturing_order_tasks r
    where r.tenant_id = $::bigint
    and ("r"."manufacturing_order_id", "r"."id") > ($::bigint, $::bigint)
    and "r"."manufacturing_order_id" = wanted.value
    order by r.manufacturing_order_id asc, r.id asc
    offset 0) r
   where true
   [4]
   [12]
   order by r.manufacturing_order_id asc, r.id asc
   limit $) r) found
 order by found.order_id asc, found.id asc
 limit $) page
cross join lateral (
 select *
 from manufacturing_order_tasks
 where tenant_id = $::bigint
[2]
order by o.id asc, k.id asc

-- listAllProductionTasks 10
[1]
  select r.*
  from unnest($::"int8"[]) wanted (value)
  cross join lateral (
   select r.manufacturing_order_id as order_id, r.id
   from (
    select *
    from manufacturing_order_tasks r
    where r.tenant_id = $::bigint
    and ("r"."manufacturing_order_id", "r"."id") < ($::bigint, $::bigint)
    and "r"."manufacturing_order_id" = wanted.value
    order by r.manufacturing_order_id desc, r.id desc
    offset 0) r
   where true
   [4]
   [12]
   order by r.manufacturing_order_id desc, r.id desc
   limit $) r) found
 order by found.order_id desc, found.id desc
 limit $) page
cross join lateral (
 select *
 from manufacturing_order_tasks
 where tenant_id = $::bigint
[2]
order by o.id desc, k.id desc

-- listAllProductionTasks 11
[1]
  with recent as materialized (
   select
   from unnest($::"int8"[]) wanted (value)
   cross join lateral (select from manufacturing_order_tasks r where r.tenant_id = $::bigint and "r"."operation_id" = wanted.value limit $) r
   limit $), few as materialized (select count(*) <= $ as few from recent) (
   select *
   from (
    select r.*
    from unnest($::"int8"[]) wanted (value)
    cross join lateral (
     select r.manufacturing_order_id as order_id, r.id
     from (
      select *
      from manufacturing_order_tasks r
      where r.tenant_id = $::bigint
      and ("r"."manufacturing_order_id", "r"."id") > ($::bigint, $::bigint)
      and "r"."operation_id" = wanted.value
      order by r.manufacturing_order_id asc, r.id asc
      offset 0) r
     where true
     [12]
     order by r.manufacturing_order_id asc, r.id asc
     limit $) r) found
   where (select few from few)
   order by found.order_id asc, found.id asc
   limit $)
  union all (
   select *
   from (
    select orders.id as order_id, r.id
    from (
     select id
     from ((
       select id
       from manufacturing_orders
       where tenant_id = $::bigint
       and status = 'NOT_STARTED'
       and 'NOT_STARTED' = any ($::"text"[])
       and id between coalesce($::bigint, (
         select manufacturing_order_id
         from manufacturing_order_tasks
         where tenant_id = $::bigint
         order by manufacturing_order_id asc, id asc
         limit 1))
       and (
        [6]
        limit 1)
       order by id asc
       offset 0)
      union all (
       [7]
       and id between coalesce($::bigint, (
         [8]
         limit 1))
       and (
        [6]
        limit 1)
       order by id asc
       offset 0)
      union all (
       [9]
       and id between coalesce($::bigint, (
         [8]
         limit 1))
       and (
        [6]
        limit 1)
       order by id asc
       offset 0)
      union all (
       [10]
       and id between coalesce($::bigint, (
         [8]
         limit 1))
       and (
        [6]
        limit 1)
       order by id asc
       offset 0)
      union all (
       [11]
       and id between coalesce($::bigint, (
         [8]
         limit 1))
       and (
        [6]
        limit 1)
       order by id asc
       offset 0)) every
     order by id asc
     offset 0) orders
    cross join lateral (
     select *
     from manufacturing_order_tasks r
     where r.tenant_id = $::bigint
     and r.manufacturing_order_id = orders.id
     and ("r"."manufacturing_order_id", "r"."id") > ($::bigint, $::bigint)
     order by r.id asc
     offset 0) r
    where true
    and case when $::"int8"[] is null then true else "r"."operation_id" = any ($::"int8"[]) end) found
   where not (select few from few)
   order by found.order_id asc, found.id asc
   limit $)) found
 order by found.order_id asc, found.id asc
 limit $) page
cross join lateral (
 select *
 from manufacturing_order_tasks
 where tenant_id = $::bigint
[2]
order by o.id asc, k.id asc

-- listAllPurchaseReceipts [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listAllPurchaseReceipts [2]
 ',"purchase_order_id":"' || "d"."purchase_order_id"::text || '","storage_place_id":"' || "d"."storage_place_id"::text || '","received_date":"' || iso("d"."received_date") || '","created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
 ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
 ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
 ',"notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"total_amount":' || trim_scale("d"."total_amount")::text ||
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

-- listAllPurchaseReceipts [3]
cross join lateral (select * from "purchase_receipts" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listAllPurchaseReceipts [4]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."purchase_order_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."storage_place_id" = any ($::"int8"[]) end

-- listAllPurchaseReceipts [5]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."received_date" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."received_date" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listAllPurchaseReceipts [6]
select id
from near
where (select enough from enough)
union all
select id
from (
 with recursive range as materialized (
  select (
   select week_of("r"."received_date")
   from "purchase_receipts" r
   where r.tenant_id = $::bigint
   and "r"."received_date" is not null
   and week_of("r"."received_date") >= $::integer
   order by week_of("r"."received_date") asc
   limit 1) as first, (
   select week_of("r"."received_date")
   from "purchase_receipts" r
   where r.tenant_id = $::bigint
   and "r"."received_date" is not null
   and week_of("r"."received_date") <= $::integer
   order by week_of("r"."received_date") desc
   limit 1) as last), weeks (week, ids) as (

-- listAllPurchaseReceipts [7]
select week_of("r"."received_date")
from "purchase_receipts" r
where r.tenant_id = $::bigint
and "r"."received_date" is not null

-- listAllPurchaseReceipts [8]
   limit 1) end as week
 offset 0) next
cross join lateral (
 select array(
  select r.id
  from (
   select *
   from "purchase_receipts" r
   where r.tenant_id = $::bigint
   and "r"."received_date" is not null
   and week_of("r"."received_date") = next.week

-- listAllPurchaseReceipts [9]
where true
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."purchase_order_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."storage_place_id" = any ($::"int8"[]) end

-- listAllPurchaseReceipts [10]
   limit $) as ids
  offset 0) added
 where next.week between first
 and last)
select unnest(ids) as id

-- listAllPurchaseReceipts [11]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listAllPurchaseReceipts 1
[1]
[2]
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
[3]
order by "d"."id" asc

-- listAllPurchaseReceipts 2
[1]
[2]
 select r.id
 from (
  select *
  from "purchase_receipts" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  order by "r"."id" desc
  offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllPurchaseReceipts 3
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "purchase_receipts" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllPurchaseReceipts 4
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "purchase_receipts" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllPurchaseReceipts 5
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "purchase_receipts" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllPurchaseReceipts 6
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "purchase_receipts" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllPurchaseReceipts 7
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "purchase_receipts" r
   where r.tenant_id = $::bigint
   and "r"."purchase_order_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllPurchaseReceipts 8
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "purchase_receipts" r
   where r.tenant_id = $::bigint
   and "r"."purchase_order_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllPurchaseReceipts 9
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "purchase_receipts" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."storage_place_id" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllPurchaseReceipts 10
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "purchase_receipts" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."storage_place_id" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllPurchaseReceipts 11
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (
    select *
    from "purchase_receipts" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    order by "r"."id" asc
    limit $) r
   where true
   [4]
   [5]
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "purchase_receipts" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   order by "r"."id" asc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 [6]
   select first - 1, array[]::bigint[]
   from range
   union all
   select next.week, case when added.ids = '{}' then weeks.ids else array(select id from unnest(weeks.ids || added.ids) ids (id) order by id asc limit $) end
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week + 1 else (
      [7]
      and week_of("r"."received_date") > weeks.week
      order by week_of("r"."received_date") asc
   [8]
      and r.id > $::bigint
      and r.id < coalesce(weeks.ids[$::integer], $::bigint)
      order by r.id asc
      offset 0) r
     [9]
     and case when $::boolean is null then true else "r"."reversed" = $::boolean end
     [5]
     order by r.id asc
  [10]
  from (select ids from weeks order by week desc limit 1) page) far
 where not (select enough from enough)) page
[3]
order by "d"."id" asc

-- listAllPurchaseReceipts 12
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (
    select *
    from "purchase_receipts" r
    where r.tenant_id = $::bigint
    and "r"."id" < $::bigint
    order by "r"."id" desc
    limit $) r
   where true
   [4]
   [5]
   order by "r"."id" desc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "purchase_receipts" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   order by "r"."id" desc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, min(id) as last from near) near)
 [6]
   select last + 1, array[]::bigint[]
   from range
   union all
   select next.week, case when added.ids = '{}' then weeks.ids else array(select id from unnest(weeks.ids || added.ids) ids (id) order by id desc limit $) end
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week - 1 else (
      [7]
      and week_of("r"."received_date") < weeks.week
      order by week_of("r"."received_date") desc
   [8]
      and r.id < $::bigint
      and r.id > coalesce(weeks.ids[$::integer], $::bigint)
      order by r.id desc
      offset 0) r
     [9]
     and case when $::boolean is null then true else "r"."reversed" = $::boolean end
     [5]
     order by r.id desc
  [10]
  from (select ids from weeks order by week asc limit 1) page) far
 where not (select enough from enough)) page
[3]
order by "d"."id" desc

-- listAllPurchaseReceipts 13
[1]
[2]
 select r.id
 from (
  select *
  from "purchase_receipts" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and not "r"."reversed"
  order by "r"."id" asc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllPurchaseReceipts 14
[1]
[2]
 select r.id
 from (
  select *
  from "purchase_receipts" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and not "r"."reversed"
  order by "r"."id" desc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllPurchaseReceipts 15
[1]
[2]
 select r.id
 from (
  select *
  from "purchase_receipts" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and "r"."reversed"
  order by "r"."id" asc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllPurchaseReceipts 16
[1]
[2]
 select r.id
 from (
  select *
  from "purchase_receipts" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and "r"."reversed"
  order by "r"."id" desc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllPurchaseReceipts 17
[11]
[2]
 select r.id
 from (
  select *
  from "purchase_receipts" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listAllPurchaseReceipts 18
[11]
[2]
 select r.id
 from (
  select *
  from "purchase_receipts" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[3]
order by "d"."updated_at" desc, "d"."id" desc

-- listAllShipments [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listAllShipments [2]
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
    select string_agg(('{"id":"' || "line"."id"::text || '","sales_order_item_id":"' || "line"."sales_order_item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","quantity":' || trim_scale("line"."quantity")::text ||
      ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') || '}'), ','
     order by "line".id)
    from "sales_shipment_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."sales_shipment_id" = "d"."id"), '') || ']') || '}')::text as document
from (

-- listAllShipments [3]
cross join lateral (select * from "sales_shipments" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listAllShipments [4]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."sales_order_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null
 and $::"int8"[] is null then true else (

-- listAllShipments [5]
and case when $::"int8"[] is null then true else "i"."item_variant_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "i"."batch_id" = any ($::"int8"[]) end
order by i.id

-- listAllShipments [6]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listAllShipments [7]
with created as materialized (
 select case when $::timestamptz is null then 0 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "sales_shipments" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "sales_shipments" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "sales_shipments"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as low, case when $::timestamptz is null then 9223372036854775807 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "sales_shipments" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "sales_shipments" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "sales_shipments"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as high)

-- listAllShipments [8]
and "r"."id" >= (select low from created)
and "r"."id" < (select high from created)

-- listAllShipments [9]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listAllShipments 1
[1]
[2]
 select r.id
 from (select * from "sales_shipments" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllShipments 2
[1]
[2]
 select r.id
 from (
  select *
  from "sales_shipments" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  order by "r"."id" desc
  offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllShipments 3
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_shipments" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
    select i.id
    from sales_shipment_items i
    where i.tenant_id = $::bigint
    and i.sales_shipment_id = r.id
    [5]
    limit 1) is not null end
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllShipments 4
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_shipments" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
    select i.id
    from sales_shipment_items i
    where i.tenant_id = $::bigint
    and i.sales_shipment_id = r.id
    [5]
    limit 1) is not null end
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllShipments 5
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_shipments" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
    select i.id
    from sales_shipment_items i
    where i.tenant_id = $::bigint
    and i.sales_shipment_id = r.id
    [5]
    limit 1) is not null end
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllShipments 6
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_shipments" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
    select i.id
    from sales_shipment_items i
    where i.tenant_id = $::bigint
    and i.sales_shipment_id = r.id
    [5]
    limit 1) is not null end
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllShipments 7
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_shipments" r
   where r.tenant_id = $::bigint
   and "r"."sales_order_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [4]
    select i.id
    from sales_shipment_items i
    where i.tenant_id = $::bigint
    and i.sales_shipment_id = r.id
    [5]
    limit 1) is not null end
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllShipments 8
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_shipments" r
   where r.tenant_id = $::bigint
   and "r"."sales_order_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [4]
    select i.id
    from sales_shipment_items i
    where i.tenant_id = $::bigint
    and i.sales_shipment_id = r.id
    [5]
    limit 1) is not null end
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllShipments 9
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select id
   from (
    select r.sales_shipment_id as id
    from sales_shipment_items r
    where r.tenant_id = $::bigint
    and "r"."item_variant_id" = wanted.value
    and r.id = (
     select i.id
     from sales_shipment_items i
     where i.tenant_id = $::bigint
     and i.sales_shipment_id = r.sales_shipment_id
     [5]
     limit 1)) among
   where id > $::bigint
   order by id asc
   offset 0) found
  cross join lateral (
   select r.*
   from "sales_shipments" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [4]
     select i.id
     from sales_shipment_items i
     where i.tenant_id = $::bigint
     and i.sales_shipment_id = r.id
     [5]
     limit 1) is not null end
   and case when $::boolean is null then true else "r"."reversed" = $::boolean end
   [6]
   limit 1) r
  order by found.id asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllShipments 10
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select id
   from (
    select r.sales_shipment_id as id
    from sales_shipment_items r
    where r.tenant_id = $::bigint
    and "r"."item_variant_id" = wanted.value
    and r.id = (
     select i.id
     from sales_shipment_items i
     where i.tenant_id = $::bigint
     and i.sales_shipment_id = r.sales_shipment_id
     [5]
     limit 1)) among
   where id < $::bigint
   order by id desc
   offset 0) found
  cross join lateral (
   select r.*
   from "sales_shipments" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [4]
     select i.id
     from sales_shipment_items i
     where i.tenant_id = $::bigint
     and i.sales_shipment_id = r.id
     [5]
     limit 1) is not null end
   and case when $::boolean is null then true else "r"."reversed" = $::boolean end
   [6]
   limit 1) r
  order by found.id desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllShipments 11
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select id
   from (
    select r.sales_shipment_id as id
    from sales_shipment_items r
    where r.tenant_id = $::bigint
    and "r"."batch_id" = wanted.value
    and r.id = (
     select i.id
     from sales_shipment_items i
     where i.tenant_id = $::bigint
     and i.sales_shipment_id = r.sales_shipment_id
     [5]
     limit 1)) among
   where id > $::bigint
   order by id asc
   offset 0) found
  cross join lateral (
   select r.*
   from "sales_shipments" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [4]
     select i.id
     from sales_shipment_items i
     where i.tenant_id = $::bigint
     and i.sales_shipment_id = r.id
     [5]
     limit 1) is not null end
   and case when $::boolean is null then true else "r"."reversed" = $::boolean end
   [6]
   limit 1) r
  order by found.id asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllShipments 12
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select id
   from (
    select r.sales_shipment_id as id
    from sales_shipment_items r
    where r.tenant_id = $::bigint
    and "r"."batch_id" = wanted.value
    and r.id = (
     select i.id
     from sales_shipment_items i
     where i.tenant_id = $::bigint
     and i.sales_shipment_id = r.sales_shipment_id
     [5]
     limit 1)) among
   where id < $::bigint
   order by id desc
   offset 0) found
  cross join lateral (
   select r.*
   from "sales_shipments" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [4]
     select i.id
     from sales_shipment_items i
     where i.tenant_id = $::bigint
     and i.sales_shipment_id = r.id
     [5]
     limit 1) is not null end
   and case when $::boolean is null then true else "r"."reversed" = $::boolean end
   [6]
   limit 1) r
  order by found.id desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllShipments 13
[1]
[2]
 [7]
 select id
 from (
  select r.id
  from (
   select *
   from "sales_shipments" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."ctid" <> '(0,0)'
   [6]
   [8]
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
    select i.id
    from sales_shipment_items i
    where i.tenant_id = $::bigint
    and i.sales_shipment_id = r.id
    [5]
    limit 1) is not null end
  [6]
  order by "r"."id" asc
  limit $) found) page
[3]
order by "d"."id" asc

-- listAllShipments 14
[1]
[2]
 [7]
 select id
 from (
  select r.id
  from (
   select *
   from "sales_shipments" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."ctid" <> '(0,0)'
   [6]
   [8]
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
    select i.id
    from sales_shipment_items i
    where i.tenant_id = $::bigint
    and i.sales_shipment_id = r.id
    [5]
    limit 1) is not null end
  [6]
  order by "r"."id" desc
  limit $) found) page
[3]
order by "d"."id" desc

-- listAllShipments 15
[1]
[2]
 select r.id
 from (
  select *
  from "sales_shipments" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and not "r"."reversed"
  order by "r"."id" asc
  offset 0) r
 where true
 [4]
   select i.id
   from sales_shipment_items i
   where i.tenant_id = $::bigint
   and i.sales_shipment_id = r.id
   [5]
   limit 1) is not null end
 [6]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllShipments 16
[1]
[2]
 select r.id
 from (
  select *
  from "sales_shipments" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and not "r"."reversed"
  order by "r"."id" desc
  offset 0) r
 where true
 [4]
   select i.id
   from sales_shipment_items i
   where i.tenant_id = $::bigint
   and i.sales_shipment_id = r.id
   [5]
   limit 1) is not null end
 [6]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllShipments 17
[1]
[2]
 select r.id
 from (
  select *
  from "sales_shipments" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and "r"."reversed"
  order by "r"."id" asc
  offset 0) r
 where true
 [4]
   select i.id
   from sales_shipment_items i
   where i.tenant_id = $::bigint
   and i.sales_shipment_id = r.id
   [5]
   limit 1) is not null end
 [6]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listAllShipments 18
[1]
[2]
 select r.id
 from (
  select *
  from "sales_shipments" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and "r"."reversed"
  order by "r"."id" desc
  offset 0) r
 where true
 [4]
   select i.id
   from sales_shipment_items i
   where i.tenant_id = $::bigint
   and i.sales_shipment_id = r.id
   [5]
   limit 1) is not null end
 [6]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listAllShipments 19
[9]
[2]
 select r.id
 from (
  select *
  from "sales_shipments" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listAllShipments 20
[9]
[2]
 select r.id
 from (
  select *
  from "sales_shipments" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[3]
order by "d"."updated_at" desc, "d"."id" desc

-- listApiKeys [1]
with recent as materialized (select key_id, max(hour * 3600::bigint + second) as second from security_recent where tenant_id = $ group by key_id)
select id as key_id, name, user_name, case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'valid' end as status,
user_name = (select owner_email from tenants where tenant_id = api_keys.tenant_id) as is_unnamed, to_json(scopes)::text as scopes,
rate_per_minute, burst, daily_documents, iso(created_at) as created_at, iso(expires_at) as expires_at, iso(revoked_at) as revoked_at,
iso(last_used_at) as last_used_at
from api_keys
-- From the counts of the security telemetry, which come a few seconds after the request and stay for 90 days. The last one
-- reads minutes as earlier versions wrote them.
left join lateral (
 select to_timestamp(max(second)) as last_used_at
 from ((select second from recent where recent.key_id = api_keys.id)
  union all (
   select hour * 3600::bigint + (select max(second) from unnest(seconds) second)
   from security_hours
   where tenant_id = api_keys.tenant_id
   and key_id = api_keys.id
   order by hour desc, 1 desc
   limit 1)
  union all (
   select extract(epoch from minute)::bigint + (select max(second) from unnest(seconds) second)
   from security_key_minutes
   where tenant_id = api_keys.tenant_id
   and key_id = api_keys.id
   order by minute desc
   limit 1)) lasts) used on true
where tenant_id = $
and not (for_one_run and (revoked_at is not null or coalesce(expires_at <= now(), false)))
and ($::"int8"[] is null or id = any ($::"int8"[]))
and ($::"text"[] is null
 or case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'valid' end = any ($::"text"[]))

-- listApiKeys 1
[1]
and ($::bigint is null or id > $::bigint)
order by id asc
limit $::integer

-- listApiKeys 2
[1]
and ($::bigint is null or id < $::bigint)
order by id desc
limit $::integer

-- listAvailability [1]
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

-- listAvailability [2]
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

-- listAvailability [3]
and case when $::"int8"[] is null then true else r.place_key = any (array_remove($::"int8"[], 0::bigint)) end

-- listAvailability [4]
from unnest(array(select id from item_variants where tenant_id = $::bigint and sku = $)) wanted (value)

-- listAvailability [5]
and case when $::"int8"[] is null then true else "r"."item_variant_id" = any ($::"int8"[]) end

-- listAvailability 1
[1]
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
[2]
order by "b"."item_variant_id" asc, "b"."place_key" asc

-- listAvailability 2
[1]
  select *
  from (
   select *
   from stock_balances r
   where r.tenant_id = $::bigint
   and ("r"."item_variant_id", "r"."place_key") < ($::bigint, $::bigint)
   order by "r"."item_variant_id" desc, "r"."place_key" desc
   offset 0) r
  where true
  order by "r"."item_variant_id" desc, "r"."place_key" desc
  limit $) found
 order by "found"."item_variant_id" desc, "found"."place_key" desc
[2]
order by "b"."item_variant_id" desc, "b"."place_key" desc

-- listAvailability 3
[1]
  select r.*
  from unnest($::"int8"[]) wanted (value)
  cross join lateral (
   select *
   from (
    select *
    from stock_balances r
    where r.tenant_id = $::bigint
    and ("r"."item_variant_id", "r"."place_key") > ($::bigint, $::bigint)
    and r.item_variant_id = wanted.value
    order by "r"."item_variant_id" asc, "r"."place_key" asc
    offset 0) r
   where true
   [3]
   order by "r"."item_variant_id" asc, "r"."place_key" asc
   limit $) r) found
 order by "found"."item_variant_id" asc, "found"."place_key" asc
[2]
order by "b"."item_variant_id" asc, "b"."place_key" asc

-- listAvailability 4
[1]
  select r.*
  from unnest($::"int8"[]) wanted (value)
  cross join lateral (
   select *
   from (
    select *
    from stock_balances r
    where r.tenant_id = $::bigint
    and ("r"."item_variant_id", "r"."place_key") < ($::bigint, $::bigint)
    and r.item_variant_id = wanted.value
    order by "r"."item_variant_id" desc, "r"."place_key" desc
    offset 0) r
   where true
   [3]
   order by "r"."item_variant_id" desc, "r"."place_key" desc
   limit $) r) found
 order by "found"."item_variant_id" desc, "found"."place_key" desc
[2]
order by "b"."item_variant_id" desc, "b"."place_key" desc

-- listAvailability 5
[1]
  select r.*
  [4]
  cross join lateral (
   select *
   from (
    select *
    from stock_balances r
    where r.tenant_id = $::bigint
    and ("r"."item_variant_id", "r"."place_key") > ($::bigint, $::bigint)
    and r.item_variant_id = wanted.value
    order by "r"."item_variant_id" asc, "r"."place_key" asc
    offset 0) r
   where true
   [5]
   [3]
   order by "r"."item_variant_id" asc, "r"."place_key" asc
   limit $) r) found
 order by "found"."item_variant_id" asc, "found"."place_key" asc
[2]
order by "b"."item_variant_id" asc, "b"."place_key" asc

-- listAvailability 6
[1]
  select r.*
  [4]
  cross join lateral (
   select *
   from (
    select *
    from stock_balances r
    where r.tenant_id = $::bigint
    and ("r"."item_variant_id", "r"."place_key") < ($::bigint, $::bigint)
    and r.item_variant_id = wanted.value
    order by "r"."item_variant_id" desc, "r"."place_key" desc
    offset 0) r
   where true
   [5]
   [3]
   order by "r"."item_variant_id" desc, "r"."place_key" desc
   limit $) r) found
 order by "found"."item_variant_id" desc, "found"."place_key" desc
[2]
order by "b"."item_variant_id" desc, "b"."place_key" desc

-- listAvailability 7
[1]
  select r.*
  from unnest(array_remove($::"int8"[], 0::bigint)) wanted (value)
  cross join lateral (
   select *
   from (
    select *
    from stock_balances r
    where r.tenant_id = $::bigint
    and ("r"."item_variant_id", "r"."place_key") > ($::bigint, $::bigint)
    and r.place_key = wanted.value
    order by "r"."item_variant_id" asc, "r"."place_key" asc
    offset 0) r
   where true
   order by "r"."item_variant_id" asc, "r"."place_key" asc
   limit $) r) found
 order by "found"."item_variant_id" asc, "found"."place_key" asc
[2]
order by "b"."item_variant_id" asc, "b"."place_key" asc

-- listAvailability 8
[1]
  select r.*
  from unnest(array_remove($::"int8"[], 0::bigint)) wanted (value)
  cross join lateral (
   select *
   from (
    select *
    from stock_balances r
    where r.tenant_id = $::bigint
    and ("r"."item_variant_id", "r"."place_key") < ($::bigint, $::bigint)
    and r.place_key = wanted.value
    order by "r"."item_variant_id" desc, "r"."place_key" desc
    offset 0) r
   where true
   order by "r"."item_variant_id" desc, "r"."place_key" desc
   limit $) r) found
 order by "found"."item_variant_id" desc, "found"."place_key" desc
[2]
order by "b"."item_variant_id" desc, "b"."place_key" desc

-- listBatches [1]
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

-- listBatches [2]
cross join lateral (select * from "batches" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listBatches [3]
from (select * from "batches" r where r.tenant_id = $::bigint and "r"."id" = wanted.value and "r"."ctid" <> '(0,0)' offset 0) r

-- listBatches [4]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."item_variant_id" = any ($::"int8"[]) end
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."expiry_date" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."expiry_date" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listBatches [5]
 limit $) near), enough as materialized (
select near.rows = $
or (
 select r.id

-- listBatches [6]
select id
from near
where (select enough from enough)
union all
select id
from (
 with recursive range as materialized (
  select (
   select week_of("r"."expiry_date")
   from "batches" r
   where r.tenant_id = $::bigint
   and "r"."expiry_date" is not null
   and week_of("r"."expiry_date") >= $::integer
   order by week_of("r"."expiry_date") asc
   limit 1) as first, (
   select week_of("r"."expiry_date")
   from "batches" r
   where r.tenant_id = $::bigint
   and "r"."expiry_date" is not null
   and week_of("r"."expiry_date") <= $::integer
   order by week_of("r"."expiry_date") desc
   limit 1) as last), weeks (week, ids) as (

-- listBatches [7]
select week_of("r"."expiry_date")
from "batches" r
where r.tenant_id = $::bigint
and "r"."expiry_date" is not null

-- listBatches [8]
   limit 1) end as week
 offset 0) next
cross join lateral (
 select array(
  select r.id
  from (

-- listBatches [9]
from "batches" r
where r.tenant_id = $::bigint
and "r"."expiry_date" is not null
and week_of("r"."expiry_date") = next.week

-- listBatches [10]
where true
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."item_variant_id" = any ($::"int8"[]) end
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."expiry_date" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."expiry_date" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listBatches [11]
   limit $) as ids
  offset 0) added
 where next.week between first
 and last)
select unnest(ids) as id

-- listBatches [12]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, (

-- listBatches 1
select "d"."id"::text as id, (
[1]
 select r.id
 from (select * from "batches" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listBatches 2
select "d"."id"::text as id, (
[1]
 select r.id
 from (select * from "batches" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listBatches 3
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  [3]
  where "r"."id" > $::bigint
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listBatches 4
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  [3]
  where "r"."id" < $::bigint
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listBatches 5
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "batches" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listBatches 6
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "batches" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listBatches 7
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "batches" r
   where r.tenant_id = $::bigint
   and "r"."item_variant_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listBatches 8
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "batches" r
   where r.tenant_id = $::bigint
   and "r"."item_variant_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listBatches 9
select "d"."id"::text as id, (
[1]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "batches" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc limit $) r
   where true
   [4]
   order by "r"."id" asc
  [5]
   from "batches" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   order by "r"."id" asc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 [6]
   select first - 1, array[]::bigint[]
   from range
   union all
   select next.week, case when added.ids = '{}' then weeks.ids else array(select id from unnest(weeks.ids || added.ids) ids (id) order by id asc limit $) end
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week + 1 else (
      [7]
      and week_of("r"."expiry_date") > weeks.week
      order by week_of("r"."expiry_date") asc
   [8]
      select *
      [9]
      and r.id > $::bigint
      and r.id < coalesce(weeks.ids[$::integer], $::bigint)
      order by r.id asc
      offset 0) r
     [10]
     order by r.id asc
  [11]
  from (select ids from weeks order by week desc limit 1) page) far
 where not (select enough from enough)) page
[2]
order by "d"."id" asc

-- listBatches 10
select "d"."id"::text as id, (
[1]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "batches" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc limit $) r
   where true
   [4]
   order by "r"."id" desc
  [5]
   from "batches" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   order by "r"."id" desc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, min(id) as last from near) near)
 [6]
   select last + 1, array[]::bigint[]
   from range
   union all
   select next.week, case when added.ids = '{}' then weeks.ids else array(select id from unnest(weeks.ids || added.ids) ids (id) order by id desc limit $) end
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week - 1 else (
      [7]
      and week_of("r"."expiry_date") < weeks.week
      order by week_of("r"."expiry_date") desc
   [8]
      select *
      [9]
      and r.id < $::bigint
      and r.id > coalesce(weeks.ids[$::integer], $::bigint)
      order by r.id desc
      offset 0) r
     [10]
     order by r.id desc
  [11]
  from (select ids from weeks order by week asc limit 1) page) far
 where not (select enough from enough)) page
[2]
order by "d"."id" desc

-- listBatches 11
[12]
[1]
 select r.id
 from (
  select *
  from "batches" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[2]
order by "d"."updated_at" asc, "d"."id" asc

-- listBatches 12
[12]
[1]
 select r.id
 from (
  select *
  from "batches" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[2]
order by "d"."updated_at" desc, "d"."id" desc

-- listCustomers [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||

-- listCustomers [2]
 ',"country_code":' || coalesce((to_json("d"."country_code")::text), 'null') ||
 ',"email":' || coalesce((to_json("d"."email")::text), 'null') ||
 ',"phone":' || coalesce((to_json("d"."phone")::text), 'null') ||
 ',"tax_number":' || coalesce((to_json("d"."tax_number")::text), 'null') ||
 ',"currency":' || coalesce((to_json("d"."currency")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"shipping_address":' || coalesce((case when "d"."shipping_address" is not null then ('{"name":' || coalesce(("d"."shipping_address" -> 'name')::text, 'null') ||
     ',"line_1":' || coalesce(("d"."shipping_address" -> 'line_1')::text, 'null') ||
     ',"line_2":' || coalesce(("d"."shipping_address" -> 'line_2')::text, 'null') ||
     ',"city":' || coalesce(("d"."shipping_address" -> 'city')::text, 'null') ||
     ',"region":' || coalesce(("d"."shipping_address" -> 'region')::text, 'null') ||
     ',"zip":' || coalesce(("d"."shipping_address" -> 'zip')::text, 'null') ||
     ',"country_code":' || coalesce(("d"."shipping_address" -> 'country_code')::text, 'null') ||
     ',"phone":' || coalesce(("d"."shipping_address" -> 'phone')::text, 'null') || '}') end), 'null') ||
 ',"billing_address":' || coalesce((case when "d"."billing_address" is not null then ('{"name":' || coalesce(("d"."billing_address" -> 'name')::text, 'null') ||
     ',"line_1":' || coalesce(("d"."billing_address" -> 'line_1')::text, 'null') ||
     ',"line_2":' || coalesce(("d"."billing_address" -> 'line_2')::text, 'null') ||
     ',"city":' || coalesce(("d"."billing_address" -> 'city')::text, 'null') ||
     ',"region":' || coalesce(("d"."billing_address" -> 'region')::text, 'null') ||
     ',"zip":' || coalesce(("d"."billing_address" -> 'zip')::text, 'null') ||
     ',"country_code":' || coalesce(("d"."billing_address" -> 'country_code')::text, 'null') ||
     ',"phone":' || coalesce(("d"."billing_address" -> 'phone')::text, 'null') || '}') end), 'null') ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"archived":' || "d"."archived"::text ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')::text as document
from (

-- listCustomers [3]
from (select * from "customers" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r

-- listCustomers [4]
cross join lateral (select * from "customers" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listCustomers [5]
from (select * from "customers" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r

-- listCustomers [6]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end

-- listCustomers [7]
and case when $::text is null then true else partner_text("r"."title", "r"."email") like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end

-- listCustomers [8]
 limit $) near), enough as materialized (
select near.rows = $
or (
 select r.id

-- listCustomers [9]
select id
from near
where (select enough from enough)
union all
select id
from (
 with recent as materialized (
  select id
  from (
   select t.id
   from "customers" t
   where search_grams(t.tenant_id, partner_text("t"."title", "t"."email")) @> (select search_grams($::bigint, (select search_text(array_to_string($::"text"[], chr(10))))))
   and partner_text("t"."title", "t"."email") like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[])) ids
  limit $), few as materialized (select count(*) <= $ as few from recent)
 select id
 from (
  select r.id
  from (

-- listCustomers [10]
and case when $::text is null then true else partner_text("r"."title", "r"."email") like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end
limit 1) r

-- listCustomers [11]
  limit $) r) few_ids
where (select few from few)
union all
select id
from (
 select r.id

-- listCustomers [12]
where true
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::text is null then true else partner_text("r"."title", "r"."email") like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end

-- listCustomers [13]
  limit $) many_ids
 where not (select few from few)) far
where not (select enough from enough)) page

-- listCustomers [14]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||

-- listCustomers 1
[1]
[2]
 select r.id
 [3]
 where true
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listCustomers 2
[1]
[2]
 select r.id
 [5]
 where true
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listCustomers 3
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "customers" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listCustomers 4
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "customers" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listCustomers 5
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "customers" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listCustomers 6
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "customers" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listCustomers 7
[1]
[2]
 select r.id
 from (
  select *
  from "customers" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and not "r"."archived"
  order by "r"."id" asc
  offset 0) r
 where true
 [6]
 [7]
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listCustomers 8
[1]
[2]
 select r.id
 from (
  select *
  from "customers" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and not "r"."archived"
  order by "r"."id" desc
  offset 0) r
 where true
 [6]
 [7]
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listCustomers 9
[1]
[2]
 select r.id
 from (
  select *
  from "customers" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and "r"."archived"
  order by "r"."id" asc
  offset 0) r
 where true
 [6]
 [7]
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listCustomers 10
[1]
[2]
 select r.id
 from (
  select *
  from "customers" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and "r"."archived"
  order by "r"."id" desc
  offset 0) r
 where true
 [6]
 [7]
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listCustomers 11
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "customers" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc limit $) r
   where true
   [6]
   [7]
   order by "r"."id" asc
  [8]
   from "customers" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   order by "r"."id" asc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 [9]
    select r.*
    from (select id from (select id from recent where (select few from few)) among where id > $::bigint order by id asc offset 0) found
    cross join lateral (
     select r.*
     from "customers" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     [6]
     and case when $::boolean is null then true else "r"."archived" = $::boolean end
     [10]
    order by found.id asc
  [11]
   [3]
   [12]
   order by "r"."id" asc
 [13]
[4]
order by "d"."id" asc

-- listCustomers 12
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "customers" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc limit $) r
   where true
   [6]
   [7]
   order by "r"."id" desc
  [8]
   from "customers" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   order by "r"."id" desc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, min(id) as last from near) near)
 [9]
    select r.*
    from (select id from (select id from recent where (select few from few)) among where id < $::bigint order by id desc offset 0) found
    cross join lateral (
     select r.*
     from "customers" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     [6]
     and case when $::boolean is null then true else "r"."archived" = $::boolean end
     [10]
    order by found.id desc
  [11]
   [5]
   [12]
   order by "r"."id" desc
 [13]
[4]
order by "d"."id" desc

-- listCustomers 13
[1]
[2]
 select r.id
 [3]
 where true
 [6]
 [7]
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listCustomers 14
[1]
[2]
 select r.id
 [5]
 where true
 [6]
 [7]
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listCustomers 15
[14]
[2]
 select r.id
 from (
  select *
  from "customers" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[4]
order by "d"."updated_at" asc, "d"."id" asc

-- listCustomers 16
[14]
[2]
 select r.id
 from (
  select *
  from "customers" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[4]
order by "d"."updated_at" desc, "d"."id" desc

-- listEvents [1]
 limit $)
select e.sequence::text as id, e.body as document
from found
-- Bounds of its time, so that a row is looked for in its period only; no index by time serves them.
join events e on e.tenant_id = found.tenant_id
and e.sequence = found.sequence
and e.created_at >= found.created_at
and e.created_at <= found.created_at

-- listEvents [2]
select e.*
from unnest($::"text"[]) k (type)
cross join lateral (
 -- A kind stands in bounds and order, so that no other index than that of kinds serves.

-- listEvents [3]
and (type, sequence) > (k.type, $::bigint)
and (type, sequence) < (k.type, $::bigint)

-- listEvents 1
with found as materialized (
 select tenant_id, sequence, created_at
 from events
 where tenant_id = $::bigint
 and sequence > $::bigint
 and sequence < $::bigint
 order by sequence asc
[1]
order by e.sequence asc

-- listEvents 2
with found as materialized (
 select tenant_id, sequence, created_at
 from events
 where tenant_id = $::bigint
 and sequence > $::bigint
 and sequence < $::bigint
 order by sequence desc
[1]
order by e.sequence desc

-- listEvents 3
with found as materialized (
 [2]
  select tenant_id, sequence, created_at
  from events
  where tenant_id = $::bigint
  [3]
  order by type asc, sequence asc
  limit $) e
 order by e.sequence asc
[1]
order by e.sequence asc

-- listEvents 4
with found as materialized (
 [2]
  select tenant_id, sequence, created_at
  from events
  where tenant_id = $::bigint
  [3]
  order by type desc, sequence desc
  limit $) e
 order by e.sequence desc
[1]
order by e.sequence desc

-- listEvents 5
select event_sequence::text as last, event_sequence <= $::bigint
or coalesce((
  select true
  from events
  where tenant_id = $::bigint
  and sequence = 1 + coalesce((select until_sequence from event_gaps where tenant_id = $::bigint and after_sequence = $::bigint limit 1), $::bigint)
  limit 1), false) as "isKept"
from tenant_streams
where tenant_id = $::bigint

-- listLandedCosts [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listLandedCosts [2]
 ',"purchase_receipt_id":"' || "d"."purchase_receipt_id"::text || '","purchase_order_id":"' || "d"."purchase_order_id"::text || '","storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
 ',"currency":' || to_json("d"."currency")::text ||
 ',"exchange_rate":' || trim_scale("d"."exchange_rate")::text ||
 ',"date":"' || iso("d"."date") || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
 ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
 ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
 ',"total_amount":' || trim_scale("d"."total_amount")::text ||
 ',"stock_amount":' || trim_scale("d"."stock_amount")::text ||
 ',"expensed_amount":' || trim_scale("d"."expensed_amount")::text ||
 ',"items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","title":' || to_json("line"."title")::text ||
      ',"amount":' || trim_scale("line"."amount")::text ||
      ',"distribution":"' || "line"."distribution"::text || '"}'), ','
     order by "line".id)
    from "landed_cost_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."landed_cost_id" = "d"."id"), '') || ']') ||
 ',"allocations":' || ('[' || coalesce((
    select string_agg(('{"purchase_receipt_item_id":"' || "line"."id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"amount":' || trim_scale("line"."amount")::text ||
      ',"stock_amount":' || trim_scale("line"."stock_amount")::text ||
      ',"expensed_amount":' || trim_scale("line"."expensed_amount")::text || '}'), ','
     order by "line".id)
    from "landed_cost_allocations" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."landed_cost_id" = "d"."id"), '') || ']') || '}')::text as document
from (

-- listLandedCosts [3]
cross join lateral (select * from "landed_costs" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listLandedCosts [4]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."purchase_receipt_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."purchase_order_id" = any ($::"int8"[]) end

-- listLandedCosts [5]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listLandedCosts [6]
with created as materialized (
 select case when $::timestamptz is null then 0 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "landed_costs" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "landed_costs" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "landed_costs"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as low, case when $::timestamptz is null then 9223372036854775807 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "landed_costs" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "landed_costs" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "landed_costs"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as high)
select id

-- listLandedCosts [7]
and "r"."id" >= (select low from created)
and "r"."id" < (select high from created)

-- listLandedCosts [8]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listLandedCosts 1
[1]
[2]
 select r.id
 from (select * from "landed_costs" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listLandedCosts 2
[1]
[2]
 select r.id
 from (select * from "landed_costs" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listLandedCosts 3
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "landed_costs" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listLandedCosts 4
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "landed_costs" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listLandedCosts 5
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "landed_costs" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listLandedCosts 6
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "landed_costs" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listLandedCosts 7
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "landed_costs" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listLandedCosts 8
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "landed_costs" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listLandedCosts 9
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "landed_costs" r
   where r.tenant_id = $::bigint
   and "r"."purchase_receipt_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listLandedCosts 10
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "landed_costs" r
   where r.tenant_id = $::bigint
   and "r"."purchase_receipt_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listLandedCosts 11
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "landed_costs" r
   where r.tenant_id = $::bigint
   and "r"."purchase_order_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listLandedCosts 12
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "landed_costs" r
   where r.tenant_id = $::bigint
   and "r"."purchase_order_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listLandedCosts 13
[1]
[2]
 [6]
 from (
  select r.id
  from (
   select *
   from "landed_costs" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [7]
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" asc
  limit $) found) page
[3]
order by "d"."id" asc

-- listLandedCosts 14
[1]
[2]
 [6]
 from (
  select r.id
  from (
   select *
   from "landed_costs" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [7]
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" desc
  limit $) found) page
[3]
order by "d"."id" desc

-- listLandedCosts 15
[1]
[2]
 select r.id
 from (
  select *
  from "landed_costs" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and not "r"."reversed"
  order by "r"."id" asc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listLandedCosts 16
[1]
[2]
 select r.id
 from (
  select *
  from "landed_costs" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and not "r"."reversed"
  order by "r"."id" desc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listLandedCosts 17
[1]
[2]
 select r.id
 from (
  select *
  from "landed_costs" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and "r"."reversed"
  order by "r"."id" asc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listLandedCosts 18
[1]
[2]
 select r.id
 from (
  select *
  from "landed_costs" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and "r"."reversed"
  order by "r"."id" desc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listLandedCosts 19
[8]
[2]
 select r.id
 from (
  select *
  from "landed_costs" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listLandedCosts 20
[8]
[2]
 select r.id
 from (
  select *
  from "landed_costs" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[3]
order by "d"."updated_at" desc, "d"."id" desc

-- listManufacturingOrders [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listManufacturingOrders [2]
 ',"type":"' || "d"."type"::text || '","status":"' || "d"."status"::text || '","block_reason":' || coalesce((to_json("d"."block_reason")::text), 'null') ||
 ',"priority":' || "d"."priority"::text ||
 ',"quantity":' || trim_scale("d"."quantity")::text ||
 ',"actual_quantity":' || trim_scale("d"."actual_quantity")::text ||
 ',"released_quantity":' || trim_scale("d"."released_quantity")::text ||
 ',"created_date":"' || iso(("d"."created_at")) || '","planned_start_date":' || coalesce(('"' || iso("d"."planned_start_date") || '"'), 'null') ||
 ',"started_at":' || coalesce(('"' || iso("d"."started_at") || '"'), 'null') ||
 ',"completed_at":' || coalesce(('"' || iso("d"."completed_at") || '"'), 'null') ||
 ',"production_date":' || coalesce(('"' || iso("d"."production_date") || '"'), 'null') ||
 ',"shipping_date":' || coalesce(('"' || iso("d"."shipping_date") || '"'), 'null') ||
 ',"output_batch_number":' || coalesce((to_json("d"."output_batch_number")::text), 'null') ||
 ',"output_manufacture_date":' || coalesce(('"' || "d"."output_manufacture_date"::text || '"'), 'null') ||
 ',"output_expiry_date":' || coalesce(('"' || "d"."output_expiry_date"::text || '"'), 'null') ||
 ',"manufacturing_location_id":"' || "d"."manufacturing_location_id"::text || '","sales_order_id":' || coalesce(('"' || "d"."sales_order_id"::text || '"'), 'null') ||
 ',"recipe_id":' || coalesce(('"' || "d"."recipe_id"::text || '"'), 'null') ||
 ',"notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","actual_cost":' || ('{"currency":' || to_json("d"."currency")::text ||
  ',"materials_cost":' || trim_scale("d"."materials_cost")::text ||
  ',"operations_cost":' || trim_scale("d"."operations_cost")::text ||
  ',"total_cost":' || trim_scale(("d"."materials_cost" + "d"."operations_cost"))::text ||
  ',"posted_cost":' || trim_scale("d"."posted_cost")::text ||
  ',"wip_cost":' || trim_scale(("d"."materials_cost" + "d"."operations_cost" - "d"."posted_cost"))::text ||
  ',"unit_cost":' || coalesce((trim_scale((cost_ratio("d"."posted_cost", "d"."released_quantity")))::text), 'null') ||
  ',"is_final":' || ("d"."status" = 'DONE')::text || '}') ||
 ',"item_variant":' || ('{"id":"' || "d"."item_variant_id"::text || '","item_id":"' || "d"."item_id"::text || '","item_title":' || to_json("d"."item_title")::text ||
  ',"sku":' || coalesce((to_json("d"."sku")::text), 'null') ||
  ',"title":' || to_json("d"."title")::text || '}') ||
 ',"items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","item_id":"' || "line"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"title":' || to_json("line"."title")::text ||
      ',"quantity":' || trim_scale("line"."quantity")::text ||
      ',"quantity_per_unit":' || coalesce((trim_scale((coalesce("line".quantity_per_unit, (
            select m.quantity
            from (select * from manufacturing_orders where tenant_id = "line".tenant_id and id = "line".manufacturing_order_id limit 1) mo
            cross join lateral (select * from recipe_materials where tenant_id = mo.tenant_id and recipe_id = mo.recipe_id offset 0) m
            where mo.keeps_per_unit is null
            and m.item_variant_id = "line".item_variant_id
            and round(m.quantity * mo.quantity, 6) = "line".quantity
            order by m.id
            limit 1))))::text), 'null') ||
      ',"actual_quantity":' || trim_scale("line"."actual_quantity")::text || '}'), ','
     order by "line".id)
    from "manufacturing_order_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."manufacturing_order_id" = "d"."id"), '') || ']') || '}')::text as document
from (

-- listManufacturingOrders [3]
cross join lateral (select * from "manufacturing_orders" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listManufacturingOrders [4]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."sales_order_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."item_variant_id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."status" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."type" = any ($::"text"[]) end
and case when $::text is null then true else order_text("r"."number", "r"."external_ref") like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end

-- listManufacturingOrders [5]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listManufacturingOrders [6]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."planned_start_date" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."planned_start_date" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listManufacturingOrders [7]
with created as materialized (
 select case when $::timestamptz is null then 0 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "manufacturing_orders" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "manufacturing_orders" where tenant_id = $::bigint order by id desc limit 1), 1)

-- listManufacturingOrders [8]
 select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
 from search
 left join lateral (
  select id, created_at < $::timestamptz as is_earlier
  from "manufacturing_orders"
  where tenant_id = $::bigint
  and id >= low + (high - low) / 2
  order by id
  limit 1) middle on true
 where high - low > 1)
select min(high)
from search) end as low, case when $::timestamptz is null then 9223372036854775807 else (
with recursive search (low, high) as (
 select coalesce((select id - 1 from "manufacturing_orders" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "manufacturing_orders" where tenant_id = $::bigint order by id desc limit 1), 1)

-- listManufacturingOrders [9]
 select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
 from search
 left join lateral (
  select id, created_at < $::timestamptz as is_earlier
  from "manufacturing_orders"
  where tenant_id = $::bigint
  and id >= low + (high - low) / 2
  order by id
  limit 1) middle on true
 where high - low > 1)
select min(high)
from search) end as high)

-- listManufacturingOrders [10]
and "r"."id" >= (select low from created)
and "r"."id" < (select high from created)

-- listManufacturingOrders [11]
with recursive range as materialized (
 select (
  select week_of("r"."planned_start_date")

-- listManufacturingOrders [12]
and "r"."planned_start_date" is not null
and week_of("r"."planned_start_date") >= $::integer
order by week_of("r"."planned_start_date") asc
limit 1) as first, (
select week_of("r"."planned_start_date")

-- listManufacturingOrders [13]
and "r"."planned_start_date" is not null
and week_of("r"."planned_start_date") <= $::integer
order by week_of("r"."planned_start_date") desc
limit 1) as last), weeks (week, ids) as (

-- listManufacturingOrders [14]
select week_of("r"."planned_start_date")
from "manufacturing_orders" r
where r.tenant_id = $::bigint
and "r"."planned_start_date" is not null

-- listManufacturingOrders [15]
from "manufacturing_orders" r
where r.tenant_id = $::bigint
and "r"."planned_start_date" is not null
and week_of("r"."planned_start_date") = next.week

-- listManufacturingOrders [16]
   limit $) as ids
  offset 0) added
 where next.week between first
 and last)
select unnest(ids) as id

-- listManufacturingOrders [17]
and "r"."ctid" <> '(0,0)'
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end
and "r"."id" >= (select low from created)
and "r"."id" < (select high from created)

-- listManufacturingOrders [18]
with recent as materialized (
 select id
 from (
  select t.id
  from "manufacturing_orders" t
  where search_grams(t.tenant_id, order_text("t"."number", "t"."external_ref")) @> (select search_grams($::bigint, (select search_text(array_to_string($::"text"[], chr(10))))))
  and order_text("t"."number", "t"."external_ref") like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[])) ids
 limit $), few as materialized (select count(*) <= $ as few from recent)
select id
from (

-- listManufacturingOrders [19]
  limit $) r) few_ids
where (select few from few)
union all
select id
from (
 select r.id
 from (

-- listManufacturingOrders [20]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."sales_order_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."item_variant_id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."status" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."type" = any ($::"text"[]) end
and case when $::text is null then true else order_text("r"."number", "r"."external_ref") like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."planned_start_date" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."planned_start_date" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listManufacturingOrders [21]
  limit $) many_ids
 where not (select few from few)) far
where not (select enough from enough)) found) page

-- listManufacturingOrders [22]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listManufacturingOrders 1
[1]
[2]
 select r.id
 from (
  select *
  from "manufacturing_orders" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  order by "r"."id" asc
  offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listManufacturingOrders 2
[1]
[2]
 select r.id
 from (
  select *
  from "manufacturing_orders" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  order by "r"."id" desc
  offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listManufacturingOrders 3
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listManufacturingOrders 4
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listManufacturingOrders 5
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listManufacturingOrders 6
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listManufacturingOrders 7
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listManufacturingOrders 8
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listManufacturingOrders 9
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."sales_order_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listManufacturingOrders 10
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."sales_order_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listManufacturingOrders 11
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."item_variant_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listManufacturingOrders 12
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."item_variant_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listManufacturingOrders 13
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."status" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listManufacturingOrders 14
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."status" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listManufacturingOrders 15
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."type" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listManufacturingOrders 16
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."type" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listManufacturingOrders 17
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  select r.id
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [10]
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) found) page
[3]
order by "d"."id" asc

-- listManufacturingOrders 18
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  select r.id
  from (
   select *
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [10]
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) found) page
[3]
order by "d"."id" desc

-- listManufacturingOrders 19
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (
    select *
    from "manufacturing_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    order by "r"."id" asc
    limit $) r
   where true
   [4]
   [5]
   [6]
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   order by "r"."id" asc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  [11]
    from "manufacturing_orders" r
    where r.tenant_id = $::bigint
    [12]
    from "manufacturing_orders" r
    where r.tenant_id = $::bigint
    [13]
   select first - 1, array[]::bigint[]
   from range
   union all
   select next.week, case when added.ids = '{}' then weeks.ids else array(select id from unnest(weeks.ids || added.ids) ids (id) order by id asc limit $) end
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week + 1 else (
      [14]
      and week_of("r"."planned_start_date") > weeks.week
      order by week_of("r"."planned_start_date") asc
      limit 1) end as week
    offset 0) next
   cross join lateral (
    select array(
     select r.id
     from (
      select *
      [15]
      and r.id > $::bigint
      and r.id < coalesce(weeks.ids[$::integer], $::bigint)
      order by r.id asc
      offset 0) r
     where true
     [4]
     [5]
     [6]
     order by r.id asc
  [16]
  from (select ids from weeks order by week desc limit 1) page) far
 where not (select enough from enough)) page
[3]
order by "d"."id" asc

-- listManufacturingOrders 20
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (
    select *
    from "manufacturing_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" < $::bigint
    order by "r"."id" desc
    limit $) r
   where true
   [4]
   [5]
   [6]
   order by "r"."id" desc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "manufacturing_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   order by "r"."id" desc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, min(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  [11]
    from "manufacturing_orders" r
    where r.tenant_id = $::bigint
    [12]
    from "manufacturing_orders" r
    where r.tenant_id = $::bigint
    [13]
   select last + 1, array[]::bigint[]
   from range
   union all
   select next.week, case when added.ids = '{}' then weeks.ids else array(select id from unnest(weeks.ids || added.ids) ids (id) order by id desc limit $) end
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week - 1 else (
      [14]
      and week_of("r"."planned_start_date") < weeks.week
      order by week_of("r"."planned_start_date") desc
      limit 1) end as week
    offset 0) next
   cross join lateral (
    select array(
     select r.id
     from (
      select *
      [15]
      and r.id < $::bigint
      and r.id > coalesce(weeks.ids[$::integer], $::bigint)
      order by r.id desc
      offset 0) r
     where true
     [4]
     [5]
     [6]
     order by r.id desc
  [16]
  from (select ids from weeks order by week asc limit 1) page) far
 where not (select enough from enough)) page
[3]
order by "d"."id" desc

-- listManufacturingOrders 21
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  with near as materialized (
   select id
   from (
    select r.id
    from (
     select *
     from "manufacturing_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."ctid" <> '(0,0)'
     [5]
     [10]
     order by "r"."id" asc
     limit $) r
    where true
    [4]
    [5]
    [6]
    order by "r"."id" asc
    limit $) near), enough as materialized (
   select near.rows = $
   or (
    select r.id
    from "manufacturing_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    [17]
    order by "r"."id" asc
    limit 1
    offset $) is null as enough
   from (select count(*) as rows, max(id) as last from near) near)
  select id
  from near
  where (select enough from enough)
  union all
  select id
  from (
   [18]
    select r.id
    from (
     select r.*
     from (select id from (select id from recent where (select few from few)) among where id > $::bigint order by id asc offset 0) found
     cross join lateral (
      select r.*
      from "manufacturing_orders" r
      where r.tenant_id = $::bigint
      and r.id = found.id
      and "r"."ctid" <> '(0,0)'
      [4]
      [5]
      [6]
      limit 1) r
     order by found.id asc
   [19]
     select *
     from "manufacturing_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     [17]
     order by "r"."id" asc
     offset 0) r
    where true
    [20]
    order by "r"."id" asc
  [21]
[3]
order by "d"."id" asc

-- listManufacturingOrders 22
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  with near as materialized (
   select id
   from (
    select r.id
    from (
     select *
     from "manufacturing_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" < $::bigint
     and "r"."ctid" <> '(0,0)'
     [5]
     [10]
     order by "r"."id" desc
     limit $) r
    where true
    [4]
    [5]
    [6]
    order by "r"."id" desc
    limit $) near), enough as materialized (
   select near.rows = $
   or (
    select r.id
    from "manufacturing_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" < $::bigint
    [17]
    order by "r"."id" desc
    limit 1
    offset $) is null as enough
   from (select count(*) as rows, min(id) as last from near) near)
  select id
  from near
  where (select enough from enough)
  union all
  select id
  from (
   [18]
    select r.id
    from (
     select r.*
     from (select id from (select id from recent where (select few from few)) among where id < $::bigint order by id desc offset 0) found
     cross join lateral (
      select r.*
      from "manufacturing_orders" r
      where r.tenant_id = $::bigint
      and r.id = found.id
      and "r"."ctid" <> '(0,0)'
      [4]
      [5]
      [6]
      limit 1) r
     order by found.id desc
   [19]
     select *
     from "manufacturing_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" < $::bigint
     [17]
     order by "r"."id" desc
     offset 0) r
    where true
    [20]
    order by "r"."id" desc
  [21]
[3]
order by "d"."id" desc

-- listManufacturingOrders 23
[22]
[2]
 select r.id
 from (
  select *
  from "manufacturing_orders" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listManufacturingOrders 24
[22]
[2]
 select r.id
 from (
  select *
  from "manufacturing_orders" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[3]
order by "d"."updated_at" desc, "d"."id" desc

-- listOperations [1]
 select ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||
  ',"position":' || "d"."position"::text ||
  ',"cost_per_hour":' || trim_scale("d"."cost_per_hour")::text ||
  ',"unit_id":' || coalesce(('"' || "d"."unit_id"::text || '"'), 'null') ||
  ',"unit_name":' || coalesce((to_json("d unit_id"."name")::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')
 from (select) this
 left join lateral (select * from "units" where tenant_id = "d"."tenant_id" and id = "d"."unit_id" limit 1) "d unit_id" on true)::text as document
from (
 select r.id

-- listOperations [2]
 limit $) page
cross join lateral (select * from "operations" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listOperations [3]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end

-- listOperations [4]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, (

-- listOperations 1
select "d"."id"::text as id, (
[1]
 from (select * from "operations" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listOperations 2
select "d"."id"::text as id, (
[1]
 from (select * from "operations" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r
 where true
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listOperations 3
select "d"."id"::text as id, (
[1]
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "operations" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listOperations 4
select "d"."id"::text as id, (
[1]
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "operations" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listOperations 5
select "d"."id"::text as id, (
[1]
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "operations" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listOperations 6
select "d"."id"::text as id, (
[1]
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "operations" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listOperations 7
[4]
[1]
 from (
  select *
  from "operations" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
[2]
order by "d"."updated_at" asc, "d"."id" asc

-- listOperations 8
[4]
[1]
 from (
  select *
  from "operations" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
[2]
order by "d"."updated_at" desc, "d"."id" desc

-- listPackings [1]
select coalesce(h.id, 0)::text as id, h.document
from (select from sales_orders where tenant_id = $::bigint and id = $::bigint) o
left join (
 select h.id, ('{"id":"' || "h"."id"::text || '","number":' || to_json("h"."number")::text ||
  ',"sales_order_id":"' || "h"."sales_order_id"::text || '","date":"' || iso("h"."date") || '","external_ref":' || coalesce((to_json("h"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "h"."metadata" = '{}' then '{}' else json_strip_nulls("h"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("h"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("h"."updated_by_user_name")::text), 'null') ||
  ',"created_at":"' || iso("h"."created_at") || '","items":' || ('[' || coalesce((
     select string_agg(('{"id":"' || "line"."id"::text || '","sales_order_item_id":"' || "line"."sales_order_item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","quantity":' || trim_scale("line"."quantity")::text ||
       ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') || '}'), ','
      order by "line".id)
     from "sales_packing_items" "line"
     where "line".tenant_id = "h"."tenant_id"
     and "line"."sales_packing_id" = "h"."id"), '') || ']') || '}') as document
 from "sales_packings" h
 where h.tenant_id = $::bigint
 and h.sales_order_id = $::bigint

-- listPackings [2]
and case when $::"int8"[] is null then true else "h"."id" = any ($::"int8"[]) end

-- listPackings 1
[1]
 and h.id > $::bigint
 [2]
 order by "h"."id" asc
 limit $) h on true
order by "h"."id" asc

-- listPackings 2
[1]
 and h.id < $::bigint
 [2]
 order by "h"."id" desc
 limit $) h on true
order by "h"."id" desc

-- listProductionTasks [1]
select k.id::text as id, case when k.id is not null then ('{"id":"' || "k"."id"::text || '","manufacturing_order_id":"' || (o.id)::text || '","operation_id":"' || "k"."operation_id"::text || '","operation_title":' || to_json("k"."operation_title")::text ||
  ',"position":' || "k"."position"::text ||
  ',"status":"' || (case o.status when 'PARTIALLY_DONE' then 'IN_PROGRESS' else o.status end)::text || '","planned_duration":' || trim_scale("k"."planned_duration")::text ||
  ',"actual_duration":' || coalesce((trim_scale("k"."actual_duration")::text), 'null') ||
  ',"cost_per_hour":' || trim_scale("k"."cost_per_hour")::text ||
  ',"planned_cost":' || trim_scale("k"."planned_cost")::text ||
  ',"actual_cost":' || coalesce((trim_scale("k"."actual_cost")::text), 'null') ||
  ',"unit_id":' || coalesce(('"' || "k"."unit_id"::text || '"'), 'null') ||
  ',"unit_name":' || coalesce((to_json("k"."unit_name")::text), 'null') ||
  ',"notes":' || coalesce((to_json("k"."notes")::text), 'null') ||
  ',"started_at":' || coalesce(('"' || iso((o.started_at)) || '"'), 'null') ||
  ',"completed_at":' || coalesce(('"' || iso((o.completed_at)) || '"'), 'null') || '}') end as document
from manufacturing_orders o
left join manufacturing_order_tasks k on k.tenant_id = o.tenant_id
and k.manufacturing_order_id = o.id

-- listProductionTasks [2]
and case when $::"int8"[] is null then true else "k"."id" = any ($::"int8"[]) end
where o.tenant_id = $::bigint
and o.id = $::bigint

-- listProductionTasks 1
[1]
and k.id > $::bigint
[2]
order by "k"."id" asc
limit $

-- listProductionTasks 2
[1]
and k.id < $::bigint
[2]
order by "k"."id" desc
limit $

-- listProducts [1]
 select ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||
  ',"type":"' || "d"."type"::text || '","description":' || coalesce((to_json("d"."description")::text), 'null') ||
  ',"category":' || coalesce((to_json("d"."category")::text), 'null') ||
  ',"unit_id":"' || "d"."unit_id"::text || '","unit_name":' || to_json("d unit_id"."name")::text ||
  ',"is_sellable":' || "d"."is_sellable"::text ||
  ',"is_producible":' || "d"."is_producible"::text ||
  ',"is_purchasable":' || "d"."is_purchasable"::text ||
  ',"batch_tracked":' || "d"."batch_tracked"::text ||
  ',"shelf_life_days":' || coalesce(("d"."shelf_life_days"::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"archived":' || "d"."archived"::text ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","variants":' || ('[' || coalesce((
     select string_agg(('{"id":"' || "line"."id"::text || '","item_id":"' || "line"."item_id"::text || '","title":' || to_json("line"."title")::text ||
       ',"sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
       ',"barcode":' || coalesce((to_json("line"."barcode")::text), 'null') ||
       ',"price":' || coalesce((trim_scale("line"."price")::text), 'null') ||
       ',"purchase_price":' || coalesce((trim_scale("line"."purchase_price")::text), 'null') ||
       ',"minimum_stock":' || coalesce((trim_scale("line"."minimum_stock")::text), 'null') ||
       ',"lead_time_days":' || coalesce(("line"."lead_time_days"::text), 'null') ||
       ',"minimum_order_quantity":' || coalesce((trim_scale("line"."minimum_order_quantity")::text), 'null') ||
       ',"order_multiple":' || coalesce((trim_scale("line"."order_multiple")::text), 'null') ||
       ',"attributes":' || case when "line"."attributes" = '{}' then '{}' else json_strip_nulls("line"."attributes"::json)::text end ||
       ',"archived":' || "line"."archived"::text ||
       ',"created_at":"' || iso("line"."created_at") || '","updated_at":"' || iso("line"."updated_at") || '"}'), ','
      order by "line".id)
     from "item_variants" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."item_id" = "d"."id"), '') || ']') || '}')
 from (select) this
 left join lateral (select * from "units" where tenant_id = "d"."tenant_id" and id = "d"."unit_id" limit 1) "d unit_id" on true)::text as document
from (

-- listProducts [2]
from (select * from "items" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r

-- listProducts [3]
cross join lateral (select * from "items" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listProducts [4]
from (select * from "items" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r

-- listProducts [5]
from (select * from "items" r where r.tenant_id = $::bigint and "r"."id" = wanted.value and "r"."ctid" <> '(0,0)' offset 0) r

-- listProducts [6]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."type" = any ($::"text"[]) end

-- listProducts [7]
and case when $::text is null then true else (select text from product_texts where tenant_id = r.tenant_id and id = r.id limit 1) like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end

-- listProducts [8]
from (select distinct item_id as id from item_variants where tenant_id = $::bigint and sku = $ and (active or not $::boolean)) among

-- listProducts [9]
select item_id
from item_variants
where tenant_id = $::bigint
and id = wanted.id
and "item_variants"."ctid" <> '(0,0)'

-- listProducts [10]
from (select distinct item_id as id from item_variants where tenant_id = $::bigint and barcode = $) among

-- listProducts [11]
select t.id
from "product_texts" t
where search_grams(t.tenant_id, "t"."text") @> (select search_grams($::bigint, (select search_text(array_to_string($::"text"[], chr(10))))))
and "t"."text" like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[])) ids

-- listProducts [12]
from (select id from (select id from recent where (select few from few)) among where id > $::bigint order by id asc offset 0) found

-- listProducts [13]
where true
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."type" = any ($::"text"[]) end
and case when $::text is null then true else (select text from product_texts where tenant_id = r.tenant_id and id = r.id limit 1) like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end

-- listProducts [14]
  limit $) many_ids
 where not (select few from few)) far
where not (select enough from enough)) page

-- listProducts [15]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, (

-- listProducts [16]
from ((select distinct item_id as id from item_variants where tenant_id = $::bigint and sku = $ and (active or not $::boolean))

-- listProducts [17]
intersect (select distinct item_id as id from item_variants where tenant_id = $::bigint and barcode = $)) among

-- listProducts [18]
and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
order by "r"."updated_at" asc, "r"."id" asc

-- listProducts 1
select "d"."id"::text as id, (
[1]
 select r.id
 [2]
 where true
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listProducts 2
select "d"."id"::text as id, (
[1]
 select r.id
 [4]
 where true
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listProducts 3
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  [5]
  where "r"."id" > $::bigint
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listProducts 4
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  [5]
  where "r"."id" < $::bigint
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listProducts 5
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "items" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listProducts 6
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "items" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listProducts 7
select "d"."id"::text as id, (
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   [8]
   where id > $::bigint
   order by id asc
   offset 0) found
  cross join lateral (
   select r.*
   from "items" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [6]
   and case when $::boolean is null then true else "r"."archived" = $::boolean end
   [7]
   limit 1) r
  order by found.id asc
  limit $) r) page
[3]
order by "d"."id" asc

-- listProducts 8
select "d"."id"::text as id, (
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   [8]
   where id < $::bigint
   order by id desc
   offset 0) found
  cross join lateral (
   select r.*
   from "items" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [6]
   and case when $::boolean is null then true else "r"."archived" = $::boolean end
   [7]
   limit 1) r
  order by found.id desc
  limit $) r) page
[3]
order by "d"."id" desc

-- listProducts 9
select "d"."id"::text as id, (
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   from (
    select distinct v.item_id as id
    from unnest($::"int8"[]) wanted (id)
    cross join lateral (
     [9]
     limit 1) v) among
   where id > $::bigint
   order by id asc
   offset 0) found
  cross join lateral (
   select r.*
   from "items" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [6]
   and case when $::boolean is null then true else "r"."archived" = $::boolean end
   [7]
   limit 1) r
  order by found.id asc
  limit $) r) page
[3]
order by "d"."id" asc

-- listProducts 10
select "d"."id"::text as id, (
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   from (
    select distinct v.item_id as id
    from unnest($::"int8"[]) wanted (id)
    cross join lateral (
     [9]
     limit 1) v) among
   where id < $::bigint
   order by id desc
   offset 0) found
  cross join lateral (
   select r.*
   from "items" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [6]
   and case when $::boolean is null then true else "r"."archived" = $::boolean end
   [7]
   limit 1) r
  order by found.id desc
  limit $) r) page
[3]
order by "d"."id" desc

-- listProducts 11
select "d"."id"::text as id, (
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   [10]
   where id > $::bigint
   order by id asc
   offset 0) found
  cross join lateral (
   select r.*
   from "items" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [6]
   and case when $::boolean is null then true else "r"."archived" = $::boolean end
   [7]
   limit 1) r
  order by found.id asc
  limit $) r) page
[3]
order by "d"."id" asc

-- listProducts 12
select "d"."id"::text as id, (
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   [10]
   where id < $::bigint
   order by id desc
   offset 0) found
  cross join lateral (
   select r.*
   from "items" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [6]
   and case when $::boolean is null then true else "r"."archived" = $::boolean end
   [7]
   limit 1) r
  order by found.id desc
  limit $) r) page
[3]
order by "d"."id" desc

-- listProducts 13
select "d"."id"::text as id, (
[1]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "items" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc limit $) r
   where true
   [6]
   [7]
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "items" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   order by "r"."id" asc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  with recent as materialized (
   select id
   from (
    [11]
   limit $), few as materialized (select count(*) <= $ as few from recent)
  select id
  from (
   select r.id
   from (
    select r.*
    [12]
    cross join lateral (
     select r.*
     from "items" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     [6]
     and case when $::boolean is null then true else "r"."archived" = $::boolean end
     [7]
     limit 1) r
    order by found.id asc
    limit $) r) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   [2]
   [13]
   order by "r"."id" asc
 [14]
[3]
order by "d"."id" asc

-- listProducts 14
select "d"."id"::text as id, (
[1]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "items" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc limit $) r
   where true
   [6]
   [7]
   order by "r"."id" desc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "items" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   order by "r"."id" desc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, min(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  with recent as materialized (
   select id
   from (
    [11]
   limit $), few as materialized (select count(*) <= $ as few from recent)
  select id
  from (
   select r.id
   from (
    select r.*
    from (select id from (select id from recent where (select few from few)) among where id < $::bigint order by id desc offset 0) found
    cross join lateral (
     select r.*
     from "items" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     [6]
     and case when $::boolean is null then true else "r"."archived" = $::boolean end
     [7]
     limit 1) r
    order by found.id desc
    limit $) r) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   [4]
   [13]
   order by "r"."id" desc
 [14]
[3]
order by "d"."id" desc

-- listProducts 15
select "d"."id"::text as id, (
[1]
 select r.id
 [2]
 where true
 [6]
 [7]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listProducts 16
select "d"."id"::text as id, (
[1]
 select r.id
 [4]
 where true
 [6]
 [7]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listProducts 17
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "items" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."type" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [6]
  [7]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listProducts 18
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "items" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."type" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [6]
  [7]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listProducts 19
select "d"."id"::text as id, (
[1]
 select r.id
 from (
  select *
  from "items" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and not "r"."archived"
  order by "r"."id" asc
  offset 0) r
 where true
 [6]
 [7]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listProducts 20
select "d"."id"::text as id, (
[1]
 select r.id
 from (
  select *
  from "items" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and not "r"."archived"
  order by "r"."id" desc
  offset 0) r
 where true
 [6]
 [7]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listProducts 21
select "d"."id"::text as id, (
[1]
 select r.id
 from (
  select *
  from "items" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and "r"."archived"
  order by "r"."id" asc
  offset 0) r
 where true
 [6]
 [7]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listProducts 22
select "d"."id"::text as id, (
[1]
 select r.id
 from (
  select *
  from "items" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and "r"."archived"
  order by "r"."id" desc
  offset 0) r
 where true
 [6]
 [7]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listProducts 23
[15]
[1]
 select r.id
 from (
  select *
  from "items" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listProducts 24
[15]
[1]
 select r.id
 from (
  select *
  from "items" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[3]
order by "d"."updated_at" desc, "d"."id" desc

-- listProducts 25
[15]
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  [5]
  where ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."updated_at" asc, "r"."id" asc
  limit $) r
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listProducts 26
[15]
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "items" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."updated_at" asc, "r"."id" asc
  limit $) r
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listProducts 27
select "d"."id"::text as id, (
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   [16]
    intersect (
     select distinct v.item_id as id
     from unnest($::"int8"[]) wanted (id)
     cross join lateral (
      [9]
      limit 1) v)) among
   where id > $::bigint
   order by id asc
   offset 0) found
  cross join lateral (
   select r.*
   from "items" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [6]
   and case when $::boolean is null then true else "r"."archived" = $::boolean end
   [7]
   limit 1) r
  order by found.id asc
  limit $) r) page
[3]
order by "d"."id" asc

-- listProducts 28
select "d"."id"::text as id, (
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   [16]
    [17]
   where id > $::bigint
   order by id asc
   offset 0) found
  cross join lateral (
   select r.*
   from "items" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [6]
   and case when $::boolean is null then true else "r"."archived" = $::boolean end
   [7]
   limit 1) r
  order by found.id asc
  limit $) r) page
[3]
order by "d"."id" asc

-- listProducts 29
[15]
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   [8]
   offset 0) found
  cross join lateral (
   select r.*
   from "items" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
   [6]
   and case when $::boolean is null then true else "r"."archived" = $::boolean end
   [7]
   limit 1) r
  order by "r"."updated_at" asc, "r"."id" asc
  limit $) r) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listProducts 30
select "d"."id"::text as id, (
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   from ((
     select distinct v.item_id as id
     from unnest($::"int8"[]) wanted (id)
     cross join lateral (
      [9]
      limit 1) v)
    [17]
   where id > $::bigint
   order by id asc
   offset 0) found
  cross join lateral (
   select r.*
   from "items" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [6]
   and case when $::boolean is null then true else "r"."archived" = $::boolean end
   [7]
   limit 1) r
  order by found.id asc
  limit $) r) page
[3]
order by "d"."id" asc

-- listProducts 31
[15]
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   from (
    select distinct v.item_id as id
    from unnest($::"int8"[]) wanted (id)
    cross join lateral (
     [9]
     limit 1) v) among
   offset 0) found
  cross join lateral (
   select r.*
   from "items" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
   [6]
   and case when $::boolean is null then true else "r"."archived" = $::boolean end
   [7]
   limit 1) r
  order by "r"."updated_at" asc, "r"."id" asc
  limit $) r) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listProducts 32
[15]
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   [10]
   offset 0) found
  cross join lateral (
   select r.*
   from "items" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
   [6]
   and case when $::boolean is null then true else "r"."archived" = $::boolean end
   [7]
   limit 1) r
  order by "r"."updated_at" asc, "r"."id" asc
  limit $) r) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listProducts 33
select "d"."id"::text as id, (
[1]
 with near as materialized (
  select id
  from (
   select r.id
   from unnest($::"text"[]) wanted (value)
   cross join lateral (
    select r.id
    from (
     select *
     from "items" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."type" = wanted.value
     order by "r"."id" asc
     limit $) r
    where true
    [6]
    [7]
    order by "r"."id" asc
    limit $) r
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  and cardinality($::"text"[]) = 1
  or (
   select true
   from unnest($::"text"[]) wanted (value)
   cross join lateral (
    select r.id
    from "items" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and "r"."type" = wanted.value
    order by "r"."id" asc
    limit 1
    offset $) r
   where near.rows < $
   or r.id < near.last
   limit 1) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  with recent as materialized (
   select id
   from (
    [11]
   limit $), few as materialized (select count(*) <= $ as few from recent)
  select id
  from (
   select r.id
   from (
    select r.*
    [12]
    cross join lateral (
     select r.*
     from "items" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     [6]
     and case when $::boolean is null then true else "r"."archived" = $::boolean end
     [7]
     limit 1) r
    order by found.id asc
    limit $) r) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   from unnest($::"text"[]) wanted (value)
   cross join lateral (
    select r.id
    from (
     select *
     from "items" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."type" = wanted.value
     order by "r"."id" asc
     offset 0) r
    [13]
    order by "r"."id" asc
    limit $) r
   order by "r"."id" asc
 [14]
[3]
order by "d"."id" asc

-- listProducts 34
select "d"."id"::text as id, (
[1]
 with near as materialized (
  select id
  from (
   select r.id
   from (
    select *
    from "items" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and not "r"."archived"
    order by "r"."id" asc
    limit $) r
   where true
   [6]
   [7]
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "items" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   order by "r"."id" asc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  with recent as materialized (
   select id
   from (
    [11]
   limit $), few as materialized (select count(*) <= $ as few from recent)
  select id
  from (
   select r.id
   from (
    select r.*
    [12]
    cross join lateral (
     select r.*
     from "items" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     [6]
     and case when $::boolean is null then true else "r"."archived" = $::boolean end
     [7]
     limit 1) r
    order by found.id asc
    limit $) r) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   from (
    select *
    from "items" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and not "r"."archived"
    order by "r"."id" asc
    offset 0) r
   [13]
   order by "r"."id" asc
 [14]
[3]
order by "d"."id" asc

-- listProducts 35
[15]
[1]
 with near as materialized (
  select id
  from (
   select r.id
   from (
    select *
    from "items" r
    where r.tenant_id = $::bigint
    and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
    order by "r"."updated_at" asc, "r"."id" asc
    limit $) r
   where true
   [6]
   [7]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "items" r
   where r.tenant_id = $::bigint
   [18]
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  with recent as materialized (
   select id
   from (
    [11]
   limit $), few as materialized (select count(*) <= $ as few from recent)
  select id
  from (
   select r.id
   from (
    select r.*
    from (select id from (select id from recent where (select few from few)) among offset 0) found
    cross join lateral (
     select r.*
     from "items" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
     [6]
     and case when $::boolean is null then true else "r"."archived" = $::boolean end
     [7]
     limit 1) r
    order by "r"."updated_at" asc, "r"."id" asc
    limit $) r) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   from (
    select *
    from "items" r
    where r.tenant_id = $::bigint
    [18]
    offset 0) r
   [13]
   order by "r"."updated_at" asc, "r"."id" asc
 [14]
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listProducts 36
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "items" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and not "r"."archived"
   and "r"."type" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [6]
  [7]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listProducts 37
[15]
[1]
 with near as materialized (
  select id
  from (
   select r.id
   from (
    select *
    from "items" r
    where r.tenant_id = $::bigint
    and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
    order by "r"."updated_at" asc, "r"."id" asc
    limit $) r
   where true
   [6]
   [7]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "items" r
   where r.tenant_id = $::bigint
   [18]
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  with recent as materialized (
   select r.id
   from unnest($::"text"[]) wanted (value)
   cross join lateral (select r.id from "items" r where r.tenant_id = $::bigint and "r"."type" = wanted.value limit $) r
   limit $), few as materialized (select count(*) <= $ as few from recent)
  select id
  from (
   select r.id
   from unnest($::"text"[]) wanted (value)
   cross join lateral (select * from "items" r where r.tenant_id = $::bigint and "r"."type" = wanted.value offset 0) r
   where (select few from few)
   and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
   [6]
   and case when $::boolean is null then true else "r"."archived" = $::boolean end
   [7]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   from (
    select *
    from "items" r
    where r.tenant_id = $::bigint
    [18]
    offset 0) r
   [13]
   order by "r"."updated_at" asc, "r"."id" asc
 [14]
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listProducts 38
[15]
[1]
 select r.id
 from (
  select *
  from "items" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  and not "r"."archived"
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 [6]
 [7]
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listPurchaseOrders [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listPurchaseOrders [2]
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

-- listPurchaseOrders [3]
from (select * from "purchase_orders" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r

-- listPurchaseOrders [4]
cross join lateral (select * from "purchase_orders" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listPurchaseOrders [5]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."supplier_id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."status" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."delivery_status" = any ($::"text"[]) end
and case when $::text is null then true else concat(order_text("r"."number", "r"."external_ref"), chr(10), (select search_text(title) from "suppliers" where tenant_id = r.tenant_id and id = "r"."supplier_id" limit 1)) like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."date" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."date" + interval '0' < coalesce($::timestamptz, 'infinity') end
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."expected_date" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."expected_date" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listPurchaseOrders [6]
from (select * from "purchase_orders" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc limit $) r

-- listPurchaseOrders [7]
select id
from near
where (select enough from enough)
union all
select id
from (

-- listPurchaseOrders [8]
and "r"."date" is not null
and week_of("r"."date") >= $::integer
order by week_of("r"."date") asc

-- listPurchaseOrders [9]
and "r"."date" is not null
and week_of("r"."date") <= $::integer
order by week_of("r"."date") desc

-- listPurchaseOrders [10]
select next.week, case when added.ids = '{}' then weeks.ids else array(select id from unnest(weeks.ids || added.ids) ids (id) order by id asc limit $) end

-- listPurchaseOrders [11]
and r.id > $::bigint
and r.id < coalesce(weeks.ids[$::integer], $::bigint)
order by r.id asc

-- listPurchaseOrders [12]
from (select * from "purchase_orders" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc limit $) r

-- listPurchaseOrders [13]
select next.week, case when added.ids = '{}' then weeks.ids else array(select id from unnest(weeks.ids || added.ids) ids (id) order by id desc limit $) end

-- listPurchaseOrders [14]
and r.id < $::bigint
and r.id > coalesce(weeks.ids[$::integer], $::bigint)
order by r.id desc

-- listPurchaseOrders [15]
and "r"."expected_date" is not null
and week_of("r"."expected_date") >= $::integer
order by week_of("r"."expected_date") asc

-- listPurchaseOrders [16]
and "r"."expected_date" is not null
and week_of("r"."expected_date") <= $::integer
order by week_of("r"."expected_date") desc

-- listPurchaseOrders [17]
from "purchase_orders" r
where r.tenant_id = $::bigint
and "r"."expected_date" is not null
and week_of("r"."expected_date") = next.week

-- listPurchaseOrders [18]
from ((
  select found.ids
  from unnest($::"text"[], $::"text"[]) w (word, pattern)

-- listPurchaseOrders [19]
select array_agg(distinct id) filter (where id is not null) as ids, count(*) as looked
from (
 select id
 from ((
   select t.id
   from "purchase_orders" t
   where search_grams("t"."tenant_id", order_text("t"."number", "t"."external_ref")) @> search_grams($::bigint, search_text(w.word))
   and order_text("t"."number", "t"."external_ref") like search_text(w.pattern)
   limit $)
  union all (

-- listPurchaseOrders [20]
        from (
         select n.id
         from "suppliers" n
         where search_grams("n"."tenant_id", partner_text("n"."title", "n"."email")) @> search_grams($::bigint, search_text(w.word))
         and search_text(n.title) like search_text(w.pattern)
         offset 0) n
        left join lateral (select r.id from "purchase_orders" r where r.tenant_id = $::bigint and "r"."supplier_id" = n.id offset 0) r on true
        limit $)) each
      limit $) looked) found
    where found.looked < $
    limit 1)
   -- Many have each word.
   union all (select array_fill(0::bigint, array[$::integer]))
   limit 1) few) ids
 limit $), few as materialized (select count(*) <= $ as few from recent)
select id
from (
 select r.id
 from (

-- listPurchaseOrders [21]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listPurchaseOrders 1
[1]
[2]
 select r.id
 [3]
 where true
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listPurchaseOrders 2
[1]
[2]
 select r.id
 from (
  select *
  from "purchase_orders" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  order by "r"."id" desc
  offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listPurchaseOrders 3
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listPurchaseOrders 4
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listPurchaseOrders 5
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listPurchaseOrders 6
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listPurchaseOrders 7
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listPurchaseOrders 8
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listPurchaseOrders 9
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."supplier_id" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listPurchaseOrders 10
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."supplier_id" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listPurchaseOrders 11
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."status" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listPurchaseOrders 12
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."status" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listPurchaseOrders 13
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."delivery_status" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listPurchaseOrders 14
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."delivery_status" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listPurchaseOrders 15
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   [6]
   where true
   [5]
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   order by "r"."id" asc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 [7]
  with recursive range as materialized (
   select (
    select week_of("r"."date")
    from "purchase_orders" r
    where r.tenant_id = $::bigint
    [8]
    limit 1) as first, (
    select week_of("r"."date")
    from "purchase_orders" r
    where r.tenant_id = $::bigint
    [9]
    limit 1) as last), weeks (week, ids) as (
   select first - 1, array[]::bigint[]
   from range
   union all
   [10]
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week + 1 else (select week_of("r"."date") from "purchase_orders" r where r.tenant_id = $::bigint and "r"."date" is not null and week_of("r"."date") > weeks.week order by week_of("r"."date") asc limit 1) end as week
    offset 0) next
   cross join lateral (
    select array(
     select r.id
     from (
      select *
      from "purchase_orders" r
      where r.tenant_id = $::bigint
      and "r"."date" is not null
      and week_of("r"."date") = next.week
      [11]
      offset 0) r
     where true
     [5]
     order by r.id asc
     limit $) as ids
    offset 0) added
   where next.week between first
   and last)
  select unnest(ids) as id
  from (select ids from weeks order by week desc limit 1) page) far
 where not (select enough from enough)) page
[4]
order by "d"."id" asc

-- listPurchaseOrders 16
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   [12]
   where true
   [5]
   order by "r"."id" desc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   order by "r"."id" desc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, min(id) as last from near) near)
 [7]
  with recursive range as materialized (
   select (
    select week_of("r"."date")
    from "purchase_orders" r
    where r.tenant_id = $::bigint
    [8]
    limit 1) as first, (
    select week_of("r"."date")
    from "purchase_orders" r
    where r.tenant_id = $::bigint
    [9]
    limit 1) as last), weeks (week, ids) as (
   select last + 1, array[]::bigint[]
   from range
   union all
   [13]
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week - 1 else (select week_of("r"."date") from "purchase_orders" r where r.tenant_id = $::bigint and "r"."date" is not null and week_of("r"."date") < weeks.week order by week_of("r"."date") desc limit 1) end as week
    offset 0) next
   cross join lateral (
    select array(
     select r.id
     from (
      select *
      from "purchase_orders" r
      where r.tenant_id = $::bigint
      and "r"."date" is not null
      and week_of("r"."date") = next.week
      [14]
      offset 0) r
     where true
     [5]
     order by r.id desc
     limit $) as ids
    offset 0) added
   where next.week between first
   and last)
  select unnest(ids) as id
  from (select ids from weeks order by week asc limit 1) page) far
 where not (select enough from enough)) page
[4]
order by "d"."id" desc

-- listPurchaseOrders 17
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   [6]
   where true
   [5]
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   order by "r"."id" asc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 [7]
  with recursive range as materialized (
   select (
    select week_of("r"."expected_date")
    from "purchase_orders" r
    where r.tenant_id = $::bigint
    [15]
    limit 1) as first, (
    select week_of("r"."expected_date")
    from "purchase_orders" r
    where r.tenant_id = $::bigint
    [16]
    limit 1) as last), weeks (week, ids) as (
   select first - 1, array[]::bigint[]
   from range
   union all
   [10]
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week + 1 else (
      select week_of("r"."expected_date")
      from "purchase_orders" r
      where r.tenant_id = $::bigint
      and "r"."expected_date" is not null
      and week_of("r"."expected_date") > weeks.week
      order by week_of("r"."expected_date") asc
      limit 1) end as week
    offset 0) next
   cross join lateral (
    select array(
     select r.id
     from (
      select *
      [17]
      [11]
      offset 0) r
     where true
     [5]
     order by r.id asc
     limit $) as ids
    offset 0) added
   where next.week between first
   and last)
  select unnest(ids) as id
  from (select ids from weeks order by week desc limit 1) page) far
 where not (select enough from enough)) page
[4]
order by "d"."id" asc

-- listPurchaseOrders 18
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   [12]
   where true
   [5]
   order by "r"."id" desc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   order by "r"."id" desc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, min(id) as last from near) near)
 [7]
  with recursive range as materialized (
   select (
    select week_of("r"."expected_date")
    from "purchase_orders" r
    where r.tenant_id = $::bigint
    [15]
    limit 1) as first, (
    select week_of("r"."expected_date")
    from "purchase_orders" r
    where r.tenant_id = $::bigint
    [16]
    limit 1) as last), weeks (week, ids) as (
   select last + 1, array[]::bigint[]
   from range
   union all
   [13]
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week - 1 else (
      select week_of("r"."expected_date")
      from "purchase_orders" r
      where r.tenant_id = $::bigint
      and "r"."expected_date" is not null
      and week_of("r"."expected_date") < weeks.week
      order by week_of("r"."expected_date") desc
      limit 1) end as week
    offset 0) next
   cross join lateral (
    select array(
     select r.id
     from (
      select *
      [17]
      [14]
      offset 0) r
     where true
     [5]
     order by r.id desc
     limit $) as ids
    offset 0) added
   where next.week between first
   and last)
  select unnest(ids) as id
  from (select ids from weeks order by week asc limit 1) page) far
 where not (select enough from enough)) page
[4]
order by "d"."id" desc

-- listPurchaseOrders 19
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   [6]
   where true
   [5]
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   order by "r"."id" asc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 [7]
  with recent as materialized (
   select id
   from (
    select unnest(ids) as id
    [18]
      cross join lateral (
       [19]
          select r.id
  [20]
    select r.*
    from (select id from (select id from recent where (select few from few)) among where id > $::bigint order by id asc offset 0) found
    cross join lateral (
     select r.*
     from "purchase_orders" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     [5]
     limit 1) r
    order by found.id asc
    limit $) r) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   [3]
   where true
   [5]
   order by "r"."id" asc
   limit $) many_ids
  where not (select few from few)) far
 where not (select enough from enough)) page
[4]
order by "d"."id" asc

-- listPurchaseOrders 20
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   [12]
   where true
   [5]
   order by "r"."id" desc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "purchase_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   order by "r"."id" desc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, min(id) as last from near) near)
 [7]
  with recent as materialized (
   select id
   from (
    select unnest(ids) as id
    [18]
      cross join lateral (
       [19]
          select r.id
  [20]
    select r.*
    from (select id from (select id from recent where (select few from few)) among where id < $::bigint order by id desc offset 0) found
    cross join lateral (
     select r.*
     from "purchase_orders" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     [5]
     limit 1) r
    order by found.id desc
    limit $) r) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   from (
    select *
    from "purchase_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" < $::bigint
    order by "r"."id" desc
    offset 0) r
   where true
   [5]
   order by "r"."id" desc
   limit $) many_ids
  where not (select few from few)) far
 where not (select enough from enough)) page
[4]
order by "d"."id" desc

-- listPurchaseOrders 21
[1]
[2]
 select r.id
 [3]
 where true
 [5]
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listPurchaseOrders 22
[1]
[2]
 select r.id
 from (
  select *
  from "purchase_orders" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  order by "r"."id" desc
  offset 0) r
 where true
 [5]
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listPurchaseOrders 23
[21]
[2]
 select r.id
 from (
  select *
  from "purchase_orders" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[4]
order by "d"."updated_at" asc, "d"."id" asc

-- listPurchaseOrders 24
[21]
[2]
 select r.id
 from (
  select *
  from "purchase_orders" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[4]
order by "d"."updated_at" desc, "d"."id" desc

-- listPurchaseReceipts [1]
select r.id::text as id, ('{"id":"' || "r"."id"::text || '","number":' || to_json("r"."number")::text ||
 ',"purchase_order_id":"' || "r"."purchase_order_id"::text || '","storage_place_id":"' || "r"."storage_place_id"::text || '","received_date":"' || iso("r"."received_date") || '","created_at":"' || iso("r"."created_at") || '","updated_at":"' || iso("r"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("r"."reversed_at") || '"'), 'null') ||
 ',"reversal_reason":' || coalesce((to_json("r"."reversal_reason")::text), 'null') ||
 ',"reversed_by_user_name":' || coalesce((to_json("r"."reversed_by_user_name")::text), 'null') ||
 ',"notes":' || coalesce((to_json("r"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("r"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "r"."metadata" = '{}' then '{}' else json_strip_nulls("r"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("r"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("r"."updated_by_user_name")::text), 'null') ||
 ',"total_amount":' || trim_scale("r"."total_amount")::text ||
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

-- listPurchaseReceipts [2]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end

-- listPurchaseReceipts 1
[1]
and r.id > $::bigint
[2]
order by "r"."id" asc
limit $

-- listPurchaseReceipts 2
select exists (select from purchase_orders where tenant_id = $::bigint and id = $::bigint) as found

-- listPurchaseReceipts 3
[1]
and r.id < $::bigint
[2]
order by "r"."id" desc
limit $

-- listRecipes [1]
 select ('{"id":"' || "d"."id"::text || '","item_id":"' || "d"."item_id"::text || '","item_variant_id":' || coalesce(('"' || "d"."item_variant_id"::text || '"'), 'null') ||
  ',"item_title":' || to_json("d item_id"."title")::text ||
  ',"item_variant_title":' || coalesce((to_json("d item_variant_id"."title")::text), 'null') ||
  ',"sku":' || coalesce((to_json("d item_variant_id"."sku")::text), 'null') ||
  ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
  ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
  ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
  ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
  ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","materials":' || ('[' || coalesce((
     select string_agg((
       select ('{"id":"' || "line"."id"::text || '","item_id":"' || "line item_variant_id"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line item_variant_id"."sku")::text), 'null') ||
        ',"title":' || to_json("line item_variant_id"."title")::text ||
        ',"quantity":' || trim_scale("line"."quantity")::text ||
        ',"notes":' || coalesce((to_json("line"."notes")::text), 'null') || '}')
       from (select) this
       left join lateral (select * from "item_variants" where tenant_id = "line"."tenant_id" and id = "line"."item_variant_id" limit 1) "line item_variant_id" on true), ','
      order by "line".id)
     from "recipe_materials" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."recipe_id" = "d"."id"), '') || ']') ||
  ',"operations":' || ('[' || coalesce((
     select string_agg((
       select ('{"id":"' || "line"."id"::text || '","operation_id":"' || "line"."operation_id"::text || '","operation_title":' || to_json("line operation_id"."title")::text ||
        ',"operation_type":' || coalesce(('"' || "line"."operation_type"::text || '"'), 'null') ||
        ',"position":' || "line"."position"::text ||
        ',"duration":' || trim_scale("line"."duration")::text ||
        ',"cost_per_hour":' || trim_scale("line"."cost_per_hour")::text ||
        ',"notes":' || coalesce((to_json("line"."notes")::text), 'null') || '}')
       from (select) this
       left join lateral (select * from "operations" where tenant_id = "line"."tenant_id" and id = "line"."operation_id" limit 1) "line operation_id" on true), ','
      order by "line".id)
     from "recipe_operations" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."recipe_id" = "d"."id"), '') || ']') || '}')
 from (select) this
 left join lateral (select * from "items" where tenant_id = "d"."tenant_id" and id = "d"."item_id" limit 1) "d item_id" on true
 left join lateral (select * from "item_variants" where tenant_id = "d"."tenant_id" and id = "d"."item_variant_id" limit 1) "d item_variant_id" on true)::text as document
from (
 select r.id

-- listRecipes [2]
 limit $) page
cross join lateral (select * from "recipes" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listRecipes [3]
from (select * from "recipes" r where r.tenant_id = $::bigint and "r"."id" = wanted.value and "r"."ctid" <> '(0,0)' offset 0) r

-- listRecipes [4]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."item_variant_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."item_id" = any ($::"int8"[]) end

-- listRecipes [5]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, (

-- listRecipes 1
select "d"."id"::text as id, (
[1]
 from (select * from "recipes" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listRecipes 2
select "d"."id"::text as id, (
[1]
 from (select * from "recipes" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r
 where true
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listRecipes 3
select "d"."id"::text as id, (
[1]
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  [3]
  where "r"."id" > $::bigint
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listRecipes 4
select "d"."id"::text as id, (
[1]
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  [3]
  where "r"."id" < $::bigint
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listRecipes 5
select "d"."id"::text as id, (
[1]
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "recipes" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listRecipes 6
select "d"."id"::text as id, (
[1]
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "recipes" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listRecipes 7
select "d"."id"::text as id, (
[1]
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "recipes" r
   where r.tenant_id = $::bigint
   and "r"."item_variant_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listRecipes 8
select "d"."id"::text as id, (
[1]
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "recipes" r
   where r.tenant_id = $::bigint
   and "r"."item_variant_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listRecipes 9
select "d"."id"::text as id, (
[1]
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "recipes" r
   where r.tenant_id = $::bigint
   and "r"."item_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listRecipes 10
select "d"."id"::text as id, (
[1]
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "recipes" r
   where r.tenant_id = $::bigint
   and "r"."item_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listRecipes 11
[5]
[1]
 from (
  select *
  from "recipes" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
[2]
order by "d"."updated_at" asc, "d"."id" asc

-- listRecipes 12
[5]
[1]
 from (
  select *
  from "recipes" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
[2]
order by "d"."updated_at" desc, "d"."id" desc

-- listRequests [1]
select id::text, request_id, key_id::text, user_name, method, path, idempotency_key, outcome, status::integer, error, message,
scope, first_sequence::text, last_sequence::text
from ((
  select r.id, r.request_id, r.key_id, r.user_name, r.method, r.path, r.idempotency_key, 'done' as outcome, r.status, null as error,
  null as message, null as scope, r.first_sequence, r.last_sequence
  from (
   select r.*

-- listRequests [2]
 limit $)
union all (
 select r.id, r.request_id, r.key_id, r.user_name, r.method, r.path, r.idempotency_key, 'refused' as outcome, r.status, r.error,
 r.message, r.scope, null, null

-- listRequests [3]
where request_number(r.request_id) = request_number($)
and r.tenant_id = $::bigint
and starts_with(r.request_id, $)

-- listRequests 1
[1]
   from api_keys k
   cross join lateral (
    select *
    from commands r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'done') = 'done'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id asc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::bigint[] is null or k.id = any ($::bigint[]))) r
  order by r.id asc
 [2]
  from (
   select r.*
   from api_keys k
   cross join lateral (
    select *
    from refused_requests r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'refused') = 'refused'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id asc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::bigint[] is null or k.id = any ($::bigint[]))) r
  order by r.id asc
  limit $)) page
order by page.id asc
limit $

-- listRequests 2
[1]
   from api_keys k
   cross join lateral (
    select *
    from commands r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'done') = 'done'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id desc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::bigint[] is null or k.id = any ($::bigint[]))) r
  order by r.id desc
 [2]
  from (
   select r.*
   from api_keys k
   cross join lateral (
    select *
    from refused_requests r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'refused') = 'refused'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id desc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::bigint[] is null or k.id = any ($::bigint[]))) r
  order by r.id desc
  limit $)) page
order by page.id desc
limit $

-- listRequests 3
[1]
   from api_keys k
   cross join lateral (
    select *
    from commands r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'done') = 'done'
    and r.id = any ($::"int8"[])
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id asc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::bigint[] is null or k.id = any ($::bigint[]))) r
  order by r.id asc
 [2]
  from (
   select r.*
   from api_keys k
   cross join lateral (
    select *
    from refused_requests r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'refused') = 'refused'
    and r.id = any ($::"int8"[])
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id asc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::bigint[] is null or k.id = any ($::bigint[]))) r
  order by r.id asc
  limit $)) page
order by page.id asc
limit $

-- listRequests 4
[1]
   from api_keys k
   cross join lateral (
    select *
    from commands r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'done') = 'done'
    and r.id = any ($::"int8"[])
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id desc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::bigint[] is null or k.id = any ($::bigint[]))) r
  order by r.id desc
 [2]
  from (
   select r.*
   from api_keys k
   cross join lateral (
    select *
    from refused_requests r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'refused') = 'refused'
    and r.id = any ($::"int8"[])
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id desc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::bigint[] is null or k.id = any ($::bigint[]))) r
  order by r.id desc
  limit $)) page
order by page.id desc
limit $

-- listRequests 5
[1]
   from api_keys k
   cross join lateral (
    select *
    from commands r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'done') = 'done'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id asc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::"int8"[]::bigint[] is null or k.id = any ($::"int8"[]::bigint[]))) r
  order by r.id asc
 [2]
  from (
   select r.*
   from api_keys k
   cross join lateral (
    select *
    from refused_requests r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'refused') = 'refused'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id asc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::"int8"[]::bigint[] is null or k.id = any ($::"int8"[]::bigint[]))) r
  order by r.id asc
  limit $)) page
order by page.id asc
limit $

-- listRequests 6
[1]
   from api_keys k
   cross join lateral (
    select *
    from commands r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'done') = 'done'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id desc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::"int8"[]::bigint[] is null or k.id = any ($::"int8"[]::bigint[]))) r
  order by r.id desc
 [2]
  from (
   select r.*
   from api_keys k
   cross join lateral (
    select *
    from refused_requests r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'refused') = 'refused'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id desc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::"int8"[]::bigint[] is null or k.id = any ($::"int8"[]::bigint[]))) r
  order by r.id desc
  limit $)) page
order by page.id desc
limit $

-- listRequests 7
[1]
   from (
    select *
    from commands r
    [3]
    and ($::bigint[] is null or r.key_id = any ($::bigint[]))
    and ($::text is null or r.idempotency_key = $::text)
    and coalesce($::text, 'done') = 'done'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id asc
    limit $) r) r
  order by r.id asc
 [2]
  from (
   select r.*
   from (
    select *
    from refused_requests r
    [3]
    and ($::bigint[] is null or r.key_id = any ($::bigint[]))
    and ($::text is null or r.idempotency_key = $::text)
    and coalesce($::text, 'refused') = 'refused'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id asc
    limit $) r) r
  order by r.id asc
  limit $)) page
order by page.id asc
limit $

-- listRequests 8
[1]
   from (
    select *
    from commands r
    [3]
    and ($::bigint[] is null or r.key_id = any ($::bigint[]))
    and ($::text is null or r.idempotency_key = $::text)
    and coalesce($::text, 'done') = 'done'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id desc
    limit $) r) r
  order by r.id desc
 [2]
  from (
   select r.*
   from (
    select *
    from refused_requests r
    [3]
    and ($::bigint[] is null or r.key_id = any ($::bigint[]))
    and ($::text is null or r.idempotency_key = $::text)
    and coalesce($::text, 'refused') = 'refused'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id desc
    limit $) r) r
  order by r.id desc
  limit $)) page
order by page.id desc
limit $

-- listRequests 9
[1]
   from (
    select *
    from commands r
    where r.tenant_id = $::bigint
    and r.idempotency_key = $
    and ($::bigint[] is null or r.key_id = any ($::bigint[]))
    and coalesce($::text, 'done') = 'done'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id asc
    limit $) r) r
  order by r.id asc
 [2]
  from (
   select r.*
   from (
    select *
    from refused_requests r
    where r.tenant_id = $::bigint
    and r.idempotency_key = $
    and ($::bigint[] is null or r.key_id = any ($::bigint[]))
    and coalesce($::text, 'refused') = 'refused'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id asc
    limit $) r) r
  order by r.id asc
  limit $)) page
order by page.id asc
limit $

-- listRequests 10
[1]
   from (
    select *
    from commands r
    where r.tenant_id = $::bigint
    and r.idempotency_key = $
    and ($::bigint[] is null or r.key_id = any ($::bigint[]))
    and coalesce($::text, 'done') = 'done'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id desc
    limit $) r) r
  order by r.id desc
 [2]
  from (
   select r.*
   from (
    select *
    from refused_requests r
    where r.tenant_id = $::bigint
    and r.idempotency_key = $
    and ($::bigint[] is null or r.key_id = any ($::bigint[]))
    and coalesce($::text, 'refused') = 'refused'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id desc
    limit $) r) r
  order by r.id desc
  limit $)) page
order by page.id desc
limit $

-- listReservations [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listReservations [2]
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
      ',"quantity":' || trim_scale("line"."quantity")::text || '}'), ','
     order by "line".id)
    from "reservation_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."reservation_id" = "d"."id"), '') || ']') || '}')::text as document
from (

-- listReservations [3]
cross join lateral (select * from "reservations" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listReservations [4]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else (

-- listReservations [5]
and case when $::"int8"[] is null then true else "i"."item_variant_id" = any ($::"int8"[]) end
order by i.id

-- listReservations [6]
  limit 1) is not null end
and case when $::"int8"[] is null then true else "r"."customer_id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."status" = any ($::"text"[]) end

-- listReservations [7]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listReservations [8]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."expires_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."expires_at" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listReservations [9]
with recursive range as materialized (
 select (
  select week_of("r"."expires_at")
  from "reservations" r

-- listReservations [10]
and "r"."expires_at" is not null
and week_of("r"."expires_at") >= $::integer
order by week_of("r"."expires_at") asc
limit 1) as first, (
select week_of("r"."expires_at")
from "reservations" r
where r.tenant_id = $::bigint
and "r"."expires_at" is not null
and week_of("r"."expires_at") <= $::integer
order by week_of("r"."expires_at") desc
limit 1) as last), weeks (week, ids) as (

-- listReservations [11]
select week_of("r"."expires_at")
from "reservations" r
where r.tenant_id = $::bigint
and "r"."expires_at" is not null

-- listReservations [12]
from "reservations" r
where r.tenant_id = $::bigint
and "r"."expires_at" is not null
and week_of("r"."expires_at") = next.week

-- listReservations [13]
where true
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else (

-- listReservations [14]
   limit $) as ids
  offset 0) added
 where next.week between first
 and last)
select unnest(ids) as id

-- listReservations [15]
with created as materialized (
 select case when $::timestamptz is null then 0 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "reservations" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "reservations" where tenant_id = $::bigint order by id desc limit 1), 1)

-- listReservations [16]
 select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
 from search
 left join lateral (
  select id, created_at < $::timestamptz as is_earlier
  from "reservations"
  where tenant_id = $::bigint
  and id >= low + (high - low) / 2
  order by id
  limit 1) middle on true
 where high - low > 1)
select min(high)
from search) end as low, case when $::timestamptz is null then 9223372036854775807 else (
with recursive search (low, high) as (
 select coalesce((select id - 1 from "reservations" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "reservations" where tenant_id = $::bigint order by id desc limit 1), 1)

-- listReservations [17]
 select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
 from search
 left join lateral (
  select id, created_at < $::timestamptz as is_earlier
  from "reservations"
  where tenant_id = $::bigint
  and id >= low + (high - low) / 2
  order by id
  limit 1) middle on true
 where high - low > 1)
select min(high)
from search) end as high)

-- listReservations [18]
and "r"."id" >= (select low from created)
and "r"."id" < (select high from created)

-- listReservations [19]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listReservations 1
[1]
[2]
 select r.id
 from (select * from "reservations" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listReservations 2
[1]
[2]
 select r.id
 from (select * from "reservations" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listReservations 3
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
    select i.id
    from reservation_items i
    where i.tenant_id = $::bigint
    and i.reservation_id = r.id
    [5]
  [6]
  [7]
  [8]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listReservations 4
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
    select i.id
    from reservation_items i
    where i.tenant_id = $::bigint
    and i.reservation_id = r.id
    [5]
  [6]
  [7]
  [8]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listReservations 5
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
    select i.id
    from reservation_items i
    where i.tenant_id = $::bigint
    and i.reservation_id = r.id
    [5]
  [6]
  [7]
  [8]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listReservations 6
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
    select i.id
    from reservation_items i
    where i.tenant_id = $::bigint
    and i.reservation_id = r.id
    [5]
  [6]
  [7]
  [8]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listReservations 7
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
    select i.id
    from reservation_items i
    where i.tenant_id = $::bigint
    and i.reservation_id = r.id
    [5]
  [6]
  [7]
  [8]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listReservations 8
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
    select i.id
    from reservation_items i
    where i.tenant_id = $::bigint
    and i.reservation_id = r.id
    [5]
  [6]
  [7]
  [8]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listReservations 9
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select id
   from (
    select r.reservation_id as id
    from reservation_items r
    where r.tenant_id = $::bigint
    and "r"."item_variant_id" = wanted.value
    and r.id = (
     select i.id
     from reservation_items i
     where i.tenant_id = $::bigint
     and i.reservation_id = r.reservation_id
     [5]
     limit 1)) among
   where id > $::bigint
   order by id asc
   offset 0) found
  cross join lateral (
   select r.*
   from "reservations" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [4]
     select i.id
     from reservation_items i
     where i.tenant_id = $::bigint
     and i.reservation_id = r.id
     [5]
   [6]
   [7]
   [8]
   limit 1) r
  order by found.id asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listReservations 10
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select id
   from (
    select r.reservation_id as id
    from reservation_items r
    where r.tenant_id = $::bigint
    and "r"."item_variant_id" = wanted.value
    and r.id = (
     select i.id
     from reservation_items i
     where i.tenant_id = $::bigint
     and i.reservation_id = r.reservation_id
     [5]
     limit 1)) among
   where id < $::bigint
   order by id desc
   offset 0) found
  cross join lateral (
   select r.*
   from "reservations" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [4]
     select i.id
     from reservation_items i
     where i.tenant_id = $::bigint
     and i.reservation_id = r.id
     [5]
   [6]
   [7]
   [8]
   limit 1) r
  order by found.id desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listReservations 11
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."customer_id" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
    select i.id
    from reservation_items i
    where i.tenant_id = $::bigint
    and i.reservation_id = r.id
    [5]
  [6]
  [7]
  [8]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listReservations 12
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."customer_id" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
    select i.id
    from reservation_items i
    where i.tenant_id = $::bigint
    and i.reservation_id = r.id
    [5]
  [6]
  [7]
  [8]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listReservations 13
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."status" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
    select i.id
    from reservation_items i
    where i.tenant_id = $::bigint
    and i.reservation_id = r.id
    [5]
  [6]
  [7]
  [8]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listReservations 14
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."status" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
    select i.id
    from reservation_items i
    where i.tenant_id = $::bigint
    and i.reservation_id = r.id
    [5]
  [6]
  [7]
  [8]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listReservations 15
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "reservations" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc limit $) r
   where true
   [4]
     select i.id
     from reservation_items i
     where i.tenant_id = $::bigint
     and i.reservation_id = r.id
     [5]
   [6]
   [7]
   [8]
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   order by "r"."id" asc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  [9]
    where r.tenant_id = $::bigint
    [10]
   select first - 1, array[]::bigint[]
   from range
   union all
   select next.week, case when added.ids = '{}' then weeks.ids else array(select id from unnest(weeks.ids || added.ids) ids (id) order by id asc limit $) end
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week + 1 else (
      [11]
      and week_of("r"."expires_at") > weeks.week
      order by week_of("r"."expires_at") asc
      limit 1) end as week
    offset 0) next
   cross join lateral (
    select array(
     select r.id
     from (
      select *
      [12]
      and r.id > $::bigint
      and r.id < coalesce(weeks.ids[$::integer], $::bigint)
      order by r.id asc
      offset 0) r
     [13]
       select i.id
       from reservation_items i
       where i.tenant_id = $::bigint
       and i.reservation_id = r.id
       [5]
     [6]
     [7]
     [8]
     order by r.id asc
  [14]
  from (select ids from weeks order by week desc limit 1) page) far
 where not (select enough from enough)) page
[3]
order by "d"."id" asc

-- listReservations 16
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "reservations" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc limit $) r
   where true
   [4]
     select i.id
     from reservation_items i
     where i.tenant_id = $::bigint
     and i.reservation_id = r.id
     [5]
   [6]
   [7]
   [8]
   order by "r"."id" desc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   order by "r"."id" desc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, min(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  [9]
    where r.tenant_id = $::bigint
    [10]
   select last + 1, array[]::bigint[]
   from range
   union all
   select next.week, case when added.ids = '{}' then weeks.ids else array(select id from unnest(weeks.ids || added.ids) ids (id) order by id desc limit $) end
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week - 1 else (
      [11]
      and week_of("r"."expires_at") < weeks.week
      order by week_of("r"."expires_at") desc
      limit 1) end as week
    offset 0) next
   cross join lateral (
    select array(
     select r.id
     from (
      select *
      [12]
      and r.id < $::bigint
      and r.id > coalesce(weeks.ids[$::integer], $::bigint)
      order by r.id desc
      offset 0) r
     [13]
       select i.id
       from reservation_items i
       where i.tenant_id = $::bigint
       and i.reservation_id = r.id
       [5]
     [6]
     [7]
     [8]
     order by r.id desc
  [14]
  from (select ids from weeks order by week asc limit 1) page) far
 where not (select enough from enough)) page
[3]
order by "d"."id" desc

-- listReservations 17
[1]
[2]
 [15]
     union all
    [16]
     union all
    [17]
 select id
 from (
  select r.id
  from (
   select *
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."ctid" <> '(0,0)'
   [7]
   [18]
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
    select i.id
    from reservation_items i
    where i.tenant_id = $::bigint
    and i.reservation_id = r.id
    [5]
  [6]
  [7]
  [8]
  order by "r"."id" asc
  limit $) found) page
[3]
order by "d"."id" asc

-- listReservations 18
[1]
[2]
 [15]
     union all
    [16]
     union all
    [17]
 select id
 from (
  select r.id
  from (
   select *
   from "reservations" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."ctid" <> '(0,0)'
   [7]
   [18]
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
    select i.id
    from reservation_items i
    where i.tenant_id = $::bigint
    and i.reservation_id = r.id
    [5]
  [6]
  [7]
  [8]
  order by "r"."id" desc
  limit $) found) page
[3]
order by "d"."id" desc

-- listReservations 19
[19]
[2]
 select r.id
 from (
  select *
  from "reservations" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listReservations 20
[19]
[2]
 select r.id
 from (
  select *
  from "reservations" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[3]
order by "d"."updated_at" desc, "d"."id" desc

-- listSalesOrders [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listSalesOrders [2]
 ',"status":"' || "d"."status"::text || '","delivery_status":"' || "d"."delivery_status"::text || '","currency":' || to_json("d"."currency")::text ||
 ',"priority":' || "d"."priority"::text ||
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
     ',"line_1":' || coalesce(("d"."shipping_address" -> 'line_1')::text, 'null') ||
     ',"line_2":' || coalesce(("d"."shipping_address" -> 'line_2')::text, 'null') ||
     ',"city":' || coalesce(("d"."shipping_address" -> 'city')::text, 'null') ||
     ',"region":' || coalesce(("d"."shipping_address" -> 'region')::text, 'null') ||
     ',"zip":' || coalesce(("d"."shipping_address" -> 'zip')::text, 'null') ||
     ',"country_code":' || coalesce(("d"."shipping_address" -> 'country_code')::text, 'null') ||
     ',"phone":' || coalesce(("d"."shipping_address" -> 'phone')::text, 'null') || '}') end), 'null') ||
 ',"billing_address":' || coalesce((case when "d"."billing_address" is not null then ('{"name":' || coalesce(("d"."billing_address" -> 'name')::text, 'null') ||
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
    select string_agg(('{"id":"' || "line"."id"::text || '","item_id":"' || "line"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"title":' || to_json("line"."title")::text ||
      ',"storage_place_id":' || coalesce(('"' || "line"."storage_place_id"::text || '"'), 'null') ||
      ',"quantity":' || trim_scale("line"."quantity")::text ||
      ',"price":' || trim_scale("line"."price")::text ||
      ',"discount_percent":' || trim_scale("line"."discount_percent")::text ||
      ',"tax_rate":' || trim_scale("line"."tax_rate")::text ||
      ',"line_amount":' || trim_scale("line"."line_amount")::text ||
      ',"line_tax_amount":' || trim_scale("line"."line_tax_amount")::text ||
      ',"line_amount_with_tax":' || trim_scale("line"."line_amount" + "line"."line_tax_amount")::text ||
      ',"packed_quantity":' || trim_scale("line"."packed_quantity")::text ||
      ',"shipped_quantity":' || trim_scale("line"."shipped_quantity")::text || '}'), ','
     order by "line".id)
    from "sales_order_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."sales_order_id" = "d"."id"), '') || ']') ||
 ',"charges":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","title":' || to_json("line"."title")::text ||
      ',"amount":' || trim_scale("line"."amount")::text ||
      ',"tax_rate":' || trim_scale("line"."tax_rate")::text ||
      ',"tax_amount":' || trim_scale("line"."tax_amount")::text ||
      ',"amount_with_tax":' || trim_scale("line"."amount" + "line"."tax_amount")::text || '}'), ','
     order by "line".id)
    from "sales_order_charges" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."sales_order_id" = "d"."id"), '') || ']') || '}')::text as document
from (

-- listSalesOrders [3]
cross join lateral (select * from "sales_orders" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listSalesOrders [4]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."customer_id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."status" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."delivery_status" = any ($::"text"[]) end
and case when $::text is null then true else concat(order_text("r"."number", "r"."external_ref"), chr(10), (select search_text(title) from "customers" where tenant_id = r.tenant_id and id = "r"."customer_id" limit 1)) like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end

-- listSalesOrders [5]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listSalesOrders [6]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."delivery_date" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."delivery_date" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listSalesOrders [7]
with created as materialized (
 select case when $::timestamptz is null then 0 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "sales_orders" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "sales_orders" where tenant_id = $::bigint order by id desc limit 1), 1)

-- listSalesOrders [8]
 select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
 from search
 left join lateral (
  select id, created_at < $::timestamptz as is_earlier
  from "sales_orders"
  where tenant_id = $::bigint
  and id >= low + (high - low) / 2
  order by id
  limit 1) middle on true
 where high - low > 1)
select min(high)
from search) end as low, case when $::timestamptz is null then 9223372036854775807 else (
with recursive search (low, high) as (
 select coalesce((select id - 1 from "sales_orders" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "sales_orders" where tenant_id = $::bigint order by id desc limit 1), 1)

-- listSalesOrders [9]
 select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
 from search
 left join lateral (
  select id, created_at < $::timestamptz as is_earlier
  from "sales_orders"
  where tenant_id = $::bigint
  and id >= low + (high - low) / 2
  order by id
  limit 1) middle on true
 where high - low > 1)
select min(high)
from search) end as high)

-- listSalesOrders [10]
and "r"."id" >= (select low from created)
and "r"."id" < (select high from created)

-- listSalesOrders [11]
with recursive range as materialized (
 select (
  select week_of("r"."delivery_date")

-- listSalesOrders [12]
and "r"."delivery_date" is not null
and week_of("r"."delivery_date") >= $::integer
order by week_of("r"."delivery_date") asc
limit 1) as first, (
select week_of("r"."delivery_date")

-- listSalesOrders [13]
and "r"."delivery_date" is not null
and week_of("r"."delivery_date") <= $::integer
order by week_of("r"."delivery_date") desc
limit 1) as last), weeks (week, ids) as (

-- listSalesOrders [14]
select next.week, case when added.ids = '{}' then weeks.ids else array(select id from unnest(weeks.ids || added.ids) ids (id) order by id asc limit $) end

-- listSalesOrders [15]
and week_of("r"."delivery_date") > weeks.week
order by week_of("r"."delivery_date") asc

-- listSalesOrders [16]
and "r"."delivery_date" is not null
and week_of("r"."delivery_date") = next.week

-- listSalesOrders [17]
from ((
  select found.ids
  from unnest($::"text"[], $::"text"[]) w (word, pattern)

-- listSalesOrders [18]
select array_agg(distinct id) filter (where id is not null) as ids, count(*) as looked

-- listSalesOrders [19]
from ((
  select t.id
  from "sales_orders" t
  where search_grams("t"."tenant_id", order_text("t"."number", "t"."external_ref")) @> search_grams($::bigint, search_text(w.word))
  and order_text("t"."number", "t"."external_ref") like search_text(w.pattern)
  limit $)
 union all (

-- listSalesOrders [20]
      select n.id
      from "customers" n
      where search_grams("n"."tenant_id", partner_text("n"."title", "n"."email")) @> search_grams($::bigint, search_text(w.word))
      and search_text(n.title) like search_text(w.pattern)
      offset 0) n
     left join lateral (select r.id from "sales_orders" r where r.tenant_id = $::bigint and "r"."customer_id" = n.id offset 0) r on true
     limit $)) each
   limit $) looked) found
 where found.looked < $
 limit 1)
-- Many have each word.
union all (select array_fill(0::bigint, array[$::integer]))
limit 1) few) ids

-- listSalesOrders [21]
from (select id from (select id from recent where (select few from few)) among where id > $::bigint order by id asc offset 0) found

-- listSalesOrders [22]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listSalesOrders [23]
cross join lateral (select r.id from "sales_orders" r where r.tenant_id = $::bigint and "r"."customer_id" = wanted.value limit $) r

-- listSalesOrders [24]
cross join lateral (select * from "sales_orders" r where r.tenant_id = $::bigint and "r"."customer_id" = wanted.value offset 0) r

-- listSalesOrders [25]
and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
order by "r"."updated_at" asc, "r"."id" asc

-- listSalesOrders [26]
cross join lateral (select r.id from "sales_orders" r where r.tenant_id = $::bigint and "r"."status" = wanted.value limit $) r

-- listSalesOrders [27]
cross join lateral (select * from "sales_orders" r where r.tenant_id = $::bigint and "r"."status" = wanted.value offset 0) r

-- listSalesOrders [28]
cross join lateral (select r.id from "sales_orders" r where r.tenant_id = $::bigint and "r"."delivery_status" = wanted.value limit $) r

-- listSalesOrders [29]
cross join lateral (select * from "sales_orders" r where r.tenant_id = $::bigint and "r"."delivery_status" = wanted.value offset 0) r

-- listSalesOrders 1
[1]
[2]
 select r.id
 from (select * from "sales_orders" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSalesOrders 2
[1]
[2]
 select r.id
 from (select * from "sales_orders" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSalesOrders 3
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSalesOrders 4
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSalesOrders 5
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSalesOrders 6
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSalesOrders 7
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSalesOrders 8
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSalesOrders 9
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."customer_id" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSalesOrders 10
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."customer_id" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSalesOrders 11
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."status" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSalesOrders 12
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."status" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSalesOrders 13
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."delivery_status" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSalesOrders 14
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."delivery_status" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSalesOrders 15
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  select r.id
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [10]
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" asc
  limit $) found) page
[3]
order by "d"."id" asc

-- listSalesOrders 16
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  select r.id
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [10]
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  [6]
  order by "r"."id" desc
  limit $) found) page
[3]
order by "d"."id" desc

-- listSalesOrders 17
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "sales_orders" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc limit $) r
   where true
   [4]
   [5]
   [6]
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   order by "r"."id" asc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  [11]
    from "sales_orders" r
    where r.tenant_id = $::bigint
    [12]
    from "sales_orders" r
    where r.tenant_id = $::bigint
    [13]
   select first - 1, array[]::bigint[]
   from range
   union all
   [14]
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week + 1 else (
      select week_of("r"."delivery_date")
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and "r"."delivery_date" is not null
      [15]
      limit 1) end as week
    offset 0) next
   cross join lateral (
    select array(
     select r.id
     from (
      select *
      from "sales_orders" r
      where r.tenant_id = $::bigint
      [16]
      and r.id > $::bigint
      and r.id < coalesce(weeks.ids[$::integer], $::bigint)
      order by r.id asc
      offset 0) r
     where true
     [4]
     [5]
     [6]
     order by r.id asc
     limit $) as ids
    offset 0) added
   where next.week between first
   and last)
  select unnest(ids) as id
  from (select ids from weeks order by week desc limit 1) page) far
 where not (select enough from enough)) page
[3]
order by "d"."id" asc

-- listSalesOrders 18
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "sales_orders" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc limit $) r
   where true
   [4]
   [5]
   [6]
   order by "r"."id" desc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   order by "r"."id" desc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, min(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  [11]
    from "sales_orders" r
    where r.tenant_id = $::bigint
    [12]
    from "sales_orders" r
    where r.tenant_id = $::bigint
    [13]
   select last + 1, array[]::bigint[]
   from range
   union all
   select next.week, case when added.ids = '{}' then weeks.ids else array(select id from unnest(weeks.ids || added.ids) ids (id) order by id desc limit $) end
   from weeks
   cross join range
   cross join lateral (
    select case when last - first < $ then weeks.week - 1 else (
      select week_of("r"."delivery_date")
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and "r"."delivery_date" is not null
      and week_of("r"."delivery_date") < weeks.week
      order by week_of("r"."delivery_date") desc
      limit 1) end as week
    offset 0) next
   cross join lateral (
    select array(
     select r.id
     from (
      select *
      from "sales_orders" r
      where r.tenant_id = $::bigint
      [16]
      and r.id < $::bigint
      and r.id > coalesce(weeks.ids[$::integer], $::bigint)
      order by r.id desc
      offset 0) r
     where true
     [4]
     [5]
     [6]
     order by r.id desc
     limit $) as ids
    offset 0) added
   where next.week between first
   and last)
  select unnest(ids) as id
  from (select ids from weeks order by week asc limit 1) page) far
 where not (select enough from enough)) page
[3]
order by "d"."id" desc

-- listSalesOrders 19
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  with near as materialized (
   select id
   from (
    select r.id
    from (
     select *
     from "sales_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."ctid" <> '(0,0)'
     [5]
     [10]
     order by "r"."id" asc
     limit $) r
    where true
    [4]
    [5]
    [6]
    order by "r"."id" asc
    limit $) near), enough as materialized (
   select near.rows = $
   or (
    select r.id
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and "r"."ctid" <> '(0,0)'
    [5]
    [10]
    order by "r"."id" asc
    limit 1
    offset $) is null as enough
   from (select count(*) as rows, max(id) as last from near) near)
  select id
  from near
  where (select enough from enough)
  union all
  select id
  from (
   with recent as materialized (
    select id
    from (
     select unnest(ids) as id
     [17]
       cross join lateral (
        [18]
        from (
         select id
         [19]
           select r.id
           from (
      [20]
    limit $), few as materialized (select count(*) <= $ as few from recent)
   select id
   from (
    select r.id
    from (
     select r.*
     [21]
     cross join lateral (
      select r.*
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and r.id = found.id
      and "r"."ctid" <> '(0,0)'
      [4]
      [5]
      [6]
      limit 1) r
     order by found.id asc
     limit $) r) few_ids
   where (select few from few)
   union all
   select id
   from (
    select r.id
    from (
     select *
     from "sales_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."ctid" <> '(0,0)'
     [5]
     [10]
     order by "r"."id" asc
     offset 0) r
    where true
    [4]
    [5]
    [6]
    order by "r"."id" asc
    limit $) many_ids
   where not (select few from few)) far
  where not (select enough from enough)) found) page
[3]
order by "d"."id" asc

-- listSalesOrders 20
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  with near as materialized (
   select id
   from (
    select r.id
    from (
     select *
     from "sales_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" < $::bigint
     and "r"."ctid" <> '(0,0)'
     [5]
     [10]
     order by "r"."id" desc
     limit $) r
    where true
    [4]
    [5]
    [6]
    order by "r"."id" desc
    limit $) near), enough as materialized (
   select near.rows = $
   or (
    select r.id
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" < $::bigint
    and "r"."ctid" <> '(0,0)'
    [5]
    [10]
    order by "r"."id" desc
    limit 1
    offset $) is null as enough
   from (select count(*) as rows, min(id) as last from near) near)
  select id
  from near
  where (select enough from enough)
  union all
  select id
  from (
   with recent as materialized (
    select id
    from (
     select unnest(ids) as id
     [17]
       cross join lateral (
        [18]
        from (
         select id
         [19]
           select r.id
           from (
      [20]
    limit $), few as materialized (select count(*) <= $ as few from recent)
   select id
   from (
    select r.id
    from (
     select r.*
     from (select id from (select id from recent where (select few from few)) among where id < $::bigint order by id desc offset 0) found
     cross join lateral (
      select r.*
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and r.id = found.id
      and "r"."ctid" <> '(0,0)'
      [4]
      [5]
      [6]
      limit 1) r
     order by found.id desc
     limit $) r) few_ids
   where (select few from few)
   union all
   select id
   from (
    select r.id
    from (
     select *
     from "sales_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" < $::bigint
     and "r"."ctid" <> '(0,0)'
     [5]
     [10]
     order by "r"."id" desc
     offset 0) r
    where true
    [4]
    [5]
    [6]
    order by "r"."id" desc
    limit $) many_ids
   where not (select few from few)) far
  where not (select enough from enough)) found) page
[3]
order by "d"."id" desc

-- listSalesOrders 21
[22]
[2]
 select r.id
 from (
  select *
  from "sales_orders" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listSalesOrders 22
[22]
[2]
 select r.id
 from (
  select *
  from "sales_orders" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[3]
order by "d"."updated_at" desc, "d"."id" desc

-- listSalesOrders 23
[22]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  [4]
  [5]
  [6]
  order by "r"."updated_at" asc, "r"."id" asc
  limit $) r
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listSalesOrders 24
[22]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  [4]
  [5]
  [6]
  order by "r"."updated_at" asc, "r"."id" asc
  limit $) r
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listSalesOrders 25
[22]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_orders" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  [4]
  [5]
  [6]
  order by "r"."updated_at" asc, "r"."id" asc
  limit $) r
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listSalesOrders 26
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  select r.id
  from unnest($::"int8"[]) wanted (value)
  cross join lateral (
   select r.id
   from (
    select *
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and "r"."customer_id" = wanted.value
    and "r"."ctid" <> '(0,0)'
    [5]
    [10]
    order by "r"."id" asc
    offset 0) r
   where true
   [4]
   [5]
   [6]
   order by "r"."id" asc
   limit $) r
  order by "r"."id" asc
  limit $) found) page
[3]
order by "d"."id" asc

-- listSalesOrders 27
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from unnest($::"int8"[]) wanted (value)
   cross join lateral (
    select r.id
    from (
     select *
     from "sales_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."customer_id" = wanted.value
     order by "r"."id" asc
     limit $) r
    where true
    [4]
    [5]
    [6]
    order by "r"."id" asc
    limit $) r
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  and cardinality($::"int8"[]) = 1
  or (
   select true
   from unnest($::"int8"[]) wanted (value)
   cross join lateral (
    select r.id
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and "r"."customer_id" = wanted.value
    order by "r"."id" asc
    limit 1
    offset $) r
   where near.rows < $
   or r.id < near.last
   limit 1) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  with recent as materialized (
   select r.id
   from unnest($::"int8"[]) wanted (value)
   [23]
   limit $), few as materialized (select count(*) <= $ as few from recent)
  select id
  from (
   select r.id
   from unnest($::"int8"[]) wanted (value)
   [24]
   where (select few from few)
   and "r"."id" > $::bigint
   [4]
   [5]
   [6]
   order by "r"."id" asc
   limit $) few_ids
  where (select few from few)
  union all
  select id
  from (
   [11]
     from "sales_orders" r
     where r.tenant_id = $::bigint
     [12]
     from "sales_orders" r
     where r.tenant_id = $::bigint
     [13]
    select first - 1, array[]::bigint[]
    from range
    union all
    [14]
    from weeks
    cross join range
    cross join lateral (
     select case when last - first < $ then weeks.week + 1 else (
       select week_of("r"."delivery_date")
       from "sales_orders" r
       where r.tenant_id = $::bigint
       and "r"."delivery_date" is not null
       [15]
       limit 1) end as week
     offset 0) next
    cross join lateral (
     select array(
      select r.id
      from (
       select *
       from "sales_orders" r
       where r.tenant_id = $::bigint
       [16]
       and r.id > $::bigint
       and r.id < coalesce(weeks.ids[$::integer], $::bigint)
       order by r.id asc
       offset 0) r
      where true
      [4]
      [5]
      [6]
      order by r.id asc
      limit $) as ids
     offset 0) added
    where next.week between first
    and last)
   select unnest(ids) as id
   from (select ids from weeks order by week desc limit 1) page) many_ids
  where not (select few from few)) far
 where not (select enough from enough)) page
[3]
order by "d"."id" asc

-- listSalesOrders 28
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  with near as materialized (
   select id
   from (
    select r.id
    from unnest($::"int8"[]) wanted (value)
    cross join lateral (
     select r.id
     from (
      select *
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and "r"."id" > $::bigint
      and "r"."customer_id" = wanted.value
      and "r"."ctid" <> '(0,0)'
      [5]
      [10]
      order by "r"."id" asc
      limit $) r
     where true
     [4]
     [5]
     [6]
     order by "r"."id" asc
     limit $) r
    order by "r"."id" asc
    limit $) near), enough as materialized (
   select near.rows = $
   and cardinality($::"int8"[]) = 1
   or (
    select true
    from unnest($::"int8"[]) wanted (value)
    cross join lateral (
     select r.id
     from "sales_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."customer_id" = wanted.value
     and "r"."ctid" <> '(0,0)'
     [5]
     [10]
     order by "r"."id" asc
     limit 1
     offset $) r
    where near.rows < $
    or r.id < near.last
    limit 1) is null as enough
   from (select count(*) as rows, max(id) as last from near) near)
  select id
  from near
  where (select enough from enough)
  union all
  select id
  from (
   with recent as materialized (
    select id
    from (
     select unnest(ids) as id
     [17]
       cross join lateral (
        [18]
        from (
         select id
         [19]
           select r.id
           from (
      [20]
    limit $), few as materialized (select count(*) <= $ as few from recent)
   select id
   from (
    select r.id
    from (
     select r.*
     [21]
     cross join lateral (
      select r.*
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and r.id = found.id
      and "r"."ctid" <> '(0,0)'
      [4]
      [5]
      [6]
      limit 1) r
     order by found.id asc
     limit $) r) few_ids
   where (select few from few)
   union all
   select id
   from (
    select r.id
    from unnest($::"int8"[]) wanted (value)
    cross join lateral (
     select r.id
     from (
      select *
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and "r"."id" > $::bigint
      and "r"."customer_id" = wanted.value
      and "r"."ctid" <> '(0,0)'
      [5]
      [10]
      order by "r"."id" asc
      offset 0) r
     where true
     [4]
     [5]
     [6]
     order by "r"."id" asc
     limit $) r
    order by "r"."id" asc
    limit $) many_ids
   where not (select few from few)) far
  where not (select enough from enough)) found) page
[3]
order by "d"."id" asc

-- listSalesOrders 29
[22]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (
    select *
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
    order by "r"."updated_at" asc, "r"."id" asc
    limit $) r
   where true
   [4]
   [5]
   [6]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "sales_orders" r
   where r.tenant_id = $::bigint
   [25]
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  with recent as materialized (
   select r.id
   from unnest($::"int8"[]) wanted (value)
   [23]
   limit $), few as materialized (select count(*) <= $ as few from recent)
  select id
  from (
   select r.id
   from unnest($::"int8"[]) wanted (value)
   [24]
   where (select few from few)
   and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
   [4]
   [5]
   [6]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   from (
    select *
    from "sales_orders" r
    where r.tenant_id = $::bigint
    [25]
    offset 0) r
   where true
   [4]
   [5]
   [6]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) many_ids
  where not (select few from few)) far
 where not (select enough from enough)) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listSalesOrders 30
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  select r.id
  from unnest($::"text"[]) wanted (value)
  cross join lateral (
   select r.id
   from (
    select *
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and "r"."status" = wanted.value
    and "r"."ctid" <> '(0,0)'
    [5]
    [10]
    order by "r"."id" asc
    offset 0) r
   where true
   [4]
   [5]
   [6]
   order by "r"."id" asc
   limit $) r
  order by "r"."id" asc
  limit $) found) page
[3]
order by "d"."id" asc

-- listSalesOrders 31
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from unnest($::"text"[]) wanted (value)
   cross join lateral (
    select r.id
    from (
     select *
     from "sales_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."status" = wanted.value
     order by "r"."id" asc
     limit $) r
    where true
    [4]
    [5]
    [6]
    order by "r"."id" asc
    limit $) r
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  and cardinality($::"text"[]) = 1
  or (
   select true
   from unnest($::"text"[]) wanted (value)
   cross join lateral (
    select r.id
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and "r"."status" = wanted.value
    order by "r"."id" asc
    limit 1
    offset $) r
   where near.rows < $
   or r.id < near.last
   limit 1) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  with recent as materialized (
   select r.id
   from unnest($::"text"[]) wanted (value)
   [26]
   limit $), few as materialized (select count(*) <= $ as few from recent)
  select id
  from (
   select r.id
   from unnest($::"text"[]) wanted (value)
   [27]
   where (select few from few)
   and "r"."id" > $::bigint
   [4]
   [5]
   [6]
   order by "r"."id" asc
   limit $) few_ids
  where (select few from few)
  union all
  select id
  from (
   [11]
     from "sales_orders" r
     where r.tenant_id = $::bigint
     [12]
     from "sales_orders" r
     where r.tenant_id = $::bigint
     [13]
    select first - 1, array[]::bigint[]
    from range
    union all
    [14]
    from weeks
    cross join range
    cross join lateral (
     select case when last - first < $ then weeks.week + 1 else (
       select week_of("r"."delivery_date")
       from "sales_orders" r
       where r.tenant_id = $::bigint
       and "r"."delivery_date" is not null
       [15]
       limit 1) end as week
     offset 0) next
    cross join lateral (
     select array(
      select r.id
      from (
       select *
       from "sales_orders" r
       where r.tenant_id = $::bigint
       [16]
       and r.id > $::bigint
       and r.id < coalesce(weeks.ids[$::integer], $::bigint)
       order by r.id asc
       offset 0) r
      where true
      [4]
      [5]
      [6]
      order by r.id asc
      limit $) as ids
     offset 0) added
    where next.week between first
    and last)
   select unnest(ids) as id
   from (select ids from weeks order by week desc limit 1) page) many_ids
  where not (select few from few)) far
 where not (select enough from enough)) page
[3]
order by "d"."id" asc

-- listSalesOrders 32
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  with near as materialized (
   select id
   from (
    select r.id
    from unnest($::"text"[]) wanted (value)
    cross join lateral (
     select r.id
     from (
      select *
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and "r"."id" > $::bigint
      and "r"."status" = wanted.value
      and "r"."ctid" <> '(0,0)'
      [5]
      [10]
      order by "r"."id" asc
      limit $) r
     where true
     [4]
     [5]
     [6]
     order by "r"."id" asc
     limit $) r
    order by "r"."id" asc
    limit $) near), enough as materialized (
   select near.rows = $
   and cardinality($::"text"[]) = 1
   or (
    select true
    from unnest($::"text"[]) wanted (value)
    cross join lateral (
     select r.id
     from "sales_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."status" = wanted.value
     and "r"."ctid" <> '(0,0)'
     [5]
     [10]
     order by "r"."id" asc
     limit 1
     offset $) r
    where near.rows < $
    or r.id < near.last
    limit 1) is null as enough
   from (select count(*) as rows, max(id) as last from near) near)
  select id
  from near
  where (select enough from enough)
  union all
  select id
  from (
   with recent as materialized (
    select id
    from (
     select unnest(ids) as id
     [17]
       cross join lateral (
        [18]
        from (
         select id
         [19]
           select r.id
           from (
      [20]
    limit $), few as materialized (select count(*) <= $ as few from recent)
   select id
   from (
    select r.id
    from (
     select r.*
     [21]
     cross join lateral (
      select r.*
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and r.id = found.id
      and "r"."ctid" <> '(0,0)'
      [4]
      [5]
      [6]
      limit 1) r
     order by found.id asc
     limit $) r) few_ids
   where (select few from few)
   union all
   select id
   from (
    select r.id
    from unnest($::"text"[]) wanted (value)
    cross join lateral (
     select r.id
     from (
      select *
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and "r"."id" > $::bigint
      and "r"."status" = wanted.value
      and "r"."ctid" <> '(0,0)'
      [5]
      [10]
      order by "r"."id" asc
      offset 0) r
     where true
     [4]
     [5]
     [6]
     order by "r"."id" asc
     limit $) r
    order by "r"."id" asc
    limit $) many_ids
   where not (select few from few)) far
  where not (select enough from enough)) found) page
[3]
order by "d"."id" asc

-- listSalesOrders 33
[22]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (
    select *
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
    order by "r"."updated_at" asc, "r"."id" asc
    limit $) r
   where true
   [4]
   [5]
   [6]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "sales_orders" r
   where r.tenant_id = $::bigint
   [25]
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  with recent as materialized (
   select r.id
   from unnest($::"text"[]) wanted (value)
   [26]
   limit $), few as materialized (select count(*) <= $ as few from recent)
  select id
  from (
   select r.id
   from unnest($::"text"[]) wanted (value)
   [27]
   where (select few from few)
   and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
   [4]
   [5]
   [6]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   from (
    select *
    from "sales_orders" r
    where r.tenant_id = $::bigint
    [25]
    offset 0) r
   where true
   [4]
   [5]
   [6]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) many_ids
  where not (select few from few)) far
 where not (select enough from enough)) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listSalesOrders 34
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  select r.id
  from unnest($::"text"[]) wanted (value)
  cross join lateral (
   select r.id
   from (
    select *
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and "r"."delivery_status" = wanted.value
    and "r"."ctid" <> '(0,0)'
    [5]
    [10]
    order by "r"."id" asc
    offset 0) r
   where true
   [4]
   [5]
   [6]
   order by "r"."id" asc
   limit $) r
  order by "r"."id" asc
  limit $) found) page
[3]
order by "d"."id" asc

-- listSalesOrders 35
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from unnest($::"text"[]) wanted (value)
   cross join lateral (
    select r.id
    from (
     select *
     from "sales_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."delivery_status" = wanted.value
     order by "r"."id" asc
     limit $) r
    where true
    [4]
    [5]
    [6]
    order by "r"."id" asc
    limit $) r
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  and cardinality($::"text"[]) = 1
  or (
   select true
   from unnest($::"text"[]) wanted (value)
   cross join lateral (
    select r.id
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and "r"."delivery_status" = wanted.value
    order by "r"."id" asc
    limit 1
    offset $) r
   where near.rows < $
   or r.id < near.last
   limit 1) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  with recent as materialized (
   select r.id
   from unnest($::"text"[]) wanted (value)
   [28]
   limit $), few as materialized (select count(*) <= $ as few from recent)
  select id
  from (
   select r.id
   from unnest($::"text"[]) wanted (value)
   [29]
   where (select few from few)
   and "r"."id" > $::bigint
   [4]
   [5]
   [6]
   order by "r"."id" asc
   limit $) few_ids
  where (select few from few)
  union all
  select id
  from (
   [11]
     from "sales_orders" r
     where r.tenant_id = $::bigint
     [12]
     from "sales_orders" r
     where r.tenant_id = $::bigint
     [13]
    select first - 1, array[]::bigint[]
    from range
    union all
    [14]
    from weeks
    cross join range
    cross join lateral (
     select case when last - first < $ then weeks.week + 1 else (
       select week_of("r"."delivery_date")
       from "sales_orders" r
       where r.tenant_id = $::bigint
       and "r"."delivery_date" is not null
       [15]
       limit 1) end as week
     offset 0) next
    cross join lateral (
     select array(
      select r.id
      from (
       select *
       from "sales_orders" r
       where r.tenant_id = $::bigint
       [16]
       and r.id > $::bigint
       and r.id < coalesce(weeks.ids[$::integer], $::bigint)
       order by r.id asc
       offset 0) r
      where true
      [4]
      [5]
      [6]
      order by r.id asc
      limit $) as ids
     offset 0) added
    where next.week between first
    and last)
   select unnest(ids) as id
   from (select ids from weeks order by week desc limit 1) page) many_ids
  where not (select few from few)) far
 where not (select enough from enough)) page
[3]
order by "d"."id" asc

-- listSalesOrders 36
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  with near as materialized (
   select id
   from (
    select r.id
    from unnest($::"text"[]) wanted (value)
    cross join lateral (
     select r.id
     from (
      select *
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and "r"."id" > $::bigint
      and "r"."delivery_status" = wanted.value
      and "r"."ctid" <> '(0,0)'
      [5]
      [10]
      order by "r"."id" asc
      limit $) r
     where true
     [4]
     [5]
     [6]
     order by "r"."id" asc
     limit $) r
    order by "r"."id" asc
    limit $) near), enough as materialized (
   select near.rows = $
   and cardinality($::"text"[]) = 1
   or (
    select true
    from unnest($::"text"[]) wanted (value)
    cross join lateral (
     select r.id
     from "sales_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."delivery_status" = wanted.value
     and "r"."ctid" <> '(0,0)'
     [5]
     [10]
     order by "r"."id" asc
     limit 1
     offset $) r
    where near.rows < $
    or r.id < near.last
    limit 1) is null as enough
   from (select count(*) as rows, max(id) as last from near) near)
  select id
  from near
  where (select enough from enough)
  union all
  select id
  from (
   with recent as materialized (
    select id
    from (
     select unnest(ids) as id
     [17]
       cross join lateral (
        [18]
        from (
         select id
         [19]
           select r.id
           from (
      [20]
    limit $), few as materialized (select count(*) <= $ as few from recent)
   select id
   from (
    select r.id
    from (
     select r.*
     [21]
     cross join lateral (
      select r.*
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and r.id = found.id
      and "r"."ctid" <> '(0,0)'
      [4]
      [5]
      [6]
      limit 1) r
     order by found.id asc
     limit $) r) few_ids
   where (select few from few)
   union all
   select id
   from (
    select r.id
    from unnest($::"text"[]) wanted (value)
    cross join lateral (
     select r.id
     from (
      select *
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and "r"."id" > $::bigint
      and "r"."delivery_status" = wanted.value
      and "r"."ctid" <> '(0,0)'
      [5]
      [10]
      order by "r"."id" asc
      offset 0) r
     where true
     [4]
     [5]
     [6]
     order by "r"."id" asc
     limit $) r
    order by "r"."id" asc
    limit $) many_ids
   where not (select few from few)) far
  where not (select enough from enough)) found) page
[3]
order by "d"."id" asc

-- listSalesOrders 37
[22]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (
    select *
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
    order by "r"."updated_at" asc, "r"."id" asc
    limit $) r
   where true
   [4]
   [5]
   [6]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "sales_orders" r
   where r.tenant_id = $::bigint
   [25]
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  with recent as materialized (
   select r.id
   from unnest($::"text"[]) wanted (value)
   [28]
   limit $), few as materialized (select count(*) <= $ as few from recent)
  select id
  from (
   select r.id
   from unnest($::"text"[]) wanted (value)
   [29]
   where (select few from few)
   and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
   [4]
   [5]
   [6]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   from (
    select *
    from "sales_orders" r
    where r.tenant_id = $::bigint
    [25]
    offset 0) r
   where true
   [4]
   [5]
   [6]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) many_ids
  where not (select few from few)) far
 where not (select enough from enough)) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listSalesOrders 38
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  with near as materialized (
   select id
   from (
    select r.id
    from (
     select *
     from "sales_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."ctid" <> '(0,0)'
     [5]
     [10]
     order by "r"."id" asc
     limit $) r
    where true
    [4]
    [5]
    [6]
    order by "r"."id" asc
    limit $) near), enough as materialized (
   select near.rows = $
   or (
    select r.id
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and "r"."ctid" <> '(0,0)'
    [5]
    [10]
    order by "r"."id" asc
    limit 1
    offset $) is null as enough
   from (select count(*) as rows, max(id) as last from near) near)
  select id
  from near
  where (select enough from enough)
  union all
  select id
  from (
   [11]
     from "sales_orders" r
     where r.tenant_id = $::bigint
     [12]
     from "sales_orders" r
     where r.tenant_id = $::bigint
     [13]
    select first - 1, array[]::bigint[]
    from range
    union all
    [14]
    from weeks
    cross join range
    cross join lateral (
     select case when last - first < $ then weeks.week + 1 else (
       select week_of("r"."delivery_date")
       from "sales_orders" r
       where r.tenant_id = $::bigint
       and "r"."delivery_date" is not null
       [15]
       limit 1) end as week
     offset 0) next
    cross join lateral (
     select array(
      select r.id
      from (
       select *
       from "sales_orders" r
       where r.tenant_id = $::bigint
       [16]
       and r.id > $::bigint
       and r.id < coalesce(weeks.ids[$::integer], $::bigint)
       and "r"."ctid" <> '(0,0)'
       [5]
       [10]
       order by r.id asc
       offset 0) r
      where true
      [4]
      [5]
      [6]
      order by r.id asc
      limit $) as ids
     offset 0) added
    where next.week between first
    and last)
   select unnest(ids) as id
   from (select ids from weeks order by week desc limit 1) page) far
  where not (select enough from enough)) found) page
[3]
order by "d"."id" asc

-- listSalesOrders 39
[22]
[2]
 select r.id
 from (
  select *
  from "sales_orders" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 [4]
 [5]
 [6]
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listSalesOrders 40
[1]
[2]
 [7]
     union all
    [8]
     union all
    [9]
 select id
 from (
  with near as materialized (
   select id
   from (
    select r.id
    from (
     select *
     from "sales_orders" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."ctid" <> '(0,0)'
     [5]
     [10]
     order by "r"."id" asc
     limit $) r
    where true
    [4]
    [5]
    [6]
    order by "r"."id" asc
    limit $) near), enough as materialized (
   select near.rows = $
   or (
    select r.id
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and "r"."ctid" <> '(0,0)'
    [5]
    [10]
    order by "r"."id" asc
    limit 1
    offset $) is null as enough
   from (select count(*) as rows, max(id) as last from near) near)
  select id
  from near
  where (select enough from enough)
  union all
  select id
  from (
   with recent as materialized (
    select id
    from (
     select unnest(ids) as id
     [17]
       cross join lateral (
        [18]
        from (
         select id
         [19]
           select r.id
           from (
      [20]
    limit $), few as materialized (select count(*) <= $ as few from recent)
   select id
   from (
    select r.id
    from (
     select r.*
     [21]
     cross join lateral (
      select r.*
      from "sales_orders" r
      where r.tenant_id = $::bigint
      and r.id = found.id
      and "r"."ctid" <> '(0,0)'
      [4]
      [5]
      [6]
      limit 1) r
     order by found.id asc
     limit $) r) few_ids
   where (select few from few)
   union all
   select id
   from (
    [11]
      from "sales_orders" r
      where r.tenant_id = $::bigint
      [12]
      from "sales_orders" r
      where r.tenant_id = $::bigint
      [13]
     select first - 1, array[]::bigint[]
     from range
     union all
     [14]
     from weeks
     cross join range
     cross join lateral (
      select case when last - first < $ then weeks.week + 1 else (
        select week_of("r"."delivery_date")
        from "sales_orders" r
        where r.tenant_id = $::bigint
        and "r"."delivery_date" is not null
        [15]
        limit 1) end as week
      offset 0) next
     cross join lateral (
      select array(
       select r.id
       from (
        select *
        from "sales_orders" r
        where r.tenant_id = $::bigint
        [16]
        and r.id > $::bigint
        and r.id < coalesce(weeks.ids[$::integer], $::bigint)
        and "r"."ctid" <> '(0,0)'
        [5]
        [10]
        order by r.id asc
        offset 0) r
       where true
       [4]
       [5]
       [6]
       order by r.id asc
       limit $) as ids
      offset 0) added
     where next.week between first
     and last)
    select unnest(ids) as id
    from (select ids from weeks order by week desc limit 1) page) many_ids
   where not (select few from few)) far
  where not (select enough from enough)) found) page
[3]
order by "d"."id" asc

-- listSalesOrders 41
[22]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (
    select *
    from "sales_orders" r
    where r.tenant_id = $::bigint
    and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
    order by "r"."updated_at" asc, "r"."id" asc
    limit $) r
   where true
   [4]
   [5]
   [6]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "sales_orders" r
   where r.tenant_id = $::bigint
   [25]
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  with recent as materialized (
   select id
   from (
    select unnest(ids) as id
    [17]
      cross join lateral (
       [18]
       from (
        select id
        [19]
          select r.id
          from (
     [20]
   limit $), few as materialized (select count(*) <= $ as few from recent)
  select id
  from (
   select r.id
   from (
    select r.*
    from (select id from (select id from recent where (select few from few)) among offset 0) found
    cross join lateral (
     select r.*
     from "sales_orders" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
     [4]
     [5]
     [6]
     limit 1) r
    order by "r"."updated_at" asc, "r"."id" asc
    limit $) r) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   from (
    select *
    from "sales_orders" r
    where r.tenant_id = $::bigint
    [25]
    offset 0) r
   where true
   [4]
   [5]
   [6]
   order by "r"."updated_at" asc, "r"."id" asc
   limit $) many_ids
  where not (select few from few)) far
 where not (select enough from enough)) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listSalesReturns [1]
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
   ',"refund_amount":' || trim_scale("d"."refund_amount")::text || '}') ||
  ',"items":' || ('[' || coalesce((
     select string_agg(('{"id":"' || "line"."id"::text || '","sales_order_item_id":"' || "line"."sales_order_item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') ||
       ',"storage_place_id":' || coalesce(('"' || "line"."storage_place_id"::text || '"'), 'null') ||
       ',"sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
       ',"title":' || to_json("line"."title")::text ||
       ',"reason":' || coalesce((to_json("line"."reason")::text), 'null') ||
       ',"reason_note":' || coalesce((to_json("line"."reason_note")::text), 'null') ||
       ',"reason_id":' || coalesce(("line"."reason_id"::text), 'null') ||
       ',"quantity":' || trim_scale("line"."quantity")::text ||
       ',"unit_price":' || trim_scale("line"."unit_price")::text ||
       ',"quarantine":' || "line"."quarantine"::text || '}'), ','
      order by "line".id)
     from "sales_return_items" "line"
     where "line".tenant_id = "d"."tenant_id"
     and "line"."sales_return_id" = "d"."id"), '') || ']') || '}')
 from (select) this
 left join lateral (select * from "sales_orders" where tenant_id = "d"."tenant_id" and id = "d"."sales_order_id" limit 1) "d sales_order_id" on true)::text as document
from (

-- listSalesReturns [2]
cross join lateral (select * from "sales_returns" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listSalesReturns [3]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."sales_order_id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_return_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."customer_id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."status" = any ($::"text"[]) end
and case when $::text is null then true else concat(order_text("r"."number", "r"."external_ref"), chr(10), (select search_text(title) from "customers" where tenant_id = r.tenant_id and id = "r"."customer_id" limit 1)) like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end

-- listSalesReturns [4]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listSalesReturns [5]
with created as materialized (
 select case when $::timestamptz is null then 0 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "sales_returns" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "sales_returns" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "sales_returns"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as low, case when $::timestamptz is null then 9223372036854775807 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "sales_returns" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "sales_returns" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "sales_returns"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as high)
select id

-- listSalesReturns [6]
and "r"."id" >= (select low from created)
and "r"."id" < (select high from created)

-- listSalesReturns [7]
and "r"."ctid" <> '(0,0)'
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end
and "r"."id" >= (select low from created)
and "r"."id" < (select high from created)

-- listSalesReturns [8]
select id
from near
where (select enough from enough)
union all
select id
from (
 with recent as materialized (
  select id
  from (
   select unnest(ids) as id
   from ((
     select found.ids
     from unnest($::"text"[], $::"text"[]) w (word, pattern)

-- listSalesReturns [9]
     select array_agg(distinct id) filter (where id is not null) as ids, count(*) as looked
     from (
      select id
      from ((
        select t.id
        from "sales_returns" t
        where search_grams("t"."tenant_id", order_text("t"."number", "t"."external_ref")) @> search_grams($::bigint, search_text(w.word))
        and order_text("t"."number", "t"."external_ref") like search_text(w.pattern)
        limit $)
       union all (
        select r.id
        from (
         select n.id
         from "customers" n
         where search_grams("n"."tenant_id", partner_text("n"."title", "n"."email")) @> search_grams($::bigint, search_text(w.word))
         and search_text(n.title) like search_text(w.pattern)
         offset 0) n
        left join lateral (select r.id from "sales_returns" r where r.tenant_id = $::bigint and "r"."customer_id" = n.id offset 0) r on true
        limit $)) each
      limit $) looked) found
    where found.looked < $
    limit 1)
   -- Many have each word.
   union all (select array_fill(0::bigint, array[$::integer]))
   limit 1) few) ids
 limit $), few as materialized (select count(*) <= $ as few from recent)
select id
from (
 select r.id
 from (

-- listSalesReturns [10]
cross join lateral (
 select r.*
 from "sales_returns" r
 where r.tenant_id = $::bigint
 and r.id = found.id
 and "r"."ctid" <> '(0,0)'
 and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
 and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
 and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
 and case when $::"int8"[] is null then true else "r"."sales_order_id" = any ($::"int8"[]) end
 and case when $::"text"[] is null then true else "r"."external_return_ref" = any ($::"text"[]) end
 and case when $::"int8"[] is null then true else "r"."customer_id" = any ($::"int8"[]) end
 and case when $::"text"[] is null then true else "r"."status" = any ($::"text"[]) end
 and case when $::text is null then true else concat(order_text("r"."number", "r"."external_ref"), chr(10), (select search_text(title) from "customers" where tenant_id = r.tenant_id and id = "r"."customer_id" limit 1)) like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end
 and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end
 limit 1) r

-- listSalesReturns [11]
  limit $) r) few_ids
where (select few from few)
union all
select id
from (
 select r.id
 from (
  select *
  from "sales_returns" r
  where r.tenant_id = $::bigint

-- listSalesReturns [12]
where true
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."sales_order_id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_return_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."customer_id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."status" = any ($::"text"[]) end
and case when $::text is null then true else concat(order_text("r"."number", "r"."external_ref"), chr(10), (select search_text(title) from "customers" where tenant_id = r.tenant_id and id = "r"."customer_id" limit 1)) like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listSalesReturns [13]
  limit $) many_ids
 where not (select few from few)) far
where not (select enough from enough)) found) page

-- listSalesReturns [14]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, (

-- listSalesReturns 1
select "d"."id"::text as id, (
[1]
 select r.id
 from (select * from "sales_returns" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listSalesReturns 2
select "d"."id"::text as id, (
[1]
 select r.id
 from (select * from "sales_returns" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listSalesReturns 3
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listSalesReturns 4
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listSalesReturns 5
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listSalesReturns 6
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listSalesReturns 7
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listSalesReturns 8
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listSalesReturns 9
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."sales_order_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listSalesReturns 10
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."sales_order_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listSalesReturns 11
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."external_return_ref" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listSalesReturns 12
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."external_return_ref" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listSalesReturns 13
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."customer_id" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [3]
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listSalesReturns 14
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."customer_id" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [3]
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listSalesReturns 15
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."status" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [3]
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listSalesReturns 16
select "d"."id"::text as id, (
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."status" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [3]
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listSalesReturns 17
select "d"."id"::text as id, (
[1]
 [5]
 from (
  select r.id
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."ctid" <> '(0,0)'
   [4]
   [6]
   order by "r"."id" asc
   offset 0) r
  where true
  [3]
  [4]
  order by "r"."id" asc
  limit $) found) page
[2]
order by "d"."id" asc

-- listSalesReturns 18
select "d"."id"::text as id, (
[1]
 [5]
 from (
  select r.id
  from (
   select *
   from "sales_returns" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."ctid" <> '(0,0)'
   [4]
   [6]
   order by "r"."id" desc
   offset 0) r
  where true
  [3]
  [4]
  order by "r"."id" desc
  limit $) found) page
[2]
order by "d"."id" desc

-- listSalesReturns 19
select "d"."id"::text as id, (
[1]
 [5]
 from (
  with near as materialized (
   select id
   from (
    select r.id
    from (
     select *
     from "sales_returns" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."ctid" <> '(0,0)'
     [4]
     [6]
     order by "r"."id" asc
     limit $) r
    where true
    [3]
    [4]
    order by "r"."id" asc
    limit $) near), enough as materialized (
   select near.rows = $
   or (
    select r.id
    from "sales_returns" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    [7]
    order by "r"."id" asc
    limit 1
    offset $) is null as enough
   from (select count(*) as rows, max(id) as last from near) near)
  [8]
       cross join lateral (
   [9]
     select r.*
     from (select id from (select id from recent where (select few from few)) among where id > $::bigint order by id asc offset 0) found
     [10]
     order by found.id asc
   [11]
     and "r"."id" > $::bigint
     [7]
     order by "r"."id" asc
     offset 0) r
    [12]
    order by "r"."id" asc
  [13]
[2]
order by "d"."id" asc

-- listSalesReturns 20
select "d"."id"::text as id, (
[1]
 [5]
 from (
  with near as materialized (
   select id
   from (
    select r.id
    from (
     select *
     from "sales_returns" r
     where r.tenant_id = $::bigint
     and "r"."id" < $::bigint
     and "r"."ctid" <> '(0,0)'
     [4]
     [6]
     order by "r"."id" desc
     limit $) r
    where true
    [3]
    [4]
    order by "r"."id" desc
    limit $) near), enough as materialized (
   select near.rows = $
   or (
    select r.id
    from "sales_returns" r
    where r.tenant_id = $::bigint
    and "r"."id" < $::bigint
    [7]
    order by "r"."id" desc
    limit 1
    offset $) is null as enough
   from (select count(*) as rows, min(id) as last from near) near)
  [8]
       cross join lateral (
   [9]
     select r.*
     from (select id from (select id from recent where (select few from few)) among where id < $::bigint order by id desc offset 0) found
     [10]
     order by found.id desc
   [11]
     and "r"."id" < $::bigint
     [7]
     order by "r"."id" desc
     offset 0) r
    [12]
    order by "r"."id" desc
  [13]
[2]
order by "d"."id" desc

-- listSalesReturns 21
[14]
[1]
 select r.id
 from (
  select *
  from "sales_returns" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[2]
order by "d"."updated_at" asc, "d"."id" asc

-- listSalesReturns 22
[14]
[1]
 select r.id
 from (
  select *
  from "sales_returns" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[2]
order by "d"."updated_at" desc, "d"."id" desc

-- listShipments [1]
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
     select string_agg(('{"id":"' || "line"."id"::text || '","sales_order_item_id":"' || "line"."sales_order_item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","quantity":' || trim_scale("line"."quantity")::text ||
       ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') || '}'), ','
      order by "line".id)
     from "sales_shipment_items" "line"
     where "line".tenant_id = "h"."tenant_id"
     and "line"."sales_shipment_id" = "h"."id"), '') || ']') || '}') as document
 from "sales_shipments" h
 where h.tenant_id = $::bigint
 and h.sales_order_id = $::bigint

-- listShipments [2]
and case when $::"int8"[] is null then true else "h"."id" = any ($::"int8"[]) end

-- listShipments 1
[1]
 and h.id > $::bigint
 [2]
 order by "h"."id" asc
 limit $) h on true
order by "h"."id" asc

-- listShipments 2
[1]
 and h.id < $::bigint
 [2]
 order by "h"."id" desc
 limit $) h on true
order by "h"."id" desc

-- listShortages [1]
select l.tenant_id, l.item_variant_id, l.place_key, b.quantity, b.quarantine_quantity, l.reserved_quantity, l.expected_quantity,

-- listShortages [2]
and r.quantity - r.quarantine_quantity - r.reserved_quantity + r.expected_quantity < 0

-- listShortages [3]
where b.quantity - b.quarantine_quantity - l.reserved_quantity + l.expected_quantity < 0

-- listShortages [4]
select p.item_variant_id || '_' || p.place_key as id, ('{"item_id":"' || (v.item_id)::text || '","item_variant_id":"' || (p.item_variant_id)::text || '","sku":' || coalesce((to_json((v.sku))::text), 'null') ||
 ',"title":' || to_json((v.title))::text ||
 ',"storage_place_id":' || coalesce(('"' || (nullif(p.place_key, 0))::text || '"'), 'null') ||
 ',"quantity":' || trim_scale((p.quantity))::text ||
 ',"quarantine_quantity":' || trim_scale((p.quarantine_quantity))::text ||
 ',"reserved_quantity":' || trim_scale((p.reserved_quantity))::text ||
 ',"expected_quantity":' || trim_scale((p.expected_quantity))::text ||
 ',"available_quantity":' || trim_scale((p.quantity - p.quarantine_quantity - p.reserved_quantity))::text ||
 ',"projected_quantity":' || trim_scale((p.quantity - p.quarantine_quantity - p.reserved_quantity + p.expected_quantity))::text ||
 ',"minimum_stock":' || coalesce((trim_scale((v.minimum_stock))::text), 'null') ||
 ',"short_quantity":' || trim_scale((p.bound - (p.quantity - p.quarantine_quantity - p.reserved_quantity + p.expected_quantity)))::text ||
 ',"demand":' || ('[' || coalesce((
    select string_agg(('{"source_type":"' || (e.source_type)::text || '","source_id":"' || (e.source_id)::text || '","number":' || to_json((e.number))::text ||
      ',"quantity":' || trim_scale((e.quantity))::text ||
      ',"needed_by":' || coalesce(('"' || iso((e.due)) || '"'), 'null') || '}'), ','
     order by e.due, e.source_id)

-- listShortages [5]
select 'SALES_ORDER' as source_type, o.id as source_id, o.number, sum(l.quantity - l.shipped_quantity) as quantity, o.delivery_date as due

-- listShortages [6]
from sales_order_items
where tenant_id = p.tenant_id
and item_variant_id = p.item_variant_id
and is_open
and holds_stock
and quantity > shipped_quantity

-- listShortages [7]
 select id, number, delivery_date
 from sales_orders
 where tenant_id = l.tenant_id
 and id = l.sales_order_id
 and status = 'OPEN'
 limit 1) o
where coalesce(l.storage_place_id, 0) = p.place_key
group by o.id, o.number, o.delivery_date
union all
select 'RESERVATION', h.id, h.number, sum(l.quantity), null::timestamptz

-- listShortages [8]
from reservation_items
where tenant_id = p.tenant_id
and item_variant_id = p.item_variant_id
and is_open

-- listShortages [9]
cross join lateral (select id, number from reservations where tenant_id = l.tenant_id and id = l.reservation_id and status = 'HELD' limit 1) h
where coalesce(l.storage_place_id, 0) = p.place_key
group by h.id, h.number
union all
select 'MANUFACTURING_ORDER', o.id, o.number, sum(l.quantity), o.planned_start_date

-- listShortages [10]
from manufacturing_order_items
where tenant_id = p.tenant_id
and item_variant_id = p.item_variant_id
and is_open
and quantity > 0

-- listShortages [11]
     select id, number, planned_start_date
     from manufacturing_orders o
     where tenant_id = l.tenant_id
     and id = l.manufacturing_order_id
     and manufacturing_location_id = p.place_key
     and (o.status = 'NOT_STARTED' or o.status_before_block = 'NOT_STARTED')
     limit 1) o
    group by o.id, o.number, o.planned_start_date) e), '') || ']') ||
',"supply":' || ('[' || coalesce((
   select string_agg(('{"source_type":"' || (e.source_type)::text || '","source_id":"' || (e.source_id)::text || '","number":' || to_json((e.number))::text ||
     ',"quantity":' || trim_scale((e.quantity))::text ||
     ',"expected_by":' || coalesce(('"' || iso((e.due)) || '"'), 'null') || '}'), ','
    order by e.due, e.source_id)

-- listShortages [12]
select 'PURCHASE_ORDER' as source_type, o.id as source_id, o.number, sum(l.quantity - l.received_quantity) as quantity, min(coalesce(l.expected_date, o.expected_date)) as due

-- listShortages [13]
from purchase_order_items
where tenant_id = p.tenant_id
and item_variant_id = p.item_variant_id
and is_open
and holds_stock
and quantity > received_quantity

-- listShortages [14]
 select id, number, expected_date
 from purchase_orders
 where tenant_id = l.tenant_id
 and id = l.purchase_order_id
 and status = 'OPEN'
 and coalesce(expected_place_id, 0) = p.place_key
 limit 1) o
group by o.id, o.number
union all
select 'MANUFACTURING_ORDER', o.id, o.number, o.quantity - o.released_quantity, o.production_date

-- listShortages [15]
      from manufacturing_orders
      where tenant_id = p.tenant_id
      and item_variant_id = p.item_variant_id
      and completed_at is null
      and quantity > released_quantity
      offset 0) o
     where o.manufacturing_location_id = p.place_key) e), '') || ']') || '}') as document
from page p

-- listShortages [16]
select item_id, sku, title, minimum_stock
from item_variants
where tenant_id = p.tenant_id
and id = p.item_variant_id
limit 1) v

-- listShortages [17]
and r.place_key = (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0))

-- listShortages [18]
and r.quantity - r.quarantine_quantity - r.reserved_quantity + r.expected_quantity < r.minimum_stock

-- listShortages [19]
and place_key = (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0))

-- listShortages [20]
where b.quantity - b.quarantine_quantity - l.reserved_quantity + l.expected_quantity < l.minimum_stock

-- listShortages [21]
union all (
 select $::bigint, v.id, (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0)),
 coalesce(b.quantity, 0), coalesce(b.quarantine_quantity, 0), 0, 0, v.minimum_stock

-- listShortages [22]
 from stock_balances
 where tenant_id = $::bigint
 and item_variant_id = v.id
 and place_key = (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0))
 limit 1) b on true
where coalesce(b.quantity - b.quarantine_quantity, 0) < v.minimum_stock
and (b.item_variant_id is not null
 or (v.active and (select type <> 'SERVICE' from items where tenant_id = $::bigint and id = v.item_id limit 1)))

-- listShortages [23]
  limit $))
union all (
 select l.tenant_id, l.item_variant_id, l.place_key, b.quantity, b.quarantine_quantity, l.reserved_quantity, l.expected_quantity,

-- listShortages 1
with page as materialized (
 [1]
 0::numeric as bound
 from (
  select *
  from stock_levels r
  where r.tenant_id = $::bigint
  and r.batch_id is null
  [2]
  and (r.item_variant_id, r.place_key) > ($::bigint, $::bigint)
  order by r.item_variant_id asc, r.place_key asc
  offset 0) l
 cross join lateral (
  select *
  from stock_balances
  where tenant_id = l.tenant_id
  and item_variant_id = l.item_variant_id
  and place_key = l.place_key
  limit 1) b
 [3]
 order by l.item_variant_id asc, l.place_key asc
 limit $)
[4]
    from (
     [5]
     from (
      select *
      [6]
      offset 0) l
     cross join lateral (
     [7]
     from (
      select *
      [8]
      offset 0) l
     [9]
     from (
      select *
      [10]
      offset 0) l
     cross join lateral (
 [11]
    from (
     [12]
     from (
      select *
      [13]
      offset 0) l
     cross join lateral (
     [14]
     from (
      select *
[15]
cross join lateral (
 [16]
order by p.item_variant_id asc, p.place_key asc

-- listShortages 2
with page as materialized (
 [1]
 0::numeric as bound
 from (
  select *
  from stock_levels r
  where r.tenant_id = $::bigint
  and r.batch_id is null
  [2]
  and (r.item_variant_id, r.place_key) < ($::bigint, $::bigint)
  order by r.item_variant_id desc, r.place_key desc
  offset 0) l
 cross join lateral (
  select *
  from stock_balances
  where tenant_id = l.tenant_id
  and item_variant_id = l.item_variant_id
  and place_key = l.place_key
  limit 1) b
 [3]
 order by l.item_variant_id desc, l.place_key desc
 limit $)
[4]
    from (
     [5]
     from (
      select *
      [6]
      offset 0) l
     cross join lateral (
     [7]
     from (
      select *
      [8]
      offset 0) l
     [9]
     from (
      select *
      [10]
      offset 0) l
     cross join lateral (
 [11]
    from (
     [12]
     from (
      select *
      [13]
      offset 0) l
     cross join lateral (
     [14]
     from (
      select *
[15]
cross join lateral (
 [16]
order by p.item_variant_id desc, p.place_key desc

-- listShortages 3
with page as materialized (
 select r.*
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  [1]
  0::numeric as bound
  from (
   select *
   from stock_levels r
   where r.tenant_id = $::bigint
   and r.batch_id is null
   [2]
   and (r.item_variant_id, r.place_key) > ($::bigint, $::bigint)
   and "r"."item_variant_id" = wanted.value
   order by r.item_variant_id asc, r.place_key asc
   offset 0) l
  cross join lateral (
   select *
   from stock_balances
   where tenant_id = l.tenant_id
   and item_variant_id = l.item_variant_id
   and place_key = l.place_key
   limit 1) b
  [3]
  order by l.item_variant_id asc, l.place_key asc
  limit $) r
 order by r.item_variant_id asc, r.place_key asc
 limit $)
[4]
    from (
     [5]
     from (
      select *
      [6]
      offset 0) l
     cross join lateral (
     [7]
     from (
      select *
      [8]
      offset 0) l
     [9]
     from (
      select *
      [10]
      offset 0) l
     cross join lateral (
 [11]
    from (
     [12]
     from (
      select *
      [13]
      offset 0) l
     cross join lateral (
     [14]
     from (
      select *
[15]
cross join lateral (
 [16]
order by p.item_variant_id asc, p.place_key asc

-- listShortages 4
with page as materialized (
 select r.*
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  [1]
  0::numeric as bound
  from (
   select *
   from stock_levels r
   where r.tenant_id = $::bigint
   and r.batch_id is null
   [2]
   and (r.item_variant_id, r.place_key) < ($::bigint, $::bigint)
   and "r"."item_variant_id" = wanted.value
   order by r.item_variant_id desc, r.place_key desc
   offset 0) l
  cross join lateral (
   select *
   from stock_balances
   where tenant_id = l.tenant_id
   and item_variant_id = l.item_variant_id
   and place_key = l.place_key
   limit 1) b
  [3]
  order by l.item_variant_id desc, l.place_key desc
  limit $) r
 order by r.item_variant_id desc, r.place_key desc
 limit $)
[4]
    from (
     [5]
     from (
      select *
      [6]
      offset 0) l
     cross join lateral (
     [7]
     from (
      select *
      [8]
      offset 0) l
     [9]
     from (
      select *
      [10]
      offset 0) l
     cross join lateral (
 [11]
    from (
     [12]
     from (
      select *
      [13]
      offset 0) l
     cross join lateral (
     [14]
     from (
      select *
[15]
cross join lateral (
 [16]
order by p.item_variant_id desc, p.place_key desc

-- listShortages 5
with page as materialized (
 [1]
 0::numeric as bound
 from (
  select *
  from stock_levels r
  where r.tenant_id = $::bigint
  and r.batch_id is null
  [2]
  and (r.item_variant_id, r.place_key) > ($::bigint, $::bigint)
  and r.place_key = any (array_remove($::"int8"[], 0::bigint))
  order by r.item_variant_id asc, r.place_key asc
  offset 0) l
 cross join lateral (
  select *
  from stock_balances
  where tenant_id = l.tenant_id
  and item_variant_id = l.item_variant_id
  and place_key = l.place_key
  limit 1) b
 [3]
 order by l.item_variant_id asc, l.place_key asc
 limit $)
[4]
    from (
     [5]
     from (
      select *
      [6]
      offset 0) l
     cross join lateral (
     [7]
     from (
      select *
      [8]
      offset 0) l
     [9]
     from (
      select *
      [10]
      offset 0) l
     cross join lateral (
 [11]
    from (
     [12]
     from (
      select *
      [13]
      offset 0) l
     cross join lateral (
     [14]
     from (
      select *
[15]
cross join lateral (
 [16]
order by p.item_variant_id asc, p.place_key asc

-- listShortages 6
with page as materialized (
 [1]
 0::numeric as bound
 from (
  select *
  from stock_levels r
  where r.tenant_id = $::bigint
  and r.batch_id is null
  [2]
  and (r.item_variant_id, r.place_key) < ($::bigint, $::bigint)
  and r.place_key = any (array_remove($::"int8"[], 0::bigint))
  order by r.item_variant_id desc, r.place_key desc
  offset 0) l
 cross join lateral (
  select *
  from stock_balances
  where tenant_id = l.tenant_id
  and item_variant_id = l.item_variant_id
  and place_key = l.place_key
  limit 1) b
 [3]
 order by l.item_variant_id desc, l.place_key desc
 limit $)
[4]
    from (
     [5]
     from (
      select *
      [6]
      offset 0) l
     cross join lateral (
     [7]
     from (
      select *
      [8]
      offset 0) l
     [9]
     from (
      select *
      [10]
      offset 0) l
     cross join lateral (
 [11]
    from (
     [12]
     from (
      select *
      [13]
      offset 0) l
     cross join lateral (
     [14]
     from (
      select *
[15]
cross join lateral (
 [16]
order by p.item_variant_id desc, p.place_key desc

-- listShortages 7
with page as materialized (
 select distinct on (item_variant_id, place_key) *
 from (((
    [1]
    l.minimum_stock as bound
    from (
     select *
     from stock_levels r
     where r.tenant_id = $::bigint
     and ("r"."item_variant_id", (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0))) > ($::bigint, $::bigint)
     and "r"."item_variant_id" >= $::bigint
     [17]
     and r.batch_id is null
     [18]
     order by r.item_variant_id asc
     offset 0) l
    cross join lateral (
     select *
     from stock_balances
     where tenant_id = $::bigint
     and item_variant_id = l.item_variant_id
     [19]
     limit 1) b
    [20]
    order by l.item_variant_id asc
    limit $)
   [21]
    from (
     select *
     from item_variants r
     where r.tenant_id = $::bigint
     and ("r"."id", (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0))) > ($::bigint, $::bigint)
     and "r"."id" >= $::bigint
     and r.minimum_stock > 0
     and not r.has_main_entry
     order by r.id asc
     offset 0) v
    left join lateral (
     select *
    [22]
    order by v.id asc
  [23]
   0::numeric as bound
   from (
    select *
    from stock_levels r
    where r.tenant_id = $::bigint
    and r.batch_id is null
    [2]
    and (r.item_variant_id, r.place_key) > ($::bigint, $::bigint)
    order by r.item_variant_id asc, r.place_key asc
    offset 0) l
   cross join lateral (
    select *
    from stock_balances
    where tenant_id = l.tenant_id
    and item_variant_id = l.item_variant_id
    and place_key = l.place_key
    limit 1) b
   [3]
   order by l.item_variant_id asc, l.place_key asc
   limit $)) short
 order by item_variant_id asc, place_key asc, bound desc
 limit $)
[4]
    from (
     [5]
     from (
      select *
      [6]
      offset 0) l
     cross join lateral (
     [7]
     from (
      select *
      [8]
      offset 0) l
     [9]
     from (
      select *
      [10]
      offset 0) l
     cross join lateral (
 [11]
    from (
     [12]
     from (
      select *
      [13]
      offset 0) l
     cross join lateral (
     [14]
     from (
      select *
[15]
cross join lateral (
 [16]
order by p.item_variant_id asc, p.place_key asc

-- listShortages 8
with page as materialized (
 select distinct on (item_variant_id, place_key) *
 from (((
    [1]
    l.minimum_stock as bound
    from (
     select *
     from stock_levels r
     where r.tenant_id = $::bigint
     and ("r"."item_variant_id", (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0))) < ($::bigint, $::bigint)
     and "r"."item_variant_id" <= $::bigint
     [17]
     and r.batch_id is null
     [18]
     order by r.item_variant_id desc
     offset 0) l
    cross join lateral (
     select *
     from stock_balances
     where tenant_id = $::bigint
     and item_variant_id = l.item_variant_id
     [19]
     limit 1) b
    [20]
    order by l.item_variant_id desc
    limit $)
   [21]
    from (
     select *
     from item_variants r
     where r.tenant_id = $::bigint
     and ("r"."id", (select coalesce((select id from storage_places where tenant_id = $::bigint and is_main limit 1), 0))) < ($::bigint, $::bigint)
     and "r"."id" <= $::bigint
     and r.minimum_stock > 0
     and not r.has_main_entry
     order by r.id desc
     offset 0) v
    left join lateral (
     select *
    [22]
    order by v.id desc
  [23]
   0::numeric as bound
   from (
    select *
    from stock_levels r
    where r.tenant_id = $::bigint
    and r.batch_id is null
    [2]
    and (r.item_variant_id, r.place_key) < ($::bigint, $::bigint)
    order by r.item_variant_id desc, r.place_key desc
    offset 0) l
   cross join lateral (
    select *
    from stock_balances
    where tenant_id = l.tenant_id
    and item_variant_id = l.item_variant_id
    and place_key = l.place_key
    limit 1) b
   [3]
   order by l.item_variant_id desc, l.place_key desc
   limit $)) short
 order by item_variant_id desc, place_key desc, bound desc
 limit $)
[4]
    from (
     [5]
     from (
      select *
      [6]
      offset 0) l
     cross join lateral (
     [7]
     from (
      select *
      [8]
      offset 0) l
     [9]
     from (
      select *
      [10]
      offset 0) l
     cross join lateral (
 [11]
    from (
     [12]
     from (
      select *
      [13]
      offset 0) l
     cross join lateral (
     [14]
     from (
      select *
[15]
cross join lateral (
 [16]
order by p.item_variant_id desc, p.place_key desc

-- listShortages 9
with page as materialized (
 select r.*
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  [1]
  0::numeric as bound
  from (
   select *
   from stock_levels r
   where r.tenant_id = $::bigint
   and r.batch_id is null
   [2]
   and (r.item_variant_id, r.place_key) > ($::bigint, $::bigint)
   and "r"."item_variant_id" = wanted.value
   order by r.item_variant_id asc, r.place_key asc
   offset 0) l
  cross join lateral (
   select *
   from stock_balances
   where tenant_id = l.tenant_id
   and item_variant_id = l.item_variant_id
   and place_key = l.place_key
   limit 1) b
  [3]
  and l.place_key = any (array_remove($::"int8"[], 0::bigint))
  order by l.item_variant_id asc, l.place_key asc
  limit $) r
 order by r.item_variant_id asc, r.place_key asc
 limit $)
[4]
    from (
     [5]
     from (
      select *
      [6]
      offset 0) l
     cross join lateral (
     [7]
     from (
      select *
      [8]
      offset 0) l
     [9]
     from (
      select *
      [10]
      offset 0) l
     cross join lateral (
 [11]
    from (
     [12]
     from (
      select *
      [13]
      offset 0) l
     cross join lateral (
     [14]
     from (
      select *
[15]
cross join lateral (
 [16]
order by p.item_variant_id asc, p.place_key asc

-- listStock [1]
select "d"."id"::text as id, (
 select ('{"id":"' || "d"."id"::text || '","item_id":"' || (v.item_id)::text || '","item_variant_id":"' || "d"."item_variant_id"::text || '","sku":' || coalesce((to_json((v.sku))::text), 'null') ||
  ',"title":' || to_json((v.title))::text ||
  ',"storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
  ',"batch_id":' || coalesce(('"' || "d"."batch_id"::text || '"'), 'null') ||
  ',"batch_number":' || coalesce((to_json("d batch_id"."number")::text), 'null') ||
  ',"manufacture_date":' || coalesce(('"' || "d batch_id"."manufacture_date"::text || '"'), 'null') ||
  ',"expiry_date":' || coalesce(('"' || "d batch_id"."expiry_date"::text || '"'), 'null') ||
  ',"is_expired":' || ("d".batch_id is not null
   and coalesce("d".expires_on, (select coalesce(expiry_date, 'infinity') from batches where tenant_id = "d".tenant_id and id = "d".batch_id limit 1)) < (now() at time zone 'utc')::date)::text ||
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

-- listStock [2]
from (select * from "stock_levels" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r

-- listStock [3]
cross join lateral (select * from "stock_levels" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listStock [4]
from (select * from "stock_levels" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r

-- listStock [5]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."batch_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."item_variant_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."storage_place_id" = any ($::"int8"[]) end
and case when $::timestamptz is null then true else r.updated_at + interval '0' >= $::timestamptz
 or (
  select greatest(averaged_at, case when r.quantity > 0 then valued_at end)
  from stock_balances
  where tenant_id = r.tenant_id
  and item_variant_id = r.item_variant_id
  and place_key = r.place_key
  limit 1) >= $::timestamptz end

-- listStock [6]
from (select id from item_variants where tenant_id = $::bigint and sku = $ offset 0) v

-- listStock [7]
cross join lateral (select id from stock_levels where tenant_id = $::bigint and item_variant_id = v.id offset 0) l) among

-- listStock [8]
from (select id from batches where tenant_id = $::bigint and number = $ offset 0) t

-- listStock [9]
cross join lateral (select id from stock_levels where tenant_id = $::bigint and batch_id = t.id offset 0) l) among

-- listStock [10]
with recent as materialized (
 select id
 from ((select id from stock_levels where tenant_id = $::bigint and "updated_at" >= $::timestamptz limit $)
  union (

-- listStock [11]
select item_variant_id, place_key, averaged_at
from stock_balances
where tenant_id = $::bigint
and "valued_at" >= $::timestamptz
offset 0) b

-- listStock [12]
  select id
  from stock_levels
  where tenant_id = $::bigint
  and item_variant_id = b.item_variant_id
  and place_key = b.place_key
  and quantity > 0
  offset 0) l
 limit $)
union (

-- listStock [13]
    select id
    from stock_levels
    where tenant_id = $::bigint
    and item_variant_id = b.item_variant_id
    and place_key = b.place_key
    and b.averaged_at >= $::timestamptz
    offset 0) l
   limit $)) ids
 limit $), few as materialized (select count(*) <= $ as few from recent)
select id

-- listStock [14]
from (select id from (select id from recent where (select few from few)) among where id > $::bigint order by id asc offset 0) found

-- listStock [15]
where true
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."batch_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."item_variant_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."storage_place_id" = any ($::"int8"[]) end
and case when $::timestamptz is null then true else r.updated_at + interval '0' >= $::timestamptz
 or (
  select greatest(averaged_at, case when r.quantity > 0 then valued_at end)
  from stock_balances
  where tenant_id = r.tenant_id
  and item_variant_id = r.item_variant_id
  and place_key = r.place_key
  limit 1) >= $::timestamptz end

-- listStock [16]
  limit $) many_ids
 where not (select few from few)) far
where not (select enough from enough)) page

-- listStock 1
[1]
 select r.id
 [2]
 where true
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStock 2
[1]
 select r.id
 [4]
 where true
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStock 3
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStock 4
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStock 5
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and "r"."batch_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStock 6
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and "r"."batch_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStock 7
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and "r"."item_variant_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStock 8
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and "r"."item_variant_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStock 9
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   from (
    select l.id
    [6]
    [7]
   where id > $::bigint
   order by id asc
   offset 0) found
  cross join lateral (
   select r.*
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [5]
   limit 1) r
  order by found.id asc
  limit $) r) page
[3]
order by "d"."id" asc

-- listStock 10
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   from (
    select l.id
    [6]
    [7]
   where id < $::bigint
   order by id desc
   offset 0) found
  cross join lateral (
   select r.*
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [5]
   limit 1) r
  order by found.id desc
  limit $) r) page
[3]
order by "d"."id" desc

-- listStock 11
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   from (
    select l.id
    [8]
    [9]
   where id > $::bigint
   order by id asc
   offset 0) found
  cross join lateral (
   select r.*
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [5]
   limit 1) r
  order by found.id asc
  limit $) r) page
[3]
order by "d"."id" asc

-- listStock 12
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   from (
    select l.id
    [8]
    [9]
   where id < $::bigint
   order by id desc
   offset 0) found
  cross join lateral (
   select r.*
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [5]
   limit 1) r
  order by found.id desc
  limit $) r) page
[3]
order by "d"."id" desc

-- listStock 13
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."storage_place_id" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStock 14
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."storage_place_id" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStock 15
[1]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "stock_levels" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc limit $) r
   where true
   [5]
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   order by "r"."id" asc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  [10]
     select l.id
     from (
      [11]
     cross join lateral (
    [12]
     select l.id
     from (
      [11]
     cross join lateral (
  [13]
  from (
   select r.id
   from (
    select r.*
    [14]
    cross join lateral (
     select r.*
     from "stock_levels" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     [5]
     limit 1) r
    order by found.id asc
    limit $) r) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   [2]
   [15]
   order by "r"."id" asc
 [16]
[3]
order by "d"."id" asc

-- listStock 16
[1]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "stock_levels" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc limit $) r
   where true
   [5]
   order by "r"."id" desc
   limit $) near), enough as materialized (
  select near.rows = $
  or (
   select r.id
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   order by "r"."id" desc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, min(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  [10]
     select l.id
     from (
      [11]
     cross join lateral (
    [12]
     select l.id
     from (
      [11]
     cross join lateral (
  [13]
  from (
   select r.id
   from (
    select r.*
    from (select id from (select id from recent where (select few from few)) among where id < $::bigint order by id desc offset 0) found
    cross join lateral (
     select r.*
     from "stock_levels" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     [5]
     limit 1) r
    order by found.id desc
    limit $) r) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   [4]
   [15]
   order by "r"."id" desc
 [16]
[3]
order by "d"."id" desc

-- listStock 17
[1]
 select r.id
 from (
  select r.*
  from (
   select id
   from ((
     select l.id
     [6]
     cross join lateral (select id from stock_levels where tenant_id = $::bigint and item_variant_id = v.id offset 0) l)
    intersect (
     select l.id
     [8]
     cross join lateral (select id from stock_levels where tenant_id = $::bigint and batch_id = t.id offset 0) l)) among
   where id > $::bigint
   order by id asc
   offset 0) found
  cross join lateral (
   select r.*
   from "stock_levels" r
   where r.tenant_id = $::bigint
   and r.id = found.id
   and "r"."ctid" <> '(0,0)'
   [5]
   limit 1) r
  order by found.id asc
  limit $) r) page
[3]
order by "d"."id" asc

-- listStock 18
[1]
 with near as materialized (
  select id
  from (
   select r.id
   from unnest($::"int8"[]) wanted (value)
   cross join lateral (
    select r.id
    from (
     select *
     from "stock_levels" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."storage_place_id" = wanted.value
     order by "r"."id" asc
     limit $) r
    where true
    [5]
    order by "r"."id" asc
    limit $) r
   order by "r"."id" asc
   limit $) near), enough as materialized (
  select near.rows = $
  and cardinality($::"int8"[]) = 1
  or (
   select true
   from unnest($::"int8"[]) wanted (value)
   cross join lateral (
    select r.id
    from "stock_levels" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and "r"."storage_place_id" = wanted.value
    order by "r"."id" asc
    limit 1
    offset $) r
   where near.rows < $
   or r.id < near.last
   limit 1) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 select id
 from near
 where (select enough from enough)
 union all
 select id
 from (
  [10]
     select l.id
     from (
      [11]
     cross join lateral (
    [12]
     select l.id
     from (
      [11]
     cross join lateral (
  [13]
  from (
   select r.id
   from (
    select r.*
    [14]
    cross join lateral (
     select r.*
     from "stock_levels" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     [5]
     limit 1) r
    order by found.id asc
    limit $) r) few_ids
  where (select few from few)
  union all
  select id
  from (
   select r.id
   from unnest($::"int8"[]) wanted (value)
   cross join lateral (
    select r.id
    from (
     select *
     from "stock_levels" r
     where r.tenant_id = $::bigint
     and "r"."id" > $::bigint
     and "r"."storage_place_id" = wanted.value
     order by "r"."id" asc
     offset 0) r
    [15]
    order by "r"."id" asc
    limit $) r
   order by "r"."id" asc
 [16]
[3]
order by "d"."id" asc

-- listStockAdjustments [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listStockAdjustments [2]
 ',"storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
 ',"date":"' || iso("d"."date") || '","reason":"' || "d"."reason"::text || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"stock_count_id":' || coalesce(('"' || "d"."stock_count_id"::text || '"'), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
 ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
 ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
 ',"total_amount":' || trim_scale("d"."total_amount")::text ||
 ',"items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","item_id":"' || "line"."item_id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"title":' || to_json("line"."title")::text ||
      ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') ||
      ',"batch_number":' || coalesce((to_json("line"."batch_number")::text), 'null') ||
      ',"quantity":' || trim_scale("line"."quantity")::text ||
      ',"quantity_before":' || trim_scale("line"."quantity_before")::text ||
      ',"quantity_after":' || trim_scale("line"."quantity_after")::text ||
      ',"unit_cost":' || trim_scale("line"."unit_cost")::text ||
      ',"amount":' || trim_scale("line"."amount")::text || '}'), ','
     order by "line".id)
    from "stock_adjustment_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."stock_adjustment_id" = "d"."id"), '') || ']') || '}')::text as document
from (

-- listStockAdjustments [3]
cross join lateral (select * from "stock_adjustments" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listStockAdjustments [4]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."storage_place_id" = any ($::"int8"[]) end

-- listStockAdjustments [5]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listStockAdjustments [6]
with created as materialized (
 select case when $::timestamptz is null then 0 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "stock_adjustments" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "stock_adjustments" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "stock_adjustments"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as low, case when $::timestamptz is null then 9223372036854775807 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "stock_adjustments" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "stock_adjustments" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "stock_adjustments"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as high)
select id

-- listStockAdjustments [7]
and "r"."id" >= (select low from created)
and "r"."id" < (select high from created)

-- listStockAdjustments [8]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listStockAdjustments 1
[1]
[2]
 select r.id
 from (
  select *
  from "stock_adjustments" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  order by "r"."id" asc
  offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockAdjustments 2
[1]
[2]
 select r.id
 from (
  select *
  from "stock_adjustments" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  order by "r"."id" desc
  offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockAdjustments 3
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_adjustments" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockAdjustments 4
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_adjustments" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockAdjustments 5
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_adjustments" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockAdjustments 6
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_adjustments" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockAdjustments 7
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_adjustments" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockAdjustments 8
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_adjustments" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockAdjustments 9
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_adjustments" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."storage_place_id" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockAdjustments 10
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_adjustments" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."storage_place_id" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockAdjustments 11
[1]
[2]
 [6]
 from (
  select r.id
  from (
   select *
   from "stock_adjustments" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [7]
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" asc
  limit $) found) page
[3]
order by "d"."id" asc

-- listStockAdjustments 12
[1]
[2]
 [6]
 from (
  select r.id
  from (
   select *
   from "stock_adjustments" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [7]
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" desc
  limit $) found) page
[3]
order by "d"."id" desc

-- listStockAdjustments 13
[1]
[2]
 select r.id
 from (
  select *
  from "stock_adjustments" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and not "r"."reversed"
  order by "r"."id" asc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockAdjustments 14
[1]
[2]
 select r.id
 from (
  select *
  from "stock_adjustments" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and not "r"."reversed"
  order by "r"."id" desc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockAdjustments 15
[1]
[2]
 select r.id
 from (
  select *
  from "stock_adjustments" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and "r"."reversed"
  order by "r"."id" asc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockAdjustments 16
[1]
[2]
 select r.id
 from (
  select *
  from "stock_adjustments" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and "r"."reversed"
  order by "r"."id" desc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockAdjustments 17
[8]
[2]
 select r.id
 from (
  select *
  from "stock_adjustments" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listStockAdjustments 18
[8]
[2]
 select r.id
 from (
  select *
  from "stock_adjustments" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[3]
order by "d"."updated_at" desc, "d"."id" desc

-- listStockCountItems [1]
select l.id::text as id, case when l.id is not null then ('{"id":"' || "l"."id"::text || '","item_id":"' || "l"."item_id"::text || '","item_variant_id":"' || "l"."item_variant_id"::text || '","sku":' || coalesce((to_json("l"."sku")::text), 'null') ||
  ',"title":' || to_json("l"."title")::text ||
  ',"batch_id":' || coalesce(('"' || "l"."batch_id"::text || '"'), 'null') ||
  ',"batch_number":' || coalesce((to_json("l"."batch_number")::text), 'null') ||
  ',"expected_quantity":' || trim_scale("l"."expected_quantity")::text ||
  ',"counted_quantity":' || trim_scale("l"."counted_quantity")::text ||
  ',"difference":' || trim_scale("l"."difference")::text ||
  ',"counted_at":"' || iso("l"."counted_at") || '","counted_by_user_name":' || coalesce((to_json("l"."counted_by_user_name")::text), 'null') || '}') end as document
from stock_counts c
left join stock_count_items l on l.tenant_id = c.tenant_id
and l.stock_count_id = c.id

-- listStockCountItems [2]
and case when $::"int8"[] is null then true else "l"."id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "l"."item_variant_id" = any ($::"int8"[]) end
where c.tenant_id = $::bigint
and c.id = $::bigint

-- listStockCountItems 1
[1]
and l.id > $::bigint
[2]
order by "l"."id" asc
limit $

-- listStockCountItems 2
[1]
and l.id < $::bigint
[2]
order by "l"."id" desc
limit $

-- listStockCounts [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listStockCounts [2]
 ',"title":' || coalesce((to_json("d"."title")::text), 'null') ||
 ',"storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
 ',"status":"' || "d"."status"::text || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"line_count":' || "d"."line_count"::text ||
 ',"difference_count":' || "d"."difference_count"::text ||
 ',"adjustment_id":' || coalesce(('"' || "d"."adjustment_id"::text || '"'), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","completed_at":' || coalesce(('"' || iso("d"."completed_at") || '"'), 'null') || '}')::text as document
from (

-- listStockCounts [3]
cross join lateral (select * from "stock_counts" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listStockCounts [4]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."status" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."storage_place_id" = any ($::"int8"[]) end

-- listStockCounts [5]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listStockCounts [6]
with created as materialized (
 select case when $::timestamptz is null then 0 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "stock_counts" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "stock_counts" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "stock_counts"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as low, case when $::timestamptz is null then 9223372036854775807 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "stock_counts" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "stock_counts" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "stock_counts"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as high)
select id

-- listStockCounts [7]
and "r"."id" >= (select low from created)
and "r"."id" < (select high from created)

-- listStockCounts [8]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listStockCounts 1
[1]
[2]
 select r.id
 from (select * from "stock_counts" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockCounts 2
[1]
[2]
 select r.id
 from (select * from "stock_counts" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockCounts 3
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_counts" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockCounts 4
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_counts" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockCounts 5
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_counts" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockCounts 6
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_counts" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockCounts 7
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_counts" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockCounts 8
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_counts" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockCounts 9
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_counts" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."status" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockCounts 10
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_counts" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."status" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockCounts 11
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_counts" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."storage_place_id" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockCounts 12
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_counts" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."storage_place_id" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockCounts 13
[1]
[2]
 [6]
 from (
  select r.id
  from (
   select *
   from "stock_counts" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [7]
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" asc
  limit $) found) page
[3]
order by "d"."id" asc

-- listStockCounts 14
[1]
[2]
 [6]
 from (
  select r.id
  from (
   select *
   from "stock_counts" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [7]
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" desc
  limit $) found) page
[3]
order by "d"."id" desc

-- listStockCounts 15
[8]
[2]
 select r.id
 from (
  select *
  from "stock_counts" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listStockCounts 16
[8]
[2]
 select r.id
 from (
  select *
  from "stock_counts" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[3]
order by "d"."updated_at" desc, "d"."id" desc

-- listStockMovements [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","item_variant_id":"' || "d"."item_variant_id"::text || '","storage_place_id":' || coalesce(('"' || "d"."storage_place_id"::text || '"'), 'null') ||
 ',"batch_id":' || coalesce(('"' || "d"."batch_id"::text || '"'), 'null') ||
 ',"kind":"' || "d"."kind"::text || '","quantity":' || trim_scale("d"."quantity")::text ||
 ',"value":' || trim_scale("d"."value")::text ||
 ',"quantity_after":' || trim_scale("d"."quantity_after")::text ||
 ',"source_type":"' || "d"."source_type"::text || '","source_id":"' || "d"."source_id"::text || '","document_date":"' || iso("d"."document_date") || '","created_at":"' || iso("d"."created_at") || '"}')::text as document
from (

-- listStockMovements [2]
cross join lateral (select * from "stock_movements" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listStockMovements [3]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."source_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."batch_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."item_variant_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."storage_place_id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."source_type" = any ($::"text"[]) end

-- listStockMovements [4]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listStockMovements [5]
with created as materialized (
 select case when $::timestamptz is null then 0 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "stock_movements" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "stock_movements" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "stock_movements"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as low, case when $::timestamptz is null then 9223372036854775807 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "stock_movements" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "stock_movements" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "stock_movements"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as high)
select id

-- listStockMovements [6]
and "r"."id" >= (select low from created)
and "r"."id" < (select high from created)

-- listStockMovements 1
[1]
 select r.id
 from (select * from "stock_movements" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listStockMovements 2
[1]
 select r.id
 from (
  select *
  from "stock_movements" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  order by "r"."id" desc
  offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listStockMovements 3
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listStockMovements 4
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listStockMovements 5
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."source_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listStockMovements 6
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."source_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listStockMovements 7
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."batch_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listStockMovements 8
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."batch_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listStockMovements 9
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."item_variant_id" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listStockMovements 10
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."item_variant_id" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listStockMovements 11
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."storage_place_id" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [3]
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listStockMovements 12
[1]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."storage_place_id" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [3]
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listStockMovements 13
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."source_type" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [3]
  [4]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[2]
order by "d"."id" asc

-- listStockMovements 14
[1]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."source_type" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [3]
  [4]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[2]
order by "d"."id" desc

-- listStockMovements 15
[1]
 [5]
 from (
  select r.id
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."ctid" <> '(0,0)'
   [4]
   [6]
   order by "r"."id" asc
   offset 0) r
  where true
  [3]
  [4]
  order by "r"."id" asc
  limit $) found) page
[2]
order by "d"."id" asc

-- listStockMovements 16
[1]
 [5]
 from (
  select r.id
  from (
   select *
   from "stock_movements" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."ctid" <> '(0,0)'
   [4]
   [6]
   order by "r"."id" desc
   offset 0) r
  where true
  [3]
  [4]
  order by "r"."id" desc
  limit $) found) page
[2]
order by "d"."id" desc

-- listStockMovements 17
[1]
 [5]
 from (
  select r.id
  from unnest($::"int8"[]) wanted (value)
  cross join lateral (
   select r.id
   from (
    select *
    from "stock_movements" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and "r"."storage_place_id" = wanted.value
    and "r"."ctid" <> '(0,0)'
    [4]
    [6]
    order by "r"."id" asc
    offset 0) r
   where true
   [3]
   [4]
   order by "r"."id" asc
   limit $) r
  order by "r"."id" asc
  limit $) found) page
[2]
order by "d"."id" asc

-- listStockMovements 18
[1]
 [5]
 from (
  select r.id
  from unnest($::"text"[]) wanted (value)
  cross join lateral (
   select r.id
   from (
    select *
    from "stock_movements" r
    where r.tenant_id = $::bigint
    and "r"."id" > $::bigint
    and "r"."source_type" = wanted.value
    and "r"."ctid" <> '(0,0)'
    [4]
    [6]
    order by "r"."id" asc
    offset 0) r
   where true
   [3]
   [4]
   order by "r"."id" asc
   limit $) r
  order by "r"."id" asc
  limit $) found) page
[2]
order by "d"."id" asc

-- listStockTransfers [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listStockTransfers [2]
 ',"from_storage_place_id":' || coalesce(('"' || "d"."from_storage_place_id"::text || '"'), 'null') ||
 ',"to_storage_place_id":' || coalesce(('"' || "d"."to_storage_place_id"::text || '"'), 'null') ||
 ',"date":"' || iso("d"."date") || '","notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '","reversed_at":' || coalesce(('"' || iso("d"."reversed_at") || '"'), 'null') ||
 ',"reversal_reason":' || coalesce((to_json("d"."reversal_reason")::text), 'null') ||
 ',"reversed_by_user_name":' || coalesce((to_json("d"."reversed_by_user_name")::text), 'null') ||
 ',"items":' || ('[' || coalesce((
    select string_agg(('{"id":"' || "line"."id"::text || '","item_variant_id":"' || "line"."item_variant_id"::text || '","sku":' || coalesce((to_json("line"."sku")::text), 'null') ||
      ',"title":' || to_json("line"."title")::text ||
      ',"batch_id":' || coalesce(('"' || "line"."batch_id"::text || '"'), 'null') ||
      ',"batch_number":' || coalesce((to_json("line"."batch_number")::text), 'null') ||
      ',"quantity":' || trim_scale("line"."quantity")::text ||
      ',"value":' || trim_scale("line"."value")::text || '}'), ','
     order by "line".id)
    from "stock_transfer_items" "line"
    where "line".tenant_id = "d"."tenant_id"
    and "line"."stock_transfer_id" = "d"."id"), '') || ']') || '}')::text as document
from (

-- listStockTransfers [3]
cross join lateral (select * from "stock_transfers" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listStockTransfers [4]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."number" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."from_storage_place_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."to_storage_place_id" = any ($::"int8"[]) end

-- listStockTransfers [5]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listStockTransfers [6]
with created as materialized (
 select case when $::timestamptz is null then 0 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "stock_transfers" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "stock_transfers" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "stock_transfers"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as low, case when $::timestamptz is null then 9223372036854775807 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "stock_transfers" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "stock_transfers" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "stock_transfers"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as high)
select id

-- listStockTransfers [7]
and "r"."id" >= (select low from created)
and "r"."id" < (select high from created)

-- listStockTransfers [8]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, ('{"id":"' || "d"."id"::text || '","number":' || to_json("d"."number")::text ||

-- listStockTransfers 1
[1]
[2]
 select r.id
 from (select * from "stock_transfers" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockTransfers 2
[1]
[2]
 select r.id
 from (
  select *
  from "stock_transfers" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  order by "r"."id" desc
  offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockTransfers 3
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_transfers" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockTransfers 4
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_transfers" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockTransfers 5
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_transfers" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockTransfers 6
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_transfers" r
   where r.tenant_id = $::bigint
   and "r"."number" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockTransfers 7
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_transfers" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockTransfers 8
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "stock_transfers" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."reversed" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockTransfers 9
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_transfers" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."from_storage_place_id" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockTransfers 10
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_transfers" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."from_storage_place_id" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockTransfers 11
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_transfers" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."to_storage_place_id" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockTransfers 12
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "stock_transfers" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."to_storage_place_id" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockTransfers 13
[1]
[2]
 [6]
 from (
  select r.id
  from (
   select *
   from "stock_transfers" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [7]
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" asc
  limit $) found) page
[3]
order by "d"."id" asc

-- listStockTransfers 14
[1]
[2]
 [6]
 from (
  select r.id
  from (
   select *
   from "stock_transfers" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [7]
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" desc
  limit $) found) page
[3]
order by "d"."id" desc

-- listStockTransfers 15
[1]
[2]
 select r.id
 from (
  select *
  from "stock_transfers" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and not "r"."reversed"
  order by "r"."id" asc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockTransfers 16
[1]
[2]
 select r.id
 from (
  select *
  from "stock_transfers" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and not "r"."reversed"
  order by "r"."id" desc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockTransfers 17
[1]
[2]
 select r.id
 from (
  select *
  from "stock_transfers" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and "r"."reversed"
  order by "r"."id" asc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listStockTransfers 18
[1]
[2]
 select r.id
 from (
  select *
  from "stock_transfers" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and "r"."reversed"
  order by "r"."id" desc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listStockTransfers 19
[8]
[2]
 select r.id
 from (
  select *
  from "stock_transfers" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listStockTransfers 20
[8]
[2]
 select r.id
 from (
  select *
  from "stock_transfers" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[3]
order by "d"."updated_at" desc, "d"."id" desc

-- listStockValuation [1]
with until as materialized (
 select (
  with recursive search (low, high) as (
   select coalesce((select id - 1 from "stock_movements" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "stock_movements" where tenant_id = $::bigint order by id desc limit 1), 1)
   union all
   select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
   from search
   left join lateral (
    select id, created_at < $::timestamptz as is_earlier
    from "stock_movements"

-- listStockValuation [2]
    and id >= low + (high - low) / 2
    order by id
    limit 1) middle on true
   where high - low > 1)
  select min(high)
  from search) as id)
select p.item_variant_id || '_' || p.place_key as id, ('{"item_id":"' || (v.item_id)::text || '","item_variant_id":"' || (p.item_variant_id)::text || '","sku":' || coalesce((to_json((v.sku))::text), 'null') ||
 ',"title":' || to_json((v.title))::text ||
 ',"storage_place_id":' || coalesce(('"' || (nullif(p.place_key, 0))::text || '"'), 'null') ||
 ',"quantity":' || trim_scale((p.quantity))::text ||
 ',"average_cost":' || coalesce((trim_scale((cost_ratio(p.value, p.quantity)))::text), 'null') ||
 ',"stock_value":' || trim_scale((p.value))::text ||
 ',"as_of":"' || iso((asked.as_of)) || '"}') as document
from (
 select variant.item_variant_id, place.place_key, place.quantity, place.value
 from (

-- listStockValuation [3]
select moved.item_variant_id, totals.place_keys, totals.quantities, totals.values

-- listStockValuation [4]
 and item_variant_id = moved.item_variant_id
 and id < (select id from until)
 limit 1) by_then
left join lateral (
 select movement_id
 from past_stock_balances

-- listStockValuation [5]
and item_variant_id = moved.item_variant_id
and movement_id < (select id from until)
order by movement_id desc
limit 1) note on true

-- listStockValuation [6]
select array_agg(place_key) as place_keys, array_agg(quantity) as quantities, array_agg(value) as
values

-- listStockValuation [7]
and item_variant_id = moved.item_variant_id
and movement_id = note.movement_id
union all
select coalesce(storage_place_id, 0), quantity, value
from stock_movements

-- listStockValuation [8]
and item_variant_id = moved.item_variant_id
and id > coalesce(note.movement_id, 0)
and id < (select id from until)) part

-- listStockValuation [9]
cross join lateral unnest(variant.place_keys, variant.quantities, variant.values) place (place_key, quantity, value)

-- listStockValuation [10]
 limit $) p
cross join lateral (select item_id, sku, title from item_variants where tenant_id = $::bigint and id = p.item_variant_id limit 1) v
cross join (select $::timestamptz as as_of) asked

-- listStockValuation [11]
from (select wanted.value as item_variant_id where wanted.value >= $::bigint and wanted.value < (select id from until)) moved

-- listStockValuation 1
select iso(last_command_at) as at
from tenant_streams
where tenant_id = $::bigint

-- listStockValuation 2
[1]
    where tenant_id = $::bigint
[2]
  [3]
  from (
   select distinct item_variant_id
   from stock_balances
   where tenant_id = $::bigint
   and item_variant_id >= $::bigint
   and item_variant_id < (select id from until)
   order by item_variant_id asc
   offset 0) moved
  -- Many may have moved later only: one look at the index tells.
  cross join lateral (
   select
   from stock_movements
   where tenant_id = $::bigint
  [4]
   where tenant_id = $::bigint
   [5]
  cross join lateral (
   [6]
   from (
    select place_key, sum(quantity) as quantity, sum(value) as value
    from (
     select place_key, quantity, value
     from past_stock_balances
     where tenant_id = $::bigint
     [7]
     where tenant_id = $::bigint
     [8]
    where (moved.item_variant_id, place_key) > ($::bigint, $::bigint)
    group by place_key) total) totals
  where totals.place_keys is not null
  order by moved.item_variant_id asc
  limit $) variant
 [9]
 order by variant.item_variant_id asc, place.place_key asc
[10]
order by p.item_variant_id asc, p.place_key asc

-- listStockValuation 3
[1]
    where tenant_id = $::bigint
[2]
  [3]
  from (
   select distinct item_variant_id
   from stock_balances
   where tenant_id = $::bigint
   and item_variant_id <= $::bigint
   and item_variant_id < (select id from until)
   order by item_variant_id desc
   offset 0) moved
  -- Many may have moved later only: one look at the index tells.
  cross join lateral (
   select
   from stock_movements
   where tenant_id = $::bigint
  [4]
   where tenant_id = $::bigint
   [5]
  cross join lateral (
   [6]
   from (
    select place_key, sum(quantity) as quantity, sum(value) as value
    from (
     select place_key, quantity, value
     from past_stock_balances
     where tenant_id = $::bigint
     [7]
     where tenant_id = $::bigint
     [8]
    where (moved.item_variant_id, place_key) < ($::bigint, $::bigint)
    group by place_key) total) totals
  where totals.place_keys is not null
  order by moved.item_variant_id desc
  limit $) variant
 [9]
 order by variant.item_variant_id desc, place.place_key desc
[10]
order by p.item_variant_id desc, p.place_key desc

-- listStockValuation 4
[1]
    where tenant_id = $::bigint
[2]
  select r.*
  from unnest($::"int8"[]) wanted (value)
  cross join lateral (
   [3]
   [11]
   -- Many may have moved later only: one look at the index tells.
   cross join lateral (
    select
    from stock_movements
    where tenant_id = $::bigint
   [4]
    where tenant_id = $::bigint
    [5]
   cross join lateral (
    [6]
    from (
     select place_key, sum(quantity) as quantity, sum(value) as value
     from (
      select place_key, quantity, value
      from past_stock_balances
      where tenant_id = $::bigint
      [7]
      where tenant_id = $::bigint
      [8]
     where (moved.item_variant_id, place_key) > ($::bigint, $::bigint)
     group by place_key) total) totals
   where totals.place_keys is not null
   order by moved.item_variant_id asc
   limit $) r) variant
 [9]
 order by variant.item_variant_id asc, place.place_key asc
[10]
order by p.item_variant_id asc, p.place_key asc

-- listStockValuation 5
[1]
    where tenant_id = $::bigint
[2]
  select r.*
  from unnest($::"int8"[]) wanted (value)
  cross join lateral (
   [3]
   from (select wanted.value as item_variant_id where wanted.value <= $::bigint and wanted.value < (select id from until)) moved
   -- Many may have moved later only: one look at the index tells.
   cross join lateral (
    select
    from stock_movements
    where tenant_id = $::bigint
   [4]
    where tenant_id = $::bigint
    [5]
   cross join lateral (
    [6]
    from (
     select place_key, sum(quantity) as quantity, sum(value) as value
     from (
      select place_key, quantity, value
      from past_stock_balances
      where tenant_id = $::bigint
      [7]
      where tenant_id = $::bigint
      [8]
     where (moved.item_variant_id, place_key) < ($::bigint, $::bigint)
     group by place_key) total) totals
   where totals.place_keys is not null
   order by moved.item_variant_id desc
   limit $) r) variant
 [9]
 order by variant.item_variant_id desc, place.place_key desc
[10]
order by p.item_variant_id desc, p.place_key desc

-- listStockValuation 6
[1]
    where tenant_id = $::bigint
[2]
  select r.*
  from unnest(array_remove($::"int8"[], 0::bigint)) wanted (value)
  cross join lateral (
   [3]
   from (
    select item_variant_id
    from stock_balances
    where tenant_id = $::bigint
    and item_variant_id >= $::bigint
    and item_variant_id < (select id from until)
    and place_key = wanted.value
    order by item_variant_id asc
    offset 0) moved
   -- Many may have moved later only: one look at the index tells.
   cross join lateral (
    select
    from stock_movements
    where tenant_id = $::bigint
   [4]
    where tenant_id = $::bigint
    [5]
   cross join lateral (
    [6]
    from (
     select place_key, sum(quantity) as quantity, sum(value) as value
     from (
      select place_key, quantity, value
      from past_stock_balances
      where tenant_id = $::bigint
      [7]
      where tenant_id = $::bigint
      [8]
     where (moved.item_variant_id, place_key) > ($::bigint, $::bigint)
     and place_key = wanted.value
     group by place_key) total) totals
   where totals.place_keys is not null
   order by moved.item_variant_id asc
   limit $) r) variant
 [9]
 order by variant.item_variant_id asc, place.place_key asc
[10]
order by p.item_variant_id asc, p.place_key asc

-- listStockValuation 7
[1]
    where tenant_id = $::bigint
[2]
  select r.*
  from unnest(array_remove($::"int8"[], 0::bigint)) wanted (value)
  cross join lateral (
   [3]
   from (
    select item_variant_id
    from stock_balances
    where tenant_id = $::bigint
    and item_variant_id <= $::bigint
    and item_variant_id < (select id from until)
    and place_key = wanted.value
    order by item_variant_id desc
    offset 0) moved
   -- Many may have moved later only: one look at the index tells.
   cross join lateral (
    select
    from stock_movements
    where tenant_id = $::bigint
   [4]
    where tenant_id = $::bigint
    [5]
   cross join lateral (
    [6]
    from (
     select place_key, sum(quantity) as quantity, sum(value) as value
     from (
      select place_key, quantity, value
      from past_stock_balances
      where tenant_id = $::bigint
      [7]
      where tenant_id = $::bigint
      [8]
     where (moved.item_variant_id, place_key) < ($::bigint, $::bigint)
     and place_key = wanted.value
     group by place_key) total) totals
   where totals.place_keys is not null
   order by moved.item_variant_id desc
   limit $) r) variant
 [9]
 order by variant.item_variant_id desc, place.place_key desc
[10]
order by p.item_variant_id desc, p.place_key desc

-- listStockValuation 8
[1]
    where tenant_id = $::bigint
[2]
  select r.*
  from unnest($::"int8"[]) wanted (value)
  cross join lateral (
   [3]
   [11]
   -- Many may have moved later only: one look at the index tells.
   cross join lateral (
    select
    from stock_movements
    where tenant_id = $::bigint
   [4]
    where tenant_id = $::bigint
    [5]
   cross join lateral (
    [6]
    from (
     select place_key, sum(quantity) as quantity, sum(value) as value
     from (
      select place_key, quantity, value
      from past_stock_balances
      where tenant_id = $::bigint
      [7]
      where tenant_id = $::bigint
      [8]
     where (moved.item_variant_id, place_key) > ($::bigint, $::bigint)
     and place_key = any (array_remove($::"int8"[], 0::bigint))
     group by place_key) total) totals
   where totals.place_keys is not null
   order by moved.item_variant_id asc
   limit $) r) variant
 [9]
 order by variant.item_variant_id asc, place.place_key asc
[10]
order by p.item_variant_id asc, p.place_key asc

-- listStoragePlaces [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||
 ',"code":' || coalesce((to_json("d"."code")::text), 'null') ||
 ',"is_main":' || "d"."is_main"::text ||
 ',"manufacturing_allowed":' || "d"."manufacturing_allowed"::text ||
 ',"sales_allowed":' || "d"."sales_allowed"::text ||
 ',"purchase_allowed":' || "d"."purchase_allowed"::text ||
 ',"address":' || coalesce((case when "d"."address" is not null then ('{"line_1":' || coalesce(("d"."address" -> 'line_1')::text, 'null') ||
     ',"line_2":' || coalesce(("d"."address" -> 'line_2')::text, 'null') ||
     ',"city":' || coalesce(("d"."address" -> 'city')::text, 'null') ||
     ',"region":' || coalesce(("d"."address" -> 'region')::text, 'null') ||
     ',"zip":' || coalesce(("d"."address" -> 'zip')::text, 'null') ||
     ',"country_code":' || coalesce(("d"."address" -> 'country_code')::text, 'null') || '}') end), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"archived":' || "d"."archived"::text ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')::text as document
from (
 select r.id

-- listStoragePlaces [2]
 limit $) page
cross join lateral (select * from "storage_places" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listStoragePlaces [3]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."code" = any ($::"text"[]) end

-- listStoragePlaces 1
[1]
 from (select * from "storage_places" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listStoragePlaces 2
[1]
 from (select * from "storage_places" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r
 where true
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listStoragePlaces 3
[1]
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "storage_places" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listStoragePlaces 4
[1]
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "storage_places" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listStoragePlaces 5
[1]
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "storage_places" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listStoragePlaces 6
[1]
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "storage_places" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listStoragePlaces 7
[1]
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "storage_places" r
   where r.tenant_id = $::bigint
   and "r"."code" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [3]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listStoragePlaces 8
[1]
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "storage_places" r
   where r.tenant_id = $::bigint
   and "r"."code" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [3]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listStoragePlaces 9
[1]
 from (
  select *
  from "storage_places" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and not "r"."archived"
  order by "r"."id" asc
  offset 0) r
 where true
 [3]
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listStoragePlaces 10
[1]
 from (
  select *
  from "storage_places" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and not "r"."archived"
  order by "r"."id" desc
  offset 0) r
 where true
 [3]
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listStoragePlaces 11
[1]
 from (
  select *
  from "storage_places" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and "r"."archived"
  order by "r"."id" asc
  offset 0) r
 where true
 [3]
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listStoragePlaces 12
[1]
 from (
  select *
  from "storage_places" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and "r"."archived"
  order by "r"."id" desc
  offset 0) r
 where true
 [3]
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listSupplierItems [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","supplier_id":"' || "d"."supplier_id"::text || '","item_variant_id":"' || "d"."item_variant_id"::text || '","supplier_sku":' || coalesce((to_json("d"."supplier_sku")::text), 'null') ||

-- listSupplierItems [2]
 ',"purchase_unit_name":' || coalesce((to_json("d"."purchase_unit_name")::text), 'null') ||
 ',"conversion_rate":' || trim_scale("d"."conversion_rate")::text ||
 ',"price":' || coalesce((trim_scale("d"."price")::text), 'null') ||
 ',"currency":' || coalesce((to_json("d"."currency")::text), 'null') ||
 ',"minimum_quantity":' || coalesce((trim_scale("d"."minimum_quantity")::text), 'null') ||
 ',"multiple_of":' || coalesce((trim_scale("d"."multiple_of")::text), 'null') ||
 ',"lead_time_days":' || coalesce(("d"."lead_time_days"::text), 'null') ||
 ',"is_preferred":' || "d"."is_preferred"::text ||
 ',"notes":' || coalesce((to_json("d"."notes")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"archived":' || "d"."archived"::text ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')::text as document
from (

-- listSupplierItems [3]
cross join lateral (select * from "supplier_items" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listSupplierItems [4]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::"text"[] is null then true else "r"."supplier_sku" = any ($::"text"[]) end
and case when $::"int8"[] is null then true else "r"."item_variant_id" = any ($::"int8"[]) end
and case when $::"int8"[] is null then true else "r"."supplier_id" = any ($::"int8"[]) end

-- listSupplierItems [5]
and case when $::timestamptz is null and $::timestamptz is null then true else "r"."created_at" + interval '0' >= coalesce($::timestamptz, '-infinity') and "r"."created_at" + interval '0' < coalesce($::timestamptz, 'infinity') end

-- listSupplierItems [6]
with created as materialized (
 select case when $::timestamptz is null then 0 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "supplier_items" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "supplier_items" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "supplier_items"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as low, case when $::timestamptz is null then 9223372036854775807 else (
   with recursive search (low, high) as (
    select coalesce((select id - 1 from "supplier_items" where tenant_id = $::bigint order by id limit 1), 0), coalesce((select id + 1 from "supplier_items" where tenant_id = $::bigint order by id desc limit 1), 1)
    union all
    select case when middle.is_earlier then middle.id else low end, case when middle.is_earlier then high else low + (high - low) / 2 end
    from search
    left join lateral (
     select id, created_at < $::timestamptz as is_earlier
     from "supplier_items"
     where tenant_id = $::bigint
     and id >= low + (high - low) / 2
     order by id
     limit 1) middle on true
    where high - low > 1)
   select min(high)
   from search) end as high)
select id

-- listSupplierItems [7]
and "r"."id" >= (select low from created)
and "r"."id" < (select high from created)

-- listSupplierItems [8]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, ('{"id":"' || "d"."id"::text || '","supplier_id":"' || "d"."supplier_id"::text || '","item_variant_id":"' || "d"."item_variant_id"::text || '","supplier_sku":' || coalesce((to_json("d"."supplier_sku")::text), 'null') ||

-- listSupplierItems 1
[1]
[2]
 select r.id
 from (select * from "supplier_items" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSupplierItems 2
[1]
[2]
 select r.id
 from (select * from "supplier_items" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r
 where true
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSupplierItems 3
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "supplier_items" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSupplierItems 4
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "supplier_items" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSupplierItems 5
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "supplier_items" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSupplierItems 6
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "supplier_items" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSupplierItems 7
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "supplier_items" r
   where r.tenant_id = $::bigint
   and "r"."supplier_sku" = wanted.value
   and r.id > $::bigint
   order by r.id asc
   offset 0) r
  where "r"."id" > $::bigint
  [4]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSupplierItems 8
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "supplier_items" r
   where r.tenant_id = $::bigint
   and "r"."supplier_sku" = wanted.value
   and r.id < $::bigint
   order by r.id desc
   offset 0) r
  where "r"."id" < $::bigint
  [4]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSupplierItems 9
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "supplier_items" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."item_variant_id" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSupplierItems 10
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "supplier_items" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."item_variant_id" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSupplierItems 11
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "supplier_items" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."supplier_id" = wanted.value
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSupplierItems 12
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.id
  from (
   select *
   from "supplier_items" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."supplier_id" = wanted.value
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSupplierItems 13
[1]
[2]
 select r.id
 from (
  select *
  from "supplier_items" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and not "r"."archived"
  order by "r"."id" asc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSupplierItems 14
[1]
[2]
 select r.id
 from (
  select *
  from "supplier_items" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and not "r"."archived"
  order by "r"."id" desc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSupplierItems 15
[1]
[2]
 select r.id
 from (
  select *
  from "supplier_items" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and "r"."archived"
  order by "r"."id" asc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" asc
 limit $) page
[3]
order by "d"."id" asc

-- listSupplierItems 16
[1]
[2]
 select r.id
 from (
  select *
  from "supplier_items" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and "r"."archived"
  order by "r"."id" desc
  offset 0) r
 where true
 [4]
 [5]
 order by "r"."id" desc
 limit $) page
[3]
order by "d"."id" desc

-- listSupplierItems 17
[1]
[2]
 [6]
 from (
  select r.id
  from (
   select *
   from "supplier_items" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [7]
   order by "r"."id" asc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" asc
  limit $) found) page
[3]
order by "d"."id" asc

-- listSupplierItems 18
[1]
[2]
 [6]
 from (
  select r.id
  from (
   select *
   from "supplier_items" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   and "r"."ctid" <> '(0,0)'
   [5]
   [7]
   order by "r"."id" desc
   offset 0) r
  where true
  [4]
  [5]
  order by "r"."id" desc
  limit $) found) page
[3]
order by "d"."id" desc

-- listSupplierItems 19
[8]
[2]
 select r.id
 from (
  select *
  from "supplier_items" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[3]
order by "d"."updated_at" asc, "d"."id" asc

-- listSupplierItems 20
[8]
[2]
 select r.id
 from (
  select *
  from "supplier_items" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[3]
order by "d"."updated_at" desc, "d"."id" desc

-- listSuppliers [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||

-- listSuppliers [2]
 ',"country_code":' || coalesce((to_json("d"."country_code")::text), 'null') ||
 ',"email":' || coalesce((to_json("d"."email")::text), 'null') ||
 ',"phone":' || coalesce((to_json("d"."phone")::text), 'null') ||
 ',"tax_number":' || coalesce((to_json("d"."tax_number")::text), 'null') ||
 ',"currency":' || coalesce((to_json("d"."currency")::text), 'null') ||
 ',"external_ref":' || coalesce((to_json("d"."external_ref")::text), 'null') ||
 ',"metadata":' || case when "d"."metadata" = '{}' then '{}' else json_strip_nulls("d"."metadata"::json)::text end ||
 ',"address":' || coalesce((case when "d"."address" is not null then ('{"name":' || coalesce(("d"."address" -> 'name')::text, 'null') ||
     ',"line_1":' || coalesce(("d"."address" -> 'line_1')::text, 'null') ||
     ',"line_2":' || coalesce(("d"."address" -> 'line_2')::text, 'null') ||
     ',"city":' || coalesce(("d"."address" -> 'city')::text, 'null') ||
     ',"region":' || coalesce(("d"."address" -> 'region')::text, 'null') ||
     ',"zip":' || coalesce(("d"."address" -> 'zip')::text, 'null') ||
     ',"country_code":' || coalesce(("d"."address" -> 'country_code')::text, 'null') ||
     ',"phone":' || coalesce(("d"."address" -> 'phone')::text, 'null') || '}') end), 'null') ||
 ',"created_by_user_name":' || coalesce((to_json("d"."created_by_user_name")::text), 'null') ||
 ',"updated_by_user_name":' || coalesce((to_json("d"."updated_by_user_name")::text), 'null') ||
 ',"archived":' || "d"."archived"::text ||
 ',"created_at":"' || iso("d"."created_at") || '","updated_at":"' || iso("d"."updated_at") || '"}')::text as document
from (

-- listSuppliers [3]
from (select * from "suppliers" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc offset 0) r

-- listSuppliers [4]
cross join lateral (select * from "suppliers" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listSuppliers [5]
from (select * from "suppliers" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc offset 0) r

-- listSuppliers [6]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end

-- listSuppliers [7]
and case when $::text is null then true else partner_text("r"."title", "r"."email") like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end

-- listSuppliers [8]
 limit $) near), enough as materialized (
select near.rows = $
or (
 select r.id

-- listSuppliers [9]
select id
from near
where (select enough from enough)
union all
select id
from (
 with recent as materialized (
  select id
  from (
   select t.id
   from "suppliers" t
   where search_grams(t.tenant_id, partner_text("t"."title", "t"."email")) @> (select search_grams($::bigint, (select search_text(array_to_string($::"text"[], chr(10))))))
   and partner_text("t"."title", "t"."email") like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[])) ids
  limit $), few as materialized (select count(*) <= $ as few from recent)
 select id
 from (
  select r.id
  from (

-- listSuppliers [10]
and case when $::text is null then true else partner_text("r"."title", "r"."email") like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end
limit 1) r

-- listSuppliers [11]
  limit $) r) few_ids
where (select few from few)
union all
select id
from (
 select r.id

-- listSuppliers [12]
where true
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end
and case when $::"text"[] is null then true else "r"."external_ref" = any ($::"text"[]) end
and case when $::text is null then true else partner_text("r"."title", "r"."email") like all ((select string_to_array(search_text(array_to_string($::"text"[], chr(10))), chr(10)))::text[]) end

-- listSuppliers [13]
  limit $) many_ids
 where not (select few from few)) far
where not (select enough from enough)) page

-- listSuppliers [14]
select concat((extract(epoch from "d"."updated_at") * 1000000)::bigint, '_', "d"."id") as id, ('{"id":"' || "d"."id"::text || '","title":' || to_json("d"."title")::text ||

-- listSuppliers 1
[1]
[2]
 select r.id
 [3]
 where true
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listSuppliers 2
[1]
[2]
 select r.id
 [5]
 where true
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listSuppliers 3
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "suppliers" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listSuppliers 4
[1]
[2]
 select r.id
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "suppliers" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listSuppliers 5
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "suppliers" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listSuppliers 6
[1]
[2]
 select r.id
 from unnest($::"text"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "suppliers" r
   where r.tenant_id = $::bigint
   and "r"."external_ref" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  [6]
  and case when $::boolean is null then true else "r"."archived" = $::boolean end
  [7]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listSuppliers 7
[1]
[2]
 select r.id
 from (
  select *
  from "suppliers" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and not "r"."archived"
  order by "r"."id" asc
  offset 0) r
 where true
 [6]
 [7]
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listSuppliers 8
[1]
[2]
 select r.id
 from (
  select *
  from "suppliers" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and not "r"."archived"
  order by "r"."id" desc
  offset 0) r
 where true
 [6]
 [7]
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listSuppliers 9
[1]
[2]
 select r.id
 from (
  select *
  from "suppliers" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and "r"."archived"
  order by "r"."id" asc
  offset 0) r
 where true
 [6]
 [7]
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listSuppliers 10
[1]
[2]
 select r.id
 from (
  select *
  from "suppliers" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and "r"."archived"
  order by "r"."id" desc
  offset 0) r
 where true
 [6]
 [7]
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listSuppliers 11
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "suppliers" r where r.tenant_id = $::bigint and "r"."id" > $::bigint order by "r"."id" asc limit $) r
   where true
   [6]
   [7]
   order by "r"."id" asc
  [8]
   from "suppliers" r
   where r.tenant_id = $::bigint
   and "r"."id" > $::bigint
   order by "r"."id" asc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, max(id) as last from near) near)
 [9]
    select r.*
    from (select id from (select id from recent where (select few from few)) among where id > $::bigint order by id asc offset 0) found
    cross join lateral (
     select r.*
     from "suppliers" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     [6]
     and case when $::boolean is null then true else "r"."archived" = $::boolean end
     [10]
    order by found.id asc
  [11]
   [3]
   [12]
   order by "r"."id" asc
 [13]
[4]
order by "d"."id" asc

-- listSuppliers 12
[1]
[2]
 with near as materialized (
  select id
  from (
   select r.id
   from (select * from "suppliers" r where r.tenant_id = $::bigint and "r"."id" < $::bigint order by "r"."id" desc limit $) r
   where true
   [6]
   [7]
   order by "r"."id" desc
  [8]
   from "suppliers" r
   where r.tenant_id = $::bigint
   and "r"."id" < $::bigint
   order by "r"."id" desc
   limit 1
   offset $) is null as enough
  from (select count(*) as rows, min(id) as last from near) near)
 [9]
    select r.*
    from (select id from (select id from recent where (select few from few)) among where id < $::bigint order by id desc offset 0) found
    cross join lateral (
     select r.*
     from "suppliers" r
     where r.tenant_id = $::bigint
     and r.id = found.id
     and "r"."ctid" <> '(0,0)'
     [6]
     and case when $::boolean is null then true else "r"."archived" = $::boolean end
     [10]
    order by found.id desc
  [11]
   [5]
   [12]
   order by "r"."id" desc
 [13]
[4]
order by "d"."id" desc

-- listSuppliers 13
[1]
[2]
 select r.id
 [3]
 where true
 [6]
 [7]
 order by "r"."id" asc
 limit $) page
[4]
order by "d"."id" asc

-- listSuppliers 14
[1]
[2]
 select r.id
 [5]
 where true
 [6]
 [7]
 order by "r"."id" desc
 limit $) page
[4]
order by "d"."id" desc

-- listSuppliers 15
[14]
[2]
 select r.id
 from (
  select *
  from "suppliers" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") > ($::timestamptz, $::bigint)
  order by "r"."updated_at" asc, "r"."id" asc
  offset 0) r
 where true
 order by "r"."updated_at" asc, "r"."id" asc
 limit $) page
[4]
order by "d"."updated_at" asc, "d"."id" asc

-- listSuppliers 16
[14]
[2]
 select r.id
 from (
  select *
  from "suppliers" r
  where r.tenant_id = $::bigint
  and ("r"."updated_at", "r"."id") < ($::timestamptz, $::bigint)
  and "r"."updated_at" >= $::timestamptz
  order by "r"."updated_at" desc, "r"."id" desc
  offset 0) r
 where true
 order by "r"."updated_at" desc, "r"."id" desc
 limit $) page
[4]
order by "d"."updated_at" desc, "d"."id" desc

-- listWebhookDeliveries [1]
select shown.id::text as id, case when shown.id is not null then ('{"id":"' || "shown"."id"::text || '","event_id":' || to_json("shown"."event_id")::text ||
  ',"event_type":' || to_json("shown"."event_type")::text ||
  ',"sequence":' || coalesce(("shown"."sequence"::text), 'null') ||
  ',"status":"' || "shown"."status"::text || '","attempts":' || "shown"."attempts"::text ||
  ',"response_status":' || coalesce(("shown"."response_status"::text), 'null') ||
  ',"duration_ms":' || coalesce(("shown"."duration_ms"::text), 'null') ||
  ',"error":' || coalesce((to_json("shown"."error")::text), 'null') ||
  ',"next_attempt_at":' || coalesce(('"' || iso("shown"."next_attempt_at") || '"'), 'null') ||
  ',"created_at":"' || iso("shown"."created_at") || '","completed_at":' || coalesce(('"' || iso("shown"."completed_at") || '"'), 'null') || '}') end as document
from webhook_subscriptions s
left join lateral (
 select d.id, d.event_id, d.event_type, d.sequence, d.attempts, d.response_status, d.duration_ms, d.created_at, case when (d.status = 'pending' and d.generation <> s.generation) then 'failed' else d.status end as status,
 case when (d.status = 'pending' and d.generation <> s.generation) then 'the subscription was disabled' else d.error end as error,
 case when not (d.status = 'pending' and d.generation <> s.generation) then d.next_attempt_at end as next_attempt_at, case when (d.status = 'pending' and d.generation <> s.generation) then s.disabled_at else d.completed_at end as completed_at

-- listWebhookDeliveries [2]
 limit $) shown on true
where s.tenant_id = $::bigint
and s.id = $::bigint
and s.deleted_at is null

-- listWebhookDeliveries [3]
select r.*
from unnest($::"int8"[]) wanted (value)
cross join lateral (select * from webhook_deliveries where tenant_id = s.tenant_id and id = wanted.value limit 1) r
where r.subscription_id = s.id

-- listWebhookDeliveries [4]
select d.*
from (
 select id
 from ((
   select r.id
   from webhook_deliveries r
   where r.tenant_id = s.tenant_id
   and r.subscription_id = s.id
   and r.status = 'succeeded'
   and 'succeeded' = any ($::"text"[])

-- listWebhookDeliveries [5]
 limit $)
union all (
 select r.id
 from webhook_deliveries r
 where r.tenant_id = s.tenant_id
 and r.subscription_id = s.id
 and r.status = 'failed'
 and 'failed' = any ($::"text"[])

-- listWebhookDeliveries [6]
 limit $)
union all (
 select r.id
 from webhook_deliveries r
 where r.tenant_id = s.tenant_id
 and r.subscription_id = s.id
 and r.status = 'pending'
 and r.generation = s.generation
 and 'pending' = any ($::"text"[])

-- listWebhookDeliveries [7]
 limit $)
union all
select r.id
from generate_series(0, s.generation - 1) earlier (generation)
cross join lateral (
 select r.id
 from webhook_deliveries r
 where r.tenant_id = s.tenant_id
 and r.subscription_id = s.id
 and r.status = 'pending'
 and r.generation = earlier.generation
 and 'failed' = any ($::"text"[])

-- listWebhookDeliveries [8]
 limit $) page
cross join lateral (select * from webhook_deliveries where tenant_id = s.tenant_id and id = page.id limit 1) d) d

-- listWebhookDeliveries 1
[1]
 from (select d.* from webhook_deliveries d where d.tenant_id = s.tenant_id and d.subscription_id = s.id and d.id > $::bigint) d
 order by "d"."id" asc
[2]
order by "shown"."id" asc

-- listWebhookDeliveries 2
[1]
 from (select d.* from webhook_deliveries d where d.tenant_id = s.tenant_id and d.subscription_id = s.id and d.id < $::bigint) d
 order by "d"."id" desc
[2]
order by "shown"."id" desc

-- listWebhookDeliveries 3
[1]
 from (
  [3]
  and r.id > $::bigint) d
 order by "d"."id" asc
[2]
order by "shown"."id" asc

-- listWebhookDeliveries 4
[1]
 from (
  [3]
  and r.id < $::bigint) d
 order by "d"."id" desc
[2]
order by "shown"."id" desc

-- listWebhookDeliveries 5
[1]
 from (
  [4]
     and r.id > $::bigint
     order by "r"."id" asc
    [5]
     and r.id > $::bigint
     order by "r"."id" asc
    [6]
     and r.id > $::bigint
     order by "r"."id" asc
    [7]
     and r.id > $::bigint
     order by "r"."id" asc
     limit $) r) found
   order by "found"."id" asc
  [8]
 order by "d"."id" asc
[2]
order by "shown"."id" asc

-- listWebhookDeliveries 6
[1]
 from (
  [4]
     and r.id < $::bigint
     order by "r"."id" desc
    [5]
     and r.id < $::bigint
     order by "r"."id" desc
    [6]
     and r.id < $::bigint
     order by "r"."id" desc
    [7]
     and r.id < $::bigint
     order by "r"."id" desc
     limit $) r) found
   order by "found"."id" desc
  [8]
 order by "d"."id" desc
[2]
order by "shown"."id" desc

-- listWebhookSubscriptions [1]
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","url":' || to_json("d"."url")::text ||
 ',"description":' || coalesce((to_json("d"."description")::text), 'null') ||
 ',"events":' || to_json("d"."events")::text ||
 ',"enabled":' || "d"."enabled"::text ||
 ',"status":"' || "d"."status"::text || '","consecutive_failures":' || "d"."consecutive_failures"::text ||
 ',"created_at":"' || iso("d"."created_at") || '","last_delivery_at":' || coalesce(('"' || iso("d"."last_delivery_at") || '"'), 'null') ||
 ',"last_failure_at":' || coalesce(('"' || iso("d"."last_failure_at") || '"'), 'null') ||
 ',"last_failure_reason":' || coalesce((to_json("d"."last_failure_reason")::text), 'null') || '}')::text as document
from (
 select r.id

-- listWebhookSubscriptions [2]
 limit $) page
cross join lateral (select * from "webhook_subscriptions" where tenant_id = $::bigint and id = page.id limit 1) "d"

-- listWebhookSubscriptions [3]
and case when $::"int8"[] is null then true else "r"."id" = any ($::"int8"[]) end

-- listWebhookSubscriptions 1
[1]
 from (
  select *
  from "webhook_subscriptions" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and "r"."deleted_at" is null
  order by "r"."id" asc
  offset 0) r
 where true
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listWebhookSubscriptions 2
[1]
 from (
  select *
  from "webhook_subscriptions" r
  where r.tenant_id = $::bigint
  and "r"."id" < $::bigint
  and "r"."deleted_at" is null
  order by "r"."id" desc
  offset 0) r
 where true
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- listWebhookSubscriptions 3
[1]
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "webhook_subscriptions" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" > $::bigint
  and "r"."deleted_at" is null
  [3]
  order by "r"."id" asc
  limit $) r
 order by "r"."id" asc
[2]
order by "d"."id" asc

-- listWebhookSubscriptions 4
[1]
 from unnest($::"int8"[]) wanted (value)
 cross join lateral (
  select r.*
  from (
   select *
   from "webhook_subscriptions" r
   where r.tenant_id = $::bigint
   and "r"."id" = wanted.value
   and "r"."ctid" <> '(0,0)'
   offset 0) r
  where "r"."id" < $::bigint
  and "r"."deleted_at" is null
  [3]
  order by "r"."id" desc
  limit $) r
 order by "r"."id" desc
[2]
order by "d"."id" desc

-- traceBatch [1]
with of_orders as materialized (
 select $::text as kind, m.batch_id, m.item_variant_id, m.storage_place_id, m.source_type, m.source_id, abs(sum(m.quantity)) as quantity,
 min(m.id) as first_movement_id, min(m.document_date) as document_date
 from unnest($::"int8"[]) o (id)
 cross join lateral (select * from stock_movements where tenant_id = $::bigint and source_id = o.id and kind = any ($::"text"[]) offset 0) m
 group by m.batch_id, m.item_variant_id, m.storage_place_id, m.source_type, m.source_id
 having sum(m.quantity) <> 0
 order by first_movement_id
 limit $), followed as materialized (
 select distinct batch_id as id
 from of_orders
 where batch_id is not null
 and batch_id <> all ($::"int8"[])
 union all
 select first.id
 from (select $::bigint as id) first
 where first.id is not null), of_batches as materialized (
 select k.kind, m.batch_id, m.item_variant_id, m.storage_place_id, m.source_type, m.source_id, abs(sum(m.quantity)) as quantity,
 min(m.id) as first_movement_id, min(m.document_date) as document_date
 from followed
 cross join lateral (select * from stock_movements where tenant_id = $::bigint and batch_id = followed.id offset 0) m
 join (

-- traceBatch [2]
group by k.kind, m.batch_id, m.item_variant_id, m.storage_place_id, m.source_type, m.source_id
having sum(m.quantity) <> 0

-- traceBatch [3]
 select l.*
 from followed
 cross join lateral (select * from stock_levels where tenant_id = $::bigint and batch_id = followed.id and quantity > 0 offset 0) l
 where $), r as materialized (
 select *
 from of_orders
 union all
 select *
 from of_batches
 union all
 select 'IN_STOCK', batch_id, item_variant_id, storage_place_id, null, null, quantity, null, null
 from in_stock
 order by first_movement_id, batch_id, storage_place_id
 limit $)
select ('{"level":' || (at.level)::text ||
 ',"batch_id":' || coalesce(('"' || (r.batch_id)::text || '"'), 'null') ||
 ',"batch_number":' || coalesce((to_json((t.number))::text), 'null') ||
 ',"item_variant_id":"' || (r.item_variant_id)::text || '","sku":' || coalesce((to_json((v.sku))::text), 'null') ||
 ',"title":' || to_json((v.title))::text ||
 ',"kind":"' || (r.kind)::text || '","quantity":' || trim_scale((r.quantity))::text ||
 ',"storage_place_id":' || coalesce(('"' || (r.storage_place_id)::text || '"'), 'null') ||
 ',"source_type":' || coalesce(('"' || (r.source_type)::text || '"'), 'null') ||
 ',"source_id":' || coalesce(('"' || (r.source_id)::text || '"'), 'null') ||
 ',"source_number":' || coalesce((to_json((coalesce(adjusted.number, received.number, made.number, shipped.number, returned.number)))::text), 'null') ||
 ',"document_date":' || coalesce(('"' || iso((r.document_date)) || '"'), 'null') ||
 ',"partner":' || case when partner.id is not null then ('{"id":"' || (partner.id)::text || '","title":' || to_json((partner.title))::text || ',"country_code":' || coalesce((to_json((partner.country_code))::text), 'null') || '}') else 'null' end || '}') as document, r.batch_id::text as batch_id, case when r.kind = $ then r.source_id end::text as leads_to
from r
cross join (select $::integer as level) at
cross join lateral (select sku, title from item_variants where tenant_id = $::bigint and id = r.item_variant_id limit 1) v
left join lateral (select number from batches where tenant_id = $::bigint and id = r.batch_id limit 1) t on true
left join lateral (select number from "stock_adjustments" where tenant_id = $::bigint and id = r.source_id and r.source_type = $ limit 1) adjusted on true
left join lateral (
 select number, purchase_order_id
 from "purchase_receipts"
 where tenant_id = $::bigint
 and id = r.source_id
 and r.source_type = $
 limit 1) received on true
left join lateral (
 select number
 from "manufacturing_orders"
 where tenant_id = $::bigint
 and id = r.source_id
 and r.source_type = $
 limit 1) made on true
left join lateral (
 select number, sales_order_id
 from "sales_shipments"
 where tenant_id = $::bigint
 and id = r.source_id
 and r.source_type = $
 limit 1) shipped on true
left join lateral (
 select number, customer_id
 from "sales_returns"
 where tenant_id = $::bigint
 and id = r.source_id
 and r.source_type = $
 limit 1) returned on true
left join lateral (select supplier_id from purchase_orders where tenant_id = $::bigint and id = received.purchase_order_id limit 1) bought on true
left join lateral (select customer_id from sales_orders where tenant_id = $::bigint and id = shipped.sales_order_id limit 1) sold on true
left join lateral ((select id, title, country_code from suppliers where tenant_id = $::bigint and id = bought.supplier_id limit 1)
 union all (
  select id, title, country_code
  from customers
  where tenant_id = $::bigint
  and id = coalesce(sold.customer_id, returned.customer_id)
  limit 1)) partner on true
order by r.first_movement_id, r.batch_id, r.storage_place_id

-- traceBatch 1
begin isolation level repeatable read, read only

-- traceBatch 2
[1]
  values ('SALES_SHIPMENT', 'SHIPPED'), ('MANUFACTURING_WRITE_OFF', 'CONSUMED'), ('MANUFACTURING_RETURN', 'CONSUMED'), ('ADJUSTMENT', 'ADJUSTED_OUT'),
  ('SALES_RETURN', 'RETURNED')) k (movement_kind, kind) on k.movement_kind = case when m.kind <> 'REVERSAL' then m.kind when m.source_type = 'STOCK_ADJUSTMENT' then 'ADJUSTMENT' else m.source_type end
 [2]
 and (m.source_type <> 'STOCK_ADJUSTMENT' or sum(m.quantity) < 0)), in_stock as materialized (
[3]

-- traceBatch 3
[1]
  values ('PURCHASE_RECEIPT', 'RECEIVED'), ('MANUFACTURING_OUTPUT', 'PRODUCED'), ('ADJUSTMENT', 'ADJUSTED_IN'), ('SALES_RETURN', 'RETURNED')) k (movement_kind, kind) on k.movement_kind = case when m.kind <> 'REVERSAL' then m.kind when m.source_type = 'STOCK_ADJUSTMENT' then 'ADJUSTMENT' else m.source_type end
 [2]
 and (m.source_type <> 'STOCK_ADJUSTMENT' or sum(m.quantity) > 0)), in_stock as materialized (
[3]
