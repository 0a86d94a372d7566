-- no transaction
-- What returns refund that were made before 000013: refund_amount of a return stays, its lines share it by quantity * unit_price, and each
-- has the tax of its order line in proportion. It locks no table; commands wait at most for their own rows.
with made as materialized (
  select i.tenant_id, i.sales_return_id, i.id, l.line_amount, l.line_tax_amount, r.refund_amount as whole,
    case
      when o.currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0
      when o.currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
      else 2
    end as digits,
    i.quantity * i.unit_price as own,
    sum(i.quantity * i.unit_price) over (partition by i.tenant_id, i.sales_return_id order by i.id) as until,
    sum(i.quantity * i.unit_price) over (partition by i.tenant_id, i.sales_return_id) as total
  from sales_return_items i
  join sales_returns r on r.tenant_id = i.tenant_id and r.id = i.sales_return_id
  join sales_orders o on o.tenant_id = i.tenant_id and o.id = i.sales_order_id
  join sales_order_items l
    on l.tenant_id = i.tenant_id and l.sales_order_id = i.sales_order_id and l.id = i.sales_order_item_id
  where i.usual_amount is null
),
shared as materialized (
  select tenant_id, sales_return_id, id, line_amount, line_tax_amount, digits,
    round(whole * until / total, digits) - round(whole * (until - own) / total, digits) as amount
  from made where total > 0
)
update sales_return_items i
set refund_amount = s.amount,
  refund_tax_amount = case when s.line_amount = 0 then 0 else round(s.amount * s.line_tax_amount / s.line_amount, s.digits) end
from shared s
where i.tenant_id = s.tenant_id and i.sales_return_id = s.sales_return_id and i.id = s.id;

with taxed as materialized (
  select tenant_id, sales_return_id as id, sum(refund_tax_amount) as tax
  from sales_return_items where usual_amount is null group by 1, 2
)
update sales_returns r
set refund_tax_amount = t.tax
from taxed t
where r.tenant_id = t.tenant_id and r.id = t.id and r.refund_tax_amount <> t.tax;
