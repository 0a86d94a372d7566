-- no transaction
-- What the columns of 000021 are found by: of one tenant; and by the sweep of all tenants, with an expression that serves nobody else.
create index concurrently if not exists batches_to_turn on batches (tenant_id, expired, expiry_date, id) where expiry_date is not null;
create index concurrently if not exists batches_turning on batches ((expired::integer), expiry_date, tenant_id) where expiry_date is not null;
