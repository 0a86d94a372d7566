-- The time of a tenant's commands is this database's, later with each batch: a reader who goes on from the last time that it
-- saw misses nothing, and within a tenant ids rise with created_at, on which filters by time rest. Where the clock was set
-- back (a fail-over, a clock put right), time goes on by a millisecond per batch until the clock has caught up.
comment on column tenant_streams.last_command_at is 'When the last batch ran that wrote; the next one runs later.';

-- As 000010 made it, but for last_command_at: the time at which this batch runs. The name and the columns stay, since workers
-- of an earlier version call it too: they run no command before this time, unless their clocks are wrong by minutes.
create or replace function open_batch(of_tenant bigint, idempotency_keys jsonb)
returns table (
  plan text, currency text, closed_through text, event_sequence bigint, last_command_at text, document_counts text,
  has_webhooks boolean,
  -- [{ idempotency_key, fingerprint, status, body, request_id }] of the keys that the command log holds.
  logged text
) language plpgsql volatile as $$
begin
  -- NO KEY UPDATE, so that foreign keys to the row do not wait.
  perform from tenant_streams s where s.tenant_id = of_tenant for no key update;
  return query
    select
      t.plan, t.currency, t.closed_through::text, s.event_sequence,
      -- Asked after the lock is had, and in whole milliseconds, as times are shown.
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
      ), '[]')::text
    from tenant_streams s join tenants t using (tenant_id)
    where s.tenant_id = of_tenant;
end $$;

-- When the entries of a variant at a place came to show something else because another batch moved: they share its average cost
-- and its value. It is kept here once, since a receipt may change what a thousand emptied batches show. An entry's shown
-- updated_at is the latest of its own and of these (lib/stock/levels/changed-since.ts).
alter table stock_balances
  -- The average cost as it is shown: what every entry shows.
  add column averaged_at timestamptz,
  -- Quantity or value: what the entries with stock show. Never before averaged_at.
  add column valued_at timestamptz;
-- Null while there is but one entry, as of all that is not batch-tracked: its balance stays out of the index and cheap to update.
create index if not exists stock_balances_by_change on stock_balances (tenant_id, valued_at) where valued_at is not null;
