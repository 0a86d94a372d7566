-- Metadata of records, and who made and last changed them (docs/rules/documents.md). Constant defaults rewrite no row. A worker of the version
-- before inserts without these columns: nobody is known to have made its rows. Where it changes a row, the name of the last user stays.

alter table items add column metadata jsonb not null default '{}';
alter table items add column created_by_user_name text;
alter table items add column updated_by_user_name text;

alter table recipes add column metadata jsonb not null default '{}';
alter table recipes add column created_by_user_name text;
alter table recipes add column updated_by_user_name text;

alter table operations add column metadata jsonb not null default '{}';
alter table operations add column created_by_user_name text;
alter table operations add column updated_by_user_name text;

alter table manufacturing_orders add column metadata jsonb not null default '{}';
alter table manufacturing_orders add column created_by_user_name text;
alter table manufacturing_orders add column updated_by_user_name text;

alter table storage_places add column metadata jsonb not null default '{}';
alter table storage_places add column created_by_user_name text;
alter table storage_places add column updated_by_user_name text;

alter table customers add column metadata jsonb not null default '{}';
alter table customers add column created_by_user_name text;
alter table customers add column updated_by_user_name text;

alter table suppliers add column metadata jsonb not null default '{}';
alter table suppliers add column created_by_user_name text;
alter table suppliers add column updated_by_user_name text;

alter table purchase_orders add column metadata jsonb not null default '{}';
alter table purchase_orders add column created_by_user_name text;
alter table purchase_orders add column updated_by_user_name text;

alter table purchase_receipts add column metadata jsonb not null default '{}';
alter table purchase_receipts add column created_by_user_name text;
alter table purchase_receipts add column updated_by_user_name text;

alter table sales_orders add column metadata jsonb not null default '{}';
alter table sales_orders add column created_by_user_name text;
alter table sales_orders add column updated_by_user_name text;

alter table sales_shipments add column metadata jsonb not null default '{}';
alter table sales_shipments add column created_by_user_name text;
alter table sales_shipments add column updated_by_user_name text;

alter table sales_packings add column metadata jsonb not null default '{}';
alter table sales_packings add column created_by_user_name text;
alter table sales_packings add column updated_by_user_name text;

alter table sales_returns add column metadata jsonb not null default '{}';
alter table sales_returns add column created_by_user_name text;
alter table sales_returns add column updated_by_user_name text;

alter table stock_adjustments add column metadata jsonb not null default '{}';
alter table stock_adjustments add column created_by_user_name text;
alter table stock_adjustments add column updated_by_user_name text;

alter table stock_transfers add column metadata jsonb not null default '{}';
alter table stock_transfers add column created_by_user_name text;
alter table stock_transfers add column updated_by_user_name text;
