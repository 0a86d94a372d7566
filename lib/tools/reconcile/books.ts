/**
 * Checks the books: entries balance, and accounts agree with the stock, the orders and the documents. It reads only the tables and takes
 * nothing from the rules (docs/rules/books.md).
 */
import { sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

/** The other side of a movement `m`: its account by its source. */
const otherSide = sql.fragment`case m.source_type
  when 'PURCHASE_RECEIPT' then 'GOODS_RECEIVED_NOT_INVOICED'
  when 'STOCK_ADJUSTMENT' then 'STOCK_ADJUSTMENT'
  when 'MANUFACTURING_ORDER' then 'WORK_IN_PROGRESS'
  when 'SALES_SHIPMENT' then 'COST_OF_GOODS_SOLD'
  when 'SALES_RETURN' then 'COST_OF_GOODS_SOLD'
  when 'LANDED_COST' then 'LANDED_COST_CLEARING' end`

/** In the order of their bits. */
const accountNames = sql.fragment`array[
  'INVENTORY', 'GOODS_RECEIVED_NOT_INVOICED', 'WORK_IN_PROGRESS', 'PRODUCTION_COSTS_ABSORBED', 'COST_OF_GOODS_SOLD', 'STOCK_ADJUSTMENT',
  'LANDED_COST_CLEARING', 'LANDED_COST_EXPENSED', 'PRODUCTION_EXPENSED', 'VALUATION_DIFFERENCE'
]`

/** What documents are to have in accounts. */
const expected = sql.fragment`
  select o.tenant_id, 'MANUFACTURING_ORDER' as source_type, o.id as source_id, s.account, s.amount
  from manufacturing_orders o
  cross join lateral (values
    ('WORK_IN_PROGRESS', o.materials_cost + o.operations_cost - o.posted_cost), ('PRODUCTION_COSTS_ABSORBED', -o.operations_cost),
    ('PRODUCTION_EXPENSED', o.expensed_cost)
  ) s (account, amount)
  union all
  select c.tenant_id, 'LANDED_COST', c.id, s.account, s.amount
  from landed_costs c
  cross join lateral (values
    ('LANDED_COST_EXPENSED', c.expensed_amount), ('LANDED_COST_CLEARING', -c.total_amount)
  ) s (account, amount)
  where not c.reversed
  union all
  select r.tenant_id, 'PURCHASE_RECEIPT', r.id, 'GOODS_RECEIVED_NOT_INVOICED', -sum(i.stock_value)
  from purchase_receipts r
  join purchase_receipt_items i on i.tenant_id = r.tenant_id and i.purchase_receipt_id = r.id
  where not r.reversed and i.stock_value is not null
  group by 1, 2, 3`

export const bookChecks: readonly Check[] = [
  {
    name: 'debits equal credits in each entry of the books',
    faultRows: sql.fragment`
      select tenant_id, format('entry %s', entry_id) as subject, 0 as expected, trim_scale(sum(amount)) as found
      from (
        -- Both sides of other movements balance by themselves.
        select tenant_id, entry_id, value as amount from stock_movements where source_type = 'STOCK_TRANSFER'
        union all
        select tenant_id, entry_id, amount from book_lines
      ) lines
      group by tenant_id, entry_id
      having sum(amount) <> 0`,
  },
  {
    name: 'the rows of an entry of the books have one source, one day and one time',
    faultRows: sql.fragment`
      select tenant_id, format('entry %s', entry_id) as subject, 'one source, day and time' as expected,
        format('%s to %s, %s to %s', min(day), max(day), min(source_id), max(source_id)) as found
      from (
        select tenant_id, entry_id, day, source_type, source_id, document_date, created_at from stock_movements
        union all
        select tenant_id, entry_id, day, source_type, source_id, document_date, created_at from book_lines
      ) entries
      group by tenant_id, entry_id
      having (min(day), min(source_type), min(source_id), min(document_date), min(created_at))
        <> (max(day), max(source_type), max(source_id), max(document_date), max(created_at))`,
  },
  {
    name: 'INVENTORY of a variant at a place = its stock value',
    faultRows: sql.fragment`
      select tenant_id, format('variant %s, place %s', item_variant_id, place_key) as subject, trim_scale(b.value) as expected,
        trim_scale(l.amount) as found
      from stock_balances b
      full join (
        select tenant_id, item_variant_id, coalesce(storage_place_id, 0) as place_key, sum(amount) as amount
        from (
          select tenant_id, item_variant_id, storage_place_id, value as amount from stock_movements
          union all
          select tenant_id, item_variant_id, storage_place_id, amount from book_lines where account = 'INVENTORY'
        ) lines
        group by 1, 2, 3
      ) l using (tenant_id, item_variant_id, place_key)
      where coalesce(b.value, 0) <> coalesce(l.amount, 0)`,
  },
  {
    name: 'accounts of orders, receipts and landed costs = their documents; those of reversed documents are 0',
    faultRows: sql.fragment`
      select tenant_id, format('%s of %s %s', account, source_type, source_id) as subject,
        trim_scale(coalesce(e.amount, 0)) as expected, trim_scale(coalesce(f.amount, 0)) as found
      from (${expected}) e
      full join (
        select tenant_id, source_type, source_id, account, sum(amount) as amount
        from (
          select m.tenant_id, m.source_type, m.source_id, ${otherSide} as account, -m.value as amount from stock_movements m
          left join stock_adjustments a on m.source_type = 'STOCK_ADJUSTMENT' and a.tenant_id = m.tenant_id and a.id = m.source_id
          left join sales_shipments s on m.source_type = 'SALES_SHIPMENT' and s.tenant_id = m.tenant_id and s.id = m.source_id
          where m.source_type in ('MANUFACTURING_ORDER', 'LANDED_COST', 'PURCHASE_RECEIPT') or a.reversed or s.reversed
          union all
          select tenant_id, source_type, source_id, account, amount from book_lines
          where account not in ('INVENTORY', 'VALUATION_DIFFERENCE')
        ) lines
        group by 1, 2, 3, 4
      ) f using (tenant_id, source_type, source_id, account)
      where coalesce(e.amount, 0) <> coalesce(f.amount, 0)`,
  },
  {
    name: 'INVENTORY of a category = the stock value of its products',
    faultRows: sql.fragment`
      select tenant_id, format('category %s', category) as subject, trim_scale(sum(worth)) as expected, trim_scale(sum(booked)) as found
      from (
        select b.tenant_id, i.category, b.value as worth, 0 as booked
        from stock_balances b
        join item_variants v on v.tenant_id = b.tenant_id and v.id = b.item_variant_id
        join items i on i.tenant_id = v.tenant_id and i.id = v.item_id
        where b.value <> 0
        union all
        select tenant_id, category, 0, value from stock_movements
        union all
        select tenant_id, category, 0, amount from book_lines where account = 'INVENTORY'
      ) parts
      group by tenant_id, category
      having sum(worth) <> sum(booked)`,
  },
  {
    name: 'the first row of an entry of the books says which accounts it has, and how many movements',
    faultRows: sql.fragment`
      select tenant_id, format('entry %s', entry_id) as subject, format('accounts %s, movements %s', accounts, movements) as expected,
        format('accounts %s, movements %s, %s times', said, counted, begun) as found
      from (
        select tenant_id, entry_id, coalesce(bit_or(bit), 0) as accounts,
          case when bit_or(bit) is null then 0 else max(movements) end as movements
        from (
          select tenant_id, entry_id, 1 << (array_position(${accountNames}, account) - 1) as bit, sum(amount) as amount
          from (
            select m.tenant_id, m.entry_id, m.item_variant_id, m.storage_place_id, side.account, side.amount
            from stock_movements m cross join lateral (values ('INVENTORY', m.value), (${otherSide}, -m.value)) side (account, amount)
            where side.account is not null
            union all
            select tenant_id, entry_id, item_variant_id, storage_place_id, account, amount from book_lines where source_type <> 'PRODUCT'
            union all
            select distinct on (tenant_id, entry_id) tenant_id, entry_id, null, null, 'INVENTORY', 1 from book_lines
            where source_type = 'PRODUCT'
          ) lines
          group by tenant_id, entry_id, item_variant_id, storage_place_id, account
          having sum(amount) <> 0
        ) netted
        full join (
          select tenant_id, entry_id, count(*) as movements from stock_movements group by 1, 2
        ) moved using (tenant_id, entry_id)
        group by tenant_id, entry_id
      ) expected
      full join (
        select tenant_id, entry_id, sum(entry_accounts) as said, coalesce(sum(entry_movements), 0) as counted, count(*) as begun
        from (
          select tenant_id, entry_id, entry_accounts, entry_movements from stock_movements
          where entry_accounts is not null or entry_movements is not null
          union all
          select tenant_id, entry_id, entry_accounts, 0 from book_lines where entry_accounts is not null
        ) begun
        group by tenant_id, entry_id
      ) found using (tenant_id, entry_id)
      where (coalesce(accounts, 0), coalesce(movements, 0)) <> (coalesce(said, 0), coalesce(counted, 0)) or begun > 1`,
  },
  {
    name: 'notes of what accounts moved = the lines that they note',
    faultRows: sql.fragment`
      with noted as (
        select tenant_id, max(entry_id) as entry_id from book_notes group by tenant_id
      ), lines as (
        select m.tenant_id, m.day, side.account, side.amount
        from noted
        join stock_movements m on m.tenant_id = noted.tenant_id and m.entry_id <= noted.entry_id
        cross join lateral (values ('INVENTORY', m.value), (${otherSide}, -m.value)) side (account, amount)
        where side.account is not null
        union all
        select l.tenant_id, l.day, l.account, l.amount
        from noted
        join book_lines l on l.tenant_id = noted.tenant_id and l.entry_id <= noted.entry_id
      ), moved as (
        select *
        from (
          select tenant_id, false as is_month, day, account, sum(amount) as amount from lines group by 1, 3, 4
          union all
          select tenant_id, true, date_trunc('month', day)::date, account, sum(amount) from lines group by 1, 3, 4
        ) each
        cross join unnest(array['account', 'category', 'place', 'reason']) split
      )
      select tenant_id, format('%s on %s, by %s', account, day, split) as subject, trim_scale(coalesce(m.amount, 0)) as expected,
        trim_scale(coalesce(t.amount, 0)) as found
      from moved m
      full join (
        select tenant_id, split, is_month, day, account, sum(debit - credit) as amount from book_turnovers group by 1, 2, 3, 4, 5
      ) t using (tenant_id, split, is_month, day, account)
      where coalesce(m.amount, 0) <> coalesce(t.amount, 0)`,
  },
  {
    name: 'stock_amount of a receipt = the sum of its lines',
    faultRows: sql.fragment`
      select r.tenant_id, format('purchase receipt %s', r.number) as subject, trim_scale(coalesce(sum(i.stock_value), 0)) as expected,
        trim_scale(r.stock_amount) as found
      from purchase_receipts r
      left join purchase_receipt_items i on i.tenant_id = r.tenant_id and i.purchase_receipt_id = r.id
      group by r.tenant_id, r.id, r.number, r.stock_amount
      having coalesce(sum(i.stock_value), 0) <> r.stock_amount`,
  },
  {
    name: 'operations and expensed cost are booked for the product of their order, at its place',
    faultRows: sql.fragment`
      select b.tenant_id, format('line %s of the books', b.id) as subject,
        format('variant %s, place %s', o.item_variant_id, o.manufacturing_location_id) as expected,
        format('variant %s, place %s', b.item_variant_id, b.storage_place_id) as found
      from (select * from book_lines where source_type = 'MANUFACTURING_ORDER') b
      left join manufacturing_orders o on o.tenant_id = b.tenant_id and o.id = b.source_id
      where (b.item_variant_id, b.storage_place_id) is distinct from (o.item_variant_id, o.manufacturing_location_id)`,
  },
]
