-- Tenants move from cell to cell (docs/decisions/0010). A tenant lives where its row of tenant_streams is: units of work lock it, reads
-- read it first, and keys are found beside it.

-- In the main cell's database: moves that are not over, so that whoever does them again goes on.
create table tenant_moves (
  tenant_id bigint primary key,
  -- A copy in the target is of this very move, or of one that was given up.
  id uuid not null,
  from_cell text not null references cells,
  to_cell text not null references cells,
  begun_at timestamptz not null default now(),
  -- When the directory was changed: from here on it can only go forward.
  switched_at timestamptz,
  -- When the target took over. What is left in the source is kept a little longer, for reads that began there.
  arrived_at timestamptz
);

-- How far the event sequence goes on with the next event, of generations of a cell where the tenant lived before.
alter table tenant_streams add column event_gap bigint not null default 0;

-- Null, but for a tenant on the way. In its source `rests`: 'webhooks' (and mails), later 'writes', too. In its target `move` and
-- `stream`, the row of tenant_streams that it will have.
alter table tenants add column moving jsonb;
create index tenants_moving on tenants (tenant_id) where moving is not null;

-- What operators change stays as it is on the way: what is changed in the source would not arrive.
create function refuse_tenant_change() returns trigger language plpgsql as $$
begin
  raise exception 'the tenant % is being moved to another cell: try again when it is there', old.tenant_id;
end $$;
create trigger stays_on_the_way before update of name, owner_email, plan, suspended_at, closed_through on tenants
  for each row when (old.moving ->> 'rests' = 'writes') execute function refuse_tenant_change();

-- So do its keys. The lock waits for the transaction that has its writes rest; the transaction that copies says that it does.
create function refuse_key_change() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return new;
  end if;
  perform from tenant_streams where tenant_id = new.tenant_id for key share;
  if not found or exists (select from tenants where tenant_id = new.tenant_id and moving ->> 'rests' = 'writes') then
    raise exception 'the tenant % is being moved to another cell: try again when it is there', new.tenant_id;
  end if;
  return new;
end $$;
create trigger stays_on_the_way before insert or update on api_keys for each row execute function refuse_key_change();

-- Rows of movements may go where their tenant does not live any more, and nowhere else.
drop trigger append_only on stock_movements;
create trigger append_only before update or truncate on stock_movements
  for each statement execute function refuse_change();
create function refuse_delete() returns trigger language plpgsql as $$
begin
  if exists (select from tenant_streams where tenant_id = old.tenant_id) then
    raise exception 'the rows of % are append-only', tg_table_name;
  end if;
  return old;
end $$;
create trigger never_deleted before delete on stock_movements for each row execute function refuse_delete();

-- What triggers add to is copied as it is.
create or replace function count_spent_documents() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  update spent_documents s set documents = s.documents + a.documents
  from (
    select a.tenant_id, a.quota_group, a.quota_day, count(*)::int as documents
    from added a where a.quota_group is not null
    group by 1, 2, 3
  ) a
  where s.tenant_id = a.tenant_id and s.quota_group = a.quota_group and s.quota_day = a.quota_day;
  insert into spent_documents (tenant_id, quota_group, quota_day, documents)
  select a.tenant_id, a.quota_group, a.quota_day, (
    select count(*) from commands c
    where c.tenant_id = a.tenant_id and c.quota_group = a.quota_group and c.quota_day = a.quota_day
  )
  from (select distinct tenant_id, quota_group, quota_day from added where quota_group is not null) a
  where not exists (
    select from spent_documents s
    where s.tenant_id = a.tenant_id and s.quota_group = a.quota_group and s.quota_day = a.quota_day
  );
  return null;
end $$;
create or replace function keep_product_texts() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
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
