-- How each chore of housekeeping went the last time, so that every process and `doctor` know of one that keeps failing. The row is
-- also the chore's turn: a process begins a chore that nobody has begun for a while. Redis has no part in it, so that what must
-- go goes while Redis is full or away.
create table chores (
  name text primary key,
  begun_at timestamptz not null,
  -- In a row, since the last run that did not fail.
  failures integer not null default 0,
  failing_since timestamptz,
  -- Its class alone (the SQLSTATE, or the error's name). The message, which may hold values, stands in the log.
  error text
);

-- As in 000041, but no expression here can fail for a row that is not meant. Once pg_class has statistics, PostgreSQL may look at all
-- of its names before it joins them with pg_inherits: to_date failed for the first name that ends in no date, nothing was dropped,
-- and the keys of networks, which went in the same statement, stayed. Days as YYYYMMDD compare as text as they do as dates.
create or replace function drop_security_partitions(first_day date) returns integer
language plpgsql set lock_timeout = '500ms' as $$
declare
  child regclass;
  last_first_day text := to_char(first_day - 7, 'YYYYMMDD');
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7236113);
  for child in
    select c.oid from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in (
        'security_hours'::regclass, 'security_networks'::regclass, 'security_key_minutes'::regclass,
        'security_route_minutes'::regclass)
      and c.relname ~ '_[0-9]{8}$' and right(c.relname, 8) <= last_first_day
  loop
    execute format('drop table %s', child);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

-- In the main cell's database: the mark (lib/secret-box.ts) of the key that seals webhook secrets, which tells keys apart without
-- telling of them. A process that has another key does not start.
create table service_key (
  is_only boolean primary key default true check (is_only),
  mark text not null,
  named_at timestamptz not null default now()
);

-- In the main cell's database: cells that were removed. Their numbers are never given again: ids that such a cell gave out may live on
-- in other cells.
create table removed_cells (
  number smallint primary key,
  name text not null,
  removed_at timestamptz not null
);
