-- no transaction
-- What was booked before 000071 beside movements: operations and what was expensed of manufacturing orders, the expensed part of landed costs,
-- and what reversals moved otherwise than their documents. Each document has one entry, posted now, with the date of the document. It locks
-- no table.
with before as materialized (
  select o.tenant_id, 'MANUFACTURING_ORDER' as source_type, o.id as source_id, o.started_at as document_date, o.item_variant_id,
    o.manufacturing_location_id as storage_place_id, s.account, s.amount
  from manufacturing_orders o
  cross join lateral (values
    ('WORK_IN_PROGRESS', o.operations_cost - o.expensed_cost), ('PRODUCTION_COSTS_ABSORBED', -o.operations_cost),
    ('PRODUCTION_EXPENSED', o.expensed_cost)
  ) s (account, amount)
  where o.started_at is not null
  union all
  select c.tenant_id, 'LANDED_COST', c.id, c.date, a.item_variant_id, c.storage_place_id, s.account, s.amount
  from landed_costs c
  join landed_cost_allocations a on a.tenant_id = c.tenant_id and a.landed_cost_id = c.id
  cross join lateral (values ('LANDED_COST_EXPENSED', a.expensed_amount), ('LANDED_COST_CLEARING', -a.expensed_amount)) s (account, amount)
  where not c.reversed
  union all
  select d.tenant_id, d.source_type, d.id, d.reversed_at, s.item_variant_id, s.storage_place_id, s.account, s.amount
  from (
    select tenant_id, id, reversed_at, 'STOCK_ADJUSTMENT' as source_type, 'STOCK_ADJUSTMENT' as account from stock_adjustments where reversed
    union all
    select tenant_id, id, reversed_at, 'PURCHASE_RECEIPT', 'GOODS_RECEIVED_NOT_INVOICED' from purchase_receipts where reversed
    union all
    select tenant_id, id, reversed_at, 'LANDED_COST', 'LANDED_COST_CLEARING' from landed_costs where reversed
  ) d
  cross join lateral (
    select item_variant_id, storage_place_id, sum(value) as value from stock_movements
    where tenant_id = d.tenant_id and source_id = d.id group by 1, 2 having sum(value) <> 0
  ) m
  cross join lateral (values
    (m.item_variant_id, m.storage_place_id, d.account, m.value), (null::bigint, null::bigint, 'VALUATION_DIFFERENCE', -m.value)
  ) s (item_variant_id, storage_place_id, account, amount)
), lines as materialized (
  select b.*, v.sku, v.category, nextval('ids') as id
  from (select * from before where amount <> 0 order by tenant_id, source_id) b
  left join lateral (
    select v.sku, i.category from item_variants v
    join items i on i.tenant_id = v.tenant_id and i.id = v.item_id
    where v.tenant_id = b.tenant_id and v.id = b.item_variant_id
  ) v on true
  where not exists (select from book_lines l where l.tenant_id = b.tenant_id and l.source_id = b.source_id)
), numbered as materialized (
  select *, min(id) over (partition by tenant_id, source_id) as entry_id from lines
), masks as materialized (
  select tenant_id, source_id, bit_or(1 << (array_position(array[
    'INVENTORY', 'GOODS_RECEIVED_NOT_INVOICED', 'WORK_IN_PROGRESS', 'PRODUCTION_COSTS_ABSORBED', 'COST_OF_GOODS_SOLD', 'STOCK_ADJUSTMENT',
    'LANDED_COST_CLEARING', 'LANDED_COST_EXPENSED', 'PRODUCTION_EXPENSED', 'VALUATION_DIFFERENCE'
  ], account) - 1)) as accounts
  from numbered group by 1, 2
)
insert into book_lines (
  tenant_id, id, entry_id, entry_accounts, account, amount, item_variant_id, storage_place_id, sku, category, source_type, source_id, day,
  document_date, created_at
)
select n.tenant_id, n.id, n.entry_id, case when n.id = n.entry_id then m.accounts end, n.account, n.amount, n.item_variant_id,
  n.storage_place_id, n.sku, n.category, n.source_type, n.source_id, (n.document_date at time zone 'UTC')::date, n.document_date, now()
from numbered n
join masks m on m.tenant_id = n.tenant_id and m.source_id = n.source_id;
