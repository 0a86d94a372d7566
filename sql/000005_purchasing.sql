-- Suppliers and customers, purchase orders and their receipts (contract 2, "Supplier, customer", "Purchase order").

create table suppliers (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  title text not null,
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  email text,
  phone text,
  tax_number text,
  currency text check (currency ~ '^[A-Z]{3}$'),
  external_ref text,
  archived boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, external_ref)
);
create index suppliers_archived on suppliers (tenant_id, id) where archived;

-- Customers are of the same shape; one code serves both.
create table customers (like suppliers including all, foreign key (tenant_id) references tenants);

create table purchase_orders (
  tenant_id bigint not null references tenants,
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
  close_reason text,
  total_amount numeric(32, 4) not null,
  tax_amount numeric(32, 4) not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  unique (tenant_id, external_ref),
  check ((status = 'DONE') = (completed_at is not null)),
  check (status = 'DONE' or delivery_status <> 'RECEIVED'),
  foreign key (tenant_id, supplier_id) references suppliers,
  foreign key (tenant_id, expected_place_id) references storage_places
);
-- Lists go by id; these keep that order under a filter.
create index purchase_orders_by_status on purchase_orders (tenant_id, status, id);
create index purchase_orders_by_delivery on purchase_orders (tenant_id, delivery_status, id);
create index purchase_orders_by_supplier on purchase_orders (tenant_id, supplier_id, id);
create index purchase_orders_by_date on purchase_orders (tenant_id, date, id);

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
  received_quantity numeric(18, 6) not null default 0 check (received_quantity between 0 and quantity),
  price numeric(18, 6) not null check (price >= 0),
  tax_rate numeric(7, 4) not null check (tax_rate between 0 and 100),
  line_amount numeric(28, 4) not null,
  line_tax_amount numeric(28, 4) not null,
  primary key (tenant_id, purchase_order_id, id),
  foreign key (tenant_id, purchase_order_id) references purchase_orders,
  foreign key (tenant_id, item_variant_id) references item_variants
) with (fillfactor = 80);

create table purchase_receipts (
  tenant_id bigint not null references tenants,
  id bigint not null,
  number text not null,
  purchase_order_id bigint not null,
  storage_place_id bigint not null,
  received_date timestamptz not null,
  notes text,
  external_ref text,
  total_amount numeric(32, 4) not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  unique (tenant_id, external_ref),
  foreign key (tenant_id, purchase_order_id) references purchase_orders,
  foreign key (tenant_id, storage_place_id) references storage_places
);
create index purchase_receipts_by_order on purchase_receipts (tenant_id, purchase_order_id, id);

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
  price numeric(18, 6) not null,
  -- In the order's currency, to its minor unit.
  line_amount numeric(28, 4) not null,
  -- What it added to the stock value, in the tenant's currency; null where the line holds no stock. Not shown.
  stock_value numeric(28, 4),
  primary key (tenant_id, purchase_receipt_id, id),
  foreign key (tenant_id, purchase_receipt_id) references purchase_receipts,
  foreign key (tenant_id, purchase_order_id, purchase_order_item_id) references purchase_order_items,
  foreign key (tenant_id, batch_id) references batches
);
