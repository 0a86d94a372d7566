-- Tenants, their keys and users, what operators did, and cells. Every primary key of a tenant's rows begins with tenant_id: a
-- reference to another tenant's row cannot be stored, and the schema can be distributed by tenant.

-- Ids are unique across tenants and kinds. Within a tenant they rise with time, since a tenant's writes are serial.
create sequence ids as bigint start 1001;

-- Times leave the service in one spelling: 2026-11-21T05:00:00.000Z. A page has hundreds of them, so the spelling avoids `to_char`, which
-- takes nearly twice as long. With one microsecond more, whole milliseconds are spelled with all of their digits. It is stable, like the
-- functions that it calls: an immutable function that calls a stable one is never inlined.
create function iso(at timestamptz) returns text language sql stable parallel safe
  return substr(
    to_json(date_bin('1 millisecond', at, 'epoch') at time zone 'UTC' + interval '1 microsecond')::text, 2, 23
  ) || 'Z';

-- Lists go by dates as weeks since 1970 (lib/kit/api/dated-page.ts).
create function week_of(moment timestamptz) returns integer language sql immutable parallel safe
  return floor(extract(epoch from moment) / 604800)::integer;
create function week_of(day date) returns integer language sql immutable parallel safe
  return floor((day - date '1970-01-01') / 7.0)::integer;

-- The day of a moment in a time zone. PostgreSQL reads some names of the IANA base as abbreviations, which have no summer time: these
-- names are links to the zones here.
create function local_day(time_zone text, moment timestamptz) returns date language sql immutable parallel safe
  return (moment at time zone case lower(time_zone)
    when 'cet' then 'Europe/Brussels'
    when 'met' then 'Europe/Brussels'
    when 'eet' then 'Europe/Athens'
    when 'wet' then 'Europe/Lisbon'
    else time_zone
  end)::date;

-- Texts are found by pairs of characters, each with its tenant: a search meets the tenant's own records alone, words of two
-- characters are found too, and no extension is needed. Words of a search come in Unicode's NFC, so texts are brought into it.
create function search_text(given text) returns text language sql immutable parallel safe
  return lower(normalize(given, NFC) collate "pg_c_utf8");
create function search_grams(of_tenant bigint, searched text) returns text[] language plpgsql immutable parallel safe as $$
declare
  grams text[] := '{}';
  prefix text := of_tenant::text || ':';
  pair text;
begin
  for i in 1 .. coalesce(length(searched), 0) - 1 loop
    pair := substr(searched, i, 2);
    -- No word has a space in it.
    if left(pair, 1) collate "C" > ' ' and right(pair, 1) collate "C" > ' ' then
      grams := grams || (prefix || pair);
    end if;
  end loop;
  return grams;
end $$;
create function order_text(number text, external_ref text) returns text language sql immutable parallel safe
  return search_text(number || coalesce(chr(10) || external_ref, ''));

-- Tables with these triggers are append-only. Rows may be deleted where their tenant no longer lives, and nowhere else.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the rows of % are append-only', tg_table_name;
end $$;
create function refuse_delete() returns trigger language plpgsql as $$
begin
  if exists (select from tenant_streams where tenant_id = old.tenant_id) then
    raise exception 'the rows of % are append-only', tg_table_name;
  end if;
  return old;
end $$;

create table tenants (
  tenant_id bigint primary key default nextval('ids'),
  name text not null,
  owner_email text not null,
  plan text not null default 'free' check (plan in ('free', 'pro')),
  currency text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
  -- A name of the IANA base, shown as given. A day of the tenant is a day there.
  time_zone text not null default 'UTC',
  -- The last day of the closed accounting period.
  closed_through date,
  created_at timestamptz not null default now(),
  -- Since when a tenant's keys are refused by order of the operator; null: they are served.
  suspended_at timestamptz,
  -- Null, but for a tenant on the way. In its source `paused`: 'webhooks' (and mails), later 'writes', too. In its target `move` and
  -- `stream`, the row of tenant_streams that it will have.
  moving jsonb
);
create index tenants_moving on tenants (tenant_id) where moving is not null;

