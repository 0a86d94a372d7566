-- Sales orders as a shop charged them: prices with or without tax, several taxes, discounts in money, lines without a variant
-- (docs/rules/sales.md, "Amounts"). The release before goes on writing: what it leaves out has the defaults.
lock table item_variants, sales_orders, sales_order_items, sales_order_charges, sales_shipment_items, sales_packing_items, sales_return_items;

alter table item_variants add column external_ref text;
alter table item_variants add column metadata jsonb not null default '{}';

alter table sales_orders add column prices_include_tax boolean not null default false;
alter table sales_orders add column tax_rounding text not null default 'LINE' check (tax_rounding in ('LINE', 'ORDER'));
alter table sales_orders add column tax_rounding_mode text not null default 'HALF_UP' check (tax_rounding_mode in ('HALF_UP', 'DOWN', 'UP'));
-- The tenant's currency per unit of the order's; null: not said.
alter table sales_orders add column exchange_rate numeric(20, 10) check (exchange_rate > 0);

-- A line without a variant names none: a gift wrapping, a tip.
alter table sales_order_items alter column item_id drop not null;
alter table sales_order_items alter column item_variant_id drop not null;
alter table sales_shipment_items alter column item_variant_id drop not null;
alter table sales_packing_items alter column item_variant_id drop not null;
alter table sales_return_items alter column item_variant_id drop not null;

-- [{title, rate, amount, given}], rate and amount as decimal texts; given: the caller said the amount.
alter table sales_order_items add column taxes jsonb not null default '[]';
-- What is taken off the whole line after discount_percent, in the price mode of the order.
alter table sales_order_items add column discount_amount numeric(21, 6) not null default 0 check (discount_amount >= 0);
alter table sales_order_items add column external_ref text;
alter table sales_order_items add column metadata jsonb not null default '{}';
-- The sum of several rates may be more than 100.
alter table sales_order_items drop constraint sales_order_items_tax_rate_check;
alter table sales_order_items add constraint sales_order_items_tax_rate_check check (tax_rate between 0 and 200) not valid;

alter table sales_order_charges add column taxes jsonb not null default '[]';
alter table sales_order_charges add column external_ref text;
