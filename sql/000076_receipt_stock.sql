-- What a receipt brought into the stock: the sum of its lines.
alter table purchase_receipts add column stock_amount numeric(32, 4) not null default 0;
