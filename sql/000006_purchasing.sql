-- What suppliers sell, purchase orders, receipts, and landed costs on receipts.

create table supplier_items (
  tenant_id bigint not null,
  id bigint not null,
  supplier_id bigint not null,
  item_variant_id bigint not null,
  supplier_sku text,
  purchase_unit_name text,
  -- Stock units in one purchase unit, with up to nine decimals.
  conversion_rate numeric not null check (conversion_rate > 0),
  -- Of one purchase unit.
  price numeric(18, 6) check (price >= 0),
  currency text,
  -- The quantities are in purchase units.
  minimum_quantity numeric(18, 6) check (minimum_quantity > 0),
  multiple_of numeric(18, 6) check (multiple_of > 0),
  lead_time_days integer check (lead_time_days between 0 and 3650),
  is_preferred boolean not null,
  notes text,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  archived boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Null in archived rows: a supplier has one item of a variant that is not archived.
  active_supplier_id bigint generated always as (case when not archived then supplier_id end) stored,
  -- Null unless preferred: a variant has one preferred item.
  preferred_variant_id bigint generated always as (case when is_preferred then item_variant_id end) stored,
  primary key (tenant_id, id),
  -- One statement may give a place up and take it.
  unique (tenant_id, active_supplier_id, item_variant_id) deferrable initially immediate,
  unique (tenant_id, external_ref),
  unique (tenant_id, preferred_variant_id) deferrable initially immediate
);
create index supplier_items_archived on supplier_items (tenant_id, id) where archived;
create index supplier_items_by_change on supplier_items (tenant_id, updated_at, id);
create index supplier_items_by_sku on supplier_items (tenant_id, supplier_sku, id) where supplier_sku is not null;
-- Lists go by id; these keep that order under a filter.
create index supplier_items_by_supplier on supplier_items (tenant_id, supplier_id, id);
create index supplier_items_by_variant on supplier_items (tenant_id, item_variant_id, id);

create table purchase_orders (
  tenant_id bigint not null,
  id bigint not null,
  number text not null,
  supplier_id bigint not null,
  status text not null check (status in ('OPEN', 'DONE')),
  delivery_status text not null check (delivery_status in ('NOT_RECEIVED', 'PARTIALLY_RECEIVED', 'RECEIVED')),
  currency text not null,
  -- The tenant's currency per unit of the order's.
  exchange_rate numeric(20, 10) not null check (exchange_rate > 0),
  date timestamptz not null,
  expected_date timestamptz,
  -- Where the open quantities stand as expected stock: the main place when the order was made, null where there was none.
  -- Kept, so that a first place that comes later does not strand what is expected at null.
  expected_place_id bigint,
  notes text,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  close_reason text,
  total_amount numeric(32, 4) not null,
  tax_amount numeric(32, 4) not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  check ((status = 'DONE') = (completed_at is not null)),
  check (status = 'DONE' or delivery_status <> 'RECEIVED')
);
create index purchase_orders_by_change on purchase_orders (tenant_id, updated_at, id);
create index purchase_orders_by_delivery on purchase_orders (tenant_id, delivery_status, id);
create index purchase_orders_by_expected_week on purchase_orders (tenant_id, week_of(expected_date), id) where expected_date is not null;
create unique index purchase_orders_by_external_ref on purchase_orders (tenant_id, external_ref) where external_ref is not null;
-- Lists go by id; these keep that order under a filter.
create index purchase_orders_by_status on purchase_orders (tenant_id, status, id);
create index purchase_orders_by_supplier on purchase_orders (tenant_id, supplier_id, id);
create index purchase_orders_by_text on purchase_orders using gin (search_grams(tenant_id, order_text(number, external_ref))) with (gin_pending_list_limit = 256);
create index purchase_orders_by_week on purchase_orders (tenant_id, week_of(date), id);

create table purchase_order_items (
  tenant_id bigint not null,
  purchase_order_id bigint not null,
  id bigint not null default nextval('ids'),
  item_id bigint not null,
  item_variant_id bigint not null,
  -- As of the order, like everything that a document says of a variant.
  sku text,
  title text not null,
  batch_number text,
  expiry_date date,
  -- Whether the line is goods; a service is counted without stock.
  holds_stock boolean not null,
  quantity numeric(18, 6) not null check (quantity > 0),
  received_quantity numeric(18, 6) not null default 0,
  -- What of purchase units was received beyond received_quantity, which is rounded: in stock units, signed.
  received_rest numeric not null default 0,
  -- A line without purchase_quantity is in stock units.
  purchase_quantity numeric(18, 6),
  purchase_unit_name text,
  conversion_rate numeric not null default 1,
  purchase_price numeric(18, 6),
  supplier_sku text,
  price numeric(18, 6) not null check (price >= 0),
  discount_percent numeric(7, 4) not null default 0,
  tax_rate numeric(7, 4) not null check (tax_rate between 0 and 100),
  line_amount numeric(28, 4) not null,
  line_tax_amount numeric(28, 4) not null,
  -- What is left of an open line still counts as expected. A line is closed with an order that ends before all of it was received.
  is_open boolean not null default true,
  -- When a line of a purchase order should arrive; null: when its order should.
  expected_date timestamptz,
  -- Whether a reversed receipt names the line: the line must stay, although nothing of it is received.
  was_received boolean not null default false,
  primary key (tenant_id, purchase_order_id, id),
  check (received_quantity between 0 and quantity)
) with (fillfactor = 80);
create index purchase_order_items_open on purchase_order_items (tenant_id, item_variant_id, purchase_order_id)
  where is_open and holds_stock and quantity > received_quantity;

