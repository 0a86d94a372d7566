-- Addresses, carriers, discounts and charges (docs/rules/sales.md, docs/rules/purchasing.md, docs/rules/partners.md).

-- Columns without a default, or with a constant one: no row is written. What a worker of the version before writes has no address, no
-- carrier and no discount.
alter table customers add column shipping_address jsonb;
alter table customers add column billing_address jsonb;
alter table suppliers add column address jsonb;
alter table sales_orders add column shipping_address jsonb;
alter table sales_orders add column billing_address jsonb;

alter table sales_shipments add column carrier text;
alter table sales_shipments add column tracking_number text;
alter table sales_shipments add column tracking_url text;
alter table sales_shipments add column notes text;

-- Percent. A line of a receipt has the discount of its order line at that time.
alter table sales_order_items add column discount_percent numeric(7, 4) not null default 0;
alter table purchase_order_items add column discount_percent numeric(7, 4) not null default 0;
alter table purchase_receipt_items add column discount_percent numeric(7, 4) not null default 0;

-- What an order costs beside its goods, such as shipping. The order's totals are sums over lines and charges.
create table sales_order_charges (
  tenant_id bigint not null,
  sales_order_id bigint not null,
  id bigint not null,
  title text not null,
  -- Rounded to the minor unit of the order's currency.
  amount numeric(28, 4) not null,
  tax_rate numeric(7, 4) not null,
  tax_amount numeric(28, 4) not null,
  primary key (tenant_id, sales_order_id, id)
);
alter table sales_order_charges alter column tenant_id set (n_distinct = 20);
