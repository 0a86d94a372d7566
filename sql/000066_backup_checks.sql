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
