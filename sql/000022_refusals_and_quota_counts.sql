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

-- As 000010 made it (000007 says why it is a function), and what was refused. The one of two arguments stays for workers of the
-- version before.
create function open_batch(of_tenant bigint, idempotency_keys jsonb, claim_ids jsonb)
returns table (
  plan text, currency text, closed_through text, event_sequence bigint, last_command_at text, document_counts text,
  has_webhooks boolean,
  -- [{ idempotency_key, fingerprint, status, body, request_id }] of the keys that the command log holds.
  logged text,
  -- [{ claim_id, refusal }] of the claims that were refused.
  refused text
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
      ), '[]')::text
    from tenant_streams s join tenants t using (tenant_id)
    where s.tenant_id = of_tenant;
end $$;
