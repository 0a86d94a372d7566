-- The books: every change of the stock's value, of work in progress, and every expense is a double entry (docs/rules/books.md). A movement
-- is half of an entry by itself: its value in INVENTORY, the other side by its source_type. What is no movement is a line of book_lines.
lock table stock_movements;

-- The day of the document in the tenant's zone, and what the variant was called, as they were when the movement was posted.
alter table stock_movements add column day date;
alter table stock_movements add column sku text;
alter table stock_movements add column category text;
-- The first movement of the command, whose id is that of the entry. Null of what the release before wrote, until enter_movements has seen it.
alter table stock_movements add column entry_id bigint;
-- Of the first movement of an entry that has lines: which accounts it has, one bit each, and how many movements follow one another in it.
alter table stock_movements add column entry_accounts integer;
alter table stock_movements add column entry_movements integer;

-- Movements stay append-only. enter_movements alone sets these columns, once.
drop trigger append_only on stock_movements;
create trigger append_only before update on stock_movements
  for each statement when (current_setting('millrace.enters', true) is distinct from 'on') execute function refuse_change();
create trigger never_truncated before truncate on stock_movements
  for each statement execute function refuse_change();

-- What is no movement of an entry, append-only: operations, what is expensed, the differences of reversals. Written by
-- lib/domain/stock/ledger-statement.ts with the movements of the same command.
create table book_lines (
  tenant_id bigint not null,
  id bigint not null,
  -- The first movement of the command; its first line where it has no movement.
  entry_id bigint not null,
  -- As of stock_movements; of an entry without a movement.
  entry_accounts integer,
  account text not null check (account in (
    'INVENTORY', 'GOODS_RECEIVED_NOT_INVOICED', 'WORK_IN_PROGRESS', 'PRODUCTION_COSTS_ABSORBED', 'COST_OF_GOODS_SOLD', 'STOCK_ADJUSTMENT',
    'LANDED_COST_CLEARING', 'LANDED_COST_EXPENSED', 'PRODUCTION_EXPENSED', 'VALUATION_DIFFERENCE'
  )),
  -- Debit above 0, credit below.
  amount numeric(28, 4) not null check (amount <> 0),
  item_variant_id bigint,
  storage_place_id bigint,
  sku text,
  category text,
  source_type text not null check (source_type in (
    'STOCK_ADJUSTMENT', 'PURCHASE_RECEIPT', 'MANUFACTURING_ORDER', 'SALES_SHIPMENT', 'SALES_RETURN', 'STOCK_TRANSFER', 'LANDED_COST',
    'PRODUCT'
  )),
  source_id bigint not null,
  day date not null,
  document_date timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_freeze_min_age = 0);
create index book_lines_by_entry on book_lines (tenant_id, entry_id, id);
create index book_lines_by_source on book_lines (tenant_id, source_id, id);
-- The entries that have an account which few of a source have.
create index book_lines_by_account on book_lines (tenant_id, account, entry_id);
create index book_lines_entries on book_lines (tenant_id, source_type, id) where entry_accounts is not null;
create index book_lines_entries_by_week on book_lines (tenant_id, source_type, week_of(day), id) include (day, entry_accounts)
  where entry_accounts is not null;
create trigger append_only before update or truncate on book_lines
  for each statement execute function refuse_change();
create trigger never_deleted before delete on book_lines
  for each row execute function refuse_delete();
alter table book_lines alter column tenant_id set (n_distinct = 20);
