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
alter table book_notes alter column tenant_id set (n_distinct = 20);
alter table book_turnovers alter column tenant_id set (n_distinct = 20);
