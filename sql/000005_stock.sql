-- The stock ledger: batches, levels, balances, movements and books, which only lib/domain/stock/ledger-statement.ts writes; and the documents that
-- adjust, transfer and count stock. Rows that grow with the business have no foreign keys: they are written in one place, by units of work that have
-- locked the tenant and found what is referred to, and nothing of that is ever deleted. `reconcile` proves the references (docs/decisions/0006);
-- the tests' databases have the keys. Lists go by id within the tenant, and ids rise with created_at, so the primary key serves a range of time.

-- numerator / denominator to the 4 decimals of a cost, half up, exact for numerator >= 0: `round(a / b, 4)` would round
-- twice, since numeric division itself stops after some digits. Null where the denominator is 0.
create function cost_ratio(numerator numeric, denominator numeric) returns numeric language sql immutable parallel safe
  return case when denominator > 0 then div(numerator * 20000 + denominator, denominator * 2) * 0.0001 end;

create table batches (
  tenant_id bigint not null,
  id bigint not null,
  item_variant_id bigint not null,
  number text not null,
  manufacture_date date,
  expiry_date date,
  -- Whether the batch has been told as expired, or came in so. Reads go by the clock.
  expired boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, item_variant_id, number)
);
create index batches_by_change on batches (tenant_id, updated_at, id);
create index batches_by_expiry_week on batches (tenant_id, week_of(expiry_date), id) where expiry_date is not null;
-- By number, in the order of ids: a lot of the day, one number for all variants made on it, is read page by page.
create index batches_by_number_and_id on batches (tenant_id, number, id);
create index batches_by_variant on batches (tenant_id, item_variant_id, id);
-- Which are to be told as expired, or as good again: of one tenant; and by the sweep of all tenants, with an expression that serves nobody else.
create index batches_to_turn on batches (tenant_id, expired, expiry_date, id) where expiry_date is not null;
create index batches_turning on batches ((expired::integer), expiry_date, tenant_id) where expiry_date is not null;

