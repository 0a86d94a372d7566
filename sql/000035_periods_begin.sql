-- The command log and the events come to lie in periods of ten days, so that what is old goes with its table (000036,
-- docs/decisions/0009). What is there becomes the first period, which ends with the one after the next: nothing later is in it, which
-- this says now and 000036 proves, while writers go on.
do $$
declare
  kept text;
begin
  -- Waiting for this lock holds up all writers: no longer than this.
  set local lock_timeout = '3s';
  foreach kept in array array['commands', 'events'] loop
    execute format(
      'alter table %I add constraint first_period check (created_at < %L) not valid',
      kept, to_timestamp((floor(extract(epoch from now()) / 864000) + 2) * 864000)
    );
  end loop;
end $$;
