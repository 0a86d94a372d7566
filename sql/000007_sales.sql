-- Holds, sales orders, shipments, packings and returns, and the components of their kits. Stock moves only through lib/domain/stock/ledger-statement.ts.

-- Holds: goods held for somebody who is about to order (docs/rules/holds.md).
create table reservations (
  tenant_id bigint not null,
  id bigint not null,
  number text not null,
  status text not null check (status in ('HELD', 'CONSUMED', 'RELEASED', 'EXPIRED')),
  customer_id bigint,
  -- The order that consumed it.
  sales_order_id bigint,
  expires_at timestamptz not null,
  notes text,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  check ((status = 'CONSUMED') = (sales_order_id is not null))
) with (fillfactor = 80);
create index reservations_by_change on reservations (tenant_id, updated_at, id);
create index reservations_by_customer on reservations (tenant_id, customer_id, id) where customer_id is not null;
create index reservations_by_expiry_week on reservations (tenant_id, week_of(expires_at), id);
create unique index reservations_by_external_ref on reservations (tenant_id, external_ref) where external_ref is not null;
create index reservations_by_status on reservations (tenant_id, status, id);
create index reservations_due on reservations (expires_at) where status = 'HELD';
-- The next one to end: of a tenant, for each unit of work; of all tenants, for the sweep. Neither grows with what has ended.
create index reservations_next on reservations (tenant_id, expires_at) where status = 'HELD';

create table reservation_items (
  tenant_id bigint not null,
  reservation_id bigint not null,
  id bigint not null,
  item_id bigint not null,
  item_variant_id bigint not null,
  -- Sku and title are those of the time when the line was made.
  sku text,
  title text not null,
  -- What a line of a kit is made of, as its document has it: objects with texts. So it is in the lines of the other documents.
  components jsonb not null default '[]',
  storage_place_id bigint,
  quantity numeric(18, 6) not null check (quantity > 0),
  -- While its hold is HELD, the line reserves its quantity at its place.
  is_open boolean not null,
  primary key (tenant_id, reservation_id, id)
) with (fillfactor = 80);
create index reservation_items_by_variant on reservation_items (tenant_id, item_variant_id, reservation_id);
create index reservation_items_open on reservation_items (tenant_id, item_variant_id, reservation_id) where is_open;

create table sales_orders (
  tenant_id bigint not null,
  id bigint not null,
  number text not null,
  status text not null check (status in ('OPEN', 'DONE', 'CANCELLED')),
  delivery_status text not null check (delivery_status in ('NOT_SHIPPED', 'PACKED', 'PARTIALLY_PACKED', 'PARTIALLY_SHIPPED', 'SHIPPED')),
  customer_id bigint not null,
  currency text not null,
  -- The tenant's currency per unit of the order's; null: not said.
  exchange_rate numeric(20, 10) check (exchange_rate > 0),
  prices_include_tax boolean not null default false,
  tax_rounding text not null default 'LINE' check (tax_rounding in ('LINE', 'ORDER')),
  tax_rounding_mode text not null default 'HALF_UP' check (tax_rounding_mode in ('HALF_UP', 'DOWN', 'UP')),
  priority integer not null,
  notes text,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  -- False: no change may reserve more than is available.
  allow_backorder boolean not null,
  shipping_address jsonb,
  billing_address jsonb,
  -- When the customer ordered, as the caller says.
  ordered_at timestamptz,
  delivery_date timestamptz,
  shipped_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by_user_id bigint,
  cancelled_by_user_name text,
  cancel_reason text,
  -- Sums of the lines.
  total_amount numeric(32, 4) not null,
  tax_amount numeric(32, 4) not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  check ((status = 'CANCELLED') = (cancelled_at is not null))
) with (fillfactor = 80);
create index sales_orders_by_change on sales_orders (tenant_id, updated_at, id);
create index sales_orders_by_customer on sales_orders (tenant_id, customer_id, id);
create index sales_orders_by_delivery_status on sales_orders (tenant_id, delivery_status, id);
create index sales_orders_by_delivery_week on sales_orders (tenant_id, week_of(delivery_date), id) where delivery_date is not null;
create unique index sales_orders_by_external_ref on sales_orders (tenant_id, external_ref) where external_ref is not null;
create index sales_orders_by_status on sales_orders (tenant_id, status, id);
-- Each write of an order adds to its index. What waits to be merged into the index stays small, so that no write merges thousands of rows.
create index sales_orders_by_text on sales_orders using gin (search_grams(tenant_id, order_text(number, external_ref))) with (gin_pending_list_limit = 256);

