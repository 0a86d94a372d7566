-- Several barcodes of a variant (docs/rules/catalogue.md, "Barcodes"), and search without regard to Unicode's spellings.
lock table item_variants;

-- A list of texts. `barcode` repeats its first.
alter table item_variants add column barcodes jsonb not null default '[]';

-- GTINs (8, 12, 13 or 14 digits with a right check digit) are the same with zeros before them; lib/domain/catalogue/gtin.ts knows them alike.
create function barcode_key(code text) returns text language sql immutable parallel safe
  return case
    when code !~ '^([0-9]{8}|[0-9]{12,14})$' then code
    when (
      select sum(substr(lpad(code, 14, '0'), at, 1)::integer * case when at % 2 = 1 then 3 else 1 end) % 10
      from generate_series(1, 14) at
    ) = 0 then lpad(code, 14, '0')
    else code
  end;

-- Which variants have a barcode: those that are unarchived in effect come first. Kept by triggers.
create table variant_barcodes (
  tenant_id bigint not null,
  -- As of barcode_key.
  code text not null,
  archived boolean not null,
  item_variant_id bigint not null,
  item_id bigint not null,
  primary key (tenant_id, code, archived, item_variant_id)
);
alter table variant_barcodes alter column tenant_id set (n_distinct = 20);
create index variant_barcodes_by_variant on variant_barcodes (tenant_id, item_variant_id);

-- The release before knows one barcode: what it writes replaces the first.
create function note_barcode_of_variant() returns trigger language plpgsql as $$
begin
  new.barcodes := case when new.barcode is null then new.barcodes - 0
    else jsonb_build_array(new.barcode) || (new.barcodes - 0) end;
  new.barcode := new.barcodes ->> 0;
  return new;
end $$;
create trigger note_barcode before insert or update on item_variants
  for each row when (new.barcode is distinct from (new.barcodes ->> 0)) execute function note_barcode_of_variant();

create function keep_variant_barcodes() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    delete from variant_barcodes k using changed c join before b using (tenant_id, id)
    where (c.barcodes, c.active) is distinct from (b.barcodes, b.active)
      and k.tenant_id = c.tenant_id and k.item_variant_id = c.id;
    insert into variant_barcodes (tenant_id, code, archived, item_variant_id, item_id)
    select distinct c.tenant_id, barcode_key(e.code), not c.active, c.id, c.item_id
    from changed c join before b using (tenant_id, id) cross join lateral jsonb_array_elements_text(c.barcodes) e (code)
    where (c.barcodes, c.active) is distinct from (b.barcodes, b.active);
  else
    insert into variant_barcodes (tenant_id, code, archived, item_variant_id, item_id)
    select distinct c.tenant_id, barcode_key(e.code), not c.active, c.id, c.item_id
    from changed c cross join lateral jsonb_array_elements_text(c.barcodes) e (code);
  end if;
  return null;
end $$;
create trigger keep_barcodes_changed after update on item_variants
  referencing old table as before new table as changed for each statement execute function keep_variant_barcodes();
create trigger keep_barcodes_made after insert on item_variants
  referencing new table as changed for each statement execute function keep_variant_barcodes();

create or replace function product_text(of_tenant bigint, of_item bigint) returns text language sql stable
  return search_text((
    select string_agg(distinct part, chr(10))
    from (
      select title as part from items where tenant_id = of_tenant and id = of_item
      union all
      select part from item_variants v cross join lateral (values (v.title), (v.sku), (v.barcode)) parts (part)
      where v.tenant_id = of_tenant and v.item_id = of_item
      union all
      select code from item_variants v cross join lateral jsonb_array_elements_text(v.barcodes - 0) codes (code)
      where v.tenant_id = of_tenant and v.item_id = of_item
    ) parts
  ));

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
      where (c.title, c.sku, c.barcode, c.barcodes - 0) is distinct from (b.title, b.sku, b.barcode, b.barcodes - 0)
    ) i
    where t.tenant_id = i.tenant_id and t.id = i.item_id;
  else
    update product_texts t set text = product_text(t.tenant_id, t.id)
    from changed c join before b using (tenant_id, id)
    where c.title <> b.title and t.tenant_id = c.tenant_id and t.id = c.id;
  end if;
  return null;
end $$;

-- A title may be spelled otherwise than the words of a search, which come in NFC.
create or replace function search_text(given text) returns text language sql immutable parallel safe
  return lower(normalize(given, NFC) collate "pg_c_utf8");
