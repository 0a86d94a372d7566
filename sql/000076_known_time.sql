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
