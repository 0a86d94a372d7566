-- no transaction
-- Pages of kits.
create index concurrently if not exists item_variants_kits on item_variants (tenant_id, id) where components <> '[]';
