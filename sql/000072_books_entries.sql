-- no transaction
-- The entries of the books that have movements, in their order: all, those of a type of source, those of a week, and those with an account. Nearly
-- every entry has the account INVENTORY, bit 1: it needs no index.
create index concurrently if not exists stock_movements_entries on stock_movements (tenant_id, id) where entry_accounts is not null;
create index concurrently if not exists stock_movements_entries_by_type on stock_movements (tenant_id, source_type, id) where entry_accounts is not null;
create index concurrently if not exists stock_movements_entries_by_week on stock_movements (tenant_id, week_of(day), id) where entry_accounts is not null;
create index concurrently if not exists stock_movements_entries_2 on stock_movements (tenant_id, id) where entry_accounts & 2 <> 0;
create index concurrently if not exists stock_movements_entries_4 on stock_movements (tenant_id, id) where entry_accounts & 4 <> 0;
create index concurrently if not exists stock_movements_entries_8 on stock_movements (tenant_id, id) where entry_accounts & 8 <> 0;
create index concurrently if not exists stock_movements_entries_16 on stock_movements (tenant_id, id) where entry_accounts & 16 <> 0;
create index concurrently if not exists stock_movements_entries_32 on stock_movements (tenant_id, id) where entry_accounts & 32 <> 0;
create index concurrently if not exists stock_movements_entries_64 on stock_movements (tenant_id, id) where entry_accounts & 64 <> 0;
create index concurrently if not exists stock_movements_entries_128 on stock_movements (tenant_id, id) where entry_accounts & 128 <> 0;
create index concurrently if not exists stock_movements_entries_256 on stock_movements (tenant_id, id) where entry_accounts & 256 <> 0;
create index concurrently if not exists stock_movements_entries_512 on stock_movements (tenant_id, id) where entry_accounts & 512 <> 0;
