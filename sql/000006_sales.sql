-- Sales orders with their shipments, packings and returns (contract 2). Stock moves only through lib/stock/ledger.ts.

-- The people whom keys name, as far as a document names them: a name keeps its id when its key is rotated.
create table users (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  name text not null,
  primary key (tenant_id, id),
  unique (tenant_id, name)
);

create table sales_orders (
  tenant_id bigint not null references tenants,
  id bigint not null,
  number text not null,
  status text not null check (status in ('OPEN', 'DONE', 'CANCELLED')),
  delivery_status text not null check (
    delivery_status in ('NOT_SHIPPED', 'PACKED', 'PARTIALLY_PACKED', 'PARTIALLY_SHIPPED', 'SHIPPED')
  ),
  customer_id bigint not null,
  currency text not null,
  priority integer not null,
  notes text,
  external_ref text,
  -- False: no change may reserve more than is available.
  allow_backorder boolean not null,
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
  primary key (tenant_id, id),
  unique (tenant_id, number),
  unique (tenant_id, external_ref),
  foreign key (tenant_id, customer_id) references customers,
  foreign key (tenant_id, cancelled_by_user_id) references users,
  check ((status = 'CANCELLED') = (cancelled_at is not null))
) with (fillfactor = 80);
create index sales_orders_by_status on sales_orders (tenant_id, status, id);
create index sales_orders_by_delivery_status on sales_orders (tenant_id, delivery_status, id);
create index sales_orders_by_customer on sales_orders (tenant_id, customer_id, id);
create index sales_orders_by_time on sales_orders (tenant_id, created_at, id);

-- While its order is OPEN, a line that holds stock reserves quantity - shipped_quantity at its place.
create table sales_order_items (
  tenant_id bigint not null,
  sales_order_id bigint not null,
  id bigint not null default nextval('ids'),
  item_id bigint not null,
  item_variant_id bigint not null,
  -- As they were when the line was made.
  sku text,
  title text not null,
  -- False for a service: it is counted without stock.
  holds_stock boolean not null,
  storage_place_id bigint,
  quantity numeric(18, 6) not null check (quantity > 0),
  price numeric(21, 6) not null check (price >= 0),
  tax_rate numeric(7, 4) not null check (tax_rate between 0 and 100),
  line_amount numeric(28, 4) not null,
  line_tax_amount numeric(28, 4) not null,
  packed_quantity numeric(18, 6) not null default 0 check (packed_quantity between 0 and quantity),
  shipped_quantity numeric(18, 6) not null default 0 check (shipped_quantity between 0 and quantity),
  -- Stock value of all that left for this line; returns come back at its average.
  shipped_value numeric(28, 4) not null default 0 check (shipped_value >= 0),
  primary key (tenant_id, sales_order_id, id),
  foreign key (tenant_id, sales_order_id) references sales_orders,
  foreign key (tenant_id, item_variant_id) references item_variants,
  foreign key (tenant_id, storage_place_id) references storage_places
) with (fillfactor = 80);
create index sales_order_items_by_variant on sales_order_items (tenant_id, item_variant_id, sales_order_id);

create table sales_shipments (
  tenant_id bigint not null references tenants,
  id bigint not null,
  number text not null,
  sales_order_id bigint not null,
  date timestamptz not null,
  external_ref text,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  unique (tenant_id, external_ref),
  foreign key (tenant_id, sales_order_id) references sales_orders
);
create index sales_shipments_by_order on sales_shipments (tenant_id, sales_order_id, id);

-- One row per order line and stock row taken from: a line that was picked from two batches has two.
create table sales_shipment_items (
  tenant_id bigint not null,
  sales_shipment_id bigint not null,
  id bigint not null default nextval('ids'),
  sales_order_id bigint not null,
  sales_order_item_id bigint not null,
  item_variant_id bigint not null,
  batch_id bigint,
  quantity numeric(18, 6) not null check (quantity > 0),
  -- Stock value that left; null for a service.
  value numeric(28, 4) check (value >= 0),
  primary key (tenant_id, sales_shipment_id, id),
  foreign key (tenant_id, sales_shipment_id) references sales_shipments,
  foreign key (tenant_id, sales_order_id, sales_order_item_id) references sales_order_items,
  foreign key (tenant_id, batch_id) references batches
);
-- The batch that a line shipped last.
create index sales_shipment_items_by_line on sales_shipment_items (tenant_id, sales_order_item_id, id);

create table sales_packings (
  tenant_id bigint not null references tenants,
  id bigint not null,
  number text not null,
  sales_order_id bigint not null,
  date timestamptz not null,
  external_ref text,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  unique (tenant_id, external_ref),
  foreign key (tenant_id, sales_order_id) references sales_orders
);
create index sales_packings_by_order on sales_packings (tenant_id, sales_order_id, id);

-- A packed line may be removed from its order later, so nothing refers to it here.
create table sales_packing_items (
  tenant_id bigint not null,
  sales_packing_id bigint not null,
  id bigint not null default nextval('ids'),
  sales_order_item_id bigint not null,
  item_variant_id bigint not null,
  batch_id bigint,
  quantity numeric(18, 6) not null check (quantity > 0),
  primary key (tenant_id, sales_packing_id, id),
  foreign key (tenant_id, sales_packing_id) references sales_packings,
  foreign key (tenant_id, item_variant_id) references item_variants,
  foreign key (tenant_id, batch_id) references batches
);

create table sales_returns (
  tenant_id bigint not null references tenants,
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
  return_date timestamptz,
  refund_amount numeric(32, 4) not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  unique (tenant_id, external_ref),
  foreign key (tenant_id, sales_order_id) references sales_orders,
  foreign key (tenant_id, storage_place_id) references storage_places,
  check ((status = 'RETURNED') = (return_date is not null))
);
create index sales_returns_by_order on sales_returns (tenant_id, sales_order_id, id);
create index sales_returns_by_status on sales_returns (tenant_id, status, id);
create index sales_returns_by_customer on sales_returns (tenant_id, customer_id, id);
create index sales_returns_by_return_ref on sales_returns (tenant_id, external_return_ref, id);
create index sales_returns_by_time on sales_returns (tenant_id, created_at, id);

create table sales_return_items (
  tenant_id bigint not null,
  sales_return_id bigint not null,
  id bigint not null default nextval('ids'),
  sales_order_id bigint not null,
  sales_order_item_id bigint not null,
  item_variant_id bigint not null,
  batch_id bigint,
  storage_place_id bigint,
  sku text,
  title text not null,
  reason_id integer,
  reason text,
  reason_note text,
  quantity numeric(18, 6) not null check (quantity > 0),
  unit_price numeric(21, 6) not null check (unit_price >= 0),
  quarantine boolean not null,
  -- Stock value that came back; null before, and for a service. Not shown.
  value numeric(28, 4) check (value >= 0),
  primary key (tenant_id, sales_return_id, id),
  foreign key (tenant_id, sales_return_id) references sales_returns,
  foreign key (tenant_id, sales_order_id, sales_order_item_id) references sales_order_items,
  foreign key (tenant_id, storage_place_id) references storage_places,
  foreign key (tenant_id, batch_id) references batches
);
create index sales_return_items_by_line on sales_return_items (tenant_id, sales_order_item_id);
