-- When a variant is there once it is ordered or made, and how much is ordered at once (docs/rules/planning.md).

alter table item_variants
  add column lead_time_days integer,
  add column minimum_order_quantity numeric(18, 6),
  add column order_multiple numeric(18, 6);

-- Finds what has expired at a place and is still there.
create index stock_levels_expiring on stock_levels (tenant_id, place_key, expires_on)
  where batch_id is not null and quantity > quarantine_quantity;
