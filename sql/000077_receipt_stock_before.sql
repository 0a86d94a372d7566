-- no transaction
-- Of receipts that were made before 000076. It locks no table; commands wait at most for their own rows.
with brought as materialized (
  select tenant_id, purchase_receipt_id as id, sum(stock_value) as value from purchase_receipt_items where stock_value <> 0 group by 1, 2
)
update purchase_receipts r
set stock_amount = b.value
from brought b
where r.tenant_id = b.tenant_id and r.id = b.id and r.stock_amount = 0;
