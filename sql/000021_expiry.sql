-- What has expired (docs/rules/batches.md, "Expiry"): the day of a tenant, which batches have been told as expired, and how much of what a
-- place holds has expired.
lock table tenants, batches, stock_balances;

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

-- A name of the IANA base, shown as given. A day of the tenant is a day there.
alter table tenants add column time_zone text not null default 'UTC';

-- Whether the batch has been told as expired, or came in so. Reads go by the clock.
alter table batches add column expired boolean not null default false;

-- Outside quarantine, of entries whose expiry date is before `expired_before`, which is the tenant's day at the last write. What has turned
-- since then stands in the entries between, and its batches have not been told yet. Null: what was counted no longer holds.
alter table stock_balances add column expired_quantity numeric(18, 6) not null default 0;
alter table stock_balances add column expired_before date default '-infinity';
