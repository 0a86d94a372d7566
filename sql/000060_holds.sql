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
alter table reservations alter column tenant_id set (n_distinct = 20);
create unique index reservations_by_external_ref on reservations (tenant_id, external_ref) where external_ref is not null;
create index reservations_by_status on reservations (tenant_id, status, id);
create index reservations_by_customer on reservations (tenant_id, customer_id, id) where customer_id is not null;
create index reservations_by_change on reservations (tenant_id, updated_at, id);
create index reservations_by_expiry_week on reservations (tenant_id, week_of(expires_at), id);
-- The next one to end: of a tenant, for each unit of work; of all tenants, for the sweep. Neither grows with what has ended.
create index reservations_next on reservations (tenant_id, expires_at) where status = 'HELD';
create index reservations_due on reservations (expires_at) where status = 'HELD';

create table reservation_items (
  tenant_id bigint not null,
  reservation_id bigint not null,
  id bigint not null,
  item_id bigint not null,
  item_variant_id bigint not null,
  -- As they were when the line was made.
  sku text,
  title text not null,
  storage_place_id bigint,
  quantity numeric(18, 6) not null check (quantity > 0),
  -- While its hold is HELD, the line reserves its quantity at its place.
  is_open boolean not null,
  primary key (tenant_id, reservation_id, id)
) with (fillfactor = 80);
alter table reservation_items alter column tenant_id set (n_distinct = 20);
create index reservation_items_by_variant on reservation_items (tenant_id, item_variant_id, reservation_id);
create index reservation_items_open on reservation_items (tenant_id, item_variant_id, reservation_id) where is_open;
