-- Reads the columns of each kind of line by name: a line as JSON took much of the time of an order of a kit.
create or replace function keep_kit_lines() returns trigger language plpgsql as $$
declare
  line record;
  document bigint;
  is_wanted boolean := true;
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  line := case when tg_op = 'DELETE' then old else new end;
  if tg_argv[0] = 'ORDER' then
    document := line.sales_order_id;
    is_wanted := line.is_open and line.quantity > line.shipped_quantity;
  elsif tg_argv[0] = 'HOLD' then
    document := line.reservation_id;
    is_wanted := line.is_open;
  else
    document := line.sales_shipment_id;
  end if;
  if tg_op <> 'INSERT' then
    delete from kit_lines
    where tenant_id = old.tenant_id and kind = tg_argv[0] and document_id = document and line_id = old.id
      and item_variant_id in (select (e.part ->> 'item_variant_id')::bigint from jsonb_array_elements(old.components) e (part));
  end if;
  if tg_op <> 'DELETE' and is_wanted then
    insert into kit_lines (tenant_id, item_variant_id, kind, document_id, line_id)
    select distinct new.tenant_id, (e.part ->> 'item_variant_id')::bigint, tg_argv[0], document, new.id
    from jsonb_array_elements(new.components) e (part);
  end if;
  return null;
end $$;
