-- A tenant's rows are copied to another cell while the tenant writes (docs/decisions/0010, "How a tenant moves"). Triggers for this tenant
-- alone, made when the move begins, note which rows change meanwhile.

-- Tenants whose triggers stand in this cell. The triggers note nothing unless `is_on`: that ends at once, whoever holds the tables.
create table tenant_watches (
  tenant_id bigint primary key,
  is_on boolean not null
);

create table tenant_changes (
  tenant_id bigint not null,
  of_table text not null,
  -- The columns of the primary key behind tenant_id.
  key text[] not null check (array_position(key, null) is null),
  -- By the transaction a copy tells which notes its snapshot holds: numbers of a sequence do not commit in their order.
  changed_by xid8 not null,
  primary key (tenant_id, of_table, key, changed_by)
);

-- Its arguments: which row is noted, `old` or `new`; the table, since a row of a partition is one of its table; the columns of the key.
create function note_tenant_change() returns trigger language plpgsql as $$
declare
  changed jsonb;
begin
  if not exists (select from tenant_watches where tenant_id = coalesce(new.tenant_id, old.tenant_id) and is_on) then
    return null;
  end if;
  if tg_argv[0] = 'old' then
    changed := to_jsonb(old);
  else
    changed := to_jsonb(new);
  end if;
  insert into tenant_changes (tenant_id, of_table, key, changed_by)
  values (
    (changed ->> 'tenant_id')::bigint, tg_argv[1],
    array(select changed ->> name from unnest(tg_argv[2:]) with ordinality as k (name, place) order by place),
    pg_current_xact_id())
  on conflict do nothing;
  return null;
end $$;

-- What triggers would do is copied as it is, changed rows now as well as new ones.
create or replace function touch_row() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return new;
  end if;
  new.updated_at := date_trunc('milliseconds', clock_timestamp());
  return new;
end $$;
create or replace function touch_sales_order() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' or current_query() like '%is_open%' then
    return null;
  end if;
  update sales_orders o set updated_at = date_trunc('milliseconds', clock_timestamp())
  from (select distinct tenant_id, sales_order_id from changed) c
  where o.tenant_id = c.tenant_id and o.id = c.sales_order_id and o.xmin <> pg_current_xact_id()::xid;
  return null;
end $$;
create or replace function copy_expiry_to_levels() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  update stock_levels set expires_on = coalesce(new.expiry_date, 'infinity')
  where tenant_id = new.tenant_id and batch_id = new.id;
  return null;
end $$;
create or replace function note_minimum_of_entry() returns trigger language plpgsql as $$
declare
  minimum numeric;
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  select v.minimum_stock into minimum from item_variants v where v.tenant_id = new.tenant_id and v.id = new.item_variant_id;
  if minimum > 0 then
    update stock_levels set minimum_stock = minimum where tenant_id = new.tenant_id and id = new.id;
    update item_variants set has_main_entry = true
    where tenant_id = new.tenant_id and id = new.item_variant_id
      and new.place_key = coalesce((select p.id from storage_places p where p.tenant_id = new.tenant_id and p.is_main), 0);
  end if;
  return null;
end $$;
create or replace function note_minimum_of_variant() returns trigger language plpgsql as $$
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
create or replace function forget_main_entries() returns trigger language plpgsql as $$
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
