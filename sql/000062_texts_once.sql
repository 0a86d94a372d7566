-- The command log need not hold an answer that an event holds too, as most answers of writes are: it names the event instead. An event's
-- body begins with its id, which need not stand beside it. Processes of the version before read `commands.body` and `events.id` alone, so
-- nothing is written so before 000063.

-- The event whose data is the answer; null: `body` is the answer. Events are kept as long as the log, period by period.
alter table commands add column body_sequence bigint;
-- Null: the body tells it.
alter table events alter column id drop not null;

-- Whether each of these texts is written once. Stable, so that a plan that holds the answer is made anew when 000063 changes it.
create function writes_texts_once() returns boolean language sql stable parallel safe return false;

-- What the log holds of a key, with the answer as its caller got it: `->` gives the text of a json as it was written. An event that is gone
-- was kept for 30 days, and so was the key.
create function logged(of_tenant bigint, of_key text)
returns table (fingerprint bytea, status smallint, body text, request_id text) language sql stable as $$
  select c.fingerprint, c.status, coalesce(c.body, e.data), c.request_id
  from commands c
  left join lateral (
    select (body::json -> 'data')::text as data from events where tenant_id = c.tenant_id and sequence = c.body_sequence limit 1
  ) e on true
  where c.tenant_id = of_tenant and c.idempotency_key = of_key and (c.body_sequence is null or e.data is not null)
  limit 1
$$;

-- What a quota has spent stands in spent_documents since 000022. Until now the log was counted where it did not, as on the day of that
-- migration, over an index to which each command wrote.
create or replace function count_spent_documents() returns trigger language plpgsql as $$
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

create or replace function documents_spent(of_tenant bigint, of_group bigint, on_day date) returns integer language sql stable as $$
  select coalesce(
    (select documents from spent_documents where tenant_id = of_tenant and quota_group = of_group and quota_day = on_day), 0)
$$;

-- As in 000055, without the index by quota.
create or replace function make_period(of_table text, name text) returns void language plpgsql as $$
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

do $$
declare
  unused regclass;
begin
  for unused in
    select i.indexrelid from pg_inherits p join pg_index i on i.indrelid = p.inhrelid
    where p.inhparent = 'commands'::regclass and pg_get_indexdef(i.indexrelid) like '%quota_group%'
  loop
    execute format('drop index %s', unused);
  end loop;
end $$;
