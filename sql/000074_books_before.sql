-- What was posted before 000071, and what the release before posts beside this one, gets its place in the books.

-- Gives the movements of a tenant that have none their entry: those of one document and kind that follow one another with one time. Variants are shown
-- as they are called now. It takes the next `rows_max` or a few more, so that it stops between units of work. Answers how many it took.
create function enter_movements(tenant bigint, rows_max integer) returns integer language plpgsql
  -- The planner knows nothing of the rows that are entered: one look by the key for each.
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  until timestamptz;
  entered integer;
begin
  select max(created_at) into until from (
    select created_at from stock_movements where tenant_id = tenant and entry_id is null order by id limit rows_max
  ) next;
  if until is null then
    return 0;
  end if;
  perform set_config('millrace.enters', 'on', true);
  with moved as materialized (
    select id, item_variant_id, storage_place_id, value, source_type, source_id, document_date, created_at,
      replace(kind, 'TRANSFER_OUT', 'TRANSFER_IN') as kind
    from stock_movements
    where tenant_id = tenant and entry_id is null and created_at <= until
  ), begun as (
    select *, (lag(source_id) over o, lag(kind) over o, lag(document_date) over o, lag(created_at) over o)
      is distinct from (source_id, kind, document_date, created_at) as is_first
    from moved window o as (order by id)
  ), numbered as (
    select *, count(*) filter (where is_first) over (order by id) as entry from begun
  ), summed as (
    select *, sum(value) over (partition by entry, item_variant_id, storage_place_id) as line from numbered
  ), entered as materialized (
    select id, item_variant_id, source_type, is_first, min(id) over e as entry_id, count(*) over e as movements, bool_or(line <> 0) over e as has_lines
    from summed window e as (partition by entry)
  )
  update stock_movements m
  set day = local_day(t.time_zone, m.document_date),
    sku = v.sku,
    category = i.category,
    entry_id = e.entry_id,
    entry_movements = case when e.is_first and e.has_lines then e.movements end,
    -- The bit of INVENTORY and that of the other side, as lib/domain/accounting/accounts.ts has them.
    entry_accounts = case when e.is_first and e.has_lines then 1 | case e.source_type
      when 'PURCHASE_RECEIPT' then 2 when 'MANUFACTURING_ORDER' then 4 when 'SALES_SHIPMENT' then 16 when 'SALES_RETURN' then 16
      when 'STOCK_ADJUSTMENT' then 32 when 'LANDED_COST' then 64 else 0 end end
  from entered e
  cross join (select time_zone from tenants where tenant_id = tenant) t
  left join item_variants v on v.tenant_id = tenant and v.id = e.item_variant_id
  left join items i on i.tenant_id = tenant and i.id = v.item_id
  where m.tenant_id = tenant and m.id = e.id;
  get diagnostics entered = row_count;
  perform set_config('millrace.enters', '', true);
  return entered;
end $$;

-- Books what the documents of a tenant have beside movements and the books lack: operations and what is expensed of manufacturing orders, the
-- expensed part of landed costs, and what reversals moved otherwise than their documents. Each document has one entry, posted now, with its
-- own date. Answers how many lines it made.
create function book_documents(tenant bigint) returns integer language plpgsql as $$
declare
  booked integer;
