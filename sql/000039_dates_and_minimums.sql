-- Times of purchase orders and receipts, and the end of batches, by weeks like the other dates (lib/api/list-page.ts, idsByWeek): of
-- each week the ids in order, so that a page of what lies in a range is not sorted out of all of it. In place of the indexes by the
-- time itself, so that a row written has as many entries as before. On large tables make the first two beforehand
-- (docs/operations.md): create index concurrently if not exists, with these names and definitions.
create or replace function week_of(day date) returns integer language sql immutable parallel safe
  return floor((day - date '1970-01-01') / 7.0)::integer;
create index if not exists purchase_orders_by_week on purchase_orders (tenant_id, week_of(date), id);
create index if not exists purchase_receipts_by_received_week on purchase_receipts (tenant_id, week_of(received_date), id);
create index if not exists batches_by_expiry_week on batches (tenant_id, week_of(expiry_date), id) where expiry_date is not null;
drop index purchase_orders_by_date, purchase_receipts_by_received, batches_by_expiry;
