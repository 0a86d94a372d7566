-- The command log, refusals, quotas and the outbox, and the generations of the database.

-- The generations of this database. A new one begins where commits may be gone that somebody was told of: after a standby has
-- taken over, or a backup was restored. What was remembered elsewhere is then of another generation and is not believed, and
-- numbers go on beyond all that lost commits can have given (docs/operations.md, "Failover").
create table generations (
  -- Later ones are greater. Not the next number but the time (seconds since 1970): one backup may be restored twice.
  generation bigint primary key,
  -- Where it lives: the cluster and its timeline, which PostgreSQL changes whenever a server takes over. Null where it does not tell.
  cluster text,
  timeline text,
  -- Commits after this time may be gone; null of the first generation.
  lost_after timestamptz,
  began_at timestamptz not null default clock_timestamp(),
  -- How far each tenant's event sequence goes on, with its next event.
  event_gap bigint not null
);

-- Numbers that were left out: a tenant's next event behind `after_sequence` has the number behind `until_sequence`.
create table event_gaps (
  tenant_id bigint not null,
  after_sequence bigint not null,
  until_sequence bigint not null,
  primary key (tenant_id, after_sequence)
);

-- Null on a standby, and where a provider does not allow it.
create function server_timeline() returns text language plpgsql as $$
begin
  if pg_is_in_recovery() then
    return null;
  end if;
  return left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
exception when insufficient_privilege or undefined_function or feature_not_supported or object_not_in_prerequisite_state then
  return null;
end $$;

-- The cluster, and this table in it, which a restored dump makes anew. Null on a standby.
create function server_cluster() returns text language plpgsql as $$
declare
  system text := '';
begin
  if pg_is_in_recovery() then
    return null;
  end if;
  begin
    select system_identifier::text into system from pg_control_system();
  exception when insufficient_privilege or undefined_function or feature_not_supported or object_not_in_prerequisite_state then
    null; -- a provider does not allow it
  end;
  return system || '/' || 'generations'::regclass::oid;
end $$;

insert into generations (generation, cluster, timeline, event_gap) values (1, server_cluster(), server_timeline(), 0);

-- Begins a generation where the database lives elsewhere than the last one, or by order. Lost commits came after the last one that is
-- here: numbers go on by more than can be given in the time since, with 100 s for clocks: 100,000 ids a second of all tenants, and
-- 10,000 events a second of one. The fastest that was measured is a fifth of it.
create function begin_generation(by_order boolean default false) returns bigint language plpgsql as $$
declare
  known generations;
  cluster_here text := server_cluster();
  timeline_here text := server_timeline();
  last_commit timestamptz;
  seconds bigint;
  fresh bigint;
begin
  perform pg_advisory_xact_lock(7236114);
  select * into known from generations order by generation desc limit 1;
  if not by_order and coalesce(cluster_here = known.cluster, true) and coalesce(timeline_here = known.timeline, true) then
    return known.generation; -- another has begun it meanwhile
  end if;
  last_commit := least(clock_timestamp(), coalesce(
    greatest(pg_last_xact_replay_timestamp(), (select created_at from commands order by created_at desc limit 1)), known.began_at));
  seconds := ceil(extract(epoch from clock_timestamp() - last_commit)) + 100;
  -- By whole steps: of several cells each gives out every so many.
  perform setval('ids', nextval('ids') + 100000 * seconds * (select seqincrement from pg_sequence where seqrelid = 'ids'::regclass));
  insert into generations (generation, cluster, timeline, lost_after, event_gap)
  values (
    greatest(known.generation + 1, extract(epoch from clock_timestamp())::bigint), cluster_here, timeline_here, last_commit, 10000 * seconds)
  returning generation into fresh;
  return fresh;
end $$;

-- The generation that holds now, begun if need be. A restored dump may have the same timeline, in another cluster: that is asked for
-- where there is time (`with_cluster`).
create function current_generation(with_cluster boolean default false) returns bigint language plpgsql as $$
declare
  known generations;
begin
  select * into known from generations order by generation desc limit 1;
  if coalesce(server_timeline() = known.timeline, true)
    and (not with_cluster or coalesce(server_cluster() = known.cluster, true)) then
    return known.generation;
  end if;
  return begin_generation();
end $$;

-- The command log: one row per successful write, by its idempotency key. It commits with the effect and answers replays.
create table commands (
  tenant_id bigint not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  endpoint text not null,
  status smallint not null,
  -- The answer as JSON text, without secrets; null for 204, and where an event holds it (body_sequence).
  body text,
  key_id bigint not null,
  -- The quota that it spent, or null: (quota_group, quota_day).
  quota_group bigint,
  quota_day date,
  request_id text not null,
  created_at timestamptz not null default now(),
  -- The time at which the unit of work ran (ms since 1970) * 4096, and the place within it: it rises from request to request of a tenant.
  -- Null: `GET /requests` does not list the row.
  id bigint,
  method text,
  path text,
  user_name text,
  first_sequence bigint,
  last_sequence bigint,
  -- The event whose data is the answer. Events are kept as long as the log, period by period.
  body_sequence bigint
) partition by range (created_at);

