-- Written by `npm run statements`. `$` is the next parameter.

-- listShortages 1
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
 from (select local_day(time_zone, now()) as today from tenants where tenant_id = $::bigint limit 1) t), page as materialized (
 select l.tenant_id, l.item_variant_id, l.place_key, b.quantity, b.quarantine_quantity, x.expired_quantity, l.reserved_quantity,
 l.expected_quantity, 0::numeric as bound
 from (
  select *
  from stock_levels r
  where r.tenant_id = $::bigint
  and r.batch_id is null
  and r.quantity - r.quarantine_quantity - r.reserved_quantity + r.expected_quantity < 0
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
 cross join lateral (
  select b.expired_quantity + case when (select is_turning from clock) then coalesce((
     select sum(case when s.expires_on < (select today from clock) then s.quantity - s.quarantine_quantity else s.quarantine_quantity - s.quantity end)
     from stock_levels s
     where s.tenant_id = b.tenant_id
     and s.item_variant_id = b.item_variant_id
     and s.place_key = b.place_key
     and s.batch_id is not null
     and s.quantity > s.quarantine_quantity
     and s.expires_on >= least(b.expired_before, (select today from clock))
     and s.expires_on < greatest(b.expired_before, (select today from clock))), 0) else 0 end as expired_quantity) x
 where b.quantity - b.quarantine_quantity - x.expired_quantity - l.reserved_quantity + l.expected_quantity < 0
 order by l.item_variant_id asc, l.place_key asc
 limit $)
select p.item_variant_id || '_' || p.place_key as id, ('{"item_id":"' || (v.item_id)::text || '","item_variant_id":"' || (p.item_variant_id)::text || '","sku":' || coalesce((to_json((v.sku))::text), 'null') ||
 ',"title":' || to_json((v.title))::text ||
 ',"storage_place_id":' || coalesce(('"' || (nullif(p.place_key, 0))::text || '"'), 'null') ||
 ',"quantity":' || trim_scale((p.quantity))::text ||
 ',"quarantine_quantity":' || trim_scale((p.quarantine_quantity))::text ||
 ',"expired_quantity":' || trim_scale((p.expired_quantity))::text ||
 ',"reserved_quantity":' || trim_scale((p.reserved_quantity))::text ||
 ',"expected_quantity":' || trim_scale((p.expected_quantity))::text ||
 ',"available_quantity":' || trim_scale((p.quantity - p.quarantine_quantity - p.expired_quantity - p.reserved_quantity))::text ||
 ',"projected_quantity":' || trim_scale((p.quantity - p.quarantine_quantity - p.expired_quantity - p.reserved_quantity + p.expected_quantity))::text ||
 ',"minimum_stock":' || coalesce((trim_scale((v.minimum_stock))::text), 'null') ||
 ',"short_quantity":' || trim_scale((p.bound - (p.quantity - p.quarantine_quantity - p.expired_quantity - p.reserved_quantity + p.expected_quantity)))::text ||
 ',"demand":' || ('[' || coalesce((
    select string_agg(('{"source_type":"' || (e.source_type)::text || '","source_id":"' || (e.source_id)::text || '","number":' || to_json((e.number))::text ||
      ',"quantity":' || trim_scale((e.quantity))::text ||
      ',"needed_by":' || coalesce(('"' || iso((e.due)) || '"'), 'null') || '}'), ','
     order by e.due, e.source_id)
    from (
     select 'SALES_ORDER' as source_type, o.id as source_id, o.number, sum(l.quantity) as quantity, o.delivery_date as due
     from (
      select tenant_id, sales_order_id, storage_place_id, quantity - shipped_quantity as quantity
      from sales_order_items
      where tenant_id = p.tenant_id
      and item_variant_id = p.item_variant_id
      and is_open
      and holds_stock
      and quantity > shipped_quantity
      union all
      select k.tenant_id, k.document_id, i.storage_place_id, c.quantity - c.shipped_quantity
      from (
       select tenant_id, item_variant_id, document_id, line_id
       from kit_lines
       where tenant_id = p.tenant_id
       and item_variant_id = p.item_variant_id
       and kind = 'ORDER') k
      cross join lateral (
       select *
       from sales_order_items
       where tenant_id = k.tenant_id
       and sales_order_id = k.document_id
       and id = k.line_id
       and is_open
       and quantity > shipped_quantity
       limit 1) i
      cross join lateral (
       select (e.part ->> 'quantity')::numeric as quantity, (e.part ->> 'shipped_quantity')::numeric as shipped_quantity
       from jsonb_array_elements(i.components) e (part)
       where (e.part ->> 'item_variant_id')::bigint = k.item_variant_id
       and (e.part ->> 'holds_stock')::boolean) c
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
      select tenant_id, reservation_id, storage_place_id, quantity
      from reservation_items
      where tenant_id = p.tenant_id
      and item_variant_id = p.item_variant_id
      and is_open
      and components = '[]'
      union all
      select k.tenant_id, k.document_id, i.storage_place_id, c.quantity
      from (
       select tenant_id, item_variant_id, document_id, line_id
       from kit_lines
       where tenant_id = p.tenant_id
       and item_variant_id = p.item_variant_id
       and kind = 'HOLD') k
      cross join lateral (
       select *
       from reservation_items
       where tenant_id = k.tenant_id
       and reservation_id = k.document_id
       and id = k.line_id
       and is_open
       limit 1) i
      cross join lateral (
       select (e.part ->> 'quantity')::numeric as quantity, (e.part ->> 'shipped_quantity')::numeric as shipped_quantity
       from jsonb_array_elements(i.components) e (part)
       where (e.part ->> 'item_variant_id')::bigint = k.item_variant_id
       and (e.part ->> 'holds_stock')::boolean) c
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
     group by o.id, o.number, o.planned_start_date) e), '') || ']') ||
 ',"supply":' || ('[' || coalesce((
    select string_agg(('{"source_type":"' || (e.source_type)::text || '","source_id":"' || (e.source_id)::text || '","number":' || to_json((e.number))::text ||
      ',"quantity":' || trim_scale((e.quantity))::text ||
      ',"expected_by":' || coalesce(('"' || iso((e.due)) || '"'), 'null') || '}'), ','
     order by e.due, e.source_id)
    from (
     select 'PURCHASE_ORDER' as source_type, o.id as source_id, o.number, sum(l.quantity - l.received_quantity) as quantity, min(coalesce(l.expected_date, o.expected_date)) as due
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
     group by o.id, o.number
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
     where o.manufacturing_location_id = p.place_key) e), '') || ']') || '}') as document
from page p
cross join lateral (
 select item_id, sku, title, minimum_stock
 from item_variants
 where tenant_id = p.tenant_id
 and id = p.item_variant_id
 limit 1) v
order by p.item_variant_id asc, p.place_key asc
