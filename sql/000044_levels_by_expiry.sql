-- First expired, first out, read from an index with a limit. A level of a batch repeats the expiry date of its batch; `infinity` where
-- the batch has none. Null means unknown: levels that were stored before, and those that workers of the version before store. A chore
-- copies the dates in parts (lib/domain/stock/level-expiries.ts), so that this migration changes no rows. Until then picking reads all unknown
-- levels of what it picks from.
alter table stock_levels add column expires_on date;

-- Levels outside quarantine and in quarantine, in the order of picking. Levels without a batch have no entries.
create index stock_levels_to_pick on stock_levels (tenant_id, item_variant_id, place_key, expires_on, batch_key)
  where batch_id is not null and quantity > quarantine_quantity;
create index stock_levels_quarantined on stock_levels (tenant_id, item_variant_id, place_key, expires_on, batch_key)
  where batch_id is not null and quarantine_quantity > 0;
create index stock_levels_expiry_unknown on stock_levels (tenant_id, id) where batch_id is not null and expires_on is null;

-- A level follows the date of its batch, whoever changes that date.
create function copy_expiry_to_levels() returns trigger language plpgsql as $$
begin
  update stock_levels set expires_on = coalesce(new.expiry_date, 'infinity')
  where tenant_id = new.tenant_id and batch_id = new.id;
  return null;
end $$;
create trigger copy_expiry after update on batches
  for each row when (new.expiry_date is distinct from old.expiry_date) execute function copy_expiry_to_levels();
