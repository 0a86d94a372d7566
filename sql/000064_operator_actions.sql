-- What operators did with bin/millrace (docs/operations.md, "What operators did"). What concerns a tenant stands with it, and moves with it;
-- the rest stands under tenant 0 in the main cell. Two rows each: an end that is missing was not lived to see.
create table operator_actions (
  tenant_id bigint not null,
  action_id text not null,
  phase text not null check (phase in ('begun', 'ended')),
  at timestamptz not null default clock_timestamp(),
  command text not null,
  -- As typed: no option carries a secret.
  arguments jsonb not null,
  system_user_name text not null,
  host text not null,
  -- Of --by or MILLRACE_OPERATOR.
  given_name text,
  version text not null,
  -- done, refused or failed; null while it is begun.
  outcome text,
  message text,
  -- What it changes, as it was (begun) and as it is then (ended).
  state jsonb,
  primary key (tenant_id, action_id, phase)
);
create index operator_actions_by_time on operator_actions (tenant_id, at);

create trigger append_only before update or truncate on operator_actions
  for each statement execute function refuse_change();
create trigger never_deleted before delete on operator_actions for each row execute function refuse_delete();