create table purchase_receipts (
  tenant_id bigint not null,
  id bigint not null,
  number text not null,
  purchase_order_id bigint not null,
  storage_place_id bigint not null,
  received_date timestamptz not null,
  notes text,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  currency text not null,
  -- The tenant's currency per unit of the receipt's, at which the goods came in.
  exchange_rate numeric(20, 10) not null check (exchange_rate > 0),
  total_amount numeric(32, 4) not null,
  tax_amount numeric(32, 4) not null default 0,
  -- What it brought into the stock: the sum of its lines.
  stock_amount numeric(32, 4) not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  reversed boolean not null default false,
  reversed_at timestamptz,
  reversal_reason text,
  reversed_by_user_name text,
  primary key (tenant_id, id),
  unique (tenant_id, number)
);
create index purchase_receipts_by_change on purchase_receipts (tenant_id, updated_at, id);
create unique index purchase_receipts_by_external_ref on purchase_receipts (tenant_id, external_ref) where external_ref is not null;
create index purchase_receipts_by_order on purchase_receipts (tenant_id, purchase_order_id, id);
create index purchase_receipts_by_place on purchase_receipts (tenant_id, storage_place_id, id);
create index purchase_receipts_by_received_week on purchase_receipts (tenant_id, week_of(received_date), id);
create index purchase_receipts_reversed on purchase_receipts (tenant_id, id) where reversed;

create table purchase_receipt_items (
  tenant_id bigint not null,
  purchase_receipt_id bigint not null,
  id bigint not null default nextval('ids'),
  purchase_order_id bigint not null,
  purchase_order_item_id bigint not null,
  item_id bigint not null,
  item_variant_id bigint not null,
  sku text,
  title text not null,
  batch_id bigint,
  batch_number text,
  manufacture_date date,
  expiry_date date,
  quarantine boolean not null,
  quantity numeric(18, 6) not null check (quantity > 0),
  -- What came in before it was rounded: purchase units times the rate. Null: exactly the quantity.
  exact_quantity numeric,
  -- As of the receipt. Null purchase_quantity beside a purchase_price: what was received is no exact number of purchase units.
  purchase_quantity numeric(18, 6),
  purchase_unit_name text,
  conversion_rate numeric not null default 1,
  purchase_price numeric(18, 6),
  price numeric(18, 6) not null,
  discount_percent numeric(7, 4) not null default 0,
  -- In the order's currency, to its minor unit.
  line_amount numeric(28, 4) not null,
  line_tax_amount numeric(28, 4) not null default 0,
  -- What it added to the stock value, in the tenant's currency; null where the line holds no stock. Not shown.
  stock_value numeric(28, 4),
  primary key (tenant_id, purchase_receipt_id, id)
);

-- Freight, duty and the like on receipts, and where their cost went (docs/rules/purchasing.md, "Landed costs").
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
  -- The amounts are in the tenant's currency.
  total_amount numeric(28, 4) not null,
  stock_amount numeric(28, 4) not null,
  expensed_amount numeric(28, 4) not null,
  primary key (tenant_id, id),
  unique (tenant_id, number)
);
create index landed_costs_by_change on landed_costs (tenant_id, updated_at, id);
create unique index landed_costs_by_external_ref on landed_costs (tenant_id, external_ref) where external_ref is not null;
create index landed_costs_by_order on landed_costs (tenant_id, purchase_order_id, id);
create index landed_costs_by_receipt on landed_costs (tenant_id, purchase_receipt_id, id);
create index landed_costs_reversed on landed_costs (tenant_id, id) where reversed;

create table landed_cost_items (
  tenant_id bigint not null,
  landed_cost_id bigint not null,
  id bigint not null,
  title text not null,
  -- The amount is in the currency of the landed cost.
  amount numeric(18, 6) not null check (amount > 0),
  distribution text not null check (distribution in ('VALUE', 'QUANTITY')),
  primary key (tenant_id, landed_cost_id, id)
);

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