-- One row per variant, place (or none) and batch (or none): a stock entry. Ids begin above 0, so 0 stands for "none" in keys,
-- which makes them unique and lets one comparison find either.
create table stock_levels (
  tenant_id bigint not null,
  id bigint not null default nextval('ids'),
  item_variant_id bigint not null,
  storage_place_id bigint,
  batch_id bigint,
  place_key bigint not null generated always as (coalesce(storage_place_id, 0)) stored,
  batch_key bigint not null generated always as (coalesce(batch_id, 0)) stored,
  quantity numeric(18, 6) not null check (quantity >= 0),
  -- Of the quantity.
  quarantine_quantity numeric(18, 6) not null,
  -- Reserved and expected stand on the row without a batch.
  reserved_quantity numeric(18, 6) not null check (reserved_quantity >= 0),
  expected_quantity numeric(18, 6) not null check (expected_quantity >= 0),
  updated_at timestamptz not null,
  -- Of the variant, repeated in its entries without a batch: batches only add, so what is not below by this entry is not short.
  minimum_stock numeric(18, 6),
  -- First expired, first out is read from an index with a limit: an entry of a batch repeats its expiry date, `infinity` where it has none.
  expires_on date,
  primary key (tenant_id, id),
  unique (tenant_id, item_variant_id, place_key, batch_key),
  check (quarantine_quantity between 0 and quantity),
  check (batch_id is null or (reserved_quantity = 0 and expected_quantity = 0)),
  check (batch_id is null or expires_on is not null)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index stock_levels_below_minimum on stock_levels (tenant_id, place_key, item_variant_id)
  where batch_id is null and quantity - quarantine_quantity - reserved_quantity + expected_quantity < minimum_stock;
create index stock_levels_by_batch on stock_levels (tenant_id, batch_id, id) where batch_id is not null;
create index stock_levels_by_change on stock_levels (tenant_id, updated_at, id);
create index stock_levels_by_place on stock_levels (tenant_id, storage_place_id, id);
-- Finds what has expired at a place and is still there.
create index stock_levels_expiring on stock_levels (tenant_id, place_key, expires_on)
  where batch_id is not null and quantity > quarantine_quantity;
-- What can be picked: emptied batches stay listed for ever and must not slow picking down.
create index stock_levels_in_stock on stock_levels (tenant_id, item_variant_id, place_key) where quantity > 0;
create index stock_levels_quarantined on stock_levels (tenant_id, item_variant_id, place_key, expires_on, batch_key)
  where batch_id is not null and quarantine_quantity > 0;
-- What may be short: batches only add to what is there, so a variant is short at a place only where its entry without a batch is.
create index stock_levels_short on stock_levels (tenant_id, item_variant_id, place_key)
  where batch_id is null and quantity - quarantine_quantity - reserved_quantity + expected_quantity < 0;
-- Levels outside quarantine and in quarantine, in the order of picking. Levels without a batch have no entries.
create index stock_levels_to_pick on stock_levels (tenant_id, item_variant_id, place_key, expires_on, batch_key)
  where batch_id is not null and quantity > quarantine_quantity;

-- An entry is made once, and updates of it fire no trigger. A move copies entries as they are.
create function note_minimum_of_entry() returns trigger language plpgsql as $$
declare
  minimum numeric;
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  select v.minimum_stock into minimum from item_variants v where v.tenant_id = new.tenant_id and v.id = new.item_variant_id;
  if minimum > 0 then
    update stock_levels set minimum_stock = minimum where tenant_id = new.tenant_id and id = new.id;
    update item_variants set has_main_entry = true
    where tenant_id = new.tenant_id and id = new.item_variant_id
      and new.place_key = coalesce((select p.id from storage_places p where p.tenant_id = new.tenant_id and p.is_main), 0);
  end if;
  return null;
end $$;
create trigger note_minimum after insert on stock_levels
  for each row when (new.batch_id is null) execute function note_minimum_of_entry();

-- An entry follows the date of its batch, whoever changes that date.
create function copy_expiry_to_levels() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  update stock_levels set expires_on = coalesce(new.expiry_date, 'infinity')
  where tenant_id = new.tenant_id and batch_id = new.id;
  return null;
end $$;
create trigger copy_expiry after update on batches
  for each row when (new.expiry_date is distinct from old.expiry_date) execute function copy_expiry_to_levels();

-- What a variant at a place holds over all its batches, and its value V: batches share one average cost. The quantities are
-- kept beside the levels so that an inflow into one batch need not read the others; reconcile proves them equal.
create table stock_balances (
  tenant_id bigint not null,
  item_variant_id bigint not null,
  storage_place_id bigint,
  place_key bigint not null generated always as (coalesce(storage_place_id, 0)) stored,
  quantity numeric(18, 6) not null check (quantity >= 0),
  quarantine_quantity numeric(18, 6) not null,
  -- Outside quarantine, of entries whose expiry date is before `expired_before`, which is the tenant's day at the last write. What has turned
  -- since then stands in the entries between, and its batches have not been told yet.
  expired_quantity numeric(18, 6) not null default 0,
  expired_before date not null default '-infinity',
  value numeric(28, 4) not null check (value >= 0),
  -- When what is available last changed.
  updated_at timestamptz not null default now(),
  -- When the entries of the variant at the place came to show something else because another batch moved: a receipt may change what a
  -- thousand emptied batches show, so it is kept here once. First the average cost, which every entry shows; then quantity or value, which
  -- those with stock show, never before averaged_at. Null while there is but one entry, as of all that is not batch-tracked.
  averaged_at timestamptz,
  valued_at timestamptz,
  primary key (tenant_id, item_variant_id, place_key),
  check (quarantine_quantity between 0 and quantity),
  check (quantity > 0 or value = 0)
) with (fillfactor = 80);
create index stock_balances_by_change on stock_balances (tenant_id, valued_at) where valued_at is not null;
-- What lies at a place, in the order of variants. These columns never change.
create index stock_balances_by_place on stock_balances (tenant_id, place_key, item_variant_id);
-- Who follows what is available reads it in the order of its changes.
create index stock_balances_by_time on stock_balances (tenant_id, updated_at, item_variant_id, place_key);

-- Every change of a level, append-only. Variant, place and batch repeat the level's, so that lists need no join. What never changes is frozen
-- early: no vacuum reads it again, however old it gets. A movement is also half of an entry of the books (docs/rules/books.md): its value in
-- INVENTORY, the other side by its source_type.
create table stock_movements (
  tenant_id bigint not null,
  id bigint not null default nextval('ids'),
  stock_level_id bigint not null,
  item_variant_id bigint not null,
  storage_place_id bigint,
  batch_id bigint,
  kind text not null check (kind in (
    'ADJUSTMENT', 'PURCHASE_RECEIPT', 'MANUFACTURING_WRITE_OFF', 'MANUFACTURING_OUTPUT',
    'MANUFACTURING_RETURN', 'SALES_SHIPMENT', 'SALES_RETURN', 'TRANSFER_OUT', 'TRANSFER_IN', 'LANDED_COST',
    'REVERSAL'
  )),
  quantity numeric(18, 6) not null,
  -- What of the quantity went into (or, negative, out of) quarantine; not shown.
  quarantine_quantity numeric(18, 6) not null,
  value numeric(28, 4) not null,
  -- The level's quantity after the movement.
  quantity_after numeric(18, 6) not null,
  source_type text not null check (source_type in (
    'STOCK_ADJUSTMENT', 'PURCHASE_RECEIPT', 'MANUFACTURING_ORDER', 'SALES_SHIPMENT', 'SALES_RETURN',
    'STOCK_TRANSFER', 'LANDED_COST'
  )),
  source_id bigint not null,
  document_date timestamptz not null,
  -- The day of the document in the tenant's zone, and what the variant was called, as they were when the movement was posted.
  day date not null,
  sku text,
  category text,
  -- The first movement of the command, whose id is that of the entry.
  entry_id bigint not null,
  -- Of the first movement of an entry that has lines: which accounts it has, one bit each, and how many movements follow one another in it.
  entry_accounts integer,
  entry_movements integer,
  created_at timestamptz not null,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_freeze_min_age = 0);
create index stock_movements_by_batch on stock_movements (tenant_id, batch_id, id) where batch_id is not null;
create index stock_movements_by_place on stock_movements (tenant_id, storage_place_id, id);
create index stock_movements_by_source on stock_movements (tenant_id, source_id, id);
create index stock_movements_by_source_type on stock_movements (tenant_id, source_type, id);
create index stock_movements_by_variant on stock_movements (tenant_id, item_variant_id, id);
-- The entries of the books that have movements, in their order: those of a source, which with all sources are all, and those of a week. Most
-- accounts are of few sources, so that no index has accounts.
create index stock_movements_entries on stock_movements (tenant_id, source_type, id) where entry_accounts is not null;
create index stock_movements_entries_by_week on stock_movements (tenant_id, source_type, week_of(day), id) include (day, entry_accounts)
  where entry_accounts is not null;
create trigger append_only before update or truncate on stock_movements
  for each statement execute function refuse_change();
create trigger never_deleted before delete on stock_movements
  for each row execute function refuse_delete();

-- What each variant held at its places as of a movement, noted from time to time, so that the value of the stock at any time
-- is found without adding up all movements before it: from the last note at or before that time, and the few movements since.
-- Notes are made of movements alone, later and in the background (workers/housekeeping/past-balances.ts); without them
-- answers are the same, only slower. One row per place at which the variant had moved by then.
create table past_stock_balances (
  tenant_id bigint not null,
  item_variant_id bigint not null,
  -- The last movement that may be counted: of all of the tenant's movements up to this id, those of the variant are.
  movement_id bigint not null,
  -- 0: without a place.
  place_key bigint not null,
  quantity numeric(18, 6) not null,
  value numeric(28, 4) not null,
  primary key (tenant_id, item_variant_id, movement_id, place_key)
);

-- Up to which of a tenant's movements notes were made.
create table past_stock_balances_progress (
  tenant_id bigint primary key,
  movement_id bigint not null
);

-- The other lines of the books, append-only: operations, what is expensed, the differences of reversals. Written by
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

-- What the accounts moved, noted from time to time, so that balances are found without adding up all movements. Notes are made of movements
-- and book_lines alone, later and in the background (workers/housekeeping/book-notes.ts); without them answers are the same, only slower.

-- Which entries were noted together: those above `after_entry_id` up to `entry_id`. The key keeps two processes from noting them twice.
create table book_notes (
  tenant_id bigint not null,
  after_entry_id bigint not null,
  entry_id bigint not null,
  -- Of the last entry.
  created_at timestamptz not null,
  primary key (tenant_id, after_entry_id)
);

-- Of the entries of a note: what each account moved on each day and in each month; as a whole, and for each way to split it.
create table book_turnovers (
  tenant_id bigint not null,
  split text not null check (split in ('account', 'category', 'place', 'reason')),
  -- Of a month its first day is `day`.
  is_month boolean not null,
  day date not null,
  entry_id bigint not null,
  account text not null,
  -- The category or the reason; empty for none.
  part text not null,
  -- 0: without a place.
  place_key bigint not null,
  debit numeric(32, 4) not null,
  credit numeric(32, 4) not null,
  primary key (tenant_id, split, is_month, day, entry_id, account, part, place_key) include (debit, credit)
) with (autovacuum_vacuum_insert_scale_factor = 0.02);

-- An accountant's own codes and names of the accounts of the books: one row of a tenant that has any.
create table account_codes (
  tenant_id bigint primary key,
  -- {"INVENTORY": {"code": "1140", "name": "Goods"}}
  accounts jsonb not null,
  -- [{"category": "Wood", "account": "INVENTORY", "code": "1141"}], in the order sent
  categories jsonb not null
);

-- Documents keep what they answered: a later renaming must not change what was posted.
create table stock_adjustments (
  tenant_id bigint not null,
  id bigint not null,
  number text not null,
  storage_place_id bigint,
  date timestamptz not null,
  reason text not null check (reason in ('CORRECTION', 'COUNT', 'DAMAGE', 'LOSS', 'EXPIRED', 'INITIAL', 'OTHER', 'REVALUATION')),
  notes text,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  total_amount numeric(32, 4) not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  reversed boolean not null default false,
  reversed_at timestamptz,
  reversal_reason text,
  reversed_by_user_name text,
  -- The count whose differences it books; null of all others.
  stock_count_id bigint,
  primary key (tenant_id, id),
  unique (tenant_id, number)
);
-- By change, for updated_after; those that are reversed are few.
create index stock_adjustments_by_change on stock_adjustments (tenant_id, updated_at, id);
create unique index stock_adjustments_by_external_ref on stock_adjustments (tenant_id, external_ref) where external_ref is not null;
create index stock_adjustments_by_place on stock_adjustments (tenant_id, storage_place_id, id);
create index stock_adjustments_reversed on stock_adjustments (tenant_id, id) where reversed;

create table stock_adjustment_items (
  tenant_id bigint not null,
  stock_adjustment_id bigint not null,
  id bigint not null default nextval('ids'),
  item_id bigint not null,
  item_variant_id bigint not null,
  sku text,
  title text not null,
  batch_id bigint,
  batch_number text,
  quantity numeric(18, 6) not null,
  quantity_before numeric(18, 6) not null,
  quantity_after numeric(18, 6) not null,
  unit_cost numeric not null,
  amount numeric(28, 4) not null,
  primary key (tenant_id, stock_adjustment_id, id)
);

create table stock_transfers (
  tenant_id bigint not null,
  id bigint not null,
  number text not null,
  from_storage_place_id bigint,
  to_storage_place_id bigint,
  date timestamptz not null,
  notes text,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  reversed boolean not null default false,
  reversed_at timestamptz,
  reversal_reason text,
  reversed_by_user_name text,
  primary key (tenant_id, id),
  unique (tenant_id, number)
);
create index stock_transfers_by_change on stock_transfers (tenant_id, updated_at, id);
create unique index stock_transfers_by_external_ref on stock_transfers (tenant_id, external_ref) where external_ref is not null;
create index stock_transfers_from on stock_transfers (tenant_id, from_storage_place_id, id);
create index stock_transfers_reversed on stock_transfers (tenant_id, id) where reversed;
create index stock_transfers_to on stock_transfers (tenant_id, to_storage_place_id, id);

create table stock_transfer_items (
  tenant_id bigint not null,
  stock_transfer_id bigint not null,
  id bigint not null default nextval('ids'),
  item_variant_id bigint not null,
  sku text,
  title text not null,
  batch_id bigint,
  batch_number text,
  from_quarantine boolean not null,
  to_quarantine boolean not null,
  quantity numeric(18, 6) not null check (quantity > 0),
  value numeric(28, 4) not null,
  primary key (tenant_id, stock_transfer_id, id)
);

-- Counts of a place that take hours while goods move.
create table stock_counts (
  tenant_id bigint not null,
  id bigint not null,
  number text not null,
  title text,
  storage_place_id bigint,
  status text not null check (status in ('OPEN', 'DONE', 'CANCELLED')),
  notes text,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  -- Of the lines, and of those with a difference. Commands keep them beside the lines; reconcile proves them equal.
  line_count integer not null check (line_count >= 0),
  difference_count integer not null,
  -- What booked the differences; null where there was none.
  adjustment_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  check (difference_count between 0 and line_count)
);
create index stock_counts_by_change on stock_counts (tenant_id, updated_at, id);
create unique index stock_counts_by_external_ref on stock_counts (tenant_id, external_ref) where external_ref is not null;
create index stock_counts_by_place on stock_counts (tenant_id, storage_place_id, id);
create index stock_counts_by_status on stock_counts (tenant_id, status, id);

-- A table of its own key, because a change of one line reads and writes that line alone.
create table stock_count_items (
  tenant_id bigint not null,
  id bigint not null,
  stock_count_id bigint not null,
  item_id bigint not null,
  item_variant_id bigint not null,
  sku text,
  title text not null,
  batch_id bigint,
  batch_number text,
  -- 0 without a batch: so that one key finds either.
  batch_key bigint not null generated always as (coalesce(batch_id, 0)) stored,
  expected_quantity numeric(18, 6) not null check (expected_quantity >= 0),
  counted_quantity numeric(18, 6) not null check (counted_quantity >= 0),
  difference numeric(18, 6) not null,
  counted_at timestamptz not null,
  counted_by_user_name text,
  primary key (tenant_id, id),
  unique (tenant_id, stock_count_id, item_variant_id, batch_key),
  check (difference = counted_quantity - expected_quantity)
);
create index stock_count_items_by_count on stock_count_items (tenant_id, stock_count_id, id);
