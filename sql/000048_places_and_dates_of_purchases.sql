-- When a line of a purchase order should arrive; null: when its order should. Without a default, so that no row is written.
alter table purchase_order_items add column expected_date timestamptz;
