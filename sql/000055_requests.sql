-- What became of each write (docs/rules/requests.md, "The list of requests"): successes stand in the command log, refusals in a table of their own.

-- Null in rows of before and of workers of before: these are not listed.
alter table commands
  -- The time at which the unit of work ran (ms since 1970) * 4096, and the place within it: it rises from request to request of a tenant.
  add column id bigint,
  add column method text,
  add column path text,
  add column user_name text,
  add column first_sequence bigint,
  add column last_sequence bigint;

-- A bulk and its entries share the number; a text that is no id of a request has none. The ids begin with their time, so that the numbers rise.
create function request_number(request_id text) returns bigint language sql immutable strict parallel safe
  return case when request_id ~ '^req_[0-9a-f]{32}' then ('x' || substr(request_id, 5, 15))::bit(60)::bigint end;

create table refused_requests (
  tenant_id bigint not null,
  id bigint not null,
  request_id text not null,
  key_id bigint not null,
  user_name text,
  method text,
  path text,
  -- Without this scope a key does not see the message; null: every key sees it.
  scope text,
  idempotency_key text not null,
  status smallint not null,
  error text not null,
  message text not null,
  created_at timestamptz not null default now()
) partition by range (created_at);

create or replace function make_period(of_table text, name text) returns void language plpgsql as $$
begin
  execute format('create table %I (like %I including defaults including storage)', name, of_table);
  if of_table = 'commands' then
    execute format('alter table %I add primary key (tenant_id, idempotency_key)', name);
    execute format('create index on %I (tenant_id, quota_group, quota_day) where quota_group is not null', name);
    execute format('create index on %I (tenant_id, key_id, id) where id is not null', name);
    execute format('create index on %I (request_number(request_id)) where id is not null', name);
  elsif of_table = 'refused_requests' then
    execute format('alter table %I add primary key (tenant_id, key_id, id)', name);
    execute format('create index on %I (tenant_id, idempotency_key)', name);
    execute format('create index on %I (request_number(request_id))', name);
  else
    execute format('alter table %I add primary key (tenant_id, sequence) include (type, created_at)', name);
    execute format('create index on %I (tenant_id, type, sequence)', name);
  end if;
  -- When the last command was, which a new generation asks; whose events are new, which the sweep of webhooks asks.
  if of_table <> 'refused_requests' then
    execute format('create index on %I (created_at)', name);
  end if;
  execute format('alter table %I alter column tenant_id set (n_distinct = 20)', name);
  execute format('alter table %I set (autovacuum_vacuum_insert_scale_factor = 0.05)', name);
end $$;

-- As in 000045; periods of refused requests last six hours, since these are kept for a day.
create or replace function keep_periods(of_table text, kept interval) returns integer
language plpgsql set lock_timeout = '500ms' as $$
declare
  is_short boolean := of_table = 'refused_requests';
  lasts interval := case when is_short then interval '6 hours' else interval '240 hours' end;
  ahead interval := case when is_short then interval '48 hours' else interval '480 hours' end;
  seconds integer := extract(epoch from lasts);
  beyond text := of_table || '_beyond';
  begins timestamptz := greatest(
    to_timestamp(floor(extract(epoch from now()) / seconds) * seconds),
    (select max(period_end(inhrelid)) from pg_inherits
      where inhparent = of_table::regclass and period_end(inhrelid) < now() + 1.5 * ahead));
  ends timestamptz;
  name text;
  partition regclass;
  dropped integer := 0;
  last_beyond timestamptz;
begin
  perform pg_advisory_xact_lock(7236120);
  execute format('delete from %I where created_at < now() - $1', beyond) using kept;
  while begins < now() + ahead loop
    ends := begins + lasts;
    name := of_table || '_' || to_char(begins at time zone 'UTC', case when is_short then 'YYYYMMDDHH24' else 'YYYYMMDD' end);
    execute format('select max(created_at) from %I where created_at >= $1 and created_at < $2', beyond)
      into last_beyond using begins, ends;
    if last_beyond is null and to_regclass(name) is null then
      perform make_period(of_table, name);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', of_table, name, begins, ends);
    end if;
    begins := ends;
  end loop;
  for partition in
    select inhrelid from pg_inherits where inhparent = of_table::regclass and period_end(inhrelid) <= now() - kept
  loop
    execute format('drop table %s', partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

select make_period('refused_requests', 'refused_requests_beyond');
alter table refused_requests attach partition refused_requests_beyond default;
select keep_periods('refused_requests', '24 hours');

-- The same indexes on the periods that are there. On large ones they are made after the migration, while writers go on.
do $$
declare
  period regclass;
  form text;
begin
  for period in select inhrelid from pg_inherits where inhparent = 'commands'::regclass loop
    foreach form in array array['(tenant_id, key_id, id)', '(request_number(request_id))'] loop
      if pg_relation_size(period) < 1048576 then
        execute format('create index on %s %s where id is not null', period, form);
      else
        create table if not exists migration_indexes_to_come (migration text, statement text primary key);
        insert into migration_indexes_to_come values ('000055_requests.sql', format(
          'create index concurrently if not exists %I on %s %s where id is not null',
          period || case form when '(tenant_id, key_id, id)' then '_by_key' else '_by_request' end, period, form));
      end if;
    end loop;
  end loop;
end $$;
