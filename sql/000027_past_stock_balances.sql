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
alter table past_stock_balances alter column tenant_id set (n_distinct = 20);

-- Up to which of a tenant's movements notes were made.
create table past_stock_balances_progress (
  tenant_id bigint primary key,
  movement_id bigint not null
);

-- Lists of batches: by variant (with the number, its unique key serves), by number, and by the end of their life. A batch is
-- made by a receipt or an output at most, so these cost little.
create index if not exists batches_by_variant on batches (tenant_id, item_variant_id, id);
create index if not exists batches_by_number on batches (tenant_id, number, id);
create index if not exists batches_by_expiry on batches (tenant_id, expiry_date, id) where expiry_date is not null;

-- What lies at a place, by variant. Its columns never change, so that most updates of a balance don't touch it.
create index if not exists stock_balances_by_place on stock_balances (tenant_id, place_key, item_variant_id);
