-- What a bulk writes in one transaction stands behind a savepoint, whose transaction id is another than that of the whole: an order
-- that was written together with its lines looked as if it were not, and was moved past the time that its answer and its event
-- show. This version writes the order whenever it writes lines; its statements name is_open, which those of 1.0 don't know.
create or replace function touch_sales_order() returns trigger language plpgsql as $$
begin
  if current_query() like '%is_open%' then
    return null;
  end if;
  update sales_orders o set updated_at = date_trunc('milliseconds', clock_timestamp())
  from (select distinct tenant_id, sales_order_id from changed) c
  where o.tenant_id = c.tenant_id and o.id = c.sales_order_id and o.xmin <> pg_current_xact_id()::xid;
  return null;
end $$;
