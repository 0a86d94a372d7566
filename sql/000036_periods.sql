-- The command log and the events in periods of ten days (docs/decisions/0009). Indexes stand on each period, without one of the whole:
-- within a period a key and a sequence are unique by an index, over all of them by the lock of the tenant, under which they are
-- looked up and given.

-- The first period and what is beyond the last one have the names of the table and _before, _beyond; others that of their first day.

-- Reads all rows once, while writers go on.
alter table commands validate constraint first_period;
alter table events validate constraint first_period;

do $$
declare
  kept text;
  ends text;
begin
  -- As writers take them, one after the other; in no time once they are had, since the rows are proven.
  set local lock_timeout = '3s';
  foreach kept in array array['commands', 'events'] loop
    ends := substring(
      (select pg_get_constraintdef(oid) from pg_constraint where conrelid = kept::regclass and conname = 'first_period')
      from '''([^'']+)'''
    );
    execute format('alter table %I rename to %I', kept, kept || '_before');
    execute format('create table %I (like %I including defaults including storage) partition by range (created_at)', kept, kept || '_before');
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', kept, kept || '_before', ends);
    execute format('alter table %I drop constraint first_period', kept || '_before');
    execute format('alter table %I alter column tenant_id set (n_distinct_inherited = 20)', kept);
  end loop;
end $$;
drop trigger count_spent_documents on commands_before;
create trigger count_spent_documents after insert on commands
referencing new table as added for each statement execute function count_spent_documents();

-- Where the period of a partition ends; null of the one beyond.
create function period_end(partition regclass) returns timestamptz language sql stable as $$
  select substring(pg_get_expr(relpartbound, oid) from 'TO \(''([^'']+)''\)')::timestamptz from pg_class where oid = partition
$$;

create function make_period(of_table text, name text) returns void language plpgsql as $$
begin
  execute format('create table %I (like %I including defaults including storage)', name, of_table);
  if of_table = 'commands' then
    execute format('alter table %I add primary key (tenant_id, idempotency_key)', name);
    execute format('create index on %I (tenant_id, quota_group, quota_day) where quota_group is not null', name);
  else
    execute format('alter table %I add primary key (tenant_id, sequence) include (type, created_at)', name);
    execute format('create index on %I (tenant_id, type, sequence)', name);
  end if;
  -- When the last command was, which a new generation asks; whose events are new, which the sweep of webhooks asks.
  execute format('create index on %I (created_at)', name);
  execute format('alter table %I alter column tenant_id set (n_distinct = 20)', name);
  execute format('alter table %I set (autovacuum_vacuum_insert_scale_factor = 0.05)', name);
end $$;

-- Makes the periods that begin within the next 20 days, and drops those of which nothing is to be kept; answers how many. It is
-- called every ten minutes. Should nobody do it for weeks, the table beyond takes what comes, and the next period begins behind that.
-- Who waits for the lock of a table holds up its writers, so it waits no longer than they would notice, and is tried again.
create function keep_periods(of_table text, kept interval) returns integer
language plpgsql set lock_timeout = '500ms' as $$
declare
  beyond text := of_table || '_beyond';
  begins timestamptz := (select max(period_end(inhrelid)) from pg_inherits where inhparent = of_table::regclass);
  name text;
  partition regclass;
  dropped integer := 0;
  last_beyond timestamptz;
begin
  perform pg_advisory_xact_lock(7236120);
  execute format('delete from %I where created_at < now() - $1', beyond) using kept;
  execute format('select max(created_at) from %I', beyond) into last_beyond;
  if last_beyond >= begins then
    begins := to_timestamp((floor(extract(epoch from last_beyond) / 864000) + 1) * 864000);
  end if;
  while begins < now() + interval '20 days' loop
    name := of_table || '_' || to_char(begins at time zone 'UTC', 'YYYYMMDD');
    if to_regclass(name) is null then
      perform make_period(of_table, name);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', of_table, name, begins, begins + interval '10 days');
    end if;
    begins := begins + interval '10 days';
  end loop;
  for partition in
    select inhrelid from pg_inherits where inhparent = of_table::regclass and period_end(inhrelid) <= now() - kept
  loop
    execute format('drop table %s', partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

select make_period('commands', 'commands_beyond'), make_period('events', 'events_beyond');
alter table commands attach partition commands_beyond default;
alter table events attach partition events_beyond default;
select keep_periods('commands', '30 days 1 hour'), keep_periods('events', '30 days 1 hour');

-- What never changes: an index tells alone what it holds once a vacuum has seen the rows, and what is frozen then is never read by a
-- vacuum again, however old it gets.
alter table stock_movements set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_freeze_min_age = 0);
