-- no transaction
-- Who follows what is available reads it in the order of its changes.
create index concurrently if not exists stock_balances_by_time on stock_balances (tenant_id, updated_at, item_variant_id, place_key);
create index concurrently if not exists storage_places_moved on storage_places (tenant_id, id) where sales_changed_at is not null;
