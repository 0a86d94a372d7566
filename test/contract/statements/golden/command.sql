-- Written by `npm run statements`. `$` is the next parameter.

-- blockManufacturingOrder 1
begin

-- blockManufacturingOrder 2
select tenant_id
from tenant_streams
where tenant_id = any ($::bigint[])
order by tenant_id for no key update

-- blockManufacturingOrder 3
select current_generation()

-- blockManufacturingOrder 4
select t.tenant_id, t.plan, t.owner_email, t.currency, t.closed_through::text, s.event_sequence, iso(greatest(date_trunc('milliseconds', clock_timestamp()), s.last_command_at + interval '1 millisecond')) as now,
extract(epoch from clock_timestamp()) * 1000 as clock_ms, s.document_counts::text, s.has_webhooks, iso((select expires_at from reservations where tenant_id = q.tenant_id and status = 'HELD' order by expires_at limit 1)) as due_at,
pg_current_xact_id()::text as transaction, g.generation, t.moving ->> 'paused' = 'writes' as paused, clock_timestamp() - $2::timestamptz not between '-60 s'
and '60 s' as is_apart, s.event_gap + case when s.generation = g.generation then 0 else (select sum(event_gap)::bigint from generations where generation > s.generation) end as event_gap
from (select generation from generations order by generation desc limit 1) g
cross join unnest($1::bigint[]) as q (tenant_id)
cross join lateral (select * from tenants where tenant_id = q.tenant_id limit 1) t
cross join lateral (select * from tenant_streams where tenant_id = q.tenant_id limit 1) s

-- blockManufacturingOrder 5
select q.tenant_id, q.idempotency_key, encode(c.fingerprint, 'hex') as fingerprint, c.status, c.body, c.request_id
from unnest($::bigint[], $::text[]) as q (tenant_id, idempotency_key)
cross join lateral (
 select c.fingerprint, c.status, coalesce(c.body, e.data) as body, c.request_id
 from (select * from commands where tenant_id = q.tenant_id and idempotency_key = q.idempotency_key limit 1) c
 left join lateral (
  select (body::json -> 'data')::text as data
  from events
  where tenant_id = c.tenant_id
  and sequence = c.body_sequence
  limit 1) e on true
 where c.body_sequence is null
 or e.data is not null) c

-- blockManufacturingOrder 6
select r.tenant_id, r.claim_id, r.refusal, null as idempotency_key, null as refused_ms
from unnest($1::bigint[], $2::text[]) as q (tenant_id, claim_id)
cross join lateral (select * from refused_commands where tenant_id = q.tenant_id and claim_id = q.claim_id limit 1) r
union all
select r.tenant_id, null, null, r.idempotency_key, floor(extract(epoch from r.created_at) * 1000)
from unnest($1::bigint[], $3::text[]) as q (tenant_id, idempotency_key)
cross join lateral (
 select *
 from refused_commands
 where tenant_id = q.tenant_id
 and idempotency_key = q.idempotency_key
 and created_at <= clock_timestamp()
 order by created_at desc
 limit 1) r

-- blockManufacturingOrder 7
select q.tenant_id, q.key_id, q.quota_group, q.quota_day, k.daily_documents, coalesce((
  select documents
  from spent_documents
  where tenant_id = q.tenant_id
  and quota_group = q.quota_group
  and quota_day = q.quota_day
  limit 1), 0) as spent
from unnest($::bigint[], $::bigint[], $::bigint[], $::date[]) as q (tenant_id, key_id, quota_group, quota_day)
cross join lateral (select daily_documents from api_keys where tenant_id = q.tenant_id and id = q.key_id limit 1) k

-- blockManufacturingOrder 8
select nextval('ids') as id
from generate_series(1, $::integer)

