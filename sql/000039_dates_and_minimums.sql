-- Times of purchase orders and receipts, and the end of batches, by weeks like the other dates (lib/api/list-page.ts, idsByWeek): of
-- each week the ids in order, so that a page of what lies in a range is not sorted out of all of it. In place of the indexes by the
-- time itself, so that a row written has as many entries as before. On large tables make the first two beforehand
-- (docs/operations.md): create index concurrently if not exists, with these names and definitions.
create or replace function week_of(day date) returns integer language sql immutable parallel safe
  return floor((day - date '1970-01-01') / 7.0)::integer;
create index if not exists purchase_orders_by_week on purchase_orders (tenant_id, week_of(date), id);
create index if not exists purchase_receipts_by_received_week on purchase_receipts (tenant_id, week_of(received_date), id);
create index if not exists batches_by_expiry_week on batches (tenant_id, week_of(expiry_date), id) where expiry_date is not null;
drop index purchase_orders_by_date;
drop index purchase_receipts_by_received;
drop index batches_by_expiry;

-- What may be below its minimum (`GET /shortages?below=minimum`), without reading all that has one. The entry without a batch repeats
-- the minimum of its variant; what is not below by it cannot be short, since batches only add. And a variant tells whether it has such an
-- entry at the main place: without one, nothing but its minimum says that it is short.
alter table stock_levels add column minimum_stock numeric(18, 6);
alter table item_variants add column has_main_entry boolean not null default false;

-- Kept by triggers, so that workers of an earlier version keep them too. An entry is made once, and updates of it fire none.
create function note_minimum_of_entry() returns trigger language plpgsql as $$
declare
  minimum numeric;
begin
  select v.minimum_stock into minimum from item_variants v where v.tenant_id = new.tenant_id and v.id = new.item_variant_id;
  if minimum > 0 then
    update stock_levels set minimum_stock = minimum where tenant_id = new.tenant_id and id = new.id;
    update item_variants set has_main_entry = true
    where tenant_id = new.tenant_id and id = new.item_variant_id
      and new.place_key = coalesce((select p.id from storage_places p where p.tenant_id = new.tenant_id and p.is_main), 0);
  end if;
  return null;
end $$;
create trigger note_minimum after insert on stock_levels
  for each row when (new.batch_id is null) execute function note_minimum_of_entry();

create function note_minimum_of_variant() returns trigger language plpgsql as $$
begin
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

-- A tenant's first place is its main one for good; until then stock without a place was held against minimums.
create function forget_main_entries() returns trigger language plpgsql as $$
begin
  update item_variants v set has_main_entry = false
  where v.tenant_id = new.tenant_id and v.has_main_entry and v.minimum_stock > 0 and (
    select true from stock_levels l
    where l.tenant_id = v.tenant_id and l.item_variant_id = v.id and l.place_key = new.id and l.batch_key = 0 limit 1
  ) is null;
  return null;
end $$;
create trigger forget_main_entries after insert on storage_places
  for each row when (new.is_main) execute function forget_main_entries();

update stock_levels l set minimum_stock = v.minimum_stock
from item_variants v
where v.tenant_id = l.tenant_id and v.id = l.item_variant_id and v.minimum_stock > 0 and l.batch_id is null;
update item_variants v set has_main_entry = true
from stock_levels l
where v.minimum_stock > 0 and l.tenant_id = v.tenant_id and l.item_variant_id = v.id and l.batch_key = 0
  and l.place_key = coalesce((select p.id from storage_places p where p.tenant_id = l.tenant_id and p.is_main), 0);

create index stock_levels_below_minimum on stock_levels (tenant_id, place_key, item_variant_id)
  where batch_id is null and quantity - quarantine_quantity - reserved_quantity + expected_quantity < minimum_stock;
create index item_variants_without_main_entry on item_variants (tenant_id, id) where minimum_stock > 0 and not has_main_entry;
drop index item_variants_with_minimum;
