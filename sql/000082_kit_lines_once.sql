-- A line is rendered as JSON once, not for each component: an order of a kit spent much of its time there.
create or replace function keep_kit_lines() returns trigger language plpgsql as $$
declare
  line jsonb;
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    line := to_jsonb(old);
    delete from kit_lines
    where tenant_id = old.tenant_id and kind = tg_argv[0] and document_id = (line ->> tg_argv[1])::bigint and line_id = old.id
      and item_variant_id in (select (e.part ->> 'item_variant_id')::bigint from jsonb_array_elements(old.components) e (part));
  end if;
  if tg_op <> 'DELETE' then
    line := to_jsonb(new);
    if coalesce((line ->> 'is_open')::boolean, true)
      and coalesce((line ->> 'quantity')::numeric > (line ->> 'shipped_quantity')::numeric, true)
    then
      insert into kit_lines (tenant_id, item_variant_id, kind, document_id, line_id)
      select distinct new.tenant_id, (e.part ->> 'item_variant_id')::bigint, tg_argv[0], (line ->> tg_argv[1])::bigint, new.id
      from jsonb_array_elements(new.components) e (part);
    end if;
  end if;
  return null;
end $$;
