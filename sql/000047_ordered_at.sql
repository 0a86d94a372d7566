-- When the customer ordered, as the caller says. Without a default, so that no row is written.
alter table sales_orders add column ordered_at timestamptz;
