-- after the rollout of 1.2.0: processes before read `commands.body` and `events.id` alone.
create or replace function writes_texts_once() returns boolean language sql stable parallel safe return true;
