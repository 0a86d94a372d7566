-- Purchase units as they are, and what a receipt comes to in which currency (docs/rules/purchasing.md, "Purchase units", "Receipts").
lock table supplier_items, purchase_orders, purchase_order_items, purchase_receipts, purchase_receipt_items;

-- Nine decimals. Without a scale the change writes no row anew.
alter table supplier_items alter column conversion_rate type numeric;
alter table purchase_order_items alter column conversion_rate type numeric;
alter table purchase_receipt_items alter column conversion_rate type numeric;

-- What of purchase units was received beyond received_quantity, which is rounded: in stock units, signed.
alter table purchase_order_items add column received_rest numeric not null default 0;
-- What came in before it was rounded: purchase units times the rate. Null: exactly the quantity.
alter table purchase_receipt_items add column exact_quantity numeric;
alter table purchase_receipt_items add column line_tax_amount numeric(28, 4) not null default 0;

alter table purchase_receipts add column currency text;
-- The tenant's currency per unit of the receipt's, at which the goods came in.
alter table purchase_receipts add column exchange_rate numeric(20, 10) check (exchange_rate > 0);
alter table purchase_receipts add column tax_amount numeric(32, 4) not null default 0;

-- A receipt that the release before writes is in the currency and at the rate of its order.
create function receipt_money() returns trigger language plpgsql as $$
begin
  select o.currency, o.exchange_rate into new.currency, new.exchange_rate
  from purchase_orders o where o.tenant_id = new.tenant_id and o.id = new.purchase_order_id;
  return new;
end
$$;
create trigger receipt_money before insert on purchase_receipts for each row when (new.currency is null) execute function receipt_money();
