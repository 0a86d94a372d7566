-- Webhook subscriptions, their secrets and deliveries, and the mails to tenants' owners. Deliveries are made from the outbox
-- (`events`) by the webhook process, not in the writing transaction, so that a write costs the same with and without receivers.

-- Whether the tenant has ever had a subscription: the command worker then tells the webhook process of its events.
alter table tenant_streams add column has_webhooks boolean not null default false;

-- As 000007 made it, and has_webhooks.
drop function open_batch(bigint, jsonb);
create function open_batch(of_tenant bigint, idempotency_keys jsonb)
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
      t.plan, t.currency, t.closed_through::text, s.event_sequence, iso(s.last_command_at), s.document_counts::text, s.has_webhooks,
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

-- The feed's filter by type and the recovery by time read the index alone, and only then the bodies that they need.
alter table events drop constraint events_pkey;
alter table events add primary key (tenant_id, sequence) include (type, created_at);

create table webhook_subscriptions (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  url text not null,
  description text,
  -- Event kinds, or {*}.
  events text[] not null,
  enabled boolean not null,
  status text not null check (status in ('active', 'failing', 'disabled')),
  consecutive_failures integer not null default 0,
  -- Events after this sequence are for it: the tenant's last one when it was made, or enabled again.
  from_sequence bigint not null,
  -- Rises with each disabling. Deliveries of an older generation are not sent, however many there are.
  generation integer not null default 1,
  disabled_at timestamptz,
  -- The last success; before the first, the moment at which it was made or enabled.
  good_since timestamptz not null,
  created_at timestamptz not null,
  last_delivery_at timestamptz,
  last_failure_at timestamptz,
  last_failure_reason text,
  -- Hidden at once; its deliveries are removed in small batches later.
  deleted_at timestamptz,
  primary key (tenant_id, id),
  check (enabled = (status <> 'disabled'))
) with (fillfactor = 70);
create index webhook_subscriptions_deleted on webhook_subscriptions (tenant_id, id) where deleted_at is not null;

-- Signing secrets, encrypted with WEBHOOK_SECRET_KEY. The current one has no end; rotated ones overlap for a while.
create table webhook_secrets (
  tenant_id bigint not null,
  subscription_id bigint not null,
  id bigint not null default nextval('ids'),
  sealed bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (tenant_id, subscription_id, id),
  foreign key (tenant_id, subscription_id) references webhook_subscriptions
);

-- Up to where a tenant's events have become deliveries. Whoever holds the row's lock goes on from there. A tenant's sequence
-- is given out under the lock of its stream, so that a lower number never commits after a higher one.
create table webhook_relays (
  tenant_id bigint primary key references tenants,
  relayed_sequence bigint not null
) with (fillfactor = 50);

-- One row per event and subscription, for all its attempts and redeliveries.
create table webhook_deliveries (
  tenant_id bigint not null,
  id bigint not null default nextval('ids'),
  subscription_id bigint not null,
  generation integer not null,
  event_id text not null,
  event_type text not null,
  -- Null for test events, which stand in no outbox and so bring their body.
  sequence bigint,
  body text,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  attempts integer not null default 0,
  -- Attempts since it was last scheduled anew: the place in the schedule.
  round_attempts integer not null default 0,
  response_status integer,
  duration_ms integer,
  error text,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, subscription_id) references webhook_subscriptions,
  check ((sequence is null) = (body is not null)),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'pending') = (completed_at is null))
) with (fillfactor = 70);
create unique index webhook_deliveries_once on webhook_deliveries (tenant_id, subscription_id, sequence);
create index webhook_deliveries_listed on webhook_deliveries (tenant_id, subscription_id, id);
-- What a subscription is due, in the order in which it is sent.
create index webhook_deliveries_due on webhook_deliveries (tenant_id, subscription_id, generation, next_attempt_at, id)
  where status = 'pending';
create index webhook_deliveries_by_age on webhook_deliveries using brin (created_at);

-- Mails to tenants' owners, committed with what causes them and sent by the webhook process.
create table mails (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  -- One mail per cause: quota:<group>:<day>, webhook:<subscription>:<generation>.
  cause text not null,
  kind text not null check (kind in ('quota_exhausted', 'webhook_disabled')),
  recipient text not null,
  -- What the text tells; see lib/mail/texts.ts.
  facts jsonb not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, cause)
);
create index mails_unsent on mails (next_attempt_at) where sent_at is null;
create index mails_by_age on mails using brin (created_at);
