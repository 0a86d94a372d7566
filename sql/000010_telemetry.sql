-- Security telemetry (docs/decisions/0003): what each tenant's keys asked, to the second, and from how many networks. Counted in the
-- processes and added here in batches; no address, agent, body or key material is stored. Times are whole numbers (hours since 1970,
-- seconds of the hour), which need no time zone and half of the space.

-- What was counted lately, as the processes send it: rows are only ever added, and when their hour has ended taken away, added
-- up in security_hours.
create table security_recent (
  tenant_id bigint not null,
  -- What the processes sent together, and the place in it.
  batch bigint not null,
  place integer not null,
  hour integer not null,
  -- 0: counts of the tenant that belong to no key (webhook failures).
  key_id bigint not null,
  count integer not null,
  second smallint not null,
  -- Place in the list of lib/telemetry/security/counted.ts: a class of answers (then with its route), or what fell under a class.
  metric smallint not null,
  method text not null,
  route text not null,
  -- Keyed hashes of the network that the requests came from, as in security_networks.
  network bytea,
  network_before bytea,
  primary key (tenant_id, hour, second, batch, place)
) with (autovacuum_vacuum_scale_factor = 0.05);

-- One row per tenant, hour, key, route and metric. Its total answers whole hours; the seconds answer the hours that a window's
-- bound cuts.
create table security_hours (
  tenant_id bigint not null,
  key_id bigint not null,
  hour integer not null,
  total integer not null,
  metric smallint not null,
  method text not null,
  route text not null,
  -- Seconds with counts, and how many each has; null: one each.
  seconds smallint[] not null,
  counts integer[],
  primary key (tenant_id, hour, key_id, metric, method, route)
) partition by range (hour);

-- One row per tenant, UTC day, key and network (a keyed hash of a /24 or /48). A window begins on one day and ends on the
-- next; it sees the end of the first and the beginning of the second, so first and last sight are enough to be exact.
create table security_networks (
  tenant_id bigint not null,
  day date not null,
  key_id bigint not null,
  -- Under the key of `day`.
  network bytea not null,
  -- Under the key of the day before, by which a network is known again across midnight.
  network_before bytea not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  primary key (tenant_id, day, key_id, network)
) partition by range (day);

-- The keys of the network hashes, one per UTC day. They are no tenant's; without them the hashes say nothing of a network.
create table security_network_keys (
  day date primary key,
  key bytea not null
);

-- The last batch of each counting process. Batches come one after another, so that one which is sent again (its answer was
-- lost) is known and counts once.
create table security_writers (
  writer text primary key,
  last_batch integer not null,
  written_at timestamptz not null default now()
);

-- Makes the weekly partitions from a day on. They are made beside and attached: `partition of` locks the parent as a drop does, so that reads
-- and writes of it would wait.
create function make_security_partitions(from_day date, weeks integer) returns void
language plpgsql set lock_timeout = '2s' as $$
declare
  parent text;
  monday date;
  child text;
begin
  perform pg_advisory_xact_lock(7236113);
  for week in 0 .. weeks - 1 loop
    monday := date_trunc('week', from_day::timestamp)::date + 7 * week;
    foreach parent in array array['security_hours', 'security_networks'] loop
      child := parent || '_' || to_char(monday, 'YYYYMMDD');
      if to_regclass(format('%I.%I', current_schema(), child)) is null then
        execute format(
          'create table %I (like %I including defaults including storage) with (fillfactor = %s)', child, parent,
          case parent when 'security_hours' then 100 else 70 end);
        execute format(
          'alter table %I attach partition %I for values from (%L) to (%L)', parent, child,
          case parent when 'security_hours' then (24 * (monday - date '1970-01-01'))::text else monday::text end,
          case parent when 'security_hours' then (24 * (monday + 7 - date '1970-01-01'))::text else (monday + 7)::text end);
      end if;
    end loop;
  end loop;
end $$;

-- Drops the partitions whose last day is before `first_day`; returns how many. A drop locks the parent: whoever waits for that holds up those
-- who come behind, so it waits no longer than they would notice, and is tried again. Days as YYYYMMDD compare as text as they do as dates;
-- no expression here can fail for a table whose name ends in no date.
create function drop_security_partitions(first_day date) returns integer
language plpgsql set lock_timeout = '500ms' as $$
declare
  child regclass;
  last_first_day text := to_char(first_day - 7, 'YYYYMMDD');
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7236113);
  for child in
    select c.oid from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('security_hours'::regclass, 'security_networks'::regclass)
      and c.relname ~ '_[0-9]{8}$' and right(c.relname, 8) <= last_first_day
  loop
    execute format('drop table %s', child);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

select make_security_partitions((now() at time zone 'UTC')::date, 5);

-- A tenant counts as a twentieth of each of these tables, whatever a sample says (docs/decisions/0005).
do $$
declare
  name text;
begin
  foreach name in array array[
    'refused_commands', 'spent_documents', 'items', 'item_variants', 'product_texts', 'variant_barcodes', 'kit_components',
    'suppliers', 'customers', 'batches', 'stock_levels', 'stock_balances', 'stock_movements', 'past_stock_balances', 'book_lines',
    'book_notes', 'book_turnovers', 'stock_adjustments', 'stock_adjustment_items', 'stock_transfers', 'stock_transfer_items',
    'stock_counts', 'stock_count_items', 'supplier_items', 'purchase_orders', 'purchase_order_items', 'purchase_receipts',
    'purchase_receipt_items', 'landed_costs', 'landed_cost_items', 'landed_cost_allocations', 'reservations', 'reservation_items',
    'sales_orders', 'sales_order_items', 'sales_order_charges', 'sales_shipments', 'sales_shipment_items', 'sales_packings',
    'sales_packing_items', 'sales_returns', 'sales_return_items', 'sales_return_charges', 'kit_lines', 'kit_batches', 'operations',
    'recipes', 'recipe_materials', 'recipe_operations', 'manufacturing_orders', 'manufacturing_order_items',
    'manufacturing_order_tasks', 'webhook_deliveries'
  ] loop
    execute format('alter table %I alter column tenant_id set (n_distinct = 20)', name);
  end loop;
end $$;
