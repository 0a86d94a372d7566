-- How `reconcile` beside traffic goes (lib/tools/reconcile/noted.ts): the run that is under way or broke off, and the last whole one.
create table reconciliations (
  is_only boolean primary key default true check (is_only),
  -- The run under way; null: none. The process that works on it moves `held_until` on; another one may go on after that time.
  begun_at timestamptz,
  held_until timestamptz,
  -- A run does not go on in a database that was restored meanwhile.
  generation bigint,
  -- Tenants up to this one are done.
  last_tenant_id bigint not null default 0,
  tenants integer not null default 0,
  faults integer not null default 0,
  -- The last whole run.
  whole_begun_at timestamptz,
  whole_ended_at timestamptz,
  whole_tenants integer,
  whole_faults integer
);
insert into reconciliations (is_only) values (true);
