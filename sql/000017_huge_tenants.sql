-- Statements are prepared and planned once for all tenants: by how many rows a tenant has on average. Among many small tenants
-- that is a row or two, and then every index that begins with tenant_id looks as good as the one that holds the whole key; a
-- huge tenant is read through for each look-up. So Postgres is told, for the tables that grow with a tenant, that a tenant
-- holds a twentieth of them, whatever it counts (docs/decisions/0005). It takes effect with each ANALYZE from now on; where
-- there are rows, at once.
do $$
declare
  grown text;
begin
  foreach grown in array array[
    'commands', 'events', 'items', 'item_variants', 'recipes', 'recipe_materials', 'recipe_operations', 'operations',
    'batches', 'stock_levels', 'stock_balances', 'stock_movements', 'stock_adjustments', 'stock_adjustment_items',
    'stock_transfers', 'stock_transfer_items', 'suppliers', 'customers', 'purchase_orders', 'purchase_order_items',
    'purchase_receipts', 'purchase_receipt_items', 'sales_orders', 'sales_order_items', 'sales_shipments',
    'sales_shipment_items', 'sales_packings', 'sales_packing_items', 'sales_returns', 'sales_return_items',
    'manufacturing_orders', 'manufacturing_order_items', 'manufacturing_order_tasks', 'webhook_deliveries'
  ] loop
    execute format('alter table %I alter column tenant_id set (n_distinct = 20)', grown);
    -- An empty table is left unanalyzed: Postgres then takes it for one of ten pages, which is nearer to what it becomes.
    if (select reltuples > 0 from pg_class where oid = grown::regclass) then
      execute format('analyze %I', grown);
    end if;
  end loop;
end $$;
