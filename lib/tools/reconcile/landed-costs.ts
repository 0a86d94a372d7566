/** Checks landed costs: where each cost went. It reads only the tables and takes nothing from the rules. */
import { sql } from '../../platform/postgres/postgres.ts'
import type { Check } from './check.ts'

export const landedCostChecks: readonly Check[] = [
  {
    name: 'landed cost totals = sums of their costs and allocations',
    faultRows: sql.fragment`
      select l.tenant_id, format('landed cost %s', l.number) as subject,
        format(
          'costs %s, allocated %s, stock %s, expensed %s', trim_scale(c.total), trim_scale(a.total), trim_scale(a.stock),
          trim_scale(a.expensed)
        ) as expected,
        format(
          'total %s, stock %s, expensed %s', trim_scale(l.total_amount), trim_scale(l.stock_amount), trim_scale(l.expensed_amount)
        ) as found
      from landed_costs l
      left join (
        select i.tenant_id, i.landed_cost_id as id, sum(round(i.amount * d.exchange_rate, 4)) as total
        from landed_cost_items i join landed_costs d on d.tenant_id = i.tenant_id and d.id = i.landed_cost_id
        group by 1, 2
      ) c using (tenant_id, id)
      left join (
        select tenant_id, landed_cost_id as id, sum(amount) as total, sum(stock_amount) as stock, sum(expensed_amount) as expensed
        from landed_cost_allocations group by 1, 2
      ) a using (tenant_id, id)
      where (c.total, a.total, a.stock, a.expensed) is distinct from (l.total_amount, l.total_amount, l.stock_amount, l.expensed_amount)
        or l.total_amount <> l.stock_amount + l.expensed_amount`,
  },
  {
    // Each cost is spread over the goods of the receipt by weights. The sum of the lines up to each one is rounded.
    name: 'allocations of landed costs bear their share',
    faultRows: sql.fragment`
      select tenant_id, format('landed cost %s, receipt line %s', landed_cost_id, id) as subject,
        trim_scale(s.share) as expected, trim_scale(a.amount) as found
      from landed_cost_allocations a
      full join (
        select tenant_id, landed_cost_id, id,
          sum(cost_ratio(cost * upto, whole) - cost_ratio(cost * (upto - weight), whole)) as share
        from (
          select *, sum(weight) over (partition by tenant_id, cost_id order by id) as upto,
            sum(weight) over (partition by tenant_id, cost_id) as whole
          from (
            select l.tenant_id, l.id as landed_cost_id, c.id as cost_id, g.id, round(c.amount * l.exchange_rate, 4) as cost,
              case when c.distribution = 'QUANTITY' or g.is_free then g.quantity else g.stock_value end as weight
            from landed_costs l
            join landed_cost_items c on c.tenant_id = l.tenant_id and c.landed_cost_id = l.id
            join (
              select *, bool_and(stock_value = 0) over (partition by tenant_id, purchase_receipt_id) as is_free
              from purchase_receipt_items where stock_value is not null
            ) g on g.tenant_id = l.tenant_id and g.purchase_receipt_id = l.purchase_receipt_id
          ) weights
        ) running
        group by 1, 2, 3
      ) s using (tenant_id, landed_cost_id, id)
      where s.share is distinct from a.amount`,
  },
  {
    name: 'what a landed cost brings to the stock follows the quantity that was there',
    faultRows: sql.fragment`
      select a.tenant_id, format('landed cost %s, receipt line %s', a.landed_cost_id, a.id) as subject,
        format('stock %s, expensed %s', trim_scale(w.stock), trim_scale(a.amount - w.stock)) as expected,
        format(
          'stock %s, expensed %s, of quantity %s', trim_scale(a.stock_amount), trim_scale(a.expensed_amount),
          trim_scale(a.stock_quantity)
        ) as found
      from landed_cost_allocations a
      join purchase_receipt_items r
        on r.tenant_id = a.tenant_id and r.purchase_receipt_id = a.purchase_receipt_id and r.id = a.id
      cross join lateral (select cost_ratio(a.amount * a.stock_quantity, r.quantity) as stock) w
      where (w.stock, a.amount - w.stock) <> (a.stock_amount, a.expensed_amount) or a.stock_quantity not between 0 and r.quantity`,
  },
  {
    name: 'allocations of landed costs = their movements',
    faultRows: sql.fragment`
      select tenant_id, format('landed cost %s, variant %s', id, item_variant_id) as subject,
        case when a.value is not null then format('quantity 0, value %s', trim_scale(a.value)) end as expected,
        case when m.value is not null then format('quantity %s, value %s', trim_scale(m.quantity), trim_scale(m.value)) end as found
      from (
        select d.tenant_id, d.id, a.item_variant_id, coalesce(d.storage_place_id, 0) as place_key, coalesce(a.batch_id, 0) as batch_key,
          sum(a.stock_amount) as value
        from landed_costs d join landed_cost_allocations a on a.tenant_id = d.tenant_id and a.landed_cost_id = d.id
        where a.stock_amount <> 0 group by 1, 2, 3, 4, 5
      ) a
      full join (
        select tenant_id, source_id as id, item_variant_id, coalesce(storage_place_id, 0) as place_key,
          coalesce(batch_id, 0) as batch_key, sum(value) as value, max(abs(quantity)) as quantity
        from stock_movements where source_type = 'LANDED_COST' and kind <> 'REVERSAL' group by 1, 2, 3, 4, 5
      ) m using (tenant_id, id, item_variant_id, place_key, batch_key)
      where (a.value, 0) is distinct from (m.value, m.quantity)`,
  },
  {
    // The exact amount depends on the stock at that time, which no record keeps.
    name: 'a reversed landed cost takes back at most what it brought',
    faultRows: sql.fragment`
      select tenant_id, format('landed cost %s, variant %s', source_id, item_variant_id) as subject,
        format('0 to %s', trim_scale(brought)) as expected, trim_scale(taken) as found
      from (
        select tenant_id, source_id, item_variant_id, storage_place_id, batch_id,
          coalesce(sum(value) filter (where kind = 'LANDED_COST'), 0) as brought,
          coalesce(-sum(value) filter (where kind = 'REVERSAL'), 0) as taken
        from stock_movements where source_type = 'LANDED_COST' group by 1, 2, 3, 4, 5
      ) m
      where taken not between 0 and brought`,
  },
  {
    name: 'landed costs stand on receipts of their order, and not on reversed ones',
    faultRows: sql.fragment`
      select l.tenant_id, format('landed cost %s', l.number) as subject,
        format('a receipt of purchase order %s that stands', l.purchase_order_id) as expected,
        format('receipt %s of purchase order %s, reversed %s', r.number, r.purchase_order_id, r.reversed) as found
      from landed_costs l
      join purchase_receipts r on r.tenant_id = l.tenant_id and r.id = l.purchase_receipt_id
      where r.purchase_order_id <> l.purchase_order_id or (r.reversed and not l.reversed)`,
  },
]
