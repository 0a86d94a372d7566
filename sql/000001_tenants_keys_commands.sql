-- Tenants, their API keys, the command log and the outbox. Every primary key starts with tenant_id, so that a reference to
-- another tenant's row cannot be stored and the schema can be distributed by tenant.

-- Ids are unique across tenants and kinds. Within a tenant they rise with time, since a tenant's writes are serial.
create sequence ids as bigint start 1001;

-- Timestamps leave the service in one spelling: 2026-11-21T05:00:00.000Z.
create function iso(at timestamptz) returns text language sql immutable parallel safe
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create table tenants (
  tenant_id bigint primary key default nextval('ids'),
  name text not null,
  owner_email text not null,
  plan text not null default 'free' check (plan in ('free', 'pro')),
  currency text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
  closed_through date,
  created_at timestamptz not null default now()
);

-- The row that a command batch locks: whoever holds it is the only writer of the tenant. Apart from `tenants`, so that
-- foreign keys to the tenant do not wait for it.
create table tenant_streams (
  tenant_id bigint primary key references tenants,
  -- Last event sequence given out; without gaps.
  event_sequence bigint not null default 0,
  -- Last document number per kind: {"stock_adjustment": 12}.
  document_counts jsonb not null default '{}',
  -- The tenant's time: the next command never runs earlier, whatever the clock of its worker says.
  last_command_at timestamptz
) with (fillfactor = 50);

create table api_keys (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  name text not null,
  user_name text not null,
  -- SHA-256 of the token; the token itself is nowhere.
  token_hash bytea not null unique,
  scopes text[] not null,
  rate_per_minute integer not null default 600 check (rate_per_minute > 0),
  burst integer not null default 100 check (burst > 0),
  daily_documents integer not null default 500 check (daily_documents >= 0),
  -- Rotated keys share one quota: the id of the first of them.
  quota_group bigint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id)
);

-- The command log: one row per successful write, by its idempotency key. It commits with the effect and answers replays.
create table commands (
  tenant_id bigint not null references tenants,
  idempotency_key text not null,
  fingerprint bytea not null,
  endpoint text not null,
  status smallint not null,
  -- The answer as JSON text, without secrets; null for 204.
  body text,
  key_id bigint not null,
  -- The quota that it spent, or null: (quota_group, quota_day).
  quota_group bigint,
  quota_day date,
  request_id text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, idempotency_key)
);
create index commands_by_quota on commands (tenant_id, quota_group, quota_day) where quota_group is not null;
create index commands_by_age on commands using brin (created_at);

-- The outbox. `body` holds the bytes that every delivery sends and GET /events shows.
create table events (
  tenant_id bigint not null references tenants,
  sequence bigint not null,
  id text not null,
  type text not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, sequence)
);
create index events_by_age on events using brin (created_at);
