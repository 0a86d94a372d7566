-- Opens a command batch in one round trip: takes the tenant's lock, then reads what the batch needs. It is volatile on
-- purpose: under READ COMMITTED each of its statements has a snapshot of its own, so what is read after the lock is newer
-- than the last holder's commit. One plain statement would read what was there before it waited.
create function open_batch(of_tenant bigint, idempotency_keys jsonb)
returns table (
  plan text, currency text, closed_through text, event_sequence bigint, last_command_at text, document_counts text,
  -- [{ idempotency_key, fingerprint, status, body, request_id }] of the keys that the command log holds.
  logged text
) language plpgsql volatile as $$
begin
  -- NO KEY UPDATE, so that foreign keys to the row do not wait.
  perform from tenant_streams s where s.tenant_id = of_tenant for no key update;
  return query
    select
      t.plan, t.currency, t.closed_through::text, s.event_sequence, iso(s.last_command_at), s.document_counts::text,
      coalesce((
        select json_agg(json_build_object(
          'idempotency_key', c.idempotency_key, 'fingerprint', encode(c.fingerprint, 'hex'), 'status', c.status,
          'body', c.body, 'request_id', c.request_id
        ))
        from commands c
        where c.tenant_id = of_tenant
          and c.idempotency_key = any (array(select jsonb_array_elements_text(idempotency_keys)))
      ), '[]')::text
    from tenant_streams s join tenants t using (tenant_id)
    where s.tenant_id = of_tenant;
end $$;
