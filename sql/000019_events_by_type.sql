-- The feed by a kind (`GET /events?type=`) begins where the kind's events are: without it a rare kind was looked for in all index
-- entries of the tenant, up to the statement's time limit, at each call. It costs the insert of an event 5 us of processor time
-- (of 25, in batches of 16), 155 bytes of log and 71 on the disk.

-- On a large table make it beforehand (docs/operations.md): create index concurrently if not exists, with this name and definition.
create index if not exists events_by_type on events (tenant_id, type, sequence);
