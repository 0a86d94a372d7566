-- Lists that follow the changes (updated_after), go by dates, and find texts (docs/rules/requests.md, "Lists").

-- Sales orders and returns had no updated_at. What is there shows the time of this migration: it changed then or before, and
-- who follows the changes gets it once more rather than never. A constant default rewrites no row.
alter table sales_orders add column updated_at timestamptz not null default date_trunc('milliseconds', now());
alter table sales_returns add column updated_at timestamptz not null default date_trunc('milliseconds', now());
-- Workers of an earlier version, which may run beside for a while, know nothing of the column. What they insert gets the time
-- by this default; the time at which their commands run is before it, and that of the tenant's next command after it.
alter table sales_orders alter column updated_at set default date_trunc('milliseconds', clock_timestamp());
alter table sales_returns alter column updated_at set default date_trunc('milliseconds', clock_timestamp());

-- What they update moves it here: statements that don't name the column. Others move it by themselves.
create function touch_row() returns trigger language plpgsql as $$
begin
  new.updated_at := date_trunc('milliseconds', clock_timestamp());
  return new;
end $$;
create trigger touch_row before update on sales_orders
  for each row when (new.updated_at = old.updated_at and current_query() not like '%updated_at%')
  execute function touch_row();
create trigger touch_row before update on sales_returns
  for each row when (new.updated_at = old.updated_at and current_query() not like '%updated_at%')
  execute function touch_row();

-- A packing or a part shipment may write lines alone. Where the order was written in this transaction, its time is right.
create function touch_sales_order() returns trigger language plpgsql as $$
begin
  update sales_orders o set updated_at = date_trunc('milliseconds', clock_timestamp())
  from (select distinct tenant_id, sales_order_id from changed) c
  where o.tenant_id = c.tenant_id and o.id = c.sales_order_id and o.xmin <> pg_current_xact_id()::xid;
  return null;
end $$;
create trigger touch_sales_order after update on sales_order_items
  referencing new table as changed for each statement execute function touch_sales_order();

-- By change, for updated_after; items have theirs. On large tables make what is said `if not exists` beforehand
-- (docs/operations.md): create index concurrently if not exists, with these names and definitions.
create index sales_orders_by_change on sales_orders (tenant_id, updated_at, id);
create index sales_returns_by_change on sales_returns (tenant_id, updated_at, id);
create index if not exists purchase_orders_by_change on purchase_orders (tenant_id, updated_at, id);
create index if not exists manufacturing_orders_by_change on manufacturing_orders (tenant_id, updated_at, id);
create index if not exists suppliers_by_change on suppliers (tenant_id, updated_at, id);
create index if not exists customers_by_change on customers (tenant_id, updated_at, id);
create index if not exists operations_by_change on operations (tenant_id, updated_at, id);
create index if not exists recipes_by_change on recipes (tenant_id, updated_at, id);

-- By date (lib/api/list-page.ts, idsByWeek): weeks since 1970, and of each the ids in order.
create function week_of(moment timestamptz) returns integer language sql immutable parallel safe
  return floor(extract(epoch from moment) / 604800)::integer;
create index sales_orders_by_delivery_week on sales_orders (tenant_id, week_of(delivery_date), id)
  where delivery_date is not null;
create index purchase_orders_by_expected_week on purchase_orders (tenant_id, week_of(expected_date), id)
  where expected_date is not null;
create index manufacturing_orders_by_start_week on manufacturing_orders (tenant_id, week_of(planned_start_date), id)
  where planned_start_date is not null;

-- By texts of variants and batches.
create index if not exists item_variants_by_barcode on item_variants (tenant_id, barcode) where barcode is not null;
create index if not exists batches_by_number on batches (tenant_id, number);

-- Finding parts of texts. An index of pairs of characters, each with its tenant: a search meets the tenant's own records alone,
-- words of two characters are found too, and no extension is needed (pg_trgm would serve from three characters on, over the
-- records of all tenants).
create function search_text(given text) returns text language sql immutable parallel safe
  return lower(given collate "pg_c_utf8");
create function search_grams(of_tenant bigint, searched text) returns text[] language sql immutable parallel safe
  return (
    select coalesce(array_agg(distinct of_tenant::text || ':' || c || next), '{}')
    from (
      select c, lead(c) over (order by n) as next
      from unnest(string_to_array(searched, null)) with ordinality as characters (c, n)
    ) pairs
    -- No word has a space in it.
    where c collate "C" > ' ' and next collate "C" > ' '
  );

create function partner_text(title text, email text) returns text language sql immutable parallel safe
  return search_text(title || coalesce(chr(10) || email, ''));
create index suppliers_by_text on suppliers using gin (search_grams(tenant_id, partner_text(title, email)));
create index customers_by_text on customers using gin (search_grams(tenant_id, partner_text(title, email)));

-- What is searched of a product and its variants, as one text: each word of a search may stand in another of them. A table of
-- its own, so that other changes of products leave the index alone.
create table product_texts (
  tenant_id bigint not null,
  -- Of the item.
  id bigint not null,
  text text not null,
  primary key (tenant_id, id)
);
alter table product_texts alter column tenant_id set (n_distinct = 20);

-- Kept by triggers, so that workers of an earlier version keep it too. An item is never without a variant.
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
create function keep_product_texts() returns trigger language plpgsql as $$
begin
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
create trigger keep_texts_made after insert on item_variants
  referencing new table as changed for each statement execute function keep_product_texts();
create trigger keep_texts_changed after update on item_variants
  referencing old table as before new table as changed for each statement execute function keep_product_texts();
create trigger keep_texts_renamed after update on items
  referencing old table as before new table as changed for each statement execute function keep_product_texts();

insert into product_texts (tenant_id, id, text)
select tenant_id, id, product_text(tenant_id, id) from items
on conflict do nothing;
create index product_texts_by_text on product_texts using gin (search_grams(tenant_id, text));
analyze product_texts;
