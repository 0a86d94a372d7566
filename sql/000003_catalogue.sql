-- Products (items) with their variants, units, barcodes, and which variants kits are made of.

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
  type text not null check (type in ('PRODUCT', 'MATERIAL', 'SERVICE', 'KIT')),
  description text,
  category text,
  unit_id bigint not null,
  is_sellable boolean not null,
  is_producible boolean not null,
  is_purchasable boolean not null,
  batch_tracked boolean not null,
  shelf_life_days integer check (shelf_life_days between 0 and 36500),
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  archived boolean not null default false,
  created_at timestamptz not null,
  -- Moves with any change to the item or to its variants.
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, unit_id) references units
);
-- Lists go by id; these keep that order under a filter, or find the few that a filter leaves.
create index items_archived on items (tenant_id, id) where archived;
create index items_by_change on items (tenant_id, updated_at, id);
create unique index items_by_external_ref on items (tenant_id, external_ref) where external_ref is not null;
create index items_by_type on items (tenant_id, type, id);

create table item_variants (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  item_id bigint not null,
  title text not null,
  sku text,
  -- A list of texts; `barcode` is its first.
  barcodes jsonb not null default '[]',
  barcode text,
  price numeric(21, 6) check (price >= 0),
  purchase_price numeric(21, 6) check (purchase_price >= 0),
  minimum_stock numeric(21, 6),
  lead_time_days integer,
  minimum_order_quantity numeric(18, 6),
  order_multiple numeric(18, 6),
  -- What a kit is made of: [{item_variant_id, quantity}], numbers as texts.
  components jsonb not null default '[]',
  attributes jsonb not null default '{}',
  external_ref text,
  metadata jsonb not null default '{}',
  -- The variant's own flag; it stays as it is when the item is archived.
  archived boolean not null default false,
  -- Unarchived in effect: neither the variant nor its item is archived. Whoever changes either keeps it true to that.
  active boolean not null,
  active_sku text generated always as (case when active then sku end) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Whether the variant has a stock entry at the main place. Without one, nothing but its minimum says that it is short.
  has_main_entry boolean not null default false,
  primary key (tenant_id, id),
  -- A sku is unique among the tenant's variants that are unarchived in effect. Deferrable, so that it is checked at the end
  -- of a statement: one statement may swap two skus, or two references, which a unique index would refuse half-way.
  unique (tenant_id, active_sku) deferrable initially immediate,
  unique (tenant_id, external_ref) deferrable initially immediate,
  foreign key (tenant_id, item_id) references items
);
create index item_variants_by_item on item_variants (tenant_id, item_id, id);
create index item_variants_by_sku on item_variants (tenant_id, sku) where sku is not null;
create index item_variants_kits on item_variants (tenant_id, id) where components <> '[]';
create index item_variants_without_main_entry on item_variants (tenant_id, id) where minimum_stock > 0 and not has_main_entry;

-- What is searched of a product and its variants, as one text: each word of a search may stand in another of them. A table of
-- its own, so that other changes of products leave the index alone.
create table product_texts (
  tenant_id bigint not null,
  -- Of the item.
  id bigint not null,
  text text not null,
  primary key (tenant_id, id)
);
create index product_texts_by_text on product_texts using gin (search_grams(tenant_id, text));

create function product_text(of_tenant bigint, of_item bigint) returns text language sql stable
  return search_text((
    select string_agg(distinct part, chr(10))
    from (
      select title as part from items where tenant_id = of_tenant and id = of_item
      union all
      select part from item_variants v cross join lateral (values (v.title), (v.sku)) parts (part)
      where v.tenant_id = of_tenant and v.item_id = of_item
      union all
      select code from item_variants v cross join lateral jsonb_array_elements_text(v.barcodes) codes (code)
      where v.tenant_id = of_tenant and v.item_id = of_item
    ) parts
  ));

-- Kept by triggers. An item is never without a variant. A move copies the rows as they are.
create function keep_product_texts() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into product_texts (tenant_id, id, text)
    select tenant_id, item_id, product_text(tenant_id, item_id)
    from (select distinct tenant_id, item_id from changed) i
    on conflict (tenant_id, id) do update set text = excluded.text where product_texts.text <> excluded.text;
  elsif tg_table_name = 'item_variants' then
    update product_texts t set text = product_text(t.tenant_id, t.id)
    from (
      select distinct c.tenant_id, c.item_id
      from changed c join before b using (tenant_id, id)
      where (c.title, c.sku, c.barcodes) is distinct from (b.title, b.sku, b.barcodes)
    ) i
    where t.tenant_id = i.tenant_id and t.id = i.item_id;
  else
    update product_texts t set text = product_text(t.tenant_id, t.id)
    from changed c join before b using (tenant_id, id)
    where c.title <> b.title and t.tenant_id = c.tenant_id and t.id = c.id;
  end if;
  return null;