-- While its order is OPEN, a line that holds stock reserves quantity - shipped_quantity at its place.
create table sales_order_items (
  tenant_id bigint not null,
  sales_order_id bigint not null,
  id bigint not null default nextval('ids'),
  -- Null in a line without a variant: a gift wrapping, a tip.
  item_id bigint,
  item_variant_id bigint,
  -- Sku and title are those of the time when the line was made.
  sku text,
  title text not null,
  -- False for a service: it is counted without stock.
  holds_stock boolean not null,
  components jsonb not null default '[]',
  external_ref text,
  metadata jsonb not null default '{}',
  storage_place_id bigint,
  quantity numeric(18, 6) not null check (quantity > 0),
  price numeric(21, 6) not null check (price >= 0),
  -- Percent. A line of a receipt has the discount of its order line at that time.
  discount_percent numeric(7, 4) not null default 0,
  -- What is taken off the whole line after discount_percent, in the price mode of the order.
  discount_amount numeric(21, 6) not null default 0 check (discount_amount >= 0),
  -- The sum of several rates may be more than 100.
  tax_rate numeric(7, 4) not null check (tax_rate between 0 and 200),
  -- [{title, rate, amount, given}], rate and amount as decimal texts; given: the caller said the amount.
  taxes jsonb not null default '[]',
  line_amount numeric(28, 4) not null,
  line_tax_amount numeric(28, 4) not null,
  packed_quantity numeric(18, 6) not null default 0,
  shipped_quantity numeric(18, 6) not null default 0,
  -- Stock value of all that left for this line; returns come back at its average.
  shipped_value numeric(28, 4) not null default 0 check (shipped_value >= 0),
  -- What is left of an open line still counts as reserved. A line is closed with an order that ends before all of it was shipped. The order
  -- itself decides; this keeps lines of finished orders out of the index below.
  is_open boolean not null default true,
  -- Whether a reversed shipment names the line: the line must stay, although nothing of it is shipped.
  was_shipped boolean not null default false,
  primary key (tenant_id, sales_order_id, id),
  check (packed_quantity between 0 and quantity),
  check (shipped_quantity between 0 and quantity)
) with (fillfactor = 80);
create index sales_order_items_by_external_ref on sales_order_items (tenant_id, external_ref, sales_order_id) where external_ref is not null;
create index sales_order_items_open on sales_order_items (tenant_id, item_variant_id, sales_order_id)
  where is_open and holds_stock and quantity > shipped_quantity;

-- What an order costs beside its goods, such as shipping. The order's totals are sums over lines and charges.
create table sales_order_charges (
  tenant_id bigint not null,
  sales_order_id bigint not null,
  id bigint not null,
  title text not null,
  external_ref text,
  -- Rounded to the minor unit of the order's currency.
  amount numeric(28, 4) not null,
  tax_rate numeric(7, 4) not null,
  tax_amount numeric(28, 4) not null,
  taxes jsonb not null default '[]',
  primary key (tenant_id, sales_order_id, id)
);

create table sales_shipments (
  tenant_id bigint not null,
  id bigint not null,
  number text not null,
  sales_order_id bigint not null,
  date timestamptz not null,
  carrier text,
  tracking_number text,
  tracking_url text,
  notes text,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  reversed boolean not null default false,
  reversed_at timestamptz,
  reversal_reason text,
  reversed_by_user_name text,
  primary key (tenant_id, id),
  unique (tenant_id, number)
);
create index sales_shipments_by_change on sales_shipments (tenant_id, updated_at, id);
create unique index sales_shipments_by_external_ref on sales_shipments (tenant_id, external_ref) where external_ref is not null;
create index sales_shipments_by_order on sales_shipments (tenant_id, sales_order_id, id);
create index sales_shipments_reversed on sales_shipments (tenant_id, id) where reversed;

