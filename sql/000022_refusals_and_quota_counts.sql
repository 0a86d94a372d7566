-- What was refused, for a while: a command may come to a worker again (its lease was lost, Redis was emptied, its server took
-- it for lost), and its caller may have heard the refusal by then. It is found under the tenant's lock, as the command log is.
create table refused_commands (
  tenant_id bigint not null references tenants,
  -- The request that first claimed its Idempotency-Key: its copies, and the duplicates that waited with it, end alike.
  claim_id text not null,
  -- { refusal, message, headers, reason } as JSON text.
  refusal text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, claim_id)
);
create index refused_commands_by_age on refused_commands (created_at);
alter table refused_commands alter column tenant_id set (n_distinct = 20);
-- All of it goes within two hours.
alter table refused_commands set (autovacuum_vacuum_scale_factor = 0.05);

-- How many documents a quota has spent on a day: a row of its own, since counting them in the log reads every one, as many as a
-- quota allows. Kept by a trigger, so that whoever writes the log keeps it, workers of an earlier version too. All writers of
-- a tenant hold its lock, so that nobody waits here.
create table spent_documents (
  tenant_id bigint not null references tenants,
  quota_group bigint not null,
  quota_day date not null,
  documents integer not null,
  primary key (tenant_id, quota_group, quota_day)
) with (fillfactor = 50);
create index spent_documents_by_day on spent_documents (quota_day);
alter table spent_documents alter column tenant_id set (n_distinct = 20);

-- The first row of a quota and day counts what the log holds already: a day may have begun before this migration.
create function count_spent_documents() returns trigger language plpgsql as $$
begin
  update spent_documents s set documents = s.documents + a.documents
  from (
    select a.tenant_id, a.quota_group, a.quota_day, count(*)::int as documents
    from added a where a.quota_group is not null
    group by 1, 2, 3
  ) a
  where s.tenant_id = a.tenant_id and s.quota_group = a.quota_group and s.quota_day = a.quota_day;
  insert into spent_documents (tenant_id, quota_group, quota_day, documents)
  select a.tenant_id, a.quota_group, a.quota_day, (
    select count(*) from commands c
    where c.tenant_id = a.tenant_id and c.quota_group = a.quota_group and c.quota_day = a.quota_day
  )
  from (select distinct tenant_id, quota_group, quota_day from added where quota_group is not null) a
  where not exists (
    select from spent_documents s
    where s.tenant_id = a.tenant_id and s.quota_group = a.quota_group and s.quota_day = a.quota_day
  );
  return null;
end $$;
create trigger count_spent_documents after insert on commands
referencing new table as added for each statement execute function count_spent_documents();

create function documents_spent(of_tenant bigint, of_group bigint, on_day date) returns integer language sql stable as $$
  select coalesce(
    (select documents from spent_documents where tenant_id = of_tenant and quota_group = of_group and quota_day = on_day),
    (select count(*)::int from commands where tenant_id = of_tenant and quota_group = of_group and quota_day = on_day)
  )
$$;

-- As 000021 made it (000007 says why it is a function), what was refused, and what the quotas have left. The one of two arguments
-- stays for workers of the version before.
create function open_batch(of_tenant bigint, idempotency_keys jsonb, claim_ids jsonb, quotas jsonb)
returns table (
  plan text, currency text, closed_through text, event_sequence bigint, last_command_at text, document_counts text,
  has_webhooks boolean,
  -- [{ idempotency_key, fingerprint, status, body, request_id }] of the keys that the command log holds.
  logged text,
  -- [{ claim_id, refusal }] of the claims that were refused.
  refused text,
  -- [{ key_id, quota_group, quota_day, spent, daily_documents }] of the given key_id, quota_group, quota_day.
  quotas_spent text
) language plpgsql volatile as $$
begin
  -- NO KEY UPDATE, so that foreign keys to the row do not wait.
  perform from tenant_streams s where s.tenant_id = of_tenant for no key update;
  return query
    select
      t.plan, t.currency, t.closed_through::text, s.event_sequence,
      iso(greatest(date_trunc('milliseconds', clock_timestamp()), s.last_command_at + interval '1 millisecond')),
      s.document_counts::text, s.has_webhooks,
      coalesce((
        select json_agg(json_build_object(
          'idempotency_key', c.idempotency_key, 'fingerprint', encode(c.fingerprint, 'hex'), 'status', c.status,
          'body', c.body, 'request_id', c.request_id
        ))
        from commands c
        where c.tenant_id = of_tenant
          and c.idempotency_key = any (array(select jsonb_array_elements_text(idempotency_keys)))
      ), '[]')::text,
      coalesce((
        select json_agg(json_build_object('claim_id', r.claim_id, 'refusal', r.refusal))
        from refused_commands r
        where r.tenant_id = of_tenant and r.claim_id = any (array(select jsonb_array_elements_text(claim_ids)))
      ), '[]')::text,
      coalesce((
        select json_agg(json_build_object(
          'key_id', k.id::text, 'quota_group', q.quota_group::text, 'quota_day', q.quota_day::text,
          'spent', documents_spent(of_tenant, q.quota_group, q.quota_day), 'daily_documents', k.daily_documents
        ))
        from jsonb_to_recordset(quotas) as q(key_id bigint, quota_group bigint, quota_day date)
        join api_keys k on k.tenant_id = of_tenant and k.id = q.key_id
      ), '[]')::text
    from tenant_streams s join tenants t using (tenant_id)
    where s.tenant_id = of_tenant;
end $$;
