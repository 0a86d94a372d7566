-- When what is available of a variant at a place last changed (docs/rules/stock.md, "Entries").
lock table storage_places, stock_balances;

-- When the place last began or ceased to allow sales; null: never. Its rows of what is available changed then.
alter table storage_places add column sales_changed_at timestamptz;
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

-- When what is available last changed.
alter table stock_balances add column updated_at timestamptz not null default now();
-- Counts the writes of this release. What it does not count the release before wrote, which knows nothing of expired stock: what has expired is
-- then counted from the entries, until this release writes the balance again.
alter table stock_balances add column writes integer not null default 0;
create function forget_expired() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return new;
  end if;
  new.expired_quantity := 0;
  new.expired_before := null;
  new.updated_at := clock_timestamp();
  return new;
end $$;
create trigger forget_expired before update on stock_balances
  for each row when (new.writes = old.writes) execute function forget_expired();

-- The release before writes what is reserved and expected without the balance.
alter table stock_levels add column writes integer not null default 0;
create function note_available_changed() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) is distinct from 'on' then
    update stock_balances set updated_at = clock_timestamp(), writes = writes + 1
    where tenant_id = new.tenant_id and item_variant_id = new.item_variant_id and place_key = new.place_key;
  end if;
  return null;
end $$;
create trigger note_available_made after insert on stock_levels
  for each row when (new.batch_key = 0 and new.writes = 0) execute function note_available_changed();
create trigger note_available_changed after update on stock_levels
  for each row when (new.batch_key = 0 and new.writes = old.writes) execute function note_available_changed();