-- The row that a unit of work locks: whoever holds it is the only writer of the tenant. It stands apart from `tenants`, so that foreign
-- keys to the tenant do not wait for it.
create table tenant_streams (
  tenant_id bigint primary key references tenants,
  -- The last event sequence given out.
  event_sequence bigint not null default 0,
  -- Last document number per kind: {"stock_adjustment": 12}.
  document_counts jsonb not null default '{}',
  -- When the tenant's last unit of work ran that wrote. The next one runs later, by this database's clock: a reader who goes on from
  -- the last time that it saw misses nothing, and within a tenant ids rise with created_at. A clock that was set back moves on by a
  -- millisecond for each unit until it has caught up.
  last_command_at timestamptz,
  -- Whether the tenant has ever had a subscription: the command worker then tells the webhook process of its events.
  has_webhooks boolean not null default false,
  -- The generation in which the tenant's last event was numbered.
  generation bigint not null default 1,
  -- How far the event sequence goes on with the next event, of generations of a cell where the tenant lived before.
  event_gap bigint not null default 0
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
  -- A key that a command made for its own requests. Once it has ended, the list of keys leaves it out; the row stays as long as
  -- that of any other key, since the command log and the security telemetry name it.
  for_one_run boolean not null default false,
  primary key (tenant_id, id)
);
-- Keys that were revoked or have expired, by when: housekeeping removes them once the security telemetry looks back no further.
create index api_keys_ended on api_keys (coalesce(revoked_at, expires_at)) where revoked_at is not null or expires_at is not null;

-- The people whom keys name, once a document names them. A name keeps its id when its key is rotated.
create table users (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  name text not null,
  primary key (tenant_id, id),
  unique (tenant_id, name)
);

-- Tenants whose keys have changed. Server processes remember keys, and ask here every few seconds which of them to forget. They ask by
-- transaction, not by time: what a snapshot does not show was written by a transaction that is not below the snapshot's oldest one,
-- however long it takes to commit. Rows are kept for a day.
create table key_changes (
  tenant_id bigint not null,
  changed_by xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, changed_by)
);
create index key_changes_by_transaction on key_changes (changed_by);

-- Kept by triggers, so that no change is left out, not even one by hand.
create function note_key_change() returns trigger language plpgsql as $$
begin
  insert into key_changes (tenant_id) values (old.tenant_id) on conflict do nothing;
  return null;
end $$;
create trigger note_change after update or delete on api_keys
  for each row execute function note_key_change();
create trigger note_suspension after update on tenants
  for each row when (old.suspended_at is distinct from new.suspended_at) execute function note_key_change();

-- Mails to tenants' owners, committed with what causes them and sent by the webhook process.
create table mails (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  -- One mail per cause: quota:<group>:<day>, webhook:<subscription>:<generation>.
  cause text not null,
  kind text not null check (kind in ('quota_exhausted', 'webhook_disabled')),
  recipient text not null,
  -- What the text tells; see lib/platform/mail/texts.ts.
  facts jsonb not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, cause)
);
create index mails_by_age on mails (created_at);
create index mails_unsent on mails (next_attempt_at) where sent_at is null;

-- How each chore of housekeeping went the last time, so that every process and `doctor` know of one that keeps failing. The row is
-- also the chore's turn: a process begins a chore that nobody has begun for a while. Redis has no part in it, so that what must
-- go goes while Redis is full or away.
create table chores (
  name text primary key,
  begun_at timestamptz not null,
  -- In a row, since the last run that did not fail.
  failures integer not null default 0,
  failing_since timestamptz,
  -- Its class alone (the SQLSTATE, or the error's name). The message, which may hold values, stands in the log.
  error text
);

-- In the main cell's database: the mark (lib/platform/secret-box.ts) of the key that seals webhook secrets, which tells keys apart without
-- telling of them. A process that has another key does not start.
create table service_key (
  is_only boolean primary key default true check (is_only),
  mark text not null,
  named_at timestamptz not null default now()
);

-- In the main cell's database: settings that all processes must share, as the first process that started had them (lib/access/shared-settings.ts).
-- A process that has another value does not start.
create table service_settings (
  name text primary key,
  value text not null,
  noted_at timestamptz not null default now()
);

-- How far PostgreSQL's clock may be believed (lib/platform/postgres/clock-leap.ts): the latest time that is known to be true. A clock that is
-- a day ahead of it is watched for a day before anything is removed as old.
create table known_time (
  -- One row.
  id integer primary key default 1 check (id = 1),
  known_at timestamptz not null default now(),
  -- Of a clock that leapt: when it was last looked at, by itself, and for how long it was seen to run since. Null: it did not leap.
  looked_at timestamptz,
  watched_s double precision not null default 0
);
insert into known_time (id) values (1);

-- In the main cell's database: backups that bin/millrace backup check has looked at, of all cells.
create table backup_checks (
  cell text not null,
  checked_at timestamptz not null default now(),
  -- The newest command in the backup; null: the backup holds none.
  reaches timestamptz,
  -- Whether nothing was wrong.
  ok boolean not null,
  primary key (cell, checked_at)
);

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
create trigger never_deleted before delete on operator_actions
  for each row execute function refuse_delete();

-- Cells (docs/decisions/0010): tenants in several schemas or databases, served by one fleet. Without further cells these tables are empty
-- and unread.

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
  tenant_id bigint not null,
  -- Tells a key that a restored cell lacks from one that ended long ago.
  noted_at timestamptz default now()
);
create index cell_keys_by_tenant on cell_keys (tenant_id);

