-- Lists over all orders, and of what is available: each filter that may leave a few rows of a million has its way in.

-- Receipts by place and by the day of receipt. One row per delivery of goods, seldom more than its order has.
create index purchase_receipts_by_place on purchase_receipts (tenant_id, storage_place_id, id);
create index purchase_receipts_by_received on purchase_receipts (tenant_id, received_date, id);

-- Shipments by what their lines hold.
create index sales_shipment_items_by_variant on sales_shipment_items (tenant_id, item_variant_id, sales_shipment_id);
create index sales_shipment_items_by_batch on sales_shipment_items (tenant_id, batch_id, sales_shipment_id)
  where batch_id is not null;

-- Tasks of an operation, in the order of the list: order by order.
create index manufacturing_order_tasks_by_operation on manufacturing_order_tasks (tenant_id, operation_id, manufacturing_order_id, id);

-- What lies at a place, in the order of variants. These columns never change.
create index if not exists stock_balances_by_place on stock_balances (tenant_id, place_key, item_variant_id);

-- Deliveries of a subscription by how they are shown: pending ones of an earlier generation are shown as failed.
create index webhook_deliveries_pending on webhook_deliveries (tenant_id, subscription_id, generation, id) where status = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (tenant_id, subscription_id, id) where status = 'failed';
create index webhook_deliveries_succeeded on webhook_deliveries (tenant_id, subscription_id, id) where status = 'succeeded';