-- One row per order line and stock row taken from: a line that was picked from two batches has two.
create table sales_shipment_items (
  tenant_id bigint not null,
  sales_shipment_id bigint not null,
  id bigint not null default nextval('ids'),
  sales_order_id bigint not null,
  sales_order_item_id bigint not null,
  item_variant_id bigint,
  batch_id bigint,
  -- Where the goods left; null: stock without a place, and a line without stock.
  storage_place_id bigint,
  quantity numeric(18, 6) not null check (quantity > 0),
  -- Stock value that left; null for a service.
  value numeric(28, 4) check (value >= 0),
  components jsonb not null default '[]',
  primary key (tenant_id, sales_shipment_id, id)
);
create index sales_shipment_items_by_batch on sales_shipment_items (tenant_id, batch_id, sales_shipment_id) where batch_id is not null;
-- The batch that a line shipped last.
create index sales_shipment_items_by_line on sales_shipment_items (tenant_id, sales_order_item_id, id);
-- Shipments by what their lines hold.
create index sales_shipment_items_by_variant on sales_shipment_items (tenant_id, item_variant_id, sales_shipment_id);

create table sales_packings (
  tenant_id bigint not null,
  id bigint not null,
  number text not null,
  sales_order_id bigint not null,
  date timestamptz not null,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, number)
);
create unique index sales_packings_by_external_ref on sales_packings (tenant_id, external_ref) where external_ref is not null;
create index sales_packings_by_order on sales_packings (tenant_id, sales_order_id, id);

-- A packed line may be removed from its order later, so nothing refers to it here.
create table sales_packing_items (
  tenant_id bigint not null,
  sales_packing_id bigint not null,
  id bigint not null default nextval('ids'),
  sales_order_item_id bigint not null,
  item_variant_id bigint,
  batch_id bigint,
  quantity numeric(18, 6) not null check (quantity > 0),
  primary key (tenant_id, sales_packing_id, id)
);

create table sales_returns (
  tenant_id bigint not null,
  id bigint not null,
  number text not null,
  status text not null check (status in ('NOT_RETURNED', 'RETURNED', 'CANCELLED')),
  source_type text not null check (source_type = 'SALES_ORDER'),
  sales_order_id bigint not null,
  -- The order's customer when the return was made.
  customer_id bigint not null,
  storage_place_id bigint,
  external_return_ref text,
  tracking_info text,
  notes text,
  cancellation_reason text,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  return_date timestamptz,
  refund_amount numeric(32, 4) not null,
  refund_tax_amount numeric(32, 4) not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  check ((status = 'RETURNED') = (return_date is not null))
);
create index sales_returns_by_change on sales_returns (tenant_id, updated_at, id);
create index sales_returns_by_customer on sales_returns (tenant_id, customer_id, id);
create unique index sales_returns_by_external_ref on sales_returns (tenant_id, external_ref) where external_ref is not null;
create index sales_returns_by_order on sales_returns (tenant_id, sales_order_id, id);
create index sales_returns_by_return_ref on sales_returns (tenant_id, external_return_ref, id);
create index sales_returns_by_status on sales_returns (tenant_id, status, id);
create index sales_returns_by_text on sales_returns using gin (search_grams(tenant_id, order_text(number, external_ref))) with (gin_pending_list_limit = 256);

create table sales_return_items (
  tenant_id bigint not null,
  sales_return_id bigint not null,
  id bigint not null default nextval('ids'),
  sales_order_id bigint not null,
  sales_order_item_id bigint not null,
  item_variant_id bigint,
  batch_id bigint,
  storage_place_id bigint,
  sku text,
  title text not null,
  components jsonb not null default '[]',
  reason_id integer,
  reason text,
  reason_note text,
  -- A line of 0 pieces refunds money alone.
  quantity numeric(18, 6) not null check (quantity >= 0),
  unit_price numeric(21, 6) not null check (unit_price >= 0),
  refund_amount numeric(28, 4) not null default 0,
  refund_tax_amount numeric(28, 4) not null default 0,
  taxes jsonb not null default '[]',
  -- What the line would refund without a price of its own. Not shown.
  usual_amount numeric(28, 4) not null,
  usual_tax_amount numeric(28, 4) not null,
  -- False: the pieces are paid back and do not come back.
  restock boolean not null default true,
  quarantine boolean not null,
  -- Stock value that came back; null before, and for a service. Not shown.
  value numeric(28, 4) check (value >= 0),
  primary key (tenant_id, sales_return_id, id)
);
create index sales_return_items_by_line on sales_return_items (tenant_id, sales_order_item_id);

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