end $$;
create trigger keep_texts_renamed after update on items
  referencing old table as before new table as changed for each statement execute function keep_product_texts();
create trigger keep_texts_changed after update on item_variants
  referencing old table as before new table as changed for each statement execute function keep_product_texts();
create trigger keep_texts_made after insert on item_variants
  referencing new table as changed for each statement execute function keep_product_texts();

-- GTINs (8, 12, 13 or 14 digits with a right check digit) are the same with zeros before them; lib/domain/catalogue/gtin.ts knows them alike.
create function barcode_key(code text) returns text language sql immutable parallel safe
  return case
    when code !~ '^([0-9]{8}|[0-9]{12,14})$' then code
    when (
      select sum(substr(lpad(code, 14, '0'), at, 1)::integer * case when at % 2 = 1 then 3 else 1 end) % 10
      from generate_series(1, 14) at
    ) = 0 then lpad(code, 14, '0')
    else code
  end;

-- Which variants have a barcode: those that are unarchived in effect come first. Kept by triggers.
create table variant_barcodes (
  tenant_id bigint not null,
  -- As of barcode_key.
  code text not null,
  archived boolean not null,
  item_variant_id bigint not null,
  item_id bigint not null,
  primary key (tenant_id, code, archived, item_variant_id)
);
create index variant_barcodes_by_variant on variant_barcodes (tenant_id, item_variant_id);

create function keep_variant_barcodes() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    delete from variant_barcodes k using changed c join before b using (tenant_id, id)
    where (c.barcodes, c.active) is distinct from (b.barcodes, b.active)
      and k.tenant_id = c.tenant_id and k.item_variant_id = c.id;
    insert into variant_barcodes (tenant_id, code, archived, item_variant_id, item_id)
    select distinct c.tenant_id, barcode_key(e.code), not c.active, c.id, c.item_id
    from changed c join before b using (tenant_id, id) cross join lateral jsonb_array_elements_text(c.barcodes) e (code)
    where (c.barcodes, c.active) is distinct from (b.barcodes, b.active);
  else
    insert into variant_barcodes (tenant_id, code, archived, item_variant_id, item_id)
    select distinct c.tenant_id, barcode_key(e.code), not c.active, c.id, c.item_id
    from changed c cross join lateral jsonb_array_elements_text(c.barcodes) e (code);
  end if;
  return null;
end $$;
create trigger keep_barcodes_changed after update on item_variants
  referencing old table as before new table as changed for each statement execute function keep_variant_barcodes();
create trigger keep_barcodes_made after insert on item_variants
  referencing new table as changed for each statement execute function keep_variant_barcodes();

-- In which kits a variant stands. Kept by triggers.
create table kit_components (
  tenant_id bigint not null,
  item_variant_id bigint not null,
  kit_variant_id bigint not null,
  primary key (tenant_id, item_variant_id, kit_variant_id)
);
create index kit_components_by_kit on kit_components (tenant_id, kit_variant_id);

create function keep_kit_components() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    delete from kit_components k using changed c join before b using (tenant_id, id)
    where c.components is distinct from b.components and k.tenant_id = c.tenant_id and k.kit_variant_id = c.id;
    insert into kit_components (tenant_id, item_variant_id, kit_variant_id)
    select distinct c.tenant_id, (e.part ->> 'item_variant_id')::bigint, c.id
    from changed c join before b using (tenant_id, id) cross join lateral jsonb_array_elements(c.components) e (part)
    where c.components is distinct from b.components;
  else
    insert into kit_components (tenant_id, item_variant_id, kit_variant_id)
    select distinct c.tenant_id, (e.part ->> 'item_variant_id')::bigint, c.id
    from changed c cross join lateral jsonb_array_elements(c.components) e (part);
  end if;
  return null;
end $$;
create trigger keep_kits_changed after update on item_variants
  referencing old table as before new table as changed for each statement execute function keep_kit_components();
create trigger keep_kits_made after insert on item_variants
  referencing new table as changed for each statement execute function keep_kit_components();

-- Stock entries without a batch repeat the minimum of their variant (000005_stock.sql).
create function note_minimum_of_variant() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return new;
  end if;
  update stock_levels set minimum_stock = new.minimum_stock
  where tenant_id = new.tenant_id and item_variant_id = new.id and batch_key = 0;
  new.has_main_entry := exists (
    select from stock_levels l
    where l.tenant_id = new.tenant_id and l.item_variant_id = new.id and l.batch_key = 0
      and l.place_key = coalesce((select p.id from storage_places p where p.tenant_id = new.tenant_id and p.is_main), 0)
  );
  return new;
end $$;
create trigger note_minimum before update on item_variants
  for each row when (new.minimum_stock is distinct from old.minimum_stock) execute function note_minimum_of_variant();
