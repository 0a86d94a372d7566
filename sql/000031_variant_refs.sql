-- no transaction
-- For the constraint of 000032.
create unique index concurrently if not exists item_variants_external_ref_key on item_variants (tenant_id, external_ref);
