-- Landed costs: freight, duty and the like on receipts, and where their cost went (docs/rules/purchasing.md, "Landed costs").

create table landed_costs (
  tenant_id bigint not null,
  id bigint not null,
  number text not null,
  purchase_receipt_id bigint not null,
  purchase_order_id bigint not null,
  -- Where the goods lie; null: stock without a place.
  storage_place_id bigint,
  currency text not null,
  exchange_rate numeric(20, 10) not null,
  date timestamptz not null,
  notes text,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  reversed boolean not null,
  reversed_at timestamptz,
  reversal_reason text,
  reversed_by_user_name text,
  -- In the tenant's currency.
  total_amount numeric(28, 4) not null,
  stock_amount numeric(28, 4) not null,
  expensed_amount numeric(28, 4) not null,
  primary key (tenant_id, id),
  unique (tenant_id, number)
);
create unique index landed_costs_by_external_ref on landed_costs (tenant_id, external_ref) where external_ref is not null;
create index landed_costs_by_receipt on landed_costs (tenant_id, purchase_receipt_id, id);
create index landed_costs_by_order on landed_costs (tenant_id, purchase_order_id, id);
create index landed_costs_by_change on landed_costs (tenant_id, updated_at, id);
create index landed_costs_reversed on landed_costs (tenant_id, id) where reversed;
alter table landed_costs alter column tenant_id set (n_distinct = 20);

create table landed_cost_items (
  tenant_id bigint not null,
  landed_cost_id bigint not null,
  id bigint not null,
  title text not null,
  -- In the currency of the landed cost.
  amount numeric(18, 6) not null check (amount > 0),
  distribution text not null check (distribution in ('VALUE', 'QUANTITY')),
  primary key (tenant_id, landed_cost_id, id)
);
alter table landed_cost_items alter column tenant_id set (n_distinct = 20);

-- What each line of the receipt bears. The id is that of the receipt's line.
create table landed_cost_allocations (
  tenant_id bigint not null,
  landed_cost_id bigint not null,
  id bigint not null,
  purchase_receipt_id bigint not null,
  item_variant_id bigint not null,
  sku text,
  -- The batch of the stock entry that shows the movement.
  batch_id bigint,
  -- What of the received quantity lay at the place: s of the rules.
  stock_quantity numeric(18, 6) not null,
  amount numeric(28, 4) not null,
  stock_amount numeric(28, 4) not null,
  expensed_amount numeric(28, 4) not null,
  primary key (tenant_id, landed_cost_id, id)
);
alter table landed_cost_allocations alter column tenant_id set (n_distinct = 20);

-- As in 000051: what is there passed a narrower check, so that nothing is to be validated and no row is read.
alter table stock_movements drop constraint stock_movements_source_type_check;
alter table stock_movements add constraint stock_movements_source_type_check check (source_type in (
  'STOCK_ADJUSTMENT', 'PURCHASE_RECEIPT', 'MANUFACTURING_ORDER', 'SALES_SHIPMENT', 'SALES_RETURN', 'STOCK_TRANSFER', 'LANDED_COST'
)) not valid;
