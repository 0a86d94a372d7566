-- What each row that is written costs: entries in indexes, and a look at every row that it refers to. Those that nothing needs go
-- (docs/decisions/0006). The names of what stays are those of the tables' first migrations.

-- References of rows that grow with the business. They are written in one place, by units of work that have locked the tenant and
-- found what is referred to; of that nothing is ever deleted (master data is archived, what was shipped or received stays, and lines go
-- with their document). The tests' databases have these keys still (lib/reconcile/references.ts lists them), and `reconcile`
-- proves them. Of an order with 20 lines the keys were a fifth of Postgres' processor time.
alter table batches
  drop constraint batches_tenant_id_item_variant_id_fkey;
alter table commands
  drop constraint commands_tenant_id_fkey;
alter table events
  drop constraint events_tenant_id_fkey;
alter table manufacturing_order_items
  drop constraint manufacturing_order_items_tenant_id_item_variant_id_fkey,
  drop constraint manufacturing_order_items_tenant_id_manufacturing_order_id_fkey;
alter table manufacturing_order_tasks
  drop constraint manufacturing_order_tasks_tenant_id_manufacturing_order_id_fkey,
  drop constraint manufacturing_order_tasks_tenant_id_operation_id_fkey;
alter table manufacturing_orders
  drop constraint manufacturing_orders_tenant_id_fkey,
  drop constraint manufacturing_orders_tenant_id_item_variant_id_fkey,
  drop constraint manufacturing_orders_tenant_id_last_output_batch_id_fkey,
  drop constraint manufacturing_orders_tenant_id_last_output_place_id_fkey,
  drop constraint manufacturing_orders_tenant_id_manufacturing_location_id_fkey,
  drop constraint manufacturing_orders_tenant_id_recipe_id_fkey,
  drop constraint manufacturing_orders_tenant_id_sales_order_id_fkey;
alter table purchase_order_items
  drop constraint purchase_order_items_tenant_id_item_variant_id_fkey,
  drop constraint purchase_order_items_tenant_id_purchase_order_id_fkey;
alter table purchase_orders
  drop constraint purchase_orders_tenant_id_expected_place_id_fkey,
  drop constraint purchase_orders_tenant_id_fkey,
  drop constraint purchase_orders_tenant_id_supplier_id_fkey;
alter table purchase_receipt_items
  drop constraint purchase_receipt_items_tenant_id_batch_id_fkey,
  drop constraint purchase_receipt_items_tenant_id_purchase_order_id_purchas_fkey,
  drop constraint purchase_receipt_items_tenant_id_purchase_receipt_id_fkey;
alter table purchase_receipts
  drop constraint purchase_receipts_tenant_id_fkey,
  drop constraint purchase_receipts_tenant_id_purchase_order_id_fkey,
  drop constraint purchase_receipts_tenant_id_storage_place_id_fkey;
alter table refused_commands
  drop constraint refused_commands_tenant_id_fkey;
alter table sales_order_items
  drop constraint sales_order_items_tenant_id_item_variant_id_fkey,
  drop constraint sales_order_items_tenant_id_sales_order_id_fkey,
  drop constraint sales_order_items_tenant_id_storage_place_id_fkey;
alter table sales_orders
  drop constraint sales_orders_tenant_id_cancelled_by_user_id_fkey,
  drop constraint sales_orders_tenant_id_customer_id_fkey,
  drop constraint sales_orders_tenant_id_fkey;
alter table sales_packing_items
  drop constraint sales_packing_items_tenant_id_batch_id_fkey,
  drop constraint sales_packing_items_tenant_id_item_variant_id_fkey,
  drop constraint sales_packing_items_tenant_id_sales_packing_id_fkey;
alter table sales_packings
  drop constraint sales_packings_tenant_id_fkey,
  drop constraint sales_packings_tenant_id_sales_order_id_fkey;
alter table sales_return_items
  drop constraint sales_return_items_tenant_id_batch_id_fkey,
  drop constraint sales_return_items_tenant_id_sales_order_id_sales_order_it_fkey,
  drop constraint sales_return_items_tenant_id_sales_return_id_fkey,
  drop constraint sales_return_items_tenant_id_storage_place_id_fkey;
alter table sales_returns
  drop constraint sales_returns_tenant_id_fkey,
  drop constraint sales_returns_tenant_id_sales_order_id_fkey,
  drop constraint sales_returns_tenant_id_storage_place_id_fkey;
alter table sales_shipment_items
  drop constraint sales_shipment_items_tenant_id_batch_id_fkey,
  drop constraint sales_shipment_items_tenant_id_sales_order_id_sales_order__fkey,
  drop constraint sales_shipment_items_tenant_id_sales_shipment_id_fkey;
