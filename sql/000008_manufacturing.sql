-- Operations, recipes and manufacturing orders. Stock moves only through lib/domain/stock/ledger-statement.ts.

create table operations (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  title text not null,
  position integer not null,
  cost_per_hour numeric(21, 6) not null check (cost_per_hour >= 0),
  unit_id bigint,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, unit_id) references units
);
create index operations_by_change on operations (tenant_id, updated_at, id);
create unique index operations_by_external_ref on operations (tenant_id, external_ref) where external_ref is not null;

-- Recipes as they are written: for so many, with scrap (docs/rules/manufacturing.md, "Recipes").
-- Of a variant, or (item_variant_id null) of every variant of the item that has none of its own. The newest has the highest id.
create table recipes (
  tenant_id bigint not null references tenants,
  id bigint not null default nextval('ids'),
  item_id bigint not null,
  item_variant_id bigint,
  -- Materials and durations are for so many.
  output_quantity numeric(18, 6) not null default 1 check (output_quantity > 0),
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, item_id) references items,
  foreign key (tenant_id, item_variant_id) references item_variants
);
create index recipes_by_change on recipes (tenant_id, updated_at, id);
create unique index recipes_by_external_ref on recipes (tenant_id, external_ref) where external_ref is not null;
create index recipes_by_item on recipes (tenant_id, item_id, id);
create index recipes_by_variant on recipes (tenant_id, item_variant_id, id);
-- For the newest recipe of an item: its variants may have many of their own.
create index recipes_of_item on recipes (tenant_id, item_id, id) where item_variant_id is null;

-- For the output_quantity of the recipe, like the duration below.
create table recipe_materials (
  tenant_id bigint not null,
  recipe_id bigint not null,
  id bigint not null default nextval('ids'),
  item_variant_id bigint not null,
  quantity numeric(18, 6) not null check (quantity > 0),
  -- So much more is planned.
  scrap_percent numeric(8, 4) not null default 0 check (scrap_percent between 0 and 1000),
  notes text,
  primary key (tenant_id, recipe_id, id),
  foreign key (tenant_id, item_variant_id) references item_variants,
  foreign key (tenant_id, recipe_id) references recipes
);

create table recipe_operations (
  tenant_id bigint not null,
  recipe_id bigint not null,
  id bigint not null default nextval('ids'),
  operation_id bigint not null,
  -- Null serves both.
  operation_type text check (operation_type in ('MAKE_TO_STOCK', 'MAKE_TO_ORDER')),
  position integer not null,
  -- Hours.
  duration numeric(18, 6) not null check (duration >= 0),
  -- As of the recipe's writing.
  cost_per_hour numeric(21, 6) not null check (cost_per_hour >= 0),
  notes text,
  primary key (tenant_id, recipe_id, id),
  foreign key (tenant_id, operation_id) references operations,
  foreign key (tenant_id, recipe_id) references recipes
);

create table manufacturing_orders (
  tenant_id bigint not null,
  id bigint not null,
  number text not null,
  type text not null check (type in ('MAKE_TO_STOCK', 'MAKE_TO_ORDER')),
  status text not null check (status in ('NOT_STARTED', 'IN_PROGRESS', 'BLOCKED', 'PARTIALLY_DONE', 'DONE')),
  -- Where unblocking leads.
  status_before_block text check (status_before_block in ('NOT_STARTED', 'IN_PROGRESS', 'PARTIALLY_DONE')),
  block_reason text,
  priority integer not null,
  item_id bigint not null,
  item_variant_id bigint not null,
  -- As they were when the order was made, like those of its lines.
  item_title text not null,
  sku text,
  title text not null,
  quantity numeric(18, 6) not null check (quantity > 0),
  -- All output so far, and the good part of it.
  released_quantity numeric(18, 6) not null default 0,
  actual_quantity numeric(18, 6) not null default 0,
  recipe_id bigint,
  -- The recipe as the order took it, so that materials and durations follow exactly when the quantity of the order changes.
  recipe_output_quantity numeric(18, 6) not null default 1,
  -- Materials of the recipe whose need rounds to 0: [{item_variant_id, quantity, scrap_percent}], decimals as texts.
  unneeded_materials jsonb not null default '[]',
  sales_order_id bigint,
  -- Materials are reserved and the output is expected here.
  manufacturing_location_id bigint not null,
  planned_start_date timestamptz,
  production_date timestamptz,
  shipping_date timestamptz,
  output_batch_number text,
  output_manufacture_date date,
  output_expiry_date date,
  -- Where the last output went: what is left of the cost at the end goes there.
  last_output_place_id bigint,
  last_output_batch_id bigint,
  notes text,
  external_ref text,
  metadata jsonb not null default '{}',
  created_by_user_name text,
  updated_by_user_name text,
  currency text not null,
  -- Into work in progress; all 0 before the start.
  materials_cost numeric(32, 4) not null default 0,
  operations_cost numeric(32, 4) not null default 0,
  -- Out of it: with the output, or (the part in expensed_cost) without stock to carry it.
  posted_cost numeric(32, 4) not null default 0,
  expensed_cost numeric(32, 4) not null default 0,
  started_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  check (actual_quantity between 0 and released_quantity),
  check (expensed_cost between 0 and posted_cost),
  check ((status = 'BLOCKED') = (status_before_block is not null)),
  check ((status = 'DONE') = (completed_at is not null)),
  check (posted_cost <= materials_cost + operations_cost),
  check (status <> 'DONE' or posted_cost = materials_cost + operations_cost)
) with (fillfactor = 70);
create index manufacturing_orders_by_change on manufacturing_orders (tenant_id, updated_at, id);
create unique index manufacturing_orders_by_external_ref on manufacturing_orders (tenant_id, external_ref) where external_ref is not null;
create index manufacturing_orders_by_sales_order on manufacturing_orders (tenant_id, sales_order_id, id) where sales_order_id is not null;
create index manufacturing_orders_by_start_week on manufacturing_orders (tenant_id, week_of(planned_start_date), id)
  where planned_start_date is not null;
