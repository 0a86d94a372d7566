-- Whose keys have changed: server processes remember keys, and ask here every few seconds which of them to forget. Read by the
-- transaction (changed_by), not by the time: what a snapshot does not show was written by a transaction that is not below the
-- snapshot's oldest one, however long it takes to commit. Rows are kept for a day.
create table key_changes (
  tenant_id bigint not null,
  changed_by xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, changed_by)
);
create index key_changes_by_transaction on key_changes (changed_by);

-- By triggers, so that no change is left out: not by an older process, nor by hand.
create function note_key_change() returns trigger language plpgsql as $$
begin
  insert into key_changes (tenant_id) values (old.tenant_id) on conflict do nothing;
  return null;
end $$;
create trigger note_change after update or delete on api_keys for each row execute function note_key_change();
create trigger note_suspension after update on tenants for each row
  when (old.suspended_at is distinct from new.suspended_at) execute function note_key_change();
