-- Since when a tenant's keys are refused by order of the operator; null: they are served.
alter table tenants add column suspended_at timestamptz;

-- A key that a command made for its own requests. Once it has ended, the list of keys leaves it out; the row stays as long as
-- that of any other key, since the command log and the security telemetry name it.
alter table api_keys add column for_one_run boolean not null default false;

-- Those of earlier imports.
update api_keys set for_one_run = true
where name = 'millrace import' and scopes = array['read:catalog', 'write:catalog.product.create']
  and revoked_at is not null and expires_at is not null;
