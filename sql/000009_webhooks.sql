-- Webhook subscriptions, their secrets and deliveries. Deliveries are made from the outbox (`events`) by the webhook process, not in the
-- writing transaction, so that a write costs the same with and without receivers.

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

-- What is left of large recoveries: the command makes the deliveries of the first events, the webhook process those of the
-- others, in steps. A row is of one recovery, or of several that overlapped; it goes with the last step, or when the
-- subscription is of another generation by then (switched off meanwhile: nothing more is sent).
create table webhook_recoveries (
  tenant_id bigint not null,
  subscription_id bigint not null,
  generation integer not null,
  -- The sequences of the events that are looked at next, and last.
  next_sequence bigint not null,
  last_sequence bigint not null,
  -- When the last one is due; those before it a microsecond earlier each, so that they are sent in order.
  due_at timestamptz not null,
  primary key (tenant_id, subscription_id),
  foreign key (tenant_id, subscription_id) references webhook_subscriptions
);

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
  check ((sequence is null) = (body is not null)),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'pending') = (completed_at is null)),
  foreign key (tenant_id, subscription_id) references webhook_subscriptions
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
-- What a subscription is due, in the order in which it is sent.
create index webhook_deliveries_due on webhook_deliveries (tenant_id, subscription_id, generation, next_attempt_at, id)
  where status = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (tenant_id, subscription_id, id) where status = 'failed';
create index webhook_deliveries_listed on webhook_deliveries (tenant_id, subscription_id, id);
create unique index webhook_deliveries_once on webhook_deliveries (tenant_id, subscription_id, sequence);
-- Deliveries of a subscription by how they are shown: pending ones of an earlier generation are shown as failed.
create index webhook_deliveries_pending on webhook_deliveries (tenant_id, subscription_id, generation, id) where status = 'pending';
create index webhook_deliveries_succeeded on webhook_deliveries (tenant_id, subscription_id, id) where status = 'succeeded';
