-- Reversals of receipts, shipments, adjustments and transfers (docs/rules/stock.md, "Reversals").

-- What is there shows the time of this migration as updated_at, as in 000026: whoever follows the changes gets these documents once more
-- rather than never. Constant defaults rewrite no row. A worker of the version before inserts without these columns, and updates none of
-- these tables: its rows get the time of the insert.
alter table stock_adjustments add column updated_at timestamptz not null default date_trunc('milliseconds', now());
alter table stock_adjustments alter column updated_at set default date_trunc('milliseconds', clock_timestamp());
alter table stock_adjustments add column reversed boolean not null default false;
alter table stock_adjustments add column reversed_at timestamptz;
alter table stock_adjustments add column reversal_reason text;
alter table stock_adjustments add column reversed_by_user_name text;

alter table stock_transfers add column updated_at timestamptz not null default date_trunc('milliseconds', now());
alter table stock_transfers alter column updated_at set default date_trunc('milliseconds', clock_timestamp());
alter table stock_transfers add column reversed boolean not null default false;
alter table stock_transfers add column reversed_at timestamptz;
alter table stock_transfers add column reversal_reason text;
alter table stock_transfers add column reversed_by_user_name text;

alter table purchase_receipts add column updated_at timestamptz not null default date_trunc('milliseconds', now());
alter table purchase_receipts alter column updated_at set default date_trunc('milliseconds', clock_timestamp());
alter table purchase_receipts add column reversed boolean not null default false;
alter table purchase_receipts add column reversed_at timestamptz;
alter table purchase_receipts add column reversal_reason text;
alter table purchase_receipts add column reversed_by_user_name text;

alter table sales_shipments add column updated_at timestamptz not null default date_trunc('milliseconds', now());
alter table sales_shipments alter column updated_at set default date_trunc('milliseconds', clock_timestamp());
alter table sales_shipments add column reversed boolean not null default false;
alter table sales_shipments add column reversed_at timestamptz;
alter table sales_shipments add column reversal_reason text;
alter table sales_shipments add column reversed_by_user_name text;

-- Whether a reversed receipt (or shipment) names the line: the line must stay, although nothing of it is received (shipped).
alter table purchase_order_items add column was_received boolean not null default false;
alter table sales_order_items add column was_shipped boolean not null default false;

-- By change, for updated_after; those that are reversed are few.
create index stock_adjustments_by_change on stock_adjustments (tenant_id, updated_at, id);
create index stock_transfers_by_change on stock_transfers (tenant_id, updated_at, id);
create index purchase_receipts_by_change on purchase_receipts (tenant_id, updated_at, id);
create index sales_shipments_by_change on sales_shipments (tenant_id, updated_at, id);
create index stock_adjustments_reversed on stock_adjustments (tenant_id, id) where reversed;
create index stock_transfers_reversed on stock_transfers (tenant_id, id) where reversed;
create index purchase_receipts_reversed on purchase_receipts (tenant_id, id) where reversed;
create index sales_shipments_reversed on sales_shipments (tenant_id, id) where reversed;

-- The check takes further kinds. What is there passed a narrower check, so that nothing is to be validated: no row is read.
alter table stock_movements drop constraint stock_movements_kind_check;
alter table stock_movements add constraint stock_movements_kind_check check (kind in (
  'ADJUSTMENT', 'PURCHASE_RECEIPT', 'MANUFACTURING_WRITE_OFF', 'MANUFACTURING_OUTPUT', 'MANUFACTURING_RETURN', 'SALES_SHIPMENT',
  'SALES_RETURN', 'TRANSFER_OUT', 'TRANSFER_IN', 'LANDED_COST', 'REVERSAL'
)) not valid;
