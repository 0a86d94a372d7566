-- Products with their variants and units, and storage places (contract 2). Every key carries tenant_id.

-- Old values of the top-level fields that differ between two documents: `previous` of an event. Null when none differs.
create function changed_fields(old json, new json) returns json language sql immutable parallel safe
  return (
    select json_object_agg(o.key, o.value)
    from json_each(old) o
    where o.value::jsonb is distinct from (new -> o.key)::jsonb
  );

create table units (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  name text not null,
  primary key (tenant_id, id),
  unique (tenant_id, name)
);

create table items (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  title text not null,
  type text not null check (type in ('PRODUCT', 'MATERIAL', 'SERVICE')),
  description text,
  category text,
  unit_id bigint not null,
  is_sellable boolean not null,
  is_producible boolean not null,
  is_purchasable boolean not null,
  batch_tracked boolean not null,
  shelf_life_days integer check (shelf_life_days between 0 and 36500),
  external_ref text,
  archived boolean not null default false,
  created_at timestamptz not null,
  -- Moves with any change to the item or to its variants.
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, unit_id) references units,
  unique (tenant_id, external_ref)
);
-- Lists go by id; these keep that order under a filter, or find the few that a filter leaves.
create index items_by_type on items (tenant_id, type, id);
create index items_archived on items (tenant_id, id) where archived;
create index items_by_change on items (tenant_id, updated_at, id);

create table item_variants (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  item_id bigint not null,
  title text not null,
  sku text,
  barcode text,
  price numeric(21, 6) check (price >= 0),
  purchase_price numeric(21, 6) check (purchase_price >= 0),
  minimum_stock numeric(21, 6),
  attributes jsonb not null default '{}',
  -- The variant's own flag; it stays as it is when the item is archived.
  archived boolean not null default false,
  -- Unarchived in effect: neither the variant nor its item is archived. Whoever changes either keeps it true to that.
  active boolean not null,
  active_sku text generated always as (case when active then sku end) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, item_id) references items,
  -- A sku is unique among the tenant's variants that are unarchived in effect. Deferrable, so that it is checked at the end
  -- of a statement: one statement may swap two skus, which a unique index would refuse half-way.
  unique (tenant_id, active_sku) deferrable initially immediate
);
create index item_variants_by_item on item_variants (tenant_id, item_id, id);
create index item_variants_by_sku on item_variants (tenant_id, sku) where sku is not null;

create table storage_places (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  title text not null,
  code text,
  is_main boolean not null,
  manufacturing_allowed boolean not null,
  sales_allowed boolean not null,
  purchase_allowed boolean not null,
  -- { line_1, line_2, city, region, zip, country_code }, each text or null.
  address jsonb,
  external_ref text,
  archived boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, external_ref)
);
-- One main place per tenant.
create unique index storage_places_main on storage_places (tenant_id) where is_main;