begin
  with expected as materialized (
    select 'MANUFACTURING_ORDER' as source_type, o.id as source_id, coalesce(o.started_at, o.created_at) as document_date, o.item_variant_id,
      o.manufacturing_location_id as storage_place_id, s.account, s.amount
    from manufacturing_orders o
    cross join lateral (values
      ('WORK_IN_PROGRESS', o.operations_cost - o.expensed_cost), ('PRODUCTION_COSTS_ABSORBED', -o.operations_cost),
      ('PRODUCTION_EXPENSED', o.expensed_cost)
    ) s (account, amount)
    where o.tenant_id = tenant
    union all
    select 'LANDED_COST', c.id, c.date, a.item_variant_id, c.storage_place_id, s.account, sum(s.amount)
    from landed_costs c
    join landed_cost_allocations a on a.tenant_id = c.tenant_id and a.landed_cost_id = c.id
    cross join lateral (values ('LANDED_COST_EXPENSED', a.expensed_amount), ('LANDED_COST_CLEARING', -a.expensed_amount)) s (account, amount)
    where c.tenant_id = tenant and not c.reversed
    group by c.id, c.date, a.item_variant_id, c.storage_place_id, s.account
  ), reversed as materialized (
    select id, reversed_at, 'STOCK_ADJUSTMENT' as source_type, 'STOCK_ADJUSTMENT' as account
    from stock_adjustments where tenant_id = tenant and reversed
    union all
    select id, reversed_at, 'PURCHASE_RECEIPT', 'GOODS_RECEIVED_NOT_INVOICED' from purchase_receipts where tenant_id = tenant and reversed
    union all
    select id, reversed_at, 'LANDED_COST', 'LANDED_COST_CLEARING' from landed_costs where tenant_id = tenant and reversed
  ), moved as materialized (
    select d.source_type, d.id as source_id, d.reversed_at, d.account, m.item_variant_id, m.storage_place_id, sum(m.value) as amount
    from reversed d
    cross join lateral (
      select item_variant_id, storage_place_id, value from stock_movements where tenant_id = tenant and source_id = d.id offset 0
    ) m
    group by d.source_type, d.id, d.reversed_at, d.account, m.item_variant_id, m.storage_place_id
  ), due as (
    -- Beside movements, orders and landed costs that are not reversed have what is expected.
    select source_type, source_id, document_date, item_variant_id, storage_place_id, account, amount from expected
    union all
    select source_type, source_id, reversed_at, item_variant_id, storage_place_id, account, amount from moved
    union all
    select source_type, source_id, reversed_at, null, null, 'VALUATION_DIFFERENCE', -amount from moved
    union all
    select l.source_type, l.source_id, null, l.item_variant_id, l.storage_place_id, l.account, -l.amount
    from book_lines l
    where l.tenant_id = tenant and l.source_type <> 'PRODUCT'
  ), lines as materialized (
    select due.*, nextval('ids') as id, v.sku, i.category
    from (
      select source_type, source_id, max(document_date) as document_date, item_variant_id, storage_place_id, account, sum(amount) as amount
      from due
      group by source_type, source_id, item_variant_id, storage_place_id, account
      having sum(amount) <> 0
      order by source_id
    ) due
    left join item_variants v on v.tenant_id = tenant and v.id = due.item_variant_id
    left join items i on i.tenant_id = tenant and i.id = v.item_id
  ), entries as materialized (
    select source_id, min(id) as entry_id, max(document_date) as document_date, bit_or(1 << (array_position(array[
      'INVENTORY', 'GOODS_RECEIVED_NOT_INVOICED', 'WORK_IN_PROGRESS', 'PRODUCTION_COSTS_ABSORBED', 'COST_OF_GOODS_SOLD', 'STOCK_ADJUSTMENT',
      'LANDED_COST_CLEARING', 'LANDED_COST_EXPENSED', 'PRODUCTION_EXPENSED', 'VALUATION_DIFFERENCE'
    ], account) - 1)) as accounts
    from lines group by source_id
  )
  insert into book_lines (
    tenant_id, id, entry_id, entry_accounts, account, amount, item_variant_id, storage_place_id, sku, category, source_type, source_id, day,
    document_date, created_at
  )
  select tenant, l.id, e.entry_id, case when l.id = e.entry_id then e.accounts end, l.account, l.amount, l.item_variant_id,
    l.storage_place_id, l.sku, l.category, l.source_type, l.source_id, local_day(t.time_zone, e.document_date), e.document_date, now()
  from lines l
  join entries e on e.source_id = l.source_id
  cross join (select time_zone from tenants where tenant_id = tenant) t;
  get diagnostics booked = row_count;
  return booked;
end $$;
