-- What of the recipe counts for one unit, as the order took it: so that materials and hours follow when the order's quantity changes. Without
-- defaults, so that no row is written. An order of an earlier version does not keep these values (null): the present recipe tells them.
alter table manufacturing_orders add column keeps_per_unit boolean;
-- Null in an order that keeps these values: a caller gave or changed the quantity.
alter table manufacturing_order_items add column quantity_per_unit numeric(18, 6);
alter table manufacturing_order_tasks add column duration_per_unit numeric(18, 6);
