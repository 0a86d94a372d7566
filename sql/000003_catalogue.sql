-- Products (items) with their variants, and units.

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
  -- Whether the variant has a stock entry at the main place. Without one, nothing but its minimum says that it is short.
  has_main_entry boolean not null default false,
  lead_time_days integer,
  minimum_order_quantity numeric(18, 6),
  order_multiple numeric(18, 6),
  primary key (tenant_id, id),
  -- A sku is unique among the tenant's variants that are unarchived in effect. Deferrable, so that it is checked at the end
  -- of a statement: one statement may swap two skus, which a unique index would refuse half-way.
  unique (tenant_id, active_sku) deferrable initially immediate,
  foreign key (tenant_id, item_id) references items
);
create index item_variants_by_barcode on item_variants (tenant_id, barcode) where barcode is not null;
create index item_variants_by_item on item_variants (tenant_id, item_id, id);
create index item_variants_by_sku on item_variants (tenant_id, sku) where sku is not null;
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
      select part from item_variants v cross join lateral (values (v.title), (v.sku), (v.barcode)) parts (part)
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
      where (c.title, c.sku, c.barcode) is distinct from (b.title, b.sku, b.barcode)
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
