-- no transaction
-- Storage places can be followed by their changes, as other records.
create index concurrently if not exists storage_places_by_change on storage_places (tenant_id, updated_at, id);
