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

-- Of the entries of a note: what each account moved on each day; once as a whole, and once for each way to split it.
create table book_turnovers (
  tenant_id bigint not null,
  split text not null check (split in ('account', 'category', 'place', 'reason')),
  entry_id bigint not null,
  day date not null,
  account text not null,
  -- The category, the id of the place or the reason; empty for none.
  part text not null,
  debit numeric(32, 4) not null,
  credit numeric(32, 4) not null,
  primary key (tenant_id, split, entry_id, day, account, part)
);
alter table book_notes alter column tenant_id set (n_distinct = 20);
alter table book_turnovers alter column tenant_id set (n_distinct = 20);
