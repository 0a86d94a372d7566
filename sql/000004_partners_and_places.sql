-- Storage places, suppliers and customers. Few records have a reference of the caller's (external_ref), so its index holds these alone.

create table storage_places (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  title text not null,
  code text,
  is_main boolean not null,
  manufacturing_allowed boolean not null,
  sales_allowed boolean not null,
  -- When the place last began or ceased to allow sales; null: never. Its rows of what is available changed then.
  sales_changed_at timestamptz,
  purchase_allowed boolean not null,
  -- { line_1, line_2, city, region, zip, country_code }, each text or null.
  address jsonb,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  archived boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index storage_places_by_external_ref on storage_places (tenant_id, external_ref) where external_ref is not null;
-- One main place per tenant.
create unique index storage_places_main on storage_places (tenant_id) where is_main;
create index storage_places_moved on storage_places (tenant_id, id) where sales_changed_at is not null;

create function note_sales_changed() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return new;
  end if;
  new.sales_changed_at := new.updated_at;
  return new;
end $$;
create trigger note_sales_changed before update on storage_places
  for each row when (new.sales_allowed <> old.sales_allowed) execute function note_sales_changed();

-- A tenant's first place is its main one for good; until then stock without a place was held against minimums.
create function forget_main_entries() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  update item_variants v set has_main_entry = false
  where v.tenant_id = new.tenant_id and v.has_main_entry and v.minimum_stock > 0 and (
    select true from stock_levels l
    where l.tenant_id = v.tenant_id and l.item_variant_id = v.id and l.place_key = new.id and l.batch_key = 0 limit 1
  ) is null;
  return null;
end $$;
create trigger forget_main_entries after insert on storage_places
  for each row when (new.is_main) execute function forget_main_entries();

create function partner_text(title text, email text) returns text language sql immutable parallel safe
  return search_text(title || coalesce(chr(10) || email, ''));

create table suppliers (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  title text not null,
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  email text,
  phone text,
  tax_number text,
  address jsonb,
  currency text check (currency ~ '^[A-Z]{3}$'),
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  archived boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index suppliers_archived on suppliers (tenant_id, id) where archived;
create index suppliers_by_change on suppliers (tenant_id, updated_at, id);
create unique index suppliers_by_external_ref on suppliers (tenant_id, external_ref) where external_ref is not null;
create index suppliers_by_text on suppliers using gin (search_grams(tenant_id, partner_text(title, email)));

-- Customers are of the same shape; one code serves both.
create table customers (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  title text not null,
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  email text,
  phone text,
  tax_number text,
  shipping_address jsonb,
  billing_address jsonb,
  currency text check (currency ~ '^[A-Z]{3}$'),
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  archived boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index customers_archived on customers (tenant_id, id) where archived;
create index customers_by_change on customers (tenant_id, updated_at, id);
create unique index customers_by_external_ref on customers (tenant_id, external_ref) where external_ref is not null;
create index customers_by_text on customers using gin (search_grams(tenant_id, partner_text(title, email)));
