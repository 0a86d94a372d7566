-- Materials come back from a manufacturing order (MANUFACTURING_RETURN), and documents are reversed (REVERSAL). Not valid: rows that are there
-- passed the check with fewer kinds, and so no row of the largest table is read.
alter table stock_movements drop constraint stock_movements_kind_check;
alter table stock_movements add constraint stock_movements_kind_check check (kind in (
  'ADJUSTMENT', 'PURCHASE_RECEIPT', 'MANUFACTURING_WRITE_OFF', 'MANUFACTURING_RETURN', 'MANUFACTURING_OUTPUT', 'SALES_SHIPMENT', 'SALES_RETURN',
  'TRANSFER_OUT', 'TRANSFER_IN', 'REVERSAL'
)) not valid;

-- Batches can be changed. A batch that is there shows the time of this migration: a reader who follows the changes gets it once more rather than
-- never. The default rewrites no row. A batch of a worker of the version before gets the time of its transaction.
alter table batches add column updated_at timestamptz not null default date_trunc('milliseconds', now());
create index batches_by_change on batches (tenant_id, updated_at, id);