-- blockManufacturingOrder 9
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."type"::text as "type", "r"."status"::text as "status",
"r"."status_before_block"::text as "status_before_block", "r"."block_reason"::text as "block_reason", "r"."priority"::text as "priority",
"r"."quantity"::text as "quantity", "r"."actual_quantity"::text as "actual_quantity", "r"."released_quantity"::text as "released_quantity",
iso("r"."planned_start_date") as "planned_start_date", iso("r"."started_at") as "started_at", iso("r"."completed_at") as "completed_at",
iso("r"."production_date") as "production_date", iso("r"."shipping_date") as "shipping_date", "r"."output_batch_number"::text as "output_batch_number",
"r"."output_manufacture_date"::text as "output_manufacture_date", "r"."output_expiry_date"::text as "output_expiry_date",
"r"."last_output_place_id"::text as "last_output_place_id", "r"."last_output_batch_id"::text as "last_output_batch_id", "r"."manufacturing_location_id"::text as "manufacturing_location_id",
"r"."sales_order_id"::text as "sales_order_id", "r"."recipe_id"::text as "recipe_id", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at", "r"."expensed_cost"::text as "expensed_cost",
"r"."currency"::text as "currency", "r"."materials_cost"::text as "materials_cost", "r"."operations_cost"::text as "operations_cost",
"r"."posted_cost"::text as "posted_cost", "r"."item_variant_id"::text as "item_variant_id", "r"."item_id"::text as "item_id",
"r"."item_title"::text as "item_title", "r"."sku"::text as "sku", "r"."title"::text as "title"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "manufacturing_orders" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- blockManufacturingOrder 10
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."title"::text as "title", "r"."quantity"::text as "quantity", "r"."quantity_per_unit"::text as "quantity_per_unit",
"r"."actual_quantity"::text as "actual_quantity", "r"."cost"::text as "cost", "r"."is_open"::text as "is_open"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "manufacturing_order_items" where tenant_id = q.tenant_id and "manufacturing_order_id" = q.value offset 0) r
order by r.id

-- blockManufacturingOrder 11
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."operation_id"::text as "operation_id", "r"."operation_title"::text as "operation_title",
"r"."position"::text as "position", "r"."planned_duration"::text as "planned_duration", "r"."duration_per_unit"::text as "duration_per_unit",
"r"."actual_duration"::text as "actual_duration", "r"."cost_per_hour"::text as "cost_per_hour", "r"."planned_cost"::text as "planned_cost",
"r"."actual_cost"::text as "actual_cost", "r"."unit_id"::text as "unit_id", "r"."unit_name"::text as "unit_name", "r"."notes"::text as "notes"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "manufacturing_order_tasks" where tenant_id = q.tenant_id and "manufacturing_order_id" = q.value offset 0) r
order by r.id

