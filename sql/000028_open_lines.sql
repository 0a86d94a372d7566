-- What is short, and for whom: `GET /shortages` finds its rows and what stands behind them by what is open or short now, however
-- much is finished.

-- Of a line that is open, what is left still counts: reserved by a sales order, expected by a purchase order, reserved by a
-- manufacturing order. It is closed with an order that ends before all of it was shipped or received, and when manufacturing
-- starts. The order itself decides (an earlier version that runs beside closes no line); this keeps lines of finished orders out
-- of the indexes below. Those that are there stay as they are, so that a large table is not rewritten; new ones are open.
alter table sales_order_items add column is_open boolean not null default false;
alter table sales_order_items alter column is_open set default true;
update sales_order_items l set is_open = true
from sales_orders o where o.tenant_id = l.tenant_id and o.id = l.sales_order_id and o.status = 'OPEN';

alter table purchase_order_items add column is_open boolean not null default false;
alter table purchase_order_items alter column is_open set default true;
update purchase_order_items l set is_open = true
from purchase_orders o where o.tenant_id = l.tenant_id and o.id = l.purchase_order_id and o.status = 'OPEN';

alter table manufacturing_order_items add column is_open boolean not null default false;
alter table manufacturing_order_items alter column is_open set default true;
update manufacturing_order_items l set is_open = true
from manufacturing_orders o
where o.tenant_id = l.tenant_id and o.id = l.manufacturing_order_id
  and (o.status = 'NOT_STARTED' or o.status_before_block = 'NOT_STARTED');

-- Open lines by variant; nothing asks for all lines of a variant.
drop index sales_order_items_by_variant;
create index sales_order_items_open on sales_order_items (tenant_id, item_variant_id, sales_order_id)
  where is_open and holds_stock and quantity > shipped_quantity;
create index purchase_order_items_open on purchase_order_items (tenant_id, item_variant_id, purchase_order_id)
  where is_open and holds_stock and quantity > received_quantity;
create index manufacturing_order_items_open on manufacturing_order_items (tenant_id, item_variant_id, manufacturing_order_id)
  where is_open and quantity > 0;
create index manufacturing_orders_open on manufacturing_orders (tenant_id, item_variant_id, id)
  where completed_at is null and quantity > released_quantity;

-- What may be short: batches only add to what is there, so a variant is short at a place only where its entry without a batch is.
create index stock_levels_short on stock_levels (tenant_id, item_variant_id, place_key)
  where batch_id is null and quantity - quarantine_quantity - reserved_quantity + expected_quantity < 0;
create index item_variants_with_minimum on item_variants (tenant_id, id) where minimum_stock > 0;
