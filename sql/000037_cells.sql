-- Cells (docs/decisions/0010): tenants in several schemas or databases, served by one fleet. Without further cells all of this is
-- empty and unread.

-- In the main cell's database: the main cell and all others. In that of another cell: that cell alone, so that an address that leads
-- to the wrong schema is seen.
create table cells (
  name text primary key,
  -- What is left of each id that the cell gives out when it is divided by 1024. Never given to another cell.
  number smallint not null unique check (number between 0 and 1023),
  -- New tenants go where tenants per weight are fewest; 0: none.
  weight integer not null check (weight >= 0),
  added_at timestamptz not null default now()
);

-- The directory, in the main cell's database: where tenants live and whose keys are, of those that do not live there themselves.
create table cell_tenants (
  tenant_id bigint primary key,
  cell text not null references cells
);
create index cell_tenants_by_cell on cell_tenants (cell);
create table cell_keys (
  token_hash bytea primary key,
  tenant_id bigint not null
);
create index cell_keys_by_tenant on cell_keys (tenant_id);

-- From now on ids leave this rest, and are greater than all before and than `above`. Nobody takes an id until the transaction ends.
create function step_ids(rest integer, above bigint default 0) returns void language plpgsql as $$
declare
  last bigint;
begin
  alter sequence ids increment by 1024;
  select greatest(last_value, above) into last from ids;
  execute format('alter sequence ids restart with %s', (last / 1024 + 1) * 1024 + rest);
end $$;
