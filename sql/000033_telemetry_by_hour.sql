-- Security telemetry by the hour. A tenant that asks once a minute had 639 bytes for each: fourteen columns and three arrays for
-- one request, in two tables with an index entry each. A row of an hour, written once, holds sixty in 400 with its index entry
-- (docs/decisions/0003). The tables of minutes stay: processes of the version before write them while a deploy lasts, and what
-- they hold is read until their partitions go.
--
-- Times are whole numbers (hours since 1970, seconds of the hour), which need no time zone and half of the space.

-- What was counted lately, as the processes send it: rows are only ever added, and when their hour has ended taken away, added
-- up in security_hours.
create table security_recent (
  tenant_id bigint not null,
  -- What the processes sent together, and the place in it.
  batch bigint not null,
  place integer not null,
  hour integer not null,
  -- 0: counts of the tenant that belong to no key (webhook failures).
  key_id bigint not null,
  count integer not null,
  second smallint not null,
  -- Place in the list of lib/telemetry/security/counted.ts: a class of answers (then with its route), or what fell under a class.
  metric smallint not null,
  method text not null,
  route text not null,
  -- Keyed hashes of the network that the requests came from, as in security_networks.
  network bytea,
  network_before bytea,
  primary key (tenant_id, hour, second, batch, place)
) with (autovacuum_vacuum_scale_factor = 0.05);

-- One row per tenant, hour, key, route and metric. Its total answers whole hours; the seconds answer the hours that a window's
-- bound cuts.
create table security_hours (
  tenant_id bigint not null,
  key_id bigint not null,
  hour integer not null,
  total integer not null,
  metric smallint not null,
  method text not null,
  route text not null,
  -- Seconds with counts, and how many each has; null: one each.
  seconds smallint[] not null,
  counts integer[],
  primary key (tenant_id, hour, key_id, metric, method, route)
) partition by range (hour);

-- Makes the weekly partitions from a day on, in the schema that the tables are found in. The lock timeout keeps a waiting DDL
-- lock from holding up the requests behind it.
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
          'create table %I partition of %I for values from (%L) to (%L) with (fillfactor = %s)', child, parent,
          case parent when 'security_hours' then (24 * (monday - date '1970-01-01'))::text else monday::text end,
          case parent when 'security_hours' then (24 * (monday + 7 - date '1970-01-01'))::text else (monday + 7)::text end,
          case parent when 'security_hours' then 100 else 70 end);
      end if;
    end loop;
  end loop;
end $$;

-- Drops the partitions whose last day is before `first_day`, those of minutes too; returns how many.
create or replace function drop_security_partitions(first_day date) returns integer
language plpgsql set lock_timeout = '2s' as $$
declare
  child regclass;
  dropped integer := 0;
begin
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

select make_security_partitions((now() at time zone 'UTC')::date, 5);
