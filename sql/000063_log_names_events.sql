-- after the rollout of 1.2.0: servers before read `commands.body` alone.
create or replace function log_names_events() returns boolean language sql stable parallel safe return true;
