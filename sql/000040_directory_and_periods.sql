-- When a key was noted, of those that are noted from now on: one that a restored cell does not have is told from one that ended long ago.
alter table cell_keys add column noted_at timestamptz;
alter table cell_keys alter column noted_at set default now();

-- As in 000036. In a schema of Citus columns take no settings: it plans each statement for its tenant.
create or replace function make_period(of_table text, name text) returns void language plpgsql as $$
declare
  is_on_nodes boolean := false;
begin
  if to_regclass('pg_dist_partition') is not null then
    execute 'select exists (select from pg_dist_partition where logicalrelid = $1::regclass)' into is_on_nodes using of_table;
  end if;
  execute format('create table %I (like %I including defaults including storage)', name, of_table);
  if of_table = 'commands' then
    execute format('alter table %I add primary key (tenant_id, idempotency_key)', name);
    execute format('create index on %I (tenant_id, quota_group, quota_day) where quota_group is not null', name);
  else
    execute format('alter table %I add primary key (tenant_id, sequence) include (type, created_at)', name);
    execute format('create index on %I (tenant_id, type, sequence)', name);
  end if;
  execute format('create index on %I (created_at)', name);
  if not is_on_nodes then
    execute format('alter table %I alter column tenant_id set (n_distinct = 20)', name);
  end if;
  execute format('alter table %I set (autovacuum_vacuum_insert_scale_factor = 0.05)', name);
end $$;