-- Which lines have a component, by its variant. Kept by triggers.
create table kit_lines (
  tenant_id bigint not null,
  item_variant_id bigint not null,
  -- ORDER, HOLD, SHIPMENT
  kind text not null,
  -- The order, the hold or the shipment.
  document_id bigint not null,
  line_id bigint not null,
  primary key (tenant_id, item_variant_id, kind, document_id, line_id)
);

-- Which lines of shipments have a component of a batch. Kept by triggers.
create table kit_batches (
  tenant_id bigint not null,
  batch_id bigint not null,
  document_id bigint not null,
  line_id bigint not null,
  primary key (tenant_id, batch_id, document_id, line_id)
);

-- Its argument is the kind. A line of an order or of a hold is here while something of it is open. It reads the columns of each kind by name: a
-- line as JSON took much of the time of an order of a kit.
create function keep_kit_lines() returns trigger language plpgsql as $$
declare
  line record;
  document bigint;
  is_wanted boolean := true;
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  line := case when tg_op = 'DELETE' then old else new end;
  if tg_argv[0] = 'ORDER' then
    document := line.sales_order_id;
    is_wanted := line.is_open and line.quantity > line.shipped_quantity;
  elsif tg_argv[0] = 'HOLD' then
    document := line.reservation_id;
    is_wanted := line.is_open;
  else
    document := line.sales_shipment_id;
  end if;
  if tg_op <> 'INSERT' then
    delete from kit_lines
    where tenant_id = old.tenant_id and kind = tg_argv[0] and document_id = document and line_id = old.id
      and item_variant_id in (select (e.part ->> 'item_variant_id')::bigint from jsonb_array_elements(old.components) e (part));
  end if;
  if tg_op <> 'DELETE' and is_wanted then
    insert into kit_lines (tenant_id, item_variant_id, kind, document_id, line_id)
    select distinct new.tenant_id, (e.part ->> 'item_variant_id')::bigint, tg_argv[0], document, new.id
    from jsonb_array_elements(new.components) e (part);
  end if;
  return null;
end $$;
create trigger keep_kits_made after insert on sales_order_items
  for each row when (new.components <> '[]') execute function keep_kit_lines('ORDER');
create trigger keep_kits_changed after update on sales_order_items
  for each row when (
    new.components <> '[]'
    and (new.is_open <> old.is_open or (new.quantity > new.shipped_quantity) <> (old.quantity > old.shipped_quantity))
  ) execute function keep_kit_lines('ORDER');
create trigger keep_kits_removed after delete on sales_order_items
  for each row when (old.components <> '[]') execute function keep_kit_lines('ORDER');
create trigger keep_kits_made after insert on reservation_items
  for each row when (new.components <> '[]') execute function keep_kit_lines('HOLD');
create trigger keep_kits_changed after update on reservation_items
  for each row when (new.components <> '[]' and new.is_open <> old.is_open) execute function keep_kit_lines('HOLD');
create trigger keep_kits_made after insert on sales_shipment_items
  for each row when (new.components <> '[]') execute function keep_kit_lines('SHIPMENT');

create function keep_kit_batches() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.copies', true) = 'on' then
    return null;
  end if;
  insert into kit_batches (tenant_id, batch_id, document_id, line_id)
  select distinct new.tenant_id, (e.part ->> 'batch_id')::bigint, new.sales_shipment_id, new.id
  from jsonb_array_elements(new.components) e (part)
  where e.part ->> 'batch_id' is not null;
  return null;
end $$;
create trigger keep_kit_batches_made after insert on sales_shipment_items
  for each row when (new.components <> '[]') execute function keep_kit_batches();
