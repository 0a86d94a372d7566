-- The stock ledger (contract 2, "Stock entry"): batches, levels, balances, movements, and the documents that adjust and
-- transfer stock. Only lib/stock/ledger.ts writes batches, levels, balances and movements.

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
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, item_variant_id, number),
  foreign key (tenant_id, item_variant_id) references item_variants
);

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
  quarantine_quantity numeric(18, 6) not null check (quarantine_quantity between 0 and quantity),
  -- Reserved and expected stand on the row without a batch.
  reserved_quantity numeric(18, 6) not null check (reserved_quantity >= 0),
  expected_quantity numeric(18, 6) not null check (expected_quantity >= 0),
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, item_variant_id, place_key, batch_key),
  check (batch_id is null or (reserved_quantity = 0 and expected_quantity = 0)),
  foreign key (tenant_id, item_variant_id) references item_variants,
  foreign key (tenant_id, storage_place_id) references storage_places,
  foreign key (tenant_id, batch_id) references batches
);
-- What can be picked: emptied batches stay listed for ever and must not slow picking down.
create index stock_levels_in_stock on stock_levels (tenant_id, item_variant_id, place_key) where quantity > 0;
create index stock_levels_by_place on stock_levels (tenant_id, storage_place_id, id);
create index stock_levels_by_batch on stock_levels (tenant_id, batch_id, id) where batch_id is not null;
create index stock_levels_by_change on stock_levels (tenant_id, updated_at, id);

-- What a variant at a place holds over all its batches, and its value V: batches share one average cost. The quantities are
-- kept beside the levels so that an inflow into one batch need not read the others; reconcile proves them equal.
create table stock_balances (
  tenant_id bigint not null,
  item_variant_id bigint not null,
  storage_place_id bigint,
  place_key bigint not null generated always as (coalesce(storage_place_id, 0)) stored,
  quantity numeric(18, 6) not null check (quantity >= 0),
  quarantine_quantity numeric(18, 6) not null check (quarantine_quantity between 0 and quantity),
  value numeric(28, 4) not null check (value >= 0),
  primary key (tenant_id, item_variant_id, place_key),
  check (quantity > 0 or value = 0),
  foreign key (tenant_id, item_variant_id) references item_variants,
  foreign key (tenant_id, storage_place_id) references storage_places
) with (fillfactor = 80);

-- Every change of a level, append-only. Variant, place and batch repeat the level's, so that lists need no join.
create table stock_movements (
  tenant_id bigint not null,
  id bigint not null default nextval('ids'),
  stock_level_id bigint not null,
  item_variant_id bigint not null,
  storage_place_id bigint,
  batch_id bigint,
  kind text not null check (kind in (
    'ADJUSTMENT', 'PURCHASE_RECEIPT', 'MANUFACTURING_WRITE_OFF', 'MANUFACTURING_OUTPUT', 'SALES_SHIPMENT', 'SALES_RETURN',
    'TRANSFER_OUT', 'TRANSFER_IN'
  )),
  quantity numeric(18, 6) not null,
  -- What of the quantity went into (or, negative, out of) quarantine; not shown.
  quarantine_quantity numeric(18, 6) not null,
  value numeric(28, 4) not null,
  -- The level's quantity after the movement.
  quantity_after numeric(18, 6) not null,
  source_type text not null check (source_type in (
    'STOCK_ADJUSTMENT', 'PURCHASE_RECEIPT', 'MANUFACTURING_ORDER', 'SALES_SHIPMENT', 'SALES_RETURN', 'STOCK_TRANSFER'
  )),
  source_id bigint not null,
  document_date timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  -- The level carries the keys to variant, place and batch: one check per movement instead of three.
  foreign key (tenant_id, stock_level_id) references stock_levels
);
create index stock_movements_by_variant on stock_movements (tenant_id, item_variant_id, id);
create index stock_movements_by_place on stock_movements (tenant_id, storage_place_id, id);
create index stock_movements_by_batch on stock_movements (tenant_id, batch_id, id) where batch_id is not null;
create index stock_movements_by_source on stock_movements (tenant_id, source_id, id);
create index stock_movements_by_source_type on stock_movements (tenant_id, source_type, id);
create index stock_movements_by_time on stock_movements (tenant_id, created_at, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the rows of % are append-only', tg_table_name;
end $$;
create trigger append_only before update or delete or truncate on stock_movements
  for each statement execute function refuse_change();

-- Documents keep what they answered: a later renaming must not change what was posted.
create table stock_adjustments (
  tenant_id bigint not null references tenants,
  id bigint not null,
  number text not null,
  storage_place_id bigint,
  date timestamptz not null,
  reason text not null check (reason in ('CORRECTION', 'COUNT', 'DAMAGE', 'LOSS', 'EXPIRED', 'INITIAL', 'OTHER')),
  notes text,
  external_ref text,
  total_amount numeric(32, 4) not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  unique (tenant_id, external_ref),
  foreign key (tenant_id, storage_place_id) references storage_places
);
create index stock_adjustments_by_place on stock_adjustments (tenant_id, storage_place_id, id);
create index stock_adjustments_by_time on stock_adjustments (tenant_id, created_at, id);

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
  primary key (tenant_id, stock_adjustment_id, id),
  foreign key (tenant_id, stock_adjustment_id) references stock_adjustments,
  foreign key (tenant_id, item_variant_id) references item_variants
);

create table stock_transfers (
  tenant_id bigint not null references tenants,
  id bigint not null,
  number text not null,
  from_storage_place_id bigint,
  to_storage_place_id bigint,
  date timestamptz not null,
  notes text,
  external_ref text,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  unique (tenant_id, external_ref),
  foreign key (tenant_id, from_storage_place_id) references storage_places,
  foreign key (tenant_id, to_storage_place_id) references storage_places
);
create index stock_transfers_from on stock_transfers (tenant_id, from_storage_place_id, id);
create index stock_transfers_to on stock_transfers (tenant_id, to_storage_place_id, id);
create index stock_transfers_by_time on stock_transfers (tenant_id, created_at, id);

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
  primary key (tenant_id, stock_transfer_id, id),
  foreign key (tenant_id, stock_transfer_id) references stock_transfers,
  foreign key (tenant_id, item_variant_id) references item_variants
);
