-- Refunds to the cent (docs/rules/sales.md, "Refunds"): what each line of a return refunds with its tax, and refunded charges.
lock table sales_returns, sales_return_items;

alter table sales_returns add column refund_tax_amount numeric(32, 4) not null default 0;

alter table sales_return_items add column refund_amount numeric(28, 4) not null default 0;
alter table sales_return_items add column refund_tax_amount numeric(28, 4) not null default 0;
alter table sales_return_items add column taxes jsonb not null default '[]';
-- False: the pieces are paid back and do not come back.
alter table sales_return_items add column restock boolean not null default true;
-- What the line would refund without a price of its own. Null: made before refunds were counted to the cent. Not shown.
alter table sales_return_items add column usual_amount numeric(28, 4);
alter table sales_return_items add column usual_tax_amount numeric(28, 4);
-- A line of 0 pieces refunds money alone.
alter table sales_return_items drop constraint sales_return_items_quantity_check;
alter table sales_return_items add constraint sales_return_items_quantity_check check (quantity >= 0) not valid;

-- What a return refunds of an order's charges.
create table sales_return_charges (
  tenant_id bigint not null,
  sales_return_id bigint not null,
  id bigint not null,
  sales_order_charge_id bigint not null,
  title text not null,
  amount numeric(28, 4) not null,
  tax_amount numeric(28, 4) not null,
  taxes jsonb not null default '[]',
  primary key (tenant_id, sales_return_id, id)
);
alter table sales_return_charges alter column tenant_id set (n_distinct = 20);
