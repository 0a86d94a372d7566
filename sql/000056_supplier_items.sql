-- What suppliers sell, and purchase units on lines of purchase orders and receipts (docs/rules/purchasing.md).

create table supplier_items (
  tenant_id bigint not null,
  id bigint not null,
  supplier_id bigint not null,
  item_variant_id bigint not null,
  supplier_sku text,
  purchase_unit_name text,
  -- Stock units in one purchase unit.
  conversion_rate numeric(18, 6) not null check (conversion_rate > 0),
  -- Of one purchase unit.
  price numeric(18, 6) check (price >= 0),
  currency text,
  -- In purchase units.
  minimum_quantity numeric(18, 6) check (minimum_quantity > 0),
  multiple_of numeric(18, 6) check (multiple_of > 0),
  lead_time_days integer check (lead_time_days between 0 and 3650),
  is_preferred boolean not null,
  notes text,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  archived boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Null in archived rows: a supplier has one item of a variant that is not archived.
  active_supplier_id bigint generated always as (case when not archived then supplier_id end) stored,
  -- Null unless preferred: a variant has one preferred item.
  preferred_variant_id bigint generated always as (case when is_preferred then item_variant_id end) stored,
  primary key (tenant_id, id),
  unique (tenant_id, external_ref),
  -- One statement may give a place up and take it.
  unique (tenant_id, active_supplier_id, item_variant_id) deferrable initially immediate,
  unique (tenant_id, preferred_variant_id) deferrable initially immediate
);
-- Lists go by id; these keep that order under a filter.
create index supplier_items_by_supplier on supplier_items (tenant_id, supplier_id, id);
create index supplier_items_by_variant on supplier_items (tenant_id, item_variant_id, id);
create index supplier_items_by_sku on supplier_items (tenant_id, supplier_sku, id) where supplier_sku is not null;
create index supplier_items_archived on supplier_items (tenant_id, id) where archived;
create index supplier_items_by_change on supplier_items (tenant_id, updated_at, id);
alter table supplier_items alter column tenant_id set (n_distinct = 20);

-- Columns without a default, or with a constant one: no row is written. A line without purchase_quantity is in stock units, as is every line
-- that a worker of the version before writes.
alter table purchase_order_items add column purchase_quantity numeric(18, 6);
alter table purchase_order_items add column purchase_unit_name text;
alter table purchase_order_items add column conversion_rate numeric(18, 6) not null default 1;
alter table purchase_order_items add column purchase_price numeric(18, 6);
alter table purchase_order_items add column supplier_sku text;

-- As of the receipt. Null purchase_quantity beside a purchase_price: what was received is no exact number of purchase units.
alter table purchase_receipt_items add column purchase_quantity numeric(18, 6);
alter table purchase_receipt_items add column purchase_unit_name text;
alter table purchase_receipt_items add column conversion_rate numeric(18, 6) not null default 1;
alter table purchase_receipt_items add column purchase_price numeric(18, 6);
