-- Security telemetry (contract 2): what each tenant's keys asked, to the second, and from how many networks. Counted in the
-- processes and added here in batches; no address, agent, body or key material is stored.

-- One row per tenant, minute and key. The totals answer whole minutes; the cells (second, metric, count) answer the minutes
-- that a window's bound cuts, so that a window is exact to the second at an eighth of the space of rows by second.
create table security_key_minutes (
  tenant_id bigint not null,
  minute timestamptz not null,
  -- 0: counts of the tenant that belong to no key (webhook failures).
  key_id bigint not null,
  responses_2xx integer not null,
  responses_4xx integer not null,
  responses_5xx integer not null,
  unauthorized integer not null,
  forbidden integer not null,
  not_found integer not null,
  rate_limited integer not null,
  quota_exceeded integer not null,
  idempotency_replays integer not null,
  idempotency_conflicts integer not null,
  foreign_references integer not null,
  webhook_failures integer not null,
  -- The cells, entry by entry: second of the minute, place of the metric in the list above (from 0), count.
  seconds smallint[] not null,
  metrics smallint[] not null,
  counts integer[] not null,
  primary key (tenant_id, minute, key_id)
) partition by range (minute);

-- One row per tenant, minute and route template.
create table security_route_minutes (
  tenant_id bigint not null,
  minute timestamptz not null,
  method text not null,
  route text not null,
  requests integer not null,
  errors integer not null,
  -- The cells: second of the minute, requests, errors.
  seconds smallint[] not null,
  second_requests integer[] not null,
  second_errors integer[] not null,
  primary key (tenant_id, minute, method, route)
) partition by range (minute);

-- One row per tenant, UTC day, key and network (a keyed hash of a /24 or /48). A window begins on one day and ends on the
-- next; it sees the end of the first and the beginning of the second, so first and last sight are enough to be exact.
create table security_networks (
  tenant_id bigint not null,
  day date not null,
  key_id bigint not null,
  -- Under the key of `day`.
  network bytea not null,
  -- Under the key of the day before, by which a network is known again across midnight.
  network_before bytea not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  primary key (tenant_id, day, key_id, network)
) partition by range (day);

-- The keys of the network hashes, one per UTC day. They are no tenant's; without them the hashes say nothing of a network.
create table security_network_keys (
  day date primary key,
  key bytea not null
);

-- The last batch of each counting process. Batches come one after another, so that one which is sent again (its answer was
-- lost) is known and counts once.
create table security_writers (
  writer text primary key,
  last_batch integer not null,
  written_at timestamptz not null default now()
);

-- Makes the weekly partitions from a day on. Partitions, because 90-day retention then is dropping a table, not deleting
-- millions of rows. The lock timeout keeps a waiting DDL lock from holding up the requests behind it.
create function make_security_partitions(from_day date, weeks integer) returns void
language plpgsql set lock_timeout = '2s' as $$
declare
  parent text;
  monday date;
  child text;
begin
  perform pg_advisory_xact_lock(7236113);
  for week in 0 .. weeks - 1 loop
    monday := date_trunc('week', from_day::timestamp)::date + 7 * week;
    foreach parent in array array['security_key_minutes', 'security_route_minutes', 'security_networks'] loop
      child := parent || '_' || to_char(monday, 'YYYYMMDD');
      if to_regclass(child) is null then
        execute format(
          'create table %I partition of %I for values from (%L) to (%L) with (fillfactor = 70)', child, parent,
          case parent when 'security_networks' then monday::text else monday || ' 00:00+00' end,
          case parent when 'security_networks' then (monday + 7)::text else monday + 7 || ' 00:00+00' end);
      end if;
    end loop;
  end loop;
end $$;

-- Drops the partitions whose last day is before `first_day`; returns how many.
create function drop_security_partitions(first_day date) returns integer
language plpgsql set lock_timeout = '2s' as $$
declare
  child text;
  dropped integer := 0;
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('security_key_minutes'::regclass, 'security_route_minutes'::regclass, 'security_networks'::regclass)
      and to_date(right(c.relname, 8), 'YYYYMMDD') + 7 <= first_day
  loop
    execute format('drop table %I', child);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

select make_security_partitions((now() at time zone 'UTC')::date, 5);
