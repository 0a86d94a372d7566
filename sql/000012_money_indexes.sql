-- no transaction
-- What the columns of 000011 are found by.
create unique index concurrently if not exists item_variants_by_external_ref on item_variants (tenant_id, external_ref) where external_ref is not null;
create index concurrently if not exists sales_order_items_by_external_ref on sales_order_items (tenant_id, external_ref, sales_order_id) where external_ref is not null;
