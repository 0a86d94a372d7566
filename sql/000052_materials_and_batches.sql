-- Batches can be changed. A batch that is there shows the time of this migration: a reader who follows the changes gets it once more rather than
-- never. The default rewrites no row. A batch of a worker of the version before gets the time of its transaction.
alter table batches add column updated_at timestamptz not null default date_trunc('milliseconds', now());
create index batches_by_change on batches (tenant_id, updated_at, id);