-- A bulk and its entries share the number; a text that is no id of a request has none. The ids begin with their time, so that the numbers rise.
create function request_number(request_id text) returns bigint language sql immutable strict parallel safe
  return case when request_id ~ '^req_[0-9a-f]{32}' then ('x' || substr(request_id, 5, 15))::bit(60)::bigint end;

-- What was refused, for a while: a command may come to a worker again (its lease was lost, Redis was emptied, its server took
-- it for lost), and its caller may have heard the refusal by then. It is found under the tenant's lock, as the command log is.
create table refused_commands (
  tenant_id bigint not null,
  -- The request that first claimed its Idempotency-Key: its copies, and the duplicates that waited with it, end alike.
  claim_id text not null,
  -- { refusal, message, headers, reason } as JSON text.
  refusal text not null,
  created_at timestamptz not null default now(),
  -- A copy of the key that was accepted before must not succeed any more, whoever held it meanwhile.
  idempotency_key text not null,
  primary key (tenant_id, claim_id)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index refused_commands_by_age on refused_commands (created_at);
create index refused_commands_by_key on refused_commands (tenant_id, idempotency_key, created_at);

-- What was refused, for `GET /requests`; kept for a day.
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

-- How many documents a quota has spent on a day. A row of its own, since counting them in the log reads every one. A trigger keeps it; all
-- writers of a tenant hold its lock, so that nobody waits here.
create table spent_documents (
  tenant_id bigint not null,
  quota_group bigint not null,
  quota_day date not null,
  documents integer not null,
  primary key (tenant_id, quota_group, quota_day)
) with (fillfactor = 50);
create index spent_documents_by_day on spent_documents (quota_day);

-- The trigger leaves out a move between cells, which copies the rows of spent_documents as they are.
create function count_spent_documents() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  insert into spent_documents (tenant_id, quota_group, quota_day, documents)
  select a.tenant_id, a.quota_group, a.quota_day, count(*)::int
  from added a where a.quota_group is not null
  group by 1, 2, 3
  on conflict (tenant_id, quota_group, quota_day) do update set documents = spent_documents.documents + excluded.documents;
  return null;
end $$;
create trigger count_spent_documents after insert on commands
  referencing new table as added for each statement execute function count_spent_documents();

create function documents_spent(of_tenant bigint, of_group bigint, on_day date) returns integer language sql stable as $$
  select coalesce(
    (select documents from spent_documents where tenant_id = of_tenant and quota_group = of_group and quota_day = on_day), 0)
$$;

-- The outbox. `body` holds the bytes that every delivery sends and `GET /events` shows; it begins with the id of the event.
create table events (
  tenant_id bigint not null,
  sequence bigint not null,
  type text not null,
  body text not null,
  created_at timestamptz not null default now(),
  -- The span of the command that the event comes from (W3C traceparent), so that its trace goes on to the webhooks; null without traces.
  trace_parent text
) partition by range (created_at);

-- The log, the refused requests and the outbox lie in periods, so that what is old goes with its table (docs/decisions/0009). Indexes stand
-- on each period, without one of the whole: within a period a key and a sequence are unique by an index, over all of them by the lock of the
-- tenant, under which they are looked up and given. The period `_beyond` takes what no other period takes.

alter table commands alter column tenant_id set (n_distinct_inherited = 20);
alter table events alter column tenant_id set (n_distinct_inherited = 20);

-- Where the period of a partition ends; null of the one beyond.
create function period_end(partition regclass) returns timestamptz language sql stable as $$
  select substring(pg_get_expr(relpartbound, oid) from 'TO \(''([^'']+)''\)')::timestamptz from pg_class where oid = partition
$$;

create function make_period(of_table text, name text) returns void language plpgsql as $$
begin
  execute format('create table %I (like %I including defaults including storage)', name, of_table);
  if of_table = 'commands' then
    execute format('alter table %I add primary key (tenant_id, idempotency_key)', name);
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

-- Makes the periods that begin soon, and drops those of which nothing is to be kept; answers how many. It is called every ten minutes.
-- Periods last ten days, those of refused requests six hours. Whoever waits for the lock of a table holds up its writers, so this waits no
-- longer than they would notice, and is tried again. Periods that end far in the future do not count: a clock may have been wrong for a while.
create function keep_periods(of_table text, kept interval) returns integer
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

do $$
declare
  of_table text;
  seconds integer;
begin
  foreach of_table in array array['commands', 'events', 'refused_requests'] loop
    seconds := case when of_table = 'refused_requests' then 21600 else 864000 end;
    perform make_period(of_table, of_table || '_beyond'), make_period(of_table, of_table || '_before');
    execute format('alter table %I attach partition %I default', of_table, of_table || '_beyond');
    -- A tenant that moves here brings rows that are older than this database.
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', of_table, of_table || '_before',
      to_timestamp(floor(extract(epoch from now()) / seconds) * seconds));
  end loop;
end $$;
select keep_periods('commands', '30 days 1 hour'), keep_periods('events', '30 days 1 hour'), keep_periods('refused_requests', '24 hours');
