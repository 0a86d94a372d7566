-- Adjustments of the value alone have a reason of their own.
lock table stock_adjustments;
alter table stock_adjustments drop constraint stock_adjustments_reason_check;
alter table stock_adjustments add constraint stock_adjustments_reason_check check (
  reason in ('CORRECTION', 'COUNT', 'DAMAGE', 'LOSS', 'EXPIRED', 'INITIAL', 'OTHER', 'REVALUATION')
) not valid;