alter table sales_shipments
  drop constraint sales_shipments_tenant_id_fkey,
  drop constraint sales_shipments_tenant_id_sales_order_id_fkey;
alter table spent_documents
  drop constraint spent_documents_tenant_id_fkey;
alter table stock_adjustment_items
  drop constraint stock_adjustment_items_tenant_id_item_variant_id_fkey,
  drop constraint stock_adjustment_items_tenant_id_stock_adjustment_id_fkey;
alter table stock_adjustments
  drop constraint stock_adjustments_tenant_id_fkey,
  drop constraint stock_adjustments_tenant_id_storage_place_id_fkey;
alter table stock_balances
  drop constraint stock_balances_tenant_id_item_variant_id_fkey,
  drop constraint stock_balances_tenant_id_storage_place_id_fkey;
alter table stock_levels
  drop constraint stock_levels_tenant_id_batch_id_fkey,
  drop constraint stock_levels_tenant_id_item_variant_id_fkey,
  drop constraint stock_levels_tenant_id_storage_place_id_fkey;
alter table stock_movements
  drop constraint stock_movements_tenant_id_stock_level_id_fkey;
alter table stock_transfer_items
  drop constraint stock_transfer_items_tenant_id_item_variant_id_fkey,
  drop constraint stock_transfer_items_tenant_id_stock_transfer_id_fkey;
alter table stock_transfers
  drop constraint stock_transfers_tenant_id_fkey,
  drop constraint stock_transfers_tenant_id_from_storage_place_id_fkey,
  drop constraint stock_transfers_tenant_id_to_storage_place_id_fkey;

-- Few records have a reference of the caller's: an index that holds the others too has an entry for nothing.
create unique index customers_by_external_ref on customers (tenant_id, external_ref) where external_ref is not null;
alter table customers drop constraint customers_tenant_id_external_ref_key;
create unique index items_by_external_ref on items (tenant_id, external_ref) where external_ref is not null;
alter table items drop constraint items_tenant_id_external_ref_key;
create unique index manufacturing_orders_by_external_ref on manufacturing_orders (tenant_id, external_ref) where external_ref is not null;
alter table manufacturing_orders drop constraint manufacturing_orders_tenant_id_external_ref_key;
create unique index operations_by_external_ref on operations (tenant_id, external_ref) where external_ref is not null;
alter table operations drop constraint operations_tenant_id_external_ref_key;
create unique index purchase_orders_by_external_ref on purchase_orders (tenant_id, external_ref) where external_ref is not null;
alter table purchase_orders drop constraint purchase_orders_tenant_id_external_ref_key;
create unique index purchase_receipts_by_external_ref on purchase_receipts (tenant_id, external_ref) where external_ref is not null;
alter table purchase_receipts drop constraint purchase_receipts_tenant_id_external_ref_key;
create unique index recipes_by_external_ref on recipes (tenant_id, external_ref) where external_ref is not null;
alter table recipes drop constraint recipes_tenant_id_external_ref_key;
create unique index sales_orders_by_external_ref on sales_orders (tenant_id, external_ref) where external_ref is not null;
alter table sales_orders drop constraint sales_orders_tenant_id_external_ref_key;
create unique index sales_packings_by_external_ref on sales_packings (tenant_id, external_ref) where external_ref is not null;
alter table sales_packings drop constraint sales_packings_tenant_id_external_ref_key;
create unique index sales_returns_by_external_ref on sales_returns (tenant_id, external_ref) where external_ref is not null;
alter table sales_returns drop constraint sales_returns_tenant_id_external_ref_key;
create unique index sales_shipments_by_external_ref on sales_shipments (tenant_id, external_ref) where external_ref is not null;
alter table sales_shipments drop constraint sales_shipments_tenant_id_external_ref_key;
create unique index stock_adjustments_by_external_ref on stock_adjustments (tenant_id, external_ref) where external_ref is not null;
alter table stock_adjustments drop constraint stock_adjustments_tenant_id_external_ref_key;
create unique index stock_transfers_by_external_ref on stock_transfers (tenant_id, external_ref) where external_ref is not null;
alter table stock_transfers drop constraint stock_transfers_tenant_id_external_ref_key;
create unique index storage_places_by_external_ref on storage_places (tenant_id, external_ref) where external_ref is not null;
alter table storage_places drop constraint storage_places_tenant_id_external_ref_key;
create unique index suppliers_by_external_ref on suppliers (tenant_id, external_ref) where external_ref is not null;
alter table suppliers drop constraint suppliers_tenant_id_external_ref_key;

-- Within a tenant ids rise with created_at, so the primary key serves a range of time too (lib/api/created-range.ts).
drop index stock_movements_by_time, stock_adjustments_by_time, stock_transfers_by_time, manufacturing_orders_by_time, sales_orders_by_time,
  sales_returns_by_time;
