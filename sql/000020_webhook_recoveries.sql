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
