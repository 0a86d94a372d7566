-- no transaction
-- The entries of the books that have movements, in their order: those of a source, which with all sources are all, and those of a week. Most
-- accounts are of few sources, so that no index has accounts.
create index concurrently if not exists stock_movements_entries on stock_movements (tenant_id, source_type, id) where entry_accounts is not null;
create index concurrently if not exists stock_movements_entries_by_week on stock_movements (tenant_id, source_type, week_of(day), id) include (day, entry_accounts)
  where entry_accounts is not null;
-- Empty but for what the release before wrote.
create index concurrently if not exists stock_movements_unentered on stock_movements (tenant_id, id) where entry_id is null;