create index manufacturing_orders_by_status on manufacturing_orders (tenant_id, status, id);
create index manufacturing_orders_by_text on manufacturing_orders using gin (search_grams(tenant_id, order_text(number, external_ref))) with (gin_pending_list_limit = 256);
create index manufacturing_orders_by_type on manufacturing_orders (tenant_id, type, id);
create index manufacturing_orders_by_variant on manufacturing_orders (tenant_id, item_variant_id, id);
create index manufacturing_orders_open on manufacturing_orders (tenant_id, item_variant_id, id)
  where completed_at is null and quantity > released_quantity;

-- Material lines. Until the start, quantity is reserved at the order's location.
create table manufacturing_order_items (
  tenant_id bigint not null,
  manufacturing_order_id bigint not null,
  id bigint not null default nextval('ids'),
  item_id bigint not null,
  item_variant_id bigint not null,
  sku text,
  title text not null,
  -- Total need; it may round to 0.
  quantity numeric(18, 6) not null check (quantity >= 0),
  -- As the recipe had it when the order was made. Null: a caller gave or changed the quantity.
  recipe_quantity numeric(18, 6),
  scrap_percent numeric(8, 4) not null default 0,
  -- The same for one unit of output, with scrap, rounded: it is shown.
  quantity_per_unit numeric(18, 6),
  -- Written off, and the stock value that left with it.
  actual_quantity numeric(18, 6) not null default 0 check (actual_quantity >= 0),
  cost numeric(28, 4) not null default 0 check (cost >= 0),
  -- An open line still reserves its quantity; it is closed when manufacturing starts.
  is_open boolean not null default true,
  primary key (tenant_id, manufacturing_order_id, id)
) with (fillfactor = 80);
create index manufacturing_order_items_open on manufacturing_order_items (tenant_id, item_variant_id, manufacturing_order_id)
  where is_open and quantity > 0;

-- A task's status and times follow from those of its order.
create table manufacturing_order_tasks (
  tenant_id bigint not null,
  manufacturing_order_id bigint not null,
  id bigint not null default nextval('ids'),
  operation_id bigint not null,
  operation_title text not null,
  position integer not null,
  -- As the recipe had it when the order was made, in hours like those below.
  recipe_duration numeric(18, 6) not null,
  planned_duration numeric(18, 6) not null check (planned_duration >= 0),
  actual_duration numeric(18, 6) check (actual_duration >= 0),
  cost_per_hour numeric(21, 6) not null check (cost_per_hour >= 0),
  planned_cost numeric(28, 4) not null,
  -- Of the actual duration.
  actual_cost numeric(28, 4),
  unit_id bigint,
  unit_name text,
  notes text,
  primary key (tenant_id, manufacturing_order_id, id),
  check ((actual_duration is null) = (actual_cost is null))
) with (fillfactor = 80);
-- Production tasks by id: their key begins with the order.
create index manufacturing_order_tasks_by_id on manufacturing_order_tasks (tenant_id, id);
-- Tasks of an operation, in the order of the list: order by order.
create index manufacturing_order_tasks_by_operation on manufacturing_order_tasks (tenant_id, operation_id, manufacturing_order_id, id);
