-- In the main cell's database: settings that all processes must share, as the first process that started had them (lib/access/shared-settings.ts).
-- A process that has another value does not start.
create table service_settings (
  name text primary key,
  value text not null,
  noted_at timestamptz not null default now()
);