-- blockManufacturingOrder 12
update "manufacturing_orders" t
set "number" = "r"."number", "type" = "r"."type", "status" = "r"."status", "status_before_block" = "r"."status_before_block",
"block_reason" = "r"."block_reason", "priority" = "r"."priority", "quantity" = "r"."quantity", "actual_quantity" = "r"."actual_quantity",
"released_quantity" = "r"."released_quantity", "planned_start_date" = "r"."planned_start_date", "started_at" = "r"."started_at",
"completed_at" = "r"."completed_at", "production_date" = "r"."production_date", "shipping_date" = "r"."shipping_date", "output_batch_number" = "r"."output_batch_number",
"output_manufacture_date" = "r"."output_manufacture_date", "output_expiry_date" = "r"."output_expiry_date", "last_output_place_id" = "r"."last_output_place_id",
"last_output_batch_id" = "r"."last_output_batch_id", "manufacturing_location_id" = "r"."manufacturing_location_id", "sales_order_id" = "r"."sales_order_id",
"recipe_id" = "r"."recipe_id", "notes" = "r"."notes", "external_ref" = "r"."external_ref", "metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name",
"updated_by_user_name" = "r"."updated_by_user_name", "created_at" = "r"."created_at", "updated_at" = "r"."updated_at", "expensed_cost" = "r"."expensed_cost",
"currency" = "r"."currency", "materials_cost" = "r"."materials_cost", "operations_cost" = "r"."operations_cost", "posted_cost" = "r"."posted_cost",
"item_variant_id" = "r"."item_variant_id", "item_id" = "r"."item_id", "item_title" = "r"."item_title", "sku" = "r"."sku",
"title" = "r"."title"
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::text[], $::integer[], $::numeric[], $::numeric[],
 $::numeric[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::text[], $::date[],
 $::date[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::jsonb[], $::text[], $::text[],
 $::timestamptz[], $::timestamptz[], $::numeric[], $::text[], $::numeric[], $::numeric[], $::numeric[], $::bigint[], $::bigint[],
 $::text[], $::text[], $::text[]) as r ("tenant_id", "id", "number", "type", "status", "status_before_block", "block_reason",
 "priority", "quantity", "actual_quantity", "released_quantity", "planned_start_date", "started_at", "completed_at", "production_date",
 "shipping_date", "output_batch_number", "output_manufacture_date", "output_expiry_date", "last_output_place_id", "last_output_batch_id",
 "manufacturing_location_id", "sales_order_id", "recipe_id", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name",
 "created_at", "updated_at", "expensed_cost", "currency", "materials_cost", "operations_cost", "posted_cost", "item_variant_id",
 "item_id", "item_title", "sku", "title")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- blockManufacturingOrder 13
with logged as (
 insert into commands (tenant_id, idempotency_key, fingerprint, endpoint, status, body, key_id, quota_group, quota_day, request_id,
  id, user_name, method, path, first_sequence, last_sequence, body_sequence)
 select tenant_id, idempotency_key, decode(fingerprint, 'hex'), endpoint, status, body, key_id, quota_group, quota_day, request_id,
 id, user_name, method, path, first_sequence, last_sequence, body_sequence
 from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::smallint[], string_to_array($6::text, chr(30), ''), $7::bigint[],
  $8::bigint[], $9::date[], $10::text[], $11::bigint[], $12::text[], $13::text[], $14::text[], $15::bigint[], $16::bigint[],
  $17::bigint[]) as entry ("tenant_id", "idempotency_key", "fingerprint", "endpoint", "status", "body", "key_id", "quota_group",
  "quota_day", "request_id", "id", "user_name", "method", "path", "first_sequence", "last_sequence", "body_sequence")), refused as (
 insert into refused_commands (tenant_id, claim_id, refusal, idempotency_key)
 select tenant_id, claim_id, refusal, idempotency_key
 from unnest($29::bigint[], $30::text[], string_to_array($31::text, chr(30), ''), $32::bigint[], $33::text[], $34::bigint[],
  $35::text[], $36::text[], $37::text[], $38::text[], $39::text[], $40::smallint[], $41::text[], $42::text[]) as entry ("tenant_id",
  "claim_id", "refusal", "id", "request_id", "key_id", "user_name", "method", "path", "scope", "idempotency_key", "status",
  "error", "message")), listed as (
 insert into refused_requests (tenant_id, id, request_id, key_id, user_name, method, path, scope, idempotency_key, status, error, message)
 select tenant_id, id, request_id, key_id, user_name, method, path, scope, idempotency_key, status, error, message
 from unnest($29::bigint[], $30::text[], string_to_array($31::text, chr(30), ''), $32::bigint[], $33::text[], $34::bigint[],
  $35::text[], $36::text[], $37::text[], $38::text[], $39::text[], $40::smallint[], $41::text[], $42::text[]) as entry ("tenant_id",
  "claim_id", "refusal", "id", "request_id", "key_id", "user_name", "method", "path", "scope", "idempotency_key", "status",
  "error", "message")
 where id is not null), sent as (
 insert into events (tenant_id, sequence, type, body, created_at, trace_parent)
 select tenant_id, sequence, type, body, created_at, trace_parent
 from unnest($18::bigint[], $19::bigint[], $20::text[], string_to_array($21::text, chr(30), ''), $22::timestamptz[], $23::text[]) as entry ("tenant_id", "sequence", "type", "body", "created_at", "trace_parent"))
update tenant_streams s
set event_sequence = coalesce(r.event_sequence, s.event_sequence), last_command_at = r.last_command_at, document_counts = coalesce(r.document_counts, s.document_counts),
-- Numbers are left out with the next event, not before there is one.
generation = case when r.event_sequence > s.event_sequence then r.generation else s.generation end, event_gap = case when r.event_sequence > s.event_sequence then 0 else s.event_gap end
from unnest($24::bigint[], $25::bigint[], $26::bigint[], $27::timestamptz[], $28::jsonb[]) as r ("tenant_id", "event_sequence", "generation", "last_command_at", "document_counts")
where s.tenant_id = r.tenant_id

-- blockManufacturingOrder 14
commit
