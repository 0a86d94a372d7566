-- Kits (docs/rules/kits.md): products that hold no stock, whose components leave instead.
lock table items, item_variants, sales_order_items, reservation_items, sales_shipment_items, sales_return_items;

alter table items drop constraint items_type_check;
-- Rows that were there obey the narrower check of before.
alter table items add constraint items_type_check check (type in ('PRODUCT', 'MATERIAL', 'SERVICE', 'KIT')) not valid;

-- What a kit is made of: [{item_variant_id, quantity}], numbers as texts. The release before leaves it as it is.
alter table item_variants add column components jsonb not null default '[]';

-- In which kits a variant stands. Kept by triggers.
create table kit_components (
  tenant_id bigint not null,
  item_variant_id bigint not null,
  kit_variant_id bigint not null,
  primary key (tenant_id, item_variant_id, kit_variant_id)
);
alter table kit_components alter column tenant_id set (n_distinct = 20);
create index kit_components_by_kit on kit_components (tenant_id, kit_variant_id);

create function keep_kit_components() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    delete from kit_components k using changed c join before b using (tenant_id, id)
    where c.components is distinct from b.components and k.tenant_id = c.tenant_id and k.kit_variant_id = c.id;
    insert into kit_components (tenant_id, item_variant_id, kit_variant_id)
    select distinct c.tenant_id, (e.part ->> 'item_variant_id')::bigint, c.id
    from changed c join before b using (tenant_id, id) cross join lateral jsonb_array_elements(c.components) e (part)
    where c.components is distinct from b.components;
  else
    insert into kit_components (tenant_id, item_variant_id, kit_variant_id)
    select distinct c.tenant_id, (e.part ->> 'item_variant_id')::bigint, c.id
    from changed c cross join lateral jsonb_array_elements(c.components) e (part);
  end if;
  return null;
end $$;
create trigger keep_kits_changed after update on item_variants
  referencing old table as before new table as changed for each statement execute function keep_kit_components();
create trigger keep_kits_made after insert on item_variants
  referencing new table as changed for each statement execute function keep_kit_components();

-- What lines of kits are made of, as their documents have it: objects with texts. The release before leaves it as it is.
alter table sales_order_items add column components jsonb not null default '[]';
alter table reservation_items add column components jsonb not null default '[]';
alter table sales_shipment_items add column components jsonb not null default '[]';
alter table sales_return_items add column components jsonb not null default '[]';

-- Which lines have a component, by its variant. Kept by triggers.
create table kit_lines (
  tenant_id bigint not null,
  item_variant_id bigint not null,
  -- ORDER, HOLD, SHIPMENT
  kind text not null,
  -- The order, the hold or the shipment.
  document_id bigint not null,
  line_id bigint not null,
  primary key (tenant_id, item_variant_id, kind, document_id, line_id)
);
alter table kit_lines alter column tenant_id set (n_distinct = 20);

-- Which lines of shipments have a component of a batch. Kept by triggers.
create table kit_batches (
  tenant_id bigint not null,
  batch_id bigint not null,
  document_id bigint not null,
  line_id bigint not null,
  primary key (tenant_id, batch_id, document_id, line_id)
);
alter table kit_batches alter column tenant_id set (n_distinct = 20);

-- Arguments: the kind, and the column with the document. A line of an order or of a hold is here while something of it is open.
create function keep_kit_lines() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    delete from kit_lines
    where tenant_id = old.tenant_id and kind = tg_argv[0] and document_id = (to_jsonb(old) ->> tg_argv[1])::bigint and line_id = old.id
      and item_variant_id in (select (e.part ->> 'item_variant_id')::bigint from jsonb_array_elements(old.components) e (part));
  end if;
  if tg_op <> 'DELETE' then
    insert into kit_lines (tenant_id, item_variant_id, kind, document_id, line_id)
    select distinct new.tenant_id, (e.part ->> 'item_variant_id')::bigint, tg_argv[0], (to_jsonb(new) ->> tg_argv[1])::bigint, new.id
    from jsonb_array_elements(new.components) e (part)
    where coalesce((to_jsonb(new) ->> 'is_open')::boolean, true)
      and coalesce((to_jsonb(new) ->> 'quantity')::numeric > (to_jsonb(new) ->> 'shipped_quantity')::numeric, true);
  end if;
  return null;
end $$;
create trigger keep_kits_made after insert on sales_order_items
  for each row when (new.components <> '[]') execute function keep_kit_lines('ORDER', 'sales_order_id');
create trigger keep_kits_changed after update on sales_order_items
  for each row when (
    new.components <> '[]'
    and (new.is_open <> old.is_open or (new.quantity > new.shipped_quantity) <> (old.quantity > old.shipped_quantity))
  ) execute function keep_kit_lines('ORDER', 'sales_order_id');
create trigger keep_kits_removed after delete on sales_order_items
  for each row when (old.components <> '[]') execute function keep_kit_lines('ORDER', 'sales_order_id');
create trigger keep_kits_made after insert on reservation_items
  for each row when (new.components <> '[]') execute function keep_kit_lines('HOLD', 'reservation_id');
create trigger keep_kits_changed after update on reservation_items
  for each row when (new.components <> '[]' and new.is_open <> old.is_open) execute function keep_kit_lines('HOLD', 'reservation_id');
create trigger keep_kits_made after insert on sales_shipment_items
  for each row when (new.components <> '[]') execute function keep_kit_lines('SHIPMENT', 'sales_shipment_id');

create function keep_kit_batches() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  insert into kit_batches (tenant_id, batch_id, document_id, line_id)
  select distinct new.tenant_id, (e.part ->> 'batch_id')::bigint, new.sales_shipment_id, new.id
  from jsonb_array_elements(new.components) e (part)
  where e.part ->> 'batch_id' is not null;
  return null;
end $$;
create trigger keep_kit_batches_made after insert on sales_shipment_items
  for each row when (new.components <> '[]') execute function keep_kit_batches();
