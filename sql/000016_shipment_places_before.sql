-- no transaction
-- Where lines left that were shipped before 000015: a shipment books one movement for each of its lines that hold stock, in their order.
with lines as materialized (
  select tenant_id, sales_shipment_id, id,
    row_number() over (partition by tenant_id, sales_shipment_id order by id) as at
  from sales_shipment_items where value is not null
),
booked as materialized (
  select tenant_id, source_id, storage_place_id,
    row_number() over (partition by tenant_id, source_id order by id) as at
  from stock_movements where source_type = 'SALES_SHIPMENT'
)
update sales_shipment_items i
set storage_place_id = b.storage_place_id
from lines l
join booked b on b.tenant_id = l.tenant_id and b.source_id = l.sales_shipment_id and b.at = l.at
where i.tenant_id = l.tenant_id and i.sales_shipment_id = l.sales_shipment_id and i.id = l.id and b.storage_place_id is not null;
