-- As in 000036, but a row or a period far in the future stops no period from being made. PostgreSQL's clock may have been a year ahead for
-- a while: the next period then began behind all rows and periods of that time. Now periods that end in more than 30 days do not count, and
-- a period is made unless rows beyond lie in it. Old periods are dropped by now() as before: the caller makes sure that the clock is right.
create or replace function keep_periods(of_table text, kept interval) returns integer
language plpgsql set lock_timeout = '500ms' as $$
declare
  beyond text := of_table || '_beyond';
  begins timestamptz := greatest(
    to_timestamp(floor(extract(epoch from now()) / 864000) * 864000),
    (select max(period_end(inhrelid)) from pg_inherits
      where inhparent = of_table::regclass and period_end(inhrelid) < now() + interval '30 days'));
  ends timestamptz;
  name text;
  partition regclass;
  dropped integer := 0;
  last_beyond timestamptz;
begin
  perform pg_advisory_xact_lock(7236120);
  execute format('delete from %I where created_at < now() - $1', beyond) using kept;
  while begins < now() + interval '20 days' loop
    ends := begins + interval '240 hours';
    name := of_table || '_' || to_char(begins at time zone 'UTC', 'YYYYMMDD');
    execute format('select max(created_at) from %I where created_at >= $1 and created_at < $2', beyond)
      into last_beyond using begins, ends;
    if last_beyond is null and to_regclass(name) is null then
      perform make_period(of_table, name);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', of_table, name, begins, ends);
    end if;
    begins := ends;
  end loop;
  for partition in
    select inhrelid from pg_inherits where inhparent = of_table::regclass and period_end(inhrelid) <= now() - kept
  loop
    execute format('drop table %s', partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