-- In the main cell's database: cells that were removed. Their numbers are never given again: ids that such a cell gave out may live on
-- in other cells.
create table removed_cells (
  number smallint primary key,
  name text not null,
  removed_at timestamptz not null
);

-- From now on ids leave this rest when divided by 1024, and are greater than all before and than `above`. Nobody takes an id until the
-- transaction ends.
create function step_ids(rest integer, above bigint default 0) returns void language plpgsql as $$
declare
  last bigint;
begin
  alter sequence ids increment by 1024;
  select greatest(last_value, above) into last from ids;
  execute format('alter sequence ids restart with %s', (last / 1024 + 1) * 1024 + rest);
end $$;

-- Tenants move from cell to cell. A tenant lives where its row of tenant_streams is.

-- In the main cell's database: moves that are not over, so that whoever does them again goes on.
create table tenant_moves (
  tenant_id bigint primary key,
  -- A copy in the target is of this very move, or of one that was given up.
  id uuid not null,
  from_cell text not null references cells,
  to_cell text not null references cells,
  begun_at timestamptz not null default now(),
  -- When the directory was changed: from here on it can only go forward.
  switched_at timestamptz,
  -- When the target took over. What is left in the source is kept a little longer, for reads that began there.
  arrived_at timestamptz
);

-- What operators change of a tenant waits while its writes are paused for a move: a change in the source would not arrive.
create function refuse_tenant_change() returns trigger language plpgsql as $$
begin
  raise exception 'the tenant % is being moved to another cell: try again when it is there', old.tenant_id;
end $$;
create trigger stays_on_the_way before update of name, owner_email, plan, suspended_at, closed_through on tenants
  for each row when ((old.moving ->> 'paused') = 'writes') execute function refuse_tenant_change();

-- So do its keys. The lock waits for the transaction that pauses the tenant's writes; the transaction that copies says that it does.
create function refuse_key_change() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return new;
  end if;
  perform from tenant_streams where tenant_id = new.tenant_id for key share;
  if not found or exists (select from tenants where tenant_id = new.tenant_id and moving ->> 'paused' = 'writes') then
    raise exception 'the tenant % is being moved to another cell: try again when it is there', new.tenant_id;
  end if;
  return new;
end $$;
create trigger stays_on_the_way before insert or update on api_keys
  for each row execute function refuse_key_change();

-- A tenant's rows are copied to another cell while the tenant writes. Triggers for this tenant alone, made when the move begins, note
-- which rows change meanwhile.

-- Tenants whose triggers stand in this cell. The triggers note nothing unless `is_on`: that ends at once, whoever holds the tables.
create table tenant_watches (
  tenant_id bigint primary key,
  is_on boolean not null
);

create table tenant_changes (
  tenant_id bigint not null,
  of_table text not null,
  -- The columns of the primary key behind tenant_id.
  key text[] not null check (array_position(key, null) is null),
  -- By the transaction a copy tells which notes its snapshot holds: numbers of a sequence do not commit in their order.
  changed_by xid8 not null,
  primary key (tenant_id, of_table, key, changed_by)
);

-- Its arguments: which row is noted, `old` or `new`; the table, since a row of a partition is one of its table; the columns of the key.
create function note_tenant_change() returns trigger language plpgsql as $$
declare
  changed jsonb;
begin
  if not exists (select from tenant_watches where tenant_id = coalesce(new.tenant_id, old.tenant_id) and is_on) then
    return null;
  end if;
  if tg_argv[0] = 'old' then
    changed := to_jsonb(old);
  else
    changed := to_jsonb(new);
  end if;
  insert into tenant_changes (tenant_id, of_table, key, changed_by)
  values (
    (changed ->> 'tenant_id')::bigint, tg_argv[1],
    array(select changed ->> name from unnest(tg_argv[2:]) with ordinality as k (name, place) order by place),
    pg_current_xact_id())
  on conflict do nothing;
  return null;
end $$;
