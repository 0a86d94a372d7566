-- Written by `npm run statements`. `$` is the next parameter.

-- listJournalEntries 1
select e.id::text as id, ('{"id":"' || (e.id)::text || '","day":"' || (e.day)::text || '","document_date":"' || iso((e.document_date)) || '","created_at":"' || iso((e.created_at)) || '","source_type":"' || (e.source_type)::text || '","source_id":"' || (e.source_id)::text || '","source_number":' || coalesce((to_json((source.number))::text), 'null') ||
 ',"reason":' || coalesce((to_json((source.reason))::text), 'null') ||
 ',"currency":' || to_json((t.currency))::text ||
 ',"lines":' || ('[' || coalesce((
    select string_agg(('{"account":"' || (l.account)::text || '","account_code":' || coalesce((to_json((coalesce((
            select each->>'code'
            from jsonb_array_elements(c.categories) each
            where each->>'category' = l.category
            and each->>'account' = l.account
            limit 1), c.accounts->l.account->>'code')))::text), 'null') ||
      ',"debit":' || trim_scale((greatest(l.amount, 0)))::text ||
      ',"credit":' || trim_scale((greatest(-l.amount, 0)))::text ||
      ',"storage_place_id":' || coalesce(('"' || (l.storage_place_id)::text || '"'), 'null') ||
      ',"item_variant_id":' || coalesce(('"' || (l.item_variant_id)::text || '"'), 'null') ||
      ',"sku":' || coalesce((to_json((l.sku))::text), 'null') ||
      ',"category":' || coalesce((to_json((l.category))::text), 'null') || '}'), ','
     order by array_position(array['INVENTORY', 'GOODS_RECEIVED_NOT_INVOICED', 'WORK_IN_PROGRESS', 'PRODUCTION_COSTS_ABSORBED',
      'COST_OF_GOODS_SOLD', 'STOCK_ADJUSTMENT', 'LANDED_COST_CLEARING', 'LANDED_COST_EXPENSED', 'PRODUCTION_EXPENSED', 'VALUATION_DIFFERENCE'],
      l.account), l.storage_place_id nulls first, l.item_variant_id nulls first, l.category nulls first)
    from (
     select account, storage_place_id, item_variant_id, sku, category, sum(amount) as amount
     from (
      select side.account, m.storage_place_id, m.item_variant_id, m.sku, m.category, side.amount
      from (select * from stock_movements where tenant_id = e.tenant_id and id >= e.id order by id limit e.entry_movements) m
      cross join lateral (
       values ('INVENTORY', m.value), (case m.source_type when 'PURCHASE_RECEIPT' then 'GOODS_RECEIVED_NOT_INVOICED' when 'STOCK_ADJUSTMENT' then 'STOCK_ADJUSTMENT' when 'MANUFACTURING_ORDER' then 'WORK_IN_PROGRESS' when 'SALES_SHIPMENT' then 'COST_OF_GOODS_SOLD' when 'SALES_RETURN' then 'COST_OF_GOODS_SOLD' when 'LANDED_COST' then 'LANDED_COST_CLEARING' end,
        -m.value)) side (account, amount)
      where side.account is not null
      union all
      select account, storage_place_id, item_variant_id, sku, category, amount
      from (select * from book_lines where tenant_id = e.tenant_id and entry_id = e.id offset 0) b) each
     group by account, storage_place_id, item_variant_id, sku, category
     having sum(amount) <> 0) l), '') || ']') || '}') as document
from (
 select *
 from (
  select *
  from (
   select r.*
   from unnest($::"text"[]) wanted (value)
   cross join lateral (
    select r.id, r.tenant_id, r.day, r.document_date, r.created_at, r.source_type, r.source_id, r.entry_movements as entry_movements
    from "stock_movements" r
    where r.tenant_id = $::bigint
    and r.entry_accounts is not null
    and r.source_type = wanted.value
    and r.id > $::bigint
    and r.entry_accounts & coalesce($::integer, r.entry_accounts) <> 0
    order by r.id asc
    limit $) r
   order by r.id asc
   limit $) rows
  union all
  select *
  from (
   select r.*
   from unnest($::"text"[]) wanted (value)
   cross join lateral (
    select r.id, r.tenant_id, r.day, r.document_date, r.created_at, r.source_type, r.source_id, 0 as entry_movements
    from "book_lines" r
    where r.tenant_id = $::bigint
    and r.entry_accounts is not null
    and r.source_type = wanted.value
    and r.id > $::bigint
    and r.entry_accounts & coalesce($::integer, r.entry_accounts) <> 0
    order by r.id asc
    limit $) r
   order by r.id asc
   limit $) rows) begun
 order by id asc
 limit $) e
left join lateral ((
  select number, reason as reason
  from stock_adjustments
  where e.source_type = 'STOCK_ADJUSTMENT'
  and tenant_id = e.tenant_id
  and id = e.source_id
  limit 1)
 union all (
  select number, null::text as reason
  from purchase_receipts
  where e.source_type = 'PURCHASE_RECEIPT'
  and tenant_id = e.tenant_id
  and id = e.source_id
  limit 1)
 union all (
  select number, null::text as reason
  from manufacturing_orders
  where e.source_type = 'MANUFACTURING_ORDER'
  and tenant_id = e.tenant_id
  and id = e.source_id
  limit 1)
 union all (
  select number, null::text as reason
  from sales_shipments
  where e.source_type = 'SALES_SHIPMENT'
  and tenant_id = e.tenant_id
  and id = e.source_id
  limit 1)
 union all (
  select number, null::text as reason
  from sales_returns
  where e.source_type = 'SALES_RETURN'
  and tenant_id = e.tenant_id
  and id = e.source_id
  limit 1)
 union all (
  select number, null::text as reason
  from stock_transfers
  where e.source_type = 'STOCK_TRANSFER'
  and tenant_id = e.tenant_id
  and id = e.source_id
  limit 1)
 union all (
  select number, null::text as reason
  from landed_costs
  where e.source_type = 'LANDED_COST'
  and tenant_id = e.tenant_id
  and id = e.source_id
  limit 1)) source on true
cross join lateral (select currency from tenants where tenant_id = e.tenant_id limit 1) t
left join lateral (select accounts, categories from account_codes where tenant_id = e.tenant_id limit 1) c on true
order by e.id asc
