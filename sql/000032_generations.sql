-- The generations of this database. A new one begins where commits may be gone that somebody was told of: after a standby has
-- taken over, or a backup was restored. What was remembered elsewhere is then of another generation and is not believed, and
-- numbers go on beyond all that lost commits can have given (docs/operations.md, "Failover").
create table generations (
  -- Later ones are greater. Not the next number but the time (seconds since 1970): one backup may be restored twice.
  generation bigint primary key,
  -- Where it lives: the cluster and its timeline, which PostgreSQL changes whenever a server takes over. Null where it does not tell.
  cluster text,
  timeline text,
  -- Commits behind this one may be gone; of the first generation null.
  lost_after timestamptz,
  began_at timestamptz not null default clock_timestamp(),
  -- How far each tenant's event sequence goes on, with its next event.
  event_gap bigint not null
);

-- The generation in which the tenant's last event was numbered.
alter table tenant_streams add column generation bigint not null default 1;

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
