-- Counts of a place that take hours while goods move (docs/rules/stock.md, "Counts").

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
  difference_count integer not null check (difference_count between 0 and line_count),
  -- What booked the differences; null where there was none.
  adjustment_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, number)
);
create unique index stock_counts_by_external_ref on stock_counts (tenant_id, external_ref) where external_ref is not null;
create index stock_counts_by_place on stock_counts (tenant_id, storage_place_id, id);
create index stock_counts_by_status on stock_counts (tenant_id, status, id);
create index stock_counts_by_change on stock_counts (tenant_id, updated_at, id);
alter table stock_counts alter column tenant_id set (n_distinct = 20);

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
  difference numeric(18, 6) not null check (difference = counted_quantity - expected_quantity),
  counted_at timestamptz not null,
  counted_by_user_name text,
  primary key (tenant_id, id),
  unique (tenant_id, stock_count_id, item_variant_id, batch_key)
);
create index stock_count_items_by_count on stock_count_items (tenant_id, stock_count_id, id);
alter table stock_count_items alter column tenant_id set (n_distinct = 20);

-- The count that an adjustment completed; null of all others, also of those of a worker of the version before.
alter table stock_adjustments add column stock_count_id bigint;
