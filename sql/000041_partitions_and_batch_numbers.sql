-- As in 000033, but a week's tables are made beside and attached. `partition of` locks the parent as a drop does, so that reads and
-- writes of it waited, and could end in a deadlock; the lock of an attached one holds up nobody but another of these.
create or replace function make_security_partitions(from_day date, weeks integer) returns void
language plpgsql set lock_timeout = '2s' as $$
declare
  parent text;
  monday date;
  child text;
begin
  perform pg_advisory_xact_lock(7236113);
  for week in 0 .. weeks - 1 loop
    monday := date_trunc('week', from_day::timestamp)::date + 7 * week;
    foreach parent in array array['security_hours', 'security_networks'] loop
      child := parent || '_' || to_char(monday, 'YYYYMMDD');
      if to_regclass(format('%I.%I', current_schema(), child)) is null then
        execute format(
          'create table %I (like %I including defaults including storage) with (fillfactor = %s)', child, parent,
          case parent when 'security_hours' then 100 else 70 end);
        execute format(
          'alter table %I attach partition %I for values from (%L) to (%L)', parent, child,
          case parent when 'security_hours' then (24 * (monday - date '1970-01-01'))::text else monday::text end,
          case parent when 'security_hours' then (24 * (monday + 7 - date '1970-01-01'))::text else (monday + 7)::text end);
      end if;
    end loop;
  end loop;
end $$;

-- As in 000033. A drop does lock the parent: whoever waits for that holds up those who come behind, so it waits no longer than they
-- would notice, gives way before they are told of a deadlock (after a second), and is tried again.
create or replace function drop_security_partitions(first_day date) returns integer
language plpgsql set lock_timeout = '500ms' as $$
declare
  child regclass;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7236113);
  for child in
    select c.oid from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in (
        'security_hours'::regclass, 'security_networks'::regclass, 'security_key_minutes'::regclass,
        'security_route_minutes'::regclass)
      and to_date(right(c.relname, 8), 'YYYYMMDD') + 7 <= first_day
  loop
    execute format('drop table %s', child);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

-- By number, in the order of ids, as every list by what few rows share (lib/api/same.ts): 000027 meant it so, but its
-- `if not exists` found the name of 000026, whose index has no ids. A lot of the day, one number for all variants made on it, is read
-- page by page now, where each page sorted all of them. On large tables make it beforehand (docs/operations.md): create index
-- concurrently if not exists, with this name and definition.
create index if not exists batches_by_number_and_id on batches (tenant_id, number, id);
drop index batches_by_number;
