-- Statements that the service sends. Written by `npm run statements`.
-- Each stands once, under the first of its senders in the order of their names. `$` is the next parameter. `[1]` stands for the passage
-- of this number; the passages of a sender stand before its statements.

-- blockManufacturingOrder [1]
from (select * from manufacturing_orders where tenant_id = "r".tenant_id and id = "r".manufacturing_order_id limit 1) mo

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
pg_current_xact_id()::text as transaction, writes_texts_once(), g.generation, t.moving ->> 'rests' = 'writes' as rests, clock_timestamp() - $2::timestamptz not between '-60 s'
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
"r"."sales_order_id"::text as "sales_order_id", "r"."recipe_id"::text as "recipe_id", "r"."keeps_per_unit"::text as "keeps_per_unit",
"r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at",
"r"."expensed_cost"::text as "expensed_cost", "r"."currency"::text as "currency", "r"."materials_cost"::text as "materials_cost",
"r"."operations_cost"::text as "operations_cost", "r"."posted_cost"::text as "posted_cost", "r"."item_variant_id"::text as "item_variant_id",
"r"."item_id"::text as "item_id", "r"."item_title"::text as "item_title", "r"."sku"::text as "sku", "r"."title"::text as "title"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "manufacturing_orders" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- blockManufacturingOrder 10
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."title"::text as "title", "r"."quantity"::text as "quantity", (coalesce("r".quantity_per_unit, (
   select m.quantity
   [1]
   cross join lateral (select * from recipe_materials where tenant_id = mo.tenant_id and recipe_id = mo.recipe_id offset 0) m
   where mo.keeps_per_unit is null
   and m.item_variant_id = "r".item_variant_id
   and round(m.quantity * mo.quantity, 6) = "r".quantity
   order by m.id
   limit 1)))::text as "quantity_per_unit", "r"."quantity_per_unit"::text as "kept_per_unit", "r"."actual_quantity"::text as "actual_quantity", "r"."cost"::text as "cost", "r"."is_open"::text as "is_open"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "manufacturing_order_items" where tenant_id = q.tenant_id and "manufacturing_order_id" = q.value offset 0) r
order by r.id

-- blockManufacturingOrder 11
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."operation_id"::text as "operation_id", "r"."operation_title"::text as "operation_title",
"r"."position"::text as "position", "r"."planned_duration"::text as "planned_duration", (coalesce("r".duration_per_unit, (
   select m.duration
   [1]
   cross join lateral (select * from recipe_operations where tenant_id = mo.tenant_id and recipe_id = mo.recipe_id offset 0) m
   where mo.keeps_per_unit is null
   and m.operation_id = "r".operation_id
   and round(m.duration * mo.quantity, 6) = "r".planned_duration
   order by m.id
   limit 1)))::text as "duration_per_unit", "r"."duration_per_unit"::text as "kept_per_unit", "r"."actual_duration"::text as "actual_duration", "r"."cost_per_hour"::text as "cost_per_hour", "r"."planned_cost"::text as "planned_cost", "r"."actual_cost"::text as "actual_cost", "r"."unit_id"::text as "unit_id", "r"."unit_name"::text as "unit_name", "r"."notes"::text as "notes"
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
"recipe_id" = "r"."recipe_id", "keeps_per_unit" = "r"."keeps_per_unit", "notes" = "r"."notes", "external_ref" = "r"."external_ref",
"metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name",
"created_at" = "r"."created_at", "updated_at" = "r"."updated_at", "expensed_cost" = "r"."expensed_cost", "currency" = "r"."currency",
"materials_cost" = "r"."materials_cost", "operations_cost" = "r"."operations_cost", "posted_cost" = "r"."posted_cost", "item_variant_id" = "r"."item_variant_id",
"item_id" = "r"."item_id", "item_title" = "r"."item_title", "sku" = "r"."sku", "title" = "r"."title"
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::text[], $::integer[], $::numeric[], $::numeric[], $::numeric[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::text[], $::date[], $::date[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::boolean[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[], $::numeric[], $::text[], $::numeric[], $::numeric[], $::numeric[], $::bigint[], $::bigint[], $::text[], $::text[], $::text[]) as r ("tenant_id", "id", "number", "type", "status", "status_before_block", "block_reason", "priority", "quantity", "actual_quantity", "released_quantity", "planned_start_date", "started_at", "completed_at", "production_date", "shipping_date", "output_batch_number", "output_manufacture_date", "output_expiry_date", "last_output_place_id", "last_output_batch_id", "manufacturing_location_id", "sales_order_id", "recipe_id", "keeps_per_unit", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at", "expensed_cost", "currency", "materials_cost", "operations_cost", "posted_cost", "item_variant_id", "item_id", "item_title", "sku", "title")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- blockManufacturingOrder 13
with logged as (
 insert into commands (tenant_id, idempotency_key, fingerprint, endpoint, status, body, key_id, quota_group, quota_day, request_id, id, user_name, method, path, first_sequence, last_sequence, body_sequence)
 select tenant_id, idempotency_key, decode(fingerprint, 'hex'), endpoint, status, body, key_id, quota_group, quota_day, request_id,
 id, user_name, method, path, first_sequence, last_sequence, body_sequence
 from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::smallint[], string_to_array($6::text, chr(30), ''), $7::bigint[], $8::bigint[], $9::date[], $10::text[], $11::bigint[], $12::text[], $13::text[], $14::text[], $15::bigint[], $16::bigint[], $17::bigint[]) as entry ("tenant_id", "idempotency_key", "fingerprint", "endpoint", "status", "body", "key_id", "quota_group", "quota_day", "request_id", "id", "user_name", "method", "path", "first_sequence", "last_sequence", "body_sequence")), refused as (
 insert into refused_commands (tenant_id, claim_id, refusal, idempotency_key)
 select tenant_id, claim_id, refusal, idempotency_key
 from unnest($30::bigint[], $31::text[], string_to_array($32::text, chr(30), ''), $33::bigint[], $34::text[], $35::bigint[], $36::text[], $37::text[], $38::text[], $39::text[], $40::text[], $41::smallint[], $42::text[], $43::text[]) as entry ("tenant_id", "claim_id", "refusal", "id", "request_id", "key_id", "user_name", "method", "path", "scope", "idempotency_key", "status", "error", "message")), listed as (
 insert into refused_requests (tenant_id, id, request_id, key_id, user_name, method, path, scope, idempotency_key, status, error, message)
 select tenant_id, id, request_id, key_id, user_name, method, path, scope, idempotency_key, status, error, message
 from unnest($30::bigint[], $31::text[], string_to_array($32::text, chr(30), ''), $33::bigint[], $34::text[], $35::bigint[], $36::text[], $37::text[], $38::text[], $39::text[], $40::text[], $41::smallint[], $42::text[], $43::text[]) as entry ("tenant_id", "claim_id", "refusal", "id", "request_id", "key_id", "user_name", "method", "path", "scope", "idempotency_key", "status", "error", "message")
 where id is not null), sent as (
 insert into events (tenant_id, sequence, id, type, body, created_at, trace_parent)
 select tenant_id, sequence, id, type, body, created_at, trace_parent
 from unnest($18::bigint[], $19::bigint[], $20::text[], $21::text[], string_to_array($22::text, chr(30), ''), $23::timestamptz[], $24::text[]) as entry ("tenant_id", "sequence", "id", "type", "body", "created_at", "trace_parent"))
update tenant_streams s
set event_sequence = coalesce(r.event_sequence, s.event_sequence), last_command_at = r.last_command_at, document_counts = coalesce(r.document_counts, s.document_counts),
-- Numbers are left out with the next event, not before there is one.
generation = case when r.event_sequence > s.event_sequence then r.generation else s.generation end, event_gap = case when r.event_sequence > s.event_sequence then 0 else s.event_gap end
from unnest($25::bigint[], $26::bigint[], $27::bigint[], $28::timestamptz[], $29::jsonb[]) as r ("tenant_id", "event_sequence", "generation", "last_command_at", "document_counts")
where s.tenant_id = r.tenant_id

-- blockManufacturingOrder 14
commit

-- bulk 1
savepoint locked

-- bulk 2
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select id from "suppliers" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- bulk 3
insert into "suppliers" ("tenant_id", "id", "title", "country_code", "email", "phone", "tax_number", "currency", "external_ref", "metadata", "address", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::text[], $::text[], $::text[], $::jsonb[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "title", "country_code", "email", "phone", "tax_number", "currency", "external_ref", "metadata", "address", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")

-- bulk 4
rollback to savepoint locked

-- bulk 5
rollback

-- cancelSalesReturn 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."status"::text as "status", "r"."source_type"::text as "source_type",
"r"."sales_order_id"::text as "sales_order_id", "r"."customer_id"::text as "customer_id", "r"."storage_place_id"::text as "storage_place_id",
"r"."external_return_ref"::text as "external_return_ref", "r"."external_ref"::text as "external_ref", "r"."tracking_info"::text as "tracking_info",
"r"."notes"::text as "notes", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."cancellation_reason"::text as "cancellation_reason", iso("r"."created_at") as "created_date",
iso("r"."updated_at") as "updated_at", iso("r"."return_date") as "return_date", "r"."refund_amount"::text as "refund_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_returns" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- cancelSalesReturn 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."sales_order_item_id"::text as "sales_order_item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."batch_id"::text as "batch_id", "r"."storage_place_id"::text as "storage_place_id", "r"."sku"::text as "sku", "r"."title"::text as "title",
"r"."reason"::text as "reason", "r"."reason_note"::text as "reason_note", "r"."reason_id"::text as "reason_id", "r"."quantity"::text as "quantity",
"r"."unit_price"::text as "unit_price", "r"."quarantine"::text as "quarantine", "r"."sales_order_id"::text as "order_id",
"r"."value"::text as "value"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_return_items" where tenant_id = q.tenant_id and "sales_return_id" = q.value offset 0) r
order by r.id

-- cancelSalesReturn 3
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."status"::text as "status", "r"."delivery_status"::text as "delivery_status",
"r"."currency"::text as "currency", "r"."priority"::text as "priority", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
"r"."allow_backorder"::text as "allow_backorder", iso("r"."created_at") as "created_date", iso("r"."updated_at") as "updated_at",
iso("r"."ordered_at") as "ordered_at", iso("r"."delivery_date") as "delivery_date", iso("r"."shipped_at") as "shipped_at",
iso("r"."cancelled_at") as "cancelled_at", "r"."cancelled_by_user_id"::text as "cancelled_by_user_id", "r"."cancelled_by_user_name"::text as "cancelled_by_user_name",
"r"."cancel_reason"::text as "cancel_reason", "r"."customer_id"::text as "customer_id", "r"."shipping_address"::text as "shipping_address",
"r"."billing_address"::text as "billing_address", "r"."total_amount"::text as "total_amount", "r"."tax_amount"::text as "tax_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_orders" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- cancelSalesReturn 4
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."title"::text as "title", "r"."holds_stock"::text as "holds_stock", "r"."is_open"::text as "is_open",
"r"."was_shipped"::text as "was_shipped", "r"."storage_place_id"::text as "storage_place_id", "r"."quantity"::text as "quantity",
"r"."price"::text as "price", "r"."discount_percent"::text as "discount_percent", "r"."tax_rate"::text as "tax_rate", "r"."line_amount"::text as "line_amount",
"r"."line_tax_amount"::text as "line_tax_amount", "r"."packed_quantity"::text as "packed_quantity", "r"."shipped_quantity"::text as "shipped_quantity",
"r"."shipped_value"::text as "shipped_value"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_order_items" where tenant_id = q.tenant_id and "sales_order_id" = q.value offset 0) r
order by r.id

-- cancelSalesReturn 5
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."title"::text as "title", "r"."amount"::text as "amount",
"r"."tax_rate"::text as "tax_rate", "r"."tax_amount"::text as "tax_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_order_charges" where tenant_id = q.tenant_id and "sales_order_id" = q.value offset 0) r
order by r.id

-- cancelSalesReturn 6
select d.tenant_id, "r"."id"::text as "id", "r"."title"::text as "title", "r"."country_code"::text as "country_code", "r"."email"::text as "email",
"r"."phone"::text as "phone", "r"."tax_number"::text as "tax_number", "r"."currency"::text as "currency", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."shipping_address"::text as "shipping_address", "r"."billing_address"::text as "billing_address",
"r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name", "r"."archived"::text as "archived",
iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at"
from (
 select distinct q.tenant_id, d.other
 from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
 cross join lateral (select "customer_id" as other from "sales_orders" where tenant_id = q.tenant_id and "id" = q.value offset 0) d) d
cross join lateral (select * from "customers" where tenant_id = d.tenant_id and id = d.other limit 1) r

-- cancelSalesReturn 7
update "sales_returns" t
set "number" = "r"."number", "status" = "r"."status", "source_type" = "r"."source_type", "sales_order_id" = "r"."sales_order_id",
"customer_id" = "r"."customer_id", "storage_place_id" = "r"."storage_place_id", "external_return_ref" = "r"."external_return_ref",
"external_ref" = "r"."external_ref", "tracking_info" = "r"."tracking_info", "notes" = "r"."notes", "metadata" = "r"."metadata",
"created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name", "cancellation_reason" = "r"."cancellation_reason",
"created_at" = "r"."created_at", "updated_at" = "r"."updated_at", "return_date" = "r"."return_date", "refund_amount" = "r"."refund_amount"
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::text[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::numeric[]) as r ("tenant_id", "id", "number", "status", "source_type", "sales_order_id", "customer_id", "storage_place_id", "external_return_ref", "external_ref", "tracking_info", "notes", "metadata", "created_by_user_name", "updated_by_user_name", "cancellation_reason", "created_at", "updated_at", "return_date", "refund_amount")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- cancelStockCount 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."title"::text as "title", "r"."storage_place_id"::text as "storage_place_id",
"r"."status"::text as "status", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata",
"r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name", "r"."line_count"::text as "line_count",
"r"."difference_count"::text as "difference_count", "r"."adjustment_id"::text as "adjustment_id", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at", iso("r"."completed_at") as "completed_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "stock_counts" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- cancelStockCount 2
update "stock_counts" t
set "number" = "r"."number", "title" = "r"."title", "storage_place_id" = "r"."storage_place_id", "status" = "r"."status",
"notes" = "r"."notes", "external_ref" = "r"."external_ref", "metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name",
"updated_by_user_name" = "r"."updated_by_user_name", "line_count" = "r"."line_count", "difference_count" = "r"."difference_count",
"adjustment_id" = "r"."adjustment_id", "created_at" = "r"."created_at", "updated_at" = "r"."updated_at", "completed_at" = "r"."completed_at"
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::text[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::integer[], $::integer[], $::bigint[], $::timestamptz[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "number", "title", "storage_place_id", "status", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "line_count", "difference_count", "adjustment_id", "created_at", "updated_at", "completed_at")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- closePurchaseOrder [1]
from unnest($::bigint[], $::bigint[], $::bigint[])
with ordinality as q (tenant_id, item_variant_id, storage_place_id, at)
cross join lateral (
 select *

-- closePurchaseOrder [2]
where tenant_id = q.tenant_id
and item_variant_id = q.item_variant_id
and place_key = coalesce(q.storage_place_id, 0)
and storage_place_id is not distinct
from q.storage_place_id

-- closePurchaseOrder 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."status"::text as "status", "r"."delivery_status"::text as "delivery_status",
"r"."currency"::text as "currency", "r"."exchange_rate"::text as "exchange_rate", iso("r"."date") as "date", iso("r"."expected_date") as "expected_date",
"r"."expected_place_id"::text as "storage_place_id", iso("r"."completed_at") as "completed_at", "r"."notes"::text as "notes",
"r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."close_reason"::text as "close_reason", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at", "r"."supplier_id"::text as "supplier_id", "r"."total_amount"::text as "total_amount",
"r"."tax_amount"::text as "tax_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "purchase_orders" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- closePurchaseOrder 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."supplier_sku"::text as "supplier_sku", "r"."title"::text as "title", "r"."batch_number"::text as "batch_number",
"r"."expiry_date"::text as "expiry_date", iso("r"."expected_date") as "expected_date", "r"."holds_stock"::text as "holds_stock",
"r"."is_open"::text as "is_open", "r"."was_received"::text as "was_received", "r"."quantity"::text as "quantity", "r"."purchase_quantity"::text as "purchase_quantity",
"r"."purchase_unit_name"::text as "purchase_unit_name", "r"."conversion_rate"::text as "conversion_rate", "r"."received_quantity"::text as "received_quantity",
"r"."price"::text as "price", "r"."purchase_price"::text as "purchase_price", "r"."discount_percent"::text as "discount_percent",
"r"."tax_rate"::text as "tax_rate", "r"."line_amount"::text as "line_amount", "r"."line_tax_amount"::text as "line_tax_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "purchase_order_items" where tenant_id = q.tenant_id and "purchase_order_id" = q.value offset 0) r
order by r.id

-- closePurchaseOrder 3
select d.tenant_id, "r"."id"::text as "id", "r"."title"::text as "title", "r"."country_code"::text as "country_code", "r"."email"::text as "email",
"r"."phone"::text as "phone", "r"."tax_number"::text as "tax_number", "r"."currency"::text as "currency", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."address"::text as "address", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."archived"::text as "archived", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at"
from (
 select distinct q.tenant_id, d.other
 from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
 cross join lateral (select "supplier_id" as other from "purchase_orders" where tenant_id = q.tenant_id and "id" = q.value offset 0) d) d
cross join lateral (select * from "suppliers" where tenant_id = d.tenant_id and id = d.other limit 1) r

-- closePurchaseOrder 4
select q.tenant_id, v.id, v.item_id, i.type, v.sku, v.title, v.price, v.purchase_price, i.is_sellable, i.is_producible, i.is_purchasable,
not v.active as archived, i.batch_tracked, i.shelf_life_days
from unnest($::bigint[], $::bigint[]) as q (tenant_id, id)
cross join lateral (select * from item_variants where tenant_id = q.tenant_id and id = q.id limit 1) v
cross join lateral (select * from items where tenant_id = q.tenant_id and id = v.item_id limit 1) i

-- closePurchaseOrder 5
select q.at, b.quantity, b.quarantine_quantity, b.value
[1]
 from stock_balances
 [2]
 limit 1) b

-- closePurchaseOrder 6
select q.at, l.id, l.quantity, l.quarantine_quantity, l.reserved_quantity, l.expected_quantity
[1]
 from stock_levels
 [2]
 and batch_key = 0
 limit 1) l

-- closePurchaseOrder 7
with new_batches as (
 insert into batches (tenant_id, id, item_variant_id, number, manufacture_date, expiry_date, created_at, updated_at)
 select b.tenant_id, b.id, b.item_variant_id, b.number, b.manufacture_date, b.expiry_date, b.now, b.now
 from unnest($::bigint[], $::timestamptz[], $::bigint[], $::bigint[], $::text[], $::date[], $::date[]) as b ("tenant_id", "now", "id", "item_variant_id", "number", "manufacture_date", "expiry_date")), levels as (
 insert into stock_levels (tenant_id, id, item_variant_id, storage_place_id, batch_id, quantity, quarantine_quantity, reserved_quantity, expected_quantity, updated_at, expires_on)
 select l.tenant_id, coalesce(l.id, nextval('ids')), l.item_variant_id, l.storage_place_id, l.batch_id, l.quantity, l.quarantine,
 l.reserved, l.expected, l.now, l.expires_on
 from unnest($::bigint[], $::timestamptz[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::date[])
 with ordinality as l ("tenant_id", "now", "id", "item_variant_id", "storage_place_id", "batch_id", "quantity", "quarantine", "reserved", "expected", "expires_on", position)
 order by l.position on conflict (tenant_id, id) do update
 set quantity = excluded.quantity, quarantine_quantity = excluded.quarantine_quantity, reserved_quantity = excluded.reserved_quantity,
 expected_quantity = excluded.expected_quantity, updated_at = excluded.updated_at, expires_on = excluded.expires_on
 returning tenant_id, id, item_variant_id, place_key, batch_key), balances as (
 insert into stock_balances as stored (tenant_id, item_variant_id, storage_place_id, quantity, quarantine_quantity, value, averaged_at, valued_at)
 select b.tenant_id, b.item_variant_id, b.storage_place_id, b.quantity, b.quarantine, b.value, others.changed_at, others.changed_at
 from unnest($::bigint[], $::timestamptz[], $::bigint[], $::bigint[], $::numeric[], $::numeric[], $::numeric[]) as b ("tenant_id", "now", "item_variant_id", "storage_place_id", "quantity", "quarantine", "value")
 left join lateral (
  select b.now as changed_at
  from stock_levels
  where tenant_id = b.tenant_id
  and item_variant_id = b.item_variant_id
  and place_key = coalesce(b.storage_place_id, 0)
  and id not in (select id from levels)
  order by batch_key
  limit 1) others on true on conflict (tenant_id, item_variant_id, place_key) do update
 set quantity = excluded.quantity, quarantine_quantity = excluded.quarantine_quantity, value = excluded.value, averaged_at = case when cost_ratio(excluded.value, excluded.quantity) is distinct from cost_ratio(stored.value, stored.quantity) then coalesce(excluded.averaged_at, stored.averaged_at) else stored.averaged_at end,
 valued_at = case when (excluded.quantity, excluded.value) is distinct from (stored.quantity, stored.value) then coalesce(excluded.valued_at, stored.valued_at) else stored.valued_at end)
insert into stock_movements (tenant_id, stock_level_id, item_variant_id, storage_place_id, batch_id, kind, quantity, quarantine_quantity, value, quantity_after, source_type, source_id, document_date, created_at)
select m.tenant_id, l.id, m.item_variant_id, m.storage_place_id, m.batch_id, m.kind, m.quantity, m.quarantine, m.value, m.quantity_after,
m.source_type, m.source_id, m.document_date, m.now
from unnest($::bigint[], $::timestamptz[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::text[], $::bigint[], $::timestamptz[], $::bigint[])
with ordinality as m ("tenant_id", "now", "item_variant_id", "storage_place_id", "batch_id", "kind", "quantity", "quarantine", "value", "quantity_after", "source_type", "source_id", "document_date", "id", position)
join levels l on l.tenant_id = m.tenant_id
and l.item_variant_id = m.item_variant_id
and l.place_key = coalesce(m.storage_place_id, 0)
and l.batch_key = coalesce(m.batch_id, 0)
order by m.position

-- closePurchaseOrder 8
update "purchase_orders" t
set "number" = "r"."number", "status" = "r"."status", "delivery_status" = "r"."delivery_status", "currency" = "r"."currency",
"exchange_rate" = "r"."exchange_rate", "date" = "r"."date", "expected_date" = "r"."expected_date", "expected_place_id" = "r"."expected_place_id",
"completed_at" = "r"."completed_at", "notes" = "r"."notes", "external_ref" = "r"."external_ref", "metadata" = "r"."metadata",
"created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name", "close_reason" = "r"."close_reason",
"created_at" = "r"."created_at", "updated_at" = "r"."updated_at", "supplier_id" = "r"."supplier_id", "total_amount" = "r"."total_amount",
"tax_amount" = "r"."tax_amount"
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::numeric[], $::timestamptz[], $::timestamptz[], $::bigint[], $::timestamptz[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::text[], $::timestamptz[], $::timestamptz[], $::bigint[], $::numeric[], $::numeric[]) as r ("tenant_id", "id", "number", "status", "delivery_status", "currency", "exchange_rate", "date", "expected_date", "expected_place_id", "completed_at", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "close_reason", "created_at", "updated_at", "supplier_id", "total_amount", "tax_amount")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- closePurchaseOrder 9
update "purchase_order_items" t
set "item_id" = "r"."item_id", "item_variant_id" = "r"."item_variant_id", "sku" = "r"."sku", "supplier_sku" = "r"."supplier_sku",
"title" = "r"."title", "batch_number" = "r"."batch_number", "expiry_date" = "r"."expiry_date", "expected_date" = "r"."expected_date",
"holds_stock" = "r"."holds_stock", "is_open" = "r"."is_open", "was_received" = "r"."was_received", "quantity" = "r"."quantity",
"purchase_quantity" = "r"."purchase_quantity", "purchase_unit_name" = "r"."purchase_unit_name", "conversion_rate" = "r"."conversion_rate",
"received_quantity" = "r"."received_quantity", "price" = "r"."price", "purchase_price" = "r"."purchase_price", "discount_percent" = "r"."discount_percent",
"tax_rate" = "r"."tax_rate", "line_amount" = "r"."line_amount", "line_tax_amount" = "r"."line_tax_amount"
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::date[], $::timestamptz[], $::boolean[], $::boolean[], $::boolean[], $::numeric[], $::numeric[], $::text[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[]) as r ("tenant_id", "purchase_order_id", "id", "item_id", "item_variant_id", "sku", "supplier_sku", "title", "batch_number", "expiry_date", "expected_date", "holds_stock", "is_open", "was_received", "quantity", "purchase_quantity", "purchase_unit_name", "conversion_rate", "received_quantity", "price", "purchase_price", "discount_percent", "tax_rate", "line_amount", "line_tax_amount")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."purchase_order_id" = "r"."purchase_order_id"
and "t"."id" = "r"."id"

-- closePurchaseOrder, distributed 1
with new_batches as (
 insert into batches (tenant_id, id, item_variant_id, number, manufacture_date, expiry_date, created_at, updated_at)
 select b.tenant_id, b.id, b.item_variant_id, b.number, b.manufacture_date, b.expiry_date, b.now, b.now
 from unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::text[], $6::date[], $7::date[]) as b ("tenant_id", "now", "id", "item_variant_id", "number", "manufacture_date", "expiry_date")), levels as (
 insert into stock_levels (tenant_id, id, item_variant_id, storage_place_id, batch_id, quantity, quarantine_quantity, reserved_quantity, expected_quantity, updated_at, expires_on)
 select l.tenant_id, l.id, l.item_variant_id, l.storage_place_id, l.batch_id, l.quantity, l.quarantine, l.reserved, l.expected,
 l.now, l.expires_on
 from unnest($8::bigint[], $9::timestamptz[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::numeric[], $15::numeric[], $16::numeric[], $17::numeric[], $18::date[])
 with ordinality as l ("tenant_id", "now", "id", "item_variant_id", "storage_place_id", "batch_id", "quantity", "quarantine", "reserved", "expected", "expires_on", position)
 order by l.position on conflict (tenant_id, id) do update
 set quantity = excluded.quantity, quarantine_quantity = excluded.quarantine_quantity, reserved_quantity = excluded.reserved_quantity,
 expected_quantity = excluded.expected_quantity, updated_at = excluded.updated_at, expires_on = excluded.expires_on
 returning tenant_id, id, item_variant_id, place_key, batch_key), others as materialized (
 select b.tenant_id, b.item_variant_id, coalesce(b.storage_place_id, 0) as place_key, other.changed_at
 from unnest($19::bigint[], $20::timestamptz[], $21::bigint[], $22::bigint[], $23::numeric[], $24::numeric[], $25::numeric[]) as b ("tenant_id", "now", "item_variant_id", "storage_place_id", "quantity", "quarantine", "value")
 cross join lateral (
  select b.now as changed_at
  from stock_levels
  where tenant_id = b.tenant_id
  and item_variant_id = b.item_variant_id
  and place_key = coalesce(b.storage_place_id, 0)
  and id not in (select id from levels)
  order by batch_key
  limit 1) other), balances as (
 insert into stock_balances as stored (tenant_id, item_variant_id, storage_place_id, quantity, quarantine_quantity, value, averaged_at, valued_at)
 select b.tenant_id, b.item_variant_id, b.storage_place_id, b.quantity, b.quarantine, b.value, others.changed_at, others.changed_at
 from unnest($19::bigint[], $20::timestamptz[], $21::bigint[], $22::bigint[], $23::numeric[], $24::numeric[], $25::numeric[]) as b ("tenant_id", "now", "item_variant_id", "storage_place_id", "quantity", "quarantine", "value")
 left join others on others.tenant_id = b.tenant_id
 and others.item_variant_id = b.item_variant_id
 and others.place_key = coalesce(b.storage_place_id, 0) on conflict (tenant_id, item_variant_id, place_key) do update
 set quantity = excluded.quantity, quarantine_quantity = excluded.quarantine_quantity, value = excluded.value, averaged_at = case when cost_ratio(excluded.value, excluded.quantity) is distinct from cost_ratio(stored.value, stored.quantity) then coalesce(excluded.averaged_at, stored.averaged_at) else stored.averaged_at end,
 valued_at = case when (excluded.quantity, excluded.value) is distinct from (stored.quantity, stored.value) then coalesce(excluded.valued_at, stored.valued_at) else stored.valued_at end)
insert into stock_movements (tenant_id, id, stock_level_id, item_variant_id, storage_place_id, batch_id, kind, quantity, quarantine_quantity, value, quantity_after, source_type, source_id, document_date, created_at)
select m.tenant_id, m.id, l.id, m.item_variant_id, m.storage_place_id, m.batch_id, m.kind, m.quantity, m.quarantine, m.value,
m.quantity_after, m.source_type, m.source_id, m.document_date, m.now
from unnest($26::bigint[], $27::timestamptz[], $28::bigint[], $29::bigint[], $30::bigint[], $31::text[], $32::numeric[], $33::numeric[], $34::numeric[], $35::numeric[], $36::text[], $37::bigint[], $38::timestamptz[], $39::bigint[])
with ordinality as m ("tenant_id", "now", "item_variant_id", "storage_place_id", "batch_id", "kind", "quantity", "quarantine", "value", "quantity_after", "source_type", "source_id", "document_date", "id", position)
join levels l on l.tenant_id = m.tenant_id
and l.item_variant_id = m.item_variant_id
and l.place_key = coalesce(m.storage_place_id, 0)
and l.batch_key = coalesce(m.batch_id, 0)
order by m.position

-- completeManufacturingOrder 1
select q.tenant_id, "r"."id"::text as "id", "r"."title"::text as "title", "r"."code"::text as "code", "r"."is_main"::text as "is_main",
"r"."manufacturing_allowed"::text as "manufacturing_allowed", "r"."sales_allowed"::text as "sales_allowed", "r"."purchase_allowed"::text as "purchase_allowed",
"r"."address"::text as "address", "r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."archived"::text as "archived", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "storage_places" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- completeManufacturingOrder 2
with asked as materialized (
 select *
 from unnest($::bigint[], $::bigint[], $::bigint[])
 with ordinality as q (tenant_id, item_variant_id, storage_place_id, at)), named as materialized (select * from unnest($::bigint[], $::bigint[], $::bigint[], $::text[]) as w (tenant_id, id, item_variant_id, number)), picks as materialized (
 select p.*, a.tenant_id, a.item_variant_id, a.storage_place_id
 from unnest($::bigint[], $::boolean[], $::date[], $::numeric[])
 with ordinality as p (at, is_quarantined, first_day, wanted, pick)
 join asked a
 using (at)), walked as materialized (
 select t.tenant_id, l.*
 from (select distinct tenant_id from picks) t
 cross join lateral (
  select p.pick, levels.*
  from picks p
  cross join lateral (
   select *
   from (
    with recursive walk as ((
      select 1 as n, batch_id, expires_on, (quantity - quarantine_quantity)::numeric as total
      from stock_levels
      where not p.is_quarantined
      and tenant_id = p.tenant_id
      and item_variant_id = p.item_variant_id
      and place_key = coalesce(p.storage_place_id, 0)
      and storage_place_id is not distinct
      from p.storage_place_id
      and batch_id is not null
      and quantity > quarantine_quantity
      and expires_on >= p.first_day
      order by expires_on, batch_key
      limit 1)
     union all
     select w.n + 1, l.batch_id, l.expires_on, w.total + l.amount
     from walk w
     cross join lateral (
      select batch_id, expires_on, (quantity - quarantine_quantity)::numeric as amount
      from stock_levels
      where tenant_id = p.tenant_id
      and item_variant_id = p.item_variant_id
      and place_key = coalesce(p.storage_place_id, 0)
      and storage_place_id is not distinct
      from p.storage_place_id
      and batch_id is not null
      and quantity > quarantine_quantity
      and (expires_on, batch_key) > (w.expires_on, w.batch_id)
      order by expires_on, batch_key
      limit 1) l
     where w.total < p.wanted)
    select n, batch_id, expires_on
    from walk
    union all
    select held.n + 1, null, null
    from (select count(*) as n, coalesce(max(total), 0) as total from walk) held
    where not p.is_quarantined
    and held.total < p.wanted) levels
   union all
   select *
   from (
    with recursive walk as ((
      select 1 as n, batch_id, expires_on, quarantine_quantity::numeric as total
      from stock_levels
      where p.is_quarantined
      and tenant_id = p.tenant_id
      and item_variant_id = p.item_variant_id
      and place_key = coalesce(p.storage_place_id, 0)
      and storage_place_id is not distinct
      from p.storage_place_id
      and batch_id is not null
      and quarantine_quantity > 0
      and expires_on >= p.first_day
      order by expires_on, batch_key
      limit 1)
     union all
     select w.n + 1, l.batch_id, l.expires_on, w.total + l.amount
     from walk w
     cross join lateral (
      select batch_id, expires_on, quarantine_quantity::numeric as amount
      from stock_levels
      where tenant_id = p.tenant_id
      and item_variant_id = p.item_variant_id
      and place_key = coalesce(p.storage_place_id, 0)
      and storage_place_id is not distinct
      from p.storage_place_id
      and batch_id is not null
      and quarantine_quantity > 0
      and (expires_on, batch_key) > (w.expires_on, w.batch_id)
      order by expires_on, batch_key
      limit 1) l
     where w.total < p.wanted)
    select n, batch_id, expires_on
    from walk
    union all
    select held.n + 1, null, null
    from (select count(*) as n, coalesce(max(total), 0) as total from walk) held
    where p.is_quarantined
    and held.total < p.wanted) levels) levels
  where p.tenant_id = t.tenant_id
  limit $) l), known as materialized (
 -- Also decides which levels of other positions are read: a transfer may bring each of these batches there.
 select b.tenant_id, b.id, b.item_variant_id, b.number, b.manufacture_date, b.expiry_date
 from (
  select tenant_id, batch_id as id
  from walked
  where batch_id is not null
  union
  select p.tenant_id, l.batch_id
  from picks p
  cross join lateral (
   select batch_id
   from stock_levels
   where not p.is_quarantined
   and tenant_id = p.tenant_id
   and item_variant_id = p.item_variant_id
   and place_key = coalesce(p.storage_place_id, 0)
   and storage_place_id is not distinct
   from p.storage_place_id
   and batch_id is not null
   and quantity > quarantine_quantity
   and expires_on is null
   union all
   select batch_id
   from stock_levels
   where p.is_quarantined
   and tenant_id = p.tenant_id
   and item_variant_id = p.item_variant_id
   and place_key = coalesce(p.storage_place_id, 0)
   and storage_place_id is not distinct
   from p.storage_place_id
   and batch_id is not null
   and quarantine_quantity > 0
   and expires_on is null) l
  union
  select tenant_id, id
  from named
  where id is not null
  union
  select w.tenant_id, b.id
  from named w
  cross join lateral (
   select id
   from batches
   where tenant_id = w.tenant_id
   and item_variant_id = w.item_variant_id
   and number = w.number
   limit 1) b) chosen
 cross join lateral (select * from batches where tenant_id = chosen.tenant_id and id = chosen.id limit 1) b)
select null::bigint as pick, null::boolean as is_end, q.at, l.id, l.quantity, l.quarantine_quantity, l.reserved_quantity,
l.expected_quantity, q.tenant_id, q.item_variant_id, null::bigint as batch_id, null::text as batch_number, null::date as manufacture_date,
null::date as expiry_date
from asked q
cross join lateral (
 select *
 from stock_levels
 where tenant_id = q.tenant_id
 and item_variant_id = q.item_variant_id
 and place_key = coalesce(q.storage_place_id, 0)
 and storage_place_id is not distinct
 from q.storage_place_id
 and batch_key = 0
 limit 1) l
union all
select null, null, l.at, l.id, l.quantity, l.quarantine_quantity, l.reserved_quantity, l.expected_quantity, k.tenant_id, k.item_variant_id,
k.id, k.number, k.manufacture_date, k.expiry_date
from known k
left join lateral (
 select a.at, l.*
 from asked a
 cross join lateral (
  select *
  from stock_levels
  where tenant_id = a.tenant_id
  and item_variant_id = a.item_variant_id
  and place_key = coalesce(a.storage_place_id, 0)
  and storage_place_id is not distinct
  from a.storage_place_id
  and batch_key = k.id
  limit 1) l
 where a.tenant_id = k.tenant_id
 and a.item_variant_id = k.item_variant_id) l on true
union all
-- How far each pick was loaded. The quantity is what is expired.
select p.pick, l.n is not null
and l.batch_id is null, p.at, null, case when $
 and p.first_day > '-infinity' then (
  select coalesce(sum(quantity - quarantine_quantity), 0)
  from stock_levels l
  where tenant_id = p.tenant_id
  and item_variant_id = p.item_variant_id
  and place_key = coalesce(p.storage_place_id, 0)
  and storage_place_id is not distinct
  from p.storage_place_id
  and batch_id is not null
  and quantity > quarantine_quantity
  and coalesce(expires_on, (select expiry_date from batches where tenant_id = l.tenant_id and id = l.batch_id)) < p.first_day) end, null, null, null, null, null, l.batch_id, null, null, l.expires_on
from picks p
left join (select distinct on (pick) * from walked order by pick, n desc) l
using (pick)

-- completeManufacturingOrder 3
update "manufacturing_order_tasks" t
set "operation_id" = "r"."operation_id", "operation_title" = "r"."operation_title", "position" = "r"."position", "planned_duration" = "r"."planned_duration",
"duration_per_unit" = "r"."duration_per_unit", "actual_duration" = "r"."actual_duration", "cost_per_hour" = "r"."cost_per_hour",
"planned_cost" = "r"."planned_cost", "actual_cost" = "r"."actual_cost", "unit_id" = "r"."unit_id", "unit_name" = "r"."unit_name",
"notes" = "r"."notes"
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::integer[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::bigint[], $::text[], $::text[]) as r ("tenant_id", "manufacturing_order_id", "id", "operation_id", "operation_title", "position", "planned_duration", "duration_per_unit", "actual_duration", "cost_per_hour", "planned_cost", "actual_cost", "unit_id", "unit_name", "notes")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."manufacturing_order_id" = "r"."manufacturing_order_id"
and "t"."id" = "r"."id"

-- completeStockCount 1
select q.tenant_id, q.count, "l"."id"::text as "id", "l"."stock_count_id"::text as "stock_count_id", "l"."item_id"::text as "item_id",
"l"."item_variant_id"::text as "item_variant_id", "l"."sku"::text as "sku", "l"."title"::text as "title", "l"."batch_id"::text as "batch_id",
"l"."batch_number"::text as "batch_number", "l"."expected_quantity"::text as "expected_quantity", "l"."counted_quantity"::text as "counted_quantity",
"l"."difference"::text as "difference", iso("l"."counted_at") as "counted_at", "l"."counted_by_user_name"::text as "counted_by_user_name"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, count)
cross join lateral (
 select *
 from stock_count_items
 where tenant_id = q.tenant_id
 and stock_count_id = q.count
 and difference <> 0
 order by id
 limit 101) l
order by l.id

-- completeStockCount 2
select q.tenant_id, f.count, f.number
from unnest($::bigint[], $::integer[]) as q (tenant_id, wanted)
cross join lateral (
 select coalesce((document_counts ->> 'stock_adjustment')::integer, 0) as used
 from tenant_streams
 where tenant_id = q.tenant_id) s
cross join lateral (
 select n.count, n.number
 from (
  -- In the select list, where it is made row by row: as many as are looked at.
  select count, 'SA-' || lpad(count::text, greatest(length(count::text), 5), '0') as number
  from (select generate_series(s.used + 1, 2147483647) as count) c) n
 where (
  -- The next number from there on, and not just this one: the order leaves one index only, also where the table was
  -- nearly empty when this was planned. It is asked for each number.
  select number
  from "stock_adjustments"
  where tenant_id = q.tenant_id
  and number >= n.number
  order by number
  limit 1) is distinct
 from n.number
 limit q.wanted) f

-- completeStockCount 3
insert into "stock_adjustments" ("tenant_id", "id", "number", "storage_place_id", "date", "reason", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "stock_count_id", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name", "total_amount")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::timestamptz[], $::text[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::bigint[], $::timestamptz[], $::timestamptz[], $::boolean[], $::timestamptz[], $::text[], $::text[], $::numeric[]) as r ("tenant_id", "id", "number", "storage_place_id", "date", "reason", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "stock_count_id", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name", "total_amount")

-- completeStockCount 4
insert into "stock_adjustment_items" ("tenant_id", "stock_adjustment_id", "id", "item_id", "item_variant_id", "sku", "title", "batch_id", "batch_number", "quantity", "quantity_before", "quantity_after", "unit_cost", "amount")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::text[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[]) as r ("tenant_id", "stock_adjustment_id", "id", "item_id", "item_variant_id", "sku", "title", "batch_id", "batch_number", "quantity", "quantity_before", "quantity_after", "unit_cost", "amount")

-- createCustomer 1
insert into "customers" ("tenant_id", "id", "title", "country_code", "email", "phone", "tax_number", "currency", "external_ref", "metadata", "shipping_address", "billing_address", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::text[], $::text[], $::text[], $::jsonb[], $::jsonb[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "title", "country_code", "email", "phone", "tax_number", "currency", "external_ref", "metadata", "shipping_address", "billing_address", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")

-- createCustomer 2
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select id from "customers" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createLandedCost 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."purchase_order_id"::text as "purchase_order_id",
"r"."storage_place_id"::text as "storage_place_id", iso("r"."received_date") as "received_date", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at", "r"."reversed"::text as "reversed", iso("r"."reversed_at") as "reversed_at", "r"."reversal_reason"::text as "reversal_reason",
"r"."reversed_by_user_name"::text as "reversed_by_user_name", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
"r"."total_amount"::text as "total_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "purchase_receipts" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- createLandedCost 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."purchase_order_item_id"::text as "purchase_order_item_id",
"r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id", "r"."sku"::text as "sku", "r"."title"::text as "title",
"r"."quantity"::text as "quantity", "r"."purchase_quantity"::text as "purchase_quantity", "r"."purchase_unit_name"::text as "purchase_unit_name",
"r"."conversion_rate"::text as "conversion_rate", "r"."batch_id"::text as "batch_id", "r"."batch_number"::text as "batch_number",
"r"."manufacture_date"::text as "manufacture_date", "r"."expiry_date"::text as "expiry_date", "r"."price"::text as "price",
"r"."purchase_price"::text as "purchase_price", "r"."discount_percent"::text as "discount_percent", "r"."line_amount"::text as "line_amount",
"r"."quarantine"::text as "quarantine", "r"."purchase_order_id"::text as "order_id", "r"."stock_value"::text as "stock_value"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "purchase_receipt_items" where tenant_id = q.tenant_id and "purchase_receipt_id" = q.value offset 0) r
order by r.id

-- createLandedCost 3
select q.tenant_id, f.count, f.number
from unnest($::bigint[], $::integer[]) as q (tenant_id, wanted)
cross join lateral (
 select coalesce((document_counts ->> 'landed_cost')::integer, 0) as used
 from tenant_streams
 where tenant_id = q.tenant_id) s
cross join lateral (
 select n.count, n.number
 from (
  -- In the select list, where it is made row by row: as many as are looked at.
  select count, 'LC-' || lpad(count::text, greatest(length(count::text), 5), '0') as number
  from (select generate_series(s.used + 1, 2147483647) as count) c) n
 where (
  -- The next number from there on, and not just this one: the order leaves one index only, also where the table was
  -- nearly empty when this was planned. It is asked for each number.
  select number
  from "landed_costs"
  where tenant_id = q.tenant_id
  and number >= n.number
  order by number
  limit 1) is distinct
 from n.number
 limit q.wanted) f

-- createLandedCost 4
insert into "landed_costs" ("tenant_id", "id", "number", "purchase_receipt_id", "purchase_order_id", "storage_place_id", "currency", "exchange_rate", "date", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name", "total_amount", "stock_amount", "expensed_amount")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::numeric[], $::timestamptz[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[], $::boolean[], $::timestamptz[], $::text[], $::text[], $::numeric[], $::numeric[], $::numeric[]) as r ("tenant_id", "id", "number", "purchase_receipt_id", "purchase_order_id", "storage_place_id", "currency", "exchange_rate", "date", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name", "total_amount", "stock_amount", "expensed_amount")

-- createLandedCost 5
insert into "landed_cost_items" ("tenant_id", "landed_cost_id", "id", "title", "amount", "distribution")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::text[], $::numeric[], $::text[]) as r ("tenant_id", "landed_cost_id", "id", "title", "amount", "distribution")

-- createLandedCost 6
insert into "landed_cost_allocations" ("tenant_id", "landed_cost_id", "id", "purchase_receipt_id", "item_variant_id", "sku", "batch_id", "stock_quantity", "amount", "stock_amount", "expensed_amount")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::bigint[], $::numeric[], $::numeric[], $::numeric[], $::numeric[]) as r ("tenant_id", "landed_cost_id", "id", "purchase_receipt_id", "item_variant_id", "sku", "batch_id", "stock_quantity", "amount", "stock_amount", "expensed_amount")

-- createManufacturingOrder [1]
select d.tenant_id, "r"."id"::text as "id", "r"."title"::text as "title", "r"."type"::text as "type", "r"."batch_tracked"::text as "batch_tracked"

-- createManufacturingOrder [2]
cross join lateral (select * from "items" where tenant_id = d.tenant_id and id = d.other limit 1) r

-- createManufacturingOrder [3]
select q.tenant_id, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",

-- createManufacturingOrder [4]
"r"."updated_by_user_name"::text as "updated_by_user_name", iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at"

-- createManufacturingOrder [5]
select distinct a.tenant_id, found.id as value
from unnest($::bigint[], $::bigint[]) as a (tenant_id, value)

-- createManufacturingOrder [6]
select n.id
from (select * from item_variants where tenant_id = a.tenant_id and id = a.value and ctid <> '(0,0)' limit 1) v

-- createManufacturingOrder [7]
 select coalesce((select max(id) from recipes where tenant_id = v.tenant_id and item_variant_id = v.id), (select max(id) from recipes where tenant_id = v.tenant_id and item_id = v.item_id and item_variant_id is null)) as id) n
where n.id is not null) found) q

-- createManufacturingOrder [8]
cross join lateral (select * from "recipes" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- createManufacturingOrder [9]
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_variant_id"::text as "item_variant_id", "r"."quantity"::text as "quantity",
"r"."notes"::text as "notes"

-- createManufacturingOrder [10]
cross join lateral (select * from "recipe_materials" where tenant_id = q.tenant_id and "recipe_id" = q.value offset 0) r

-- createManufacturingOrder [11]
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."operation_id"::text as "operation_id", "r"."operation_type"::text as "operation_type",
"r"."position"::text as "position", "r"."duration"::text as "duration", "r"."cost_per_hour"::text as "cost_per_hour", "r"."notes"::text as "notes"

-- createManufacturingOrder [12]
cross join lateral (select * from "recipe_operations" where tenant_id = q.tenant_id and "recipe_id" = q.value offset 0) r

-- createManufacturingOrder [13]
"r"."unit_id"::text as "unit_id", "r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",

-- createManufacturingOrder [14]
select d.tenant_id, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."sku"::text as "sku", "r"."title"::text as "title"

-- createManufacturingOrder [15]
cross join lateral (select * from "item_variants" where tenant_id = d.tenant_id and id = d.other limit 1) r

-- createManufacturingOrder [16]
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)

-- createManufacturingOrder 1
select q.tenant_id, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."sku"::text as "sku", "r"."title"::text as "title"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "item_variants" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- createManufacturingOrder 2
[1]
from (
 select distinct q.tenant_id, d.other
 from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
 cross join lateral (select "item_id" as other from "item_variants" where tenant_id = q.tenant_id and "id" = q.value offset 0) d) d
[2]

-- createManufacturingOrder 3
select q.tenant_id, "p"."id"::text as "id", "p"."title"::text as "title", "p"."code"::text as "code", "p"."is_main"::text as "is_main",
"p"."manufacturing_allowed"::text as "manufacturing_allowed", "p"."sales_allowed"::text as "sales_allowed", "p"."purchase_allowed"::text as "purchase_allowed",
"p"."address"::text as "address", "p"."external_ref"::text as "external_ref", "p"."metadata"::text as "metadata", "p"."created_by_user_name"::text as "created_by_user_name",
"p"."updated_by_user_name"::text as "updated_by_user_name", "p"."archived"::text as "archived", iso("p"."created_at") as "created_at",
iso("p"."updated_at") as "updated_at"
from unnest($::bigint[]) as q (tenant_id)
cross join lateral (
 select *
 from storage_places p
 where tenant_id = q.tenant_id
 and id = coalesce((select id from storage_places where tenant_id = q.tenant_id and manufacturing_allowed and not archived and is_main), (
   select id
   from storage_places
   where tenant_id = q.tenant_id
   and manufacturing_allowed
   and not archived
   order by id
   limit 1))
 limit 1) p

-- createManufacturingOrder 4
select v.tenant_id, v.id, v.item_id, (select max(id) from recipes where tenant_id = v.tenant_id and item_variant_id = v.id) as own,
(select max(id) from recipes where tenant_id = v.tenant_id and item_id = v.item_id and item_variant_id is null) as of_item
from unnest($::bigint[], $::bigint[]) as q (tenant_id, id)
cross join lateral (select * from item_variants where tenant_id = q.tenant_id and id = q.id and ctid <> '(0,0)' limit 1) v

-- createManufacturingOrder 5
[3]
[4]
from (
 [5]
 cross join lateral (
  [6]
  cross join lateral (
  [7]
[8]

-- createManufacturingOrder 6
[9]
from (
 [5]
 cross join lateral (
  [6]
  cross join lateral (
  [7]
[10]
order by r.id

-- createManufacturingOrder 7
[11]
from (
 [5]
 cross join lateral (
  [6]
  cross join lateral (
  [7]
[12]
order by r.id

-- createManufacturingOrder 8
select q.tenant_id, f.count, f.number
from unnest($::bigint[], $::integer[]) as q (tenant_id, wanted)
cross join lateral (
 select coalesce((document_counts ->> 'manufacturing_order')::integer, 0) as used
 from tenant_streams
 where tenant_id = q.tenant_id) s
cross join lateral (
 select n.count, n.number
 from (
  -- In the select list, where it is made row by row: as many as are looked at.
  select count, 'MO-' || lpad(count::text, greatest(length(count::text), 5), '0') as number
  from (select generate_series(s.used + 1, 2147483647) as count) c) n
 where (
  -- The next number from there on, and not just this one: the order leaves one index only, also where the table was
  -- nearly empty when this was planned. It is asked for each number.
  select number
  from "manufacturing_orders"
  where tenant_id = q.tenant_id
  and number >= n.number
  order by number
  limit 1) is distinct
 from n.number
 limit q.wanted) f

-- createManufacturingOrder 9
select q.tenant_id, "r"."id"::text as "id", "r"."title"::text as "title", "r"."position"::text as "position", "r"."cost_per_hour"::text as "cost_per_hour",
[13]
[4]
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "operations" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- createManufacturingOrder 10
select d.tenant_id, "r"."id"::text as "id", "r"."name"::text as "name"
from (
 select distinct q.tenant_id, d.other
 from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
 cross join lateral (select "unit_id" as other from "operations" where tenant_id = q.tenant_id and "id" = q.value offset 0) d) d
cross join lateral (select * from "units" where tenant_id = d.tenant_id and id = d.other limit 1) r

-- createManufacturingOrder 11
insert into "manufacturing_orders" ("tenant_id", "id", "number", "type", "status", "status_before_block", "block_reason", "priority", "quantity", "actual_quantity", "released_quantity", "planned_start_date", "started_at", "completed_at", "production_date", "shipping_date", "output_batch_number", "output_manufacture_date", "output_expiry_date", "last_output_place_id", "last_output_batch_id", "manufacturing_location_id", "sales_order_id", "recipe_id", "keeps_per_unit", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at", "expensed_cost", "currency", "materials_cost", "operations_cost", "posted_cost", "item_variant_id", "item_id", "item_title", "sku", "title")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::text[], $::integer[], $::numeric[], $::numeric[], $::numeric[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::text[], $::date[], $::date[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::boolean[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[], $::numeric[], $::text[], $::numeric[], $::numeric[], $::numeric[], $::bigint[], $::bigint[], $::text[], $::text[], $::text[]) as r ("tenant_id", "id", "number", "type", "status", "status_before_block", "block_reason", "priority", "quantity", "actual_quantity", "released_quantity", "planned_start_date", "started_at", "completed_at", "production_date", "shipping_date", "output_batch_number", "output_manufacture_date", "output_expiry_date", "last_output_place_id", "last_output_batch_id", "manufacturing_location_id", "sales_order_id", "recipe_id", "keeps_per_unit", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at", "expensed_cost", "currency", "materials_cost", "operations_cost", "posted_cost", "item_variant_id", "item_id", "item_title", "sku", "title")

-- createManufacturingOrder 12
insert into "manufacturing_order_items" ("tenant_id", "manufacturing_order_id", "id", "item_id", "item_variant_id", "sku", "title", "quantity", "quantity_per_unit", "actual_quantity", "cost", "is_open")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::boolean[]) as r ("tenant_id", "manufacturing_order_id", "id", "item_id", "item_variant_id", "sku", "title", "quantity", "quantity_per_unit", "actual_quantity", "cost", "is_open")

-- createManufacturingOrder 13
[3]
[4]
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
[8]

-- createManufacturingOrder 14
[9]
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
[10]
order by r.id

-- createManufacturingOrder 15
[11]
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
[12]
order by r.id

-- createManufacturingOrder 16
[1]
from (
 select distinct q.tenant_id, d.other
 from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
 cross join lateral (select "item_id" as other from "recipes" where tenant_id = q.tenant_id and "id" = q.value offset 0) d) d
[2]

-- createManufacturingOrder 17
[14]
from (
 select distinct q.tenant_id, d.other
 from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
 cross join lateral (select "item_variant_id" as other from "recipes" where tenant_id = q.tenant_id and "id" = q.value offset 0) d) d
[15]

-- createManufacturingOrder 18
[14]
from (
 select distinct q.tenant_id, d.other
 from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
 cross join lateral (
  select "item_variant_id" as other
  from "recipe_materials"
  where tenant_id = q.tenant_id
  and "recipe_id" = q.value
  offset 0) d) d
[15]

-- createManufacturingOrder 19
select d.tenant_id, "r"."id"::text as "id", "r"."title"::text as "title", "r"."position"::text as "position", "r"."cost_per_hour"::text as "cost_per_hour",
[13]
[4]
from (
 select distinct q.tenant_id, d.other
 from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
 cross join lateral (
  select "operation_id" as other
  from "recipe_operations"
  where tenant_id = q.tenant_id
  and "recipe_id" = q.value
  offset 0) d) d
cross join lateral (select * from "operations" where tenant_id = d.tenant_id and id = d.other limit 1) r

-- createManufacturingOrder 20
[16]
cross join lateral (select id from "manufacturing_orders" where tenant_id = q.tenant_id and "number" = q.value limit 1) r

-- createManufacturingOrder 21
[16]
cross join lateral (select id from "manufacturing_orders" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createManufacturingOrder 22
insert into "manufacturing_order_tasks" ("tenant_id", "manufacturing_order_id", "id", "operation_id", "operation_title", "position", "planned_duration", "duration_per_unit", "actual_duration", "cost_per_hour", "planned_cost", "actual_cost", "unit_id", "unit_name", "notes")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::integer[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::bigint[], $::text[], $::text[]) as r ("tenant_id", "manufacturing_order_id", "id", "operation_id", "operation_title", "position", "planned_duration", "duration_per_unit", "actual_duration", "cost_per_hour", "planned_cost", "actual_cost", "unit_id", "unit_name", "notes")

-- createOperation 1
insert into "operations" ("tenant_id", "id", "title", "position", "cost_per_hour", "unit_id", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::integer[], $::numeric[], $::bigint[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "title", "position", "cost_per_hour", "unit_id", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at")

-- createOperation 2
select q.tenant_id, "r"."id"::text as "id", "r"."name"::text as "name"
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select * from "units" where tenant_id = q.tenant_id and "name" = q.value limit 1) r

-- createOperation 3
insert into "units" ("tenant_id", "id", "name")
select *
from unnest($::bigint[], $::bigint[], $::text[]) as r ("tenant_id", "id", "name")

-- createOperation 4
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select id from "operations" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createPacking [1]
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)

-- createPacking 1
select q.tenant_id, f.count, f.number
from unnest($::bigint[], $::integer[]) as q (tenant_id, wanted)
cross join lateral (
 select coalesce((document_counts ->> 'sales_packing')::integer, 0) as used
 from tenant_streams
 where tenant_id = q.tenant_id) s
cross join lateral (
 select n.count, n.number
 from (
  -- In the select list, where it is made row by row: as many as are looked at.
  select count, 'PK-' || lpad(count::text, greatest(length(count::text), 5), '0') as number
  from (select generate_series(s.used + 1, 2147483647) as count) c) n
 where (
  -- The next number from there on, and not just this one: the order leaves one index only, also where the table was
  -- nearly empty when this was planned. It is asked for each number.
  select number
  from "sales_packings"
  where tenant_id = q.tenant_id
  and number >= n.number
  order by number
  limit 1) is distinct
 from n.number
 limit q.wanted) f

-- createPacking 2
update "sales_orders" t
set "number" = "r"."number", "status" = "r"."status", "delivery_status" = "r"."delivery_status", "currency" = "r"."currency",
"priority" = "r"."priority", "notes" = "r"."notes", "external_ref" = "r"."external_ref", "metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name",
"updated_by_user_name" = "r"."updated_by_user_name", "allow_backorder" = "r"."allow_backorder", "created_at" = "r"."created_at",
"updated_at" = "r"."updated_at", "ordered_at" = "r"."ordered_at", "delivery_date" = "r"."delivery_date", "shipped_at" = "r"."shipped_at",
"cancelled_at" = "r"."cancelled_at", "cancelled_by_user_id" = "r"."cancelled_by_user_id", "cancelled_by_user_name" = "r"."cancelled_by_user_name",
"cancel_reason" = "r"."cancel_reason", "customer_id" = "r"."customer_id", "shipping_address" = "r"."shipping_address", "billing_address" = "r"."billing_address",
"total_amount" = "r"."total_amount", "tax_amount" = "r"."tax_amount"
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::integer[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::bigint[], $::text[], $::text[], $::bigint[], $::jsonb[], $::jsonb[], $::numeric[], $::numeric[]) as r ("tenant_id", "id", "number", "status", "delivery_status", "currency", "priority", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "allow_backorder", "created_at", "updated_at", "ordered_at", "delivery_date", "shipped_at", "cancelled_at", "cancelled_by_user_id", "cancelled_by_user_name", "cancel_reason", "customer_id", "shipping_address", "billing_address", "total_amount", "tax_amount")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- createPacking 3
update "sales_order_items" t
set "item_id" = "r"."item_id", "item_variant_id" = "r"."item_variant_id", "sku" = "r"."sku", "title" = "r"."title", "holds_stock" = "r"."holds_stock",
"is_open" = "r"."is_open", "was_shipped" = "r"."was_shipped", "storage_place_id" = "r"."storage_place_id", "quantity" = "r"."quantity",
"price" = "r"."price", "discount_percent" = "r"."discount_percent", "tax_rate" = "r"."tax_rate", "line_amount" = "r"."line_amount",
"line_tax_amount" = "r"."line_tax_amount", "packed_quantity" = "r"."packed_quantity", "shipped_quantity" = "r"."shipped_quantity",
"shipped_value" = "r"."shipped_value"
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::boolean[], $::boolean[], $::boolean[], $::bigint[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[]) as r ("tenant_id", "sales_order_id", "id", "item_id", "item_variant_id", "sku", "title", "holds_stock", "is_open", "was_shipped", "storage_place_id", "quantity", "price", "discount_percent", "tax_rate", "line_amount", "line_tax_amount", "packed_quantity", "shipped_quantity", "shipped_value")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."sales_order_id" = "r"."sales_order_id"
and "t"."id" = "r"."id"

-- createPacking 4
insert into "sales_packings" ("tenant_id", "id", "number", "sales_order_id", "date", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::timestamptz[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[]) as r ("tenant_id", "id", "number", "sales_order_id", "date", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at")

-- createPacking 5
insert into "sales_packing_items" ("tenant_id", "sales_packing_id", "id", "sales_order_item_id", "item_variant_id", "quantity", "batch_id")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::numeric[], $::bigint[]) as r ("tenant_id", "sales_packing_id", "id", "sales_order_item_id", "item_variant_id", "quantity", "batch_id")

-- createPacking 6
[1]
cross join lateral (select id from "sales_packings" where tenant_id = q.tenant_id and "number" = q.value limit 1) r

-- createPacking 7
[1]
cross join lateral (select id from "sales_packings" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createProduct 1
select q.tenant_id, q.sku, v.id, v.item_id
from unnest($::bigint[], $::text[]) as q (tenant_id, sku)
cross join lateral (select id, item_id from item_variants where tenant_id = q.tenant_id and active_sku = q.sku limit 1) v

-- createProduct 2
select q.tenant_id, c.count
from unnest($::bigint[]) as q (tenant_id)
cross join lateral (select from tenants where tenant_id = q.tenant_id and plan = 'free' limit 1) t
cross join lateral (select count(*) from item_variants where tenant_id = q.tenant_id and active) c

-- createProduct 3
insert into "items" ("tenant_id", "id", "title", "type", "description", "category", "unit_id", "is_sellable", "is_producible", "is_purchasable", "batch_tracked", "shelf_life_days", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::bigint[], $::boolean[], $::boolean[], $::boolean[], $::boolean[], $::integer[], $::text[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "title", "type", "description", "category", "unit_id", "is_sellable", "is_producible", "is_purchasable", "batch_tracked", "shelf_life_days", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")

-- createProduct 4
insert into "item_variants" ("tenant_id", "item_id", "id", "title", "sku", "barcode", "price", "purchase_price", "minimum_stock", "lead_time_days", "minimum_order_quantity", "order_multiple", "attributes", "archived", "active", "created_at", "updated_at")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::numeric[], $::numeric[], $::numeric[], $::integer[], $::numeric[], $::numeric[], $::jsonb[], $::boolean[], $::boolean[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "item_id", "id", "title", "sku", "barcode", "price", "purchase_price", "minimum_stock", "lead_time_days", "minimum_order_quantity", "order_multiple", "attributes", "archived", "active", "created_at", "updated_at")

-- createProduct 5
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select id from "items" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createPurchaseOrder [1]
select q.tenant_id, "r"."id"::text as "id", "r"."title"::text as "title", "r"."country_code"::text as "country_code", "r"."email"::text as "email",
"r"."phone"::text as "phone", "r"."tax_number"::text as "tax_number", "r"."currency"::text as "currency", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."address"::text as "address", "r"."created_by_user_name"::text as "created_by_user_name",

-- createPurchaseOrder [2]
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."archived"::text as "archived", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at"

-- createPurchaseOrder 1
select q.tenant_id, "p"."id"::text as "id", "p"."title"::text as "title", "p"."code"::text as "code", "p"."is_main"::text as "is_main",
"p"."manufacturing_allowed"::text as "manufacturing_allowed", "p"."sales_allowed"::text as "sales_allowed", "p"."purchase_allowed"::text as "purchase_allowed",
"p"."address"::text as "address", "p"."external_ref"::text as "external_ref", "p"."metadata"::text as "metadata", "p"."created_by_user_name"::text as "created_by_user_name",
"p"."updated_by_user_name"::text as "updated_by_user_name", "p"."archived"::text as "archived", iso("p"."created_at") as "created_at",
iso("p"."updated_at") as "updated_at"
from unnest($::bigint[]) as q (tenant_id)
cross join lateral (select * from storage_places p where tenant_id = q.tenant_id and is_main limit 1) p

-- createPurchaseOrder 2
select q.tenant_id, f.count, f.number
from unnest($::bigint[], $::integer[]) as q (tenant_id, wanted)
cross join lateral (
 select coalesce((document_counts ->> 'purchase_order')::integer, 0) as used
 from tenant_streams
 where tenant_id = q.tenant_id) s
cross join lateral (
 select n.count, n.number
 from (
  -- In the select list, where it is made row by row: as many as are looked at.
  select count, 'PO-' || lpad(count::text, greatest(length(count::text), 5), '0') as number
  from (select generate_series(s.used + 1, 2147483647) as count) c) n
 where (
  -- The next number from there on, and not just this one: the order leaves one index only, also where the table was
  -- nearly empty when this was planned. It is asked for each number.
  select number
  from "purchase_orders"
  where tenant_id = q.tenant_id
  and number >= n.number
  order by number
  limit 1) is distinct
 from n.number
 limit q.wanted) f

-- createPurchaseOrder 3
insert into "purchase_orders" ("tenant_id", "id", "number", "status", "delivery_status", "currency", "exchange_rate", "date", "expected_date", "expected_place_id", "completed_at", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "close_reason", "created_at", "updated_at", "supplier_id", "total_amount", "tax_amount")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::numeric[], $::timestamptz[], $::timestamptz[], $::bigint[], $::timestamptz[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::text[], $::timestamptz[], $::timestamptz[], $::bigint[], $::numeric[], $::numeric[]) as r ("tenant_id", "id", "number", "status", "delivery_status", "currency", "exchange_rate", "date", "expected_date", "expected_place_id", "completed_at", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "close_reason", "created_at", "updated_at", "supplier_id", "total_amount", "tax_amount")

-- createPurchaseOrder 4
insert into "purchase_order_items" ("tenant_id", "purchase_order_id", "id", "item_id", "item_variant_id", "sku", "supplier_sku", "title", "batch_number", "expiry_date", "expected_date", "holds_stock", "is_open", "was_received", "quantity", "purchase_quantity", "purchase_unit_name", "conversion_rate", "received_quantity", "price", "purchase_price", "discount_percent", "tax_rate", "line_amount", "line_tax_amount")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::date[], $::timestamptz[], $::boolean[], $::boolean[], $::boolean[], $::numeric[], $::numeric[], $::text[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[]) as r ("tenant_id", "purchase_order_id", "id", "item_id", "item_variant_id", "sku", "supplier_sku", "title", "batch_number", "expiry_date", "expected_date", "holds_stock", "is_open", "was_received", "quantity", "purchase_quantity", "purchase_unit_name", "conversion_rate", "received_quantity", "price", "purchase_price", "discount_percent", "tax_rate", "line_amount", "line_tax_amount")

-- createPurchaseOrder 5
[1]
[2]
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select * from "suppliers" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createPurchaseOrder 6
select q.tenant_id, "r"."id"::text as "id", "r"."supplier_id"::text as "supplier_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."supplier_sku"::text as "supplier_sku", "r"."purchase_unit_name"::text as "purchase_unit_name", "r"."conversion_rate"::text as "conversion_rate",
"r"."price"::text as "price", "r"."currency"::text as "currency", "r"."minimum_quantity"::text as "minimum_quantity", "r"."multiple_of"::text as "multiple_of",
"r"."lead_time_days"::text as "lead_time_days", "r"."is_preferred"::text as "is_preferred", "r"."notes"::text as "notes",
"r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
[2]
from unnest($::bigint[], $::bigint[], $::bigint[]) as q (tenant_id, supplier_id, item_variant_id)
cross join lateral (
 select *
 from supplier_items
 where tenant_id = q.tenant_id
 and active_supplier_id = q.supplier_id
 and item_variant_id = q.item_variant_id
 limit 1) r

-- createPurchaseOrder 7
[1]
[2]
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "suppliers" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- createPurchaseOrder 8
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select id from "purchase_orders" where tenant_id = q.tenant_id and "number" = q.value limit 1) r

-- createPurchaseOrder 9
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select id from "purchase_orders" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createPurchaseReceipt [1]
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)

-- createPurchaseReceipt 1
select q.tenant_id, f.count, f.number
from unnest($::bigint[], $::integer[]) as q (tenant_id, wanted)
cross join lateral (
 select coalesce((document_counts ->> 'purchase_receipt')::integer, 0) as used
 from tenant_streams
 where tenant_id = q.tenant_id) s
cross join lateral (
 select n.count, n.number
 from (
  -- In the select list, where it is made row by row: as many as are looked at.
  select count, 'PR-' || lpad(count::text, greatest(length(count::text), 5), '0') as number
  from (select generate_series(s.used + 1, 2147483647) as count) c) n
 where (
  -- The next number from there on, and not just this one: the order leaves one index only, also where the table was
  -- nearly empty when this was planned. It is asked for each number.
  select number
  from "purchase_receipts"
  where tenant_id = q.tenant_id
  and number >= n.number
  order by number
  limit 1) is distinct
 from n.number
 limit q.wanted) f

-- createPurchaseReceipt 2
insert into "purchase_receipts" ("tenant_id", "id", "number", "purchase_order_id", "storage_place_id", "received_date", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "total_amount")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::bigint[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::boolean[], $::timestamptz[], $::text[], $::text[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::numeric[]) as r ("tenant_id", "id", "number", "purchase_order_id", "storage_place_id", "received_date", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "total_amount")

-- createPurchaseReceipt 3
insert into "purchase_receipt_items" ("tenant_id", "purchase_receipt_id", "id", "purchase_order_item_id", "item_id", "item_variant_id", "sku", "title", "quantity", "purchase_quantity", "purchase_unit_name", "conversion_rate", "batch_id", "batch_number", "manufacture_date", "expiry_date", "price", "purchase_price", "discount_percent", "line_amount", "quarantine", "purchase_order_id", "stock_value")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::numeric[], $::numeric[], $::text[], $::numeric[], $::bigint[], $::text[], $::date[], $::date[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::boolean[], $::bigint[], $::numeric[]) as r ("tenant_id", "purchase_receipt_id", "id", "purchase_order_item_id", "item_id", "item_variant_id", "sku", "title", "quantity", "purchase_quantity", "purchase_unit_name", "conversion_rate", "batch_id", "batch_number", "manufacture_date", "expiry_date", "price", "purchase_price", "discount_percent", "line_amount", "quarantine", "purchase_order_id", "stock_value")

-- createPurchaseReceipt 4
[1]
cross join lateral (select id from "purchase_receipts" where tenant_id = q.tenant_id and "number" = q.value limit 1) r

-- createPurchaseReceipt 5
[1]
cross join lateral (select id from "purchase_receipts" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createRecipe [1]
select v.tenant_id, v.id, v.item_id, coalesce(v.sku, v.title) as name, (select max(id) from recipes where tenant_id = v.tenant_id and item_variant_id = v.id) as own,
(select max(id) from recipes where tenant_id = v.tenant_id and item_id = v.item_id and item_variant_id is null) as of_item

-- createRecipe 1
with recursive reached (tenant_id, id) as (
 select tenant_id, id
 from unnest($::bigint[], $::bigint[]) as q (tenant_id, id)
 union
 select r.tenant_id, line.item_variant_id
 from reached r
 cross join lateral (select * from item_variants where tenant_id = r.tenant_id and id = r.id and ctid <> '(0,0)' limit 1) v
 cross join lateral (
  select item_variant_id
  from recipe_materials
  where tenant_id = r.tenant_id
  and recipe_id = coalesce((select max(id) from recipes where tenant_id = v.tenant_id and item_variant_id = v.id), (select max(id) from recipes where tenant_id = v.tenant_id and item_id = v.item_id and item_variant_id is null))
  offset 0) line)
select n.*, (
 select string_agg(item_variant_id::text, ' ')
 from recipe_materials
 where tenant_id = n.tenant_id
 and recipe_id = coalesce(n.own, n.of_item)) as materials
from reached r
cross join lateral (
 [1]
 from (select * from item_variants where tenant_id = r.tenant_id and id = r.id and ctid <> '(0,0)' limit 1) v) n

-- createRecipe 2
insert into "recipes" ("tenant_id", "id", "item_id", "item_variant_id", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "item_id", "item_variant_id", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at")

-- createRecipe 3
insert into "recipe_materials" ("tenant_id", "recipe_id", "id", "item_variant_id", "quantity", "notes")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::numeric[], $::text[]) as r ("tenant_id", "recipe_id", "id", "item_variant_id", "quantity", "notes")

-- createRecipe 4
insert into "recipe_operations" ("tenant_id", "recipe_id", "id", "operation_id", "operation_type", "position", "duration", "cost_per_hour", "notes")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::integer[], $::numeric[], $::numeric[], $::text[]) as r ("tenant_id", "recipe_id", "id", "operation_id", "operation_type", "position", "duration", "cost_per_hour", "notes")

-- createRecipe 5
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select id from "recipes" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createRecipe 6
select q.tenant_id, "r"."id"::text as "id", "r"."title"::text as "title", "r"."type"::text as "type", "r"."batch_tracked"::text as "batch_tracked"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "items" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- createRecipe 7
[1]
from unnest($::bigint[], $::bigint[]) as q (tenant_id, id)
cross join lateral (select * from item_variants where tenant_id = q.tenant_id and item_id = q.id offset 0) v

-- createReservation 1
select q.tenant_id, f.count, f.number
from unnest($::bigint[], $::integer[]) as q (tenant_id, wanted)
cross join lateral (
 select coalesce((document_counts ->> 'reservation')::integer, 0) as used
 from tenant_streams
 where tenant_id = q.tenant_id) s
cross join lateral (
 select n.count, n.number
 from (
  -- In the select list, where it is made row by row: as many as are looked at.
  select count, 'RV-' || lpad(count::text, greatest(length(count::text), 5), '0') as number
  from (select generate_series(s.used + 1, 2147483647) as count) c) n
 where (
  -- The next number from there on, and not just this one: the order leaves one index only, also where the table was
  -- nearly empty when this was planned. It is asked for each number.
  select number
  from "reservations"
  where tenant_id = q.tenant_id
  and number >= n.number
  order by number
  limit 1) is distinct
 from n.number
 limit q.wanted) f

-- createReservation 2
insert into "reservations" ("tenant_id", "id", "number", "status", "customer_id", "sales_order_id", "expires_at", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::bigint[], $::timestamptz[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "number", "status", "customer_id", "sales_order_id", "expires_at", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at")

-- createReservation 3
insert into "reservation_items" ("tenant_id", "reservation_id", "id", "item_id", "item_variant_id", "sku", "title", "storage_place_id", "quantity", "is_open")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::numeric[], $::boolean[]) as r ("tenant_id", "reservation_id", "id", "item_id", "item_variant_id", "sku", "title", "storage_place_id", "quantity", "is_open")

-- createReservation 4
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select id from "reservations" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createSalesOrder [1]
select q.tenant_id, "r"."id"::text as "id", "r"."title"::text as "title", "r"."country_code"::text as "country_code", "r"."email"::text as "email",
"r"."phone"::text as "phone", "r"."tax_number"::text as "tax_number", "r"."currency"::text as "currency", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."shipping_address"::text as "shipping_address", "r"."billing_address"::text as "billing_address",
"r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name", "r"."archived"::text as "archived",

-- createSalesOrder 1
select q.tenant_id, f.count, f.number
from unnest($::bigint[], $::integer[]) as q (tenant_id, wanted)
cross join lateral (
 select coalesce((document_counts ->> 'sales_order')::integer, 0) as used
 from tenant_streams
 where tenant_id = q.tenant_id) s
cross join lateral (
 select n.count, n.number
 from (
  -- In the select list, where it is made row by row: as many as are looked at.
  select count, 'SO-' || lpad(count::text, greatest(length(count::text), 5), '0') as number
  from (select generate_series(s.used + 1, 2147483647) as count) c) n
 where (
  -- The next number from there on, and not just this one: the order leaves one index only, also where the table was
  -- nearly empty when this was planned. It is asked for each number.
  select number
  from "sales_orders"
  where tenant_id = q.tenant_id
  and number >= n.number
  order by number
  limit 1) is distinct
 from n.number
 limit q.wanted) f

-- createSalesOrder 2
insert into "sales_orders" ("tenant_id", "id", "number", "status", "delivery_status", "currency", "priority", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "allow_backorder", "created_at", "updated_at", "ordered_at", "delivery_date", "shipped_at", "cancelled_at", "cancelled_by_user_id", "cancelled_by_user_name", "cancel_reason", "customer_id", "shipping_address", "billing_address", "total_amount", "tax_amount")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::integer[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::bigint[], $::text[], $::text[], $::bigint[], $::jsonb[], $::jsonb[], $::numeric[], $::numeric[]) as r ("tenant_id", "id", "number", "status", "delivery_status", "currency", "priority", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "allow_backorder", "created_at", "updated_at", "ordered_at", "delivery_date", "shipped_at", "cancelled_at", "cancelled_by_user_id", "cancelled_by_user_name", "cancel_reason", "customer_id", "shipping_address", "billing_address", "total_amount", "tax_amount")

-- createSalesOrder 3
insert into "sales_order_items" ("tenant_id", "sales_order_id", "id", "item_id", "item_variant_id", "sku", "title", "holds_stock", "is_open", "was_shipped", "storage_place_id", "quantity", "price", "discount_percent", "tax_rate", "line_amount", "line_tax_amount", "packed_quantity", "shipped_quantity", "shipped_value")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::boolean[], $::boolean[], $::boolean[], $::bigint[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[]) as r ("tenant_id", "sales_order_id", "id", "item_id", "item_variant_id", "sku", "title", "holds_stock", "is_open", "was_shipped", "storage_place_id", "quantity", "price", "discount_percent", "tax_rate", "line_amount", "line_tax_amount", "packed_quantity", "shipped_quantity", "shipped_value")

-- createSalesOrder 4
[1]
iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select * from "customers" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createSalesOrder 5
[1]
iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "customers" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- createSalesOrder 6
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select id from "sales_orders" where tenant_id = q.tenant_id and "number" = q.value limit 1) r

-- createSalesOrder 7
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select id from "sales_orders" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createSalesOrder 8
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."status"::text as "status", "r"."customer_id"::text as "customer_id",
"r"."sales_order_id"::text as "sales_order_id", iso("r"."expires_at") as "expires_at", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "reservations" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- createSalesOrder 9
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."title"::text as "title", "r"."storage_place_id"::text as "storage_place_id", "r"."quantity"::text as "quantity",
"r"."is_open"::text as "is_open"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "reservation_items" where tenant_id = q.tenant_id and "reservation_id" = q.value offset 0) r
order by r.id

-- createSalesOrder 10
update "reservations" t
set "number" = "r"."number", "status" = "r"."status", "customer_id" = "r"."customer_id", "sales_order_id" = "r"."sales_order_id",
"expires_at" = "r"."expires_at", "notes" = "r"."notes", "external_ref" = "r"."external_ref", "metadata" = "r"."metadata",
"created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name", "created_at" = "r"."created_at",
"updated_at" = "r"."updated_at"
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::bigint[], $::timestamptz[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "number", "status", "customer_id", "sales_order_id", "expires_at", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- createSalesOrder 11
update "reservation_items" t
set "item_id" = "r"."item_id", "item_variant_id" = "r"."item_variant_id", "sku" = "r"."sku", "title" = "r"."title", "storage_place_id" = "r"."storage_place_id",
"quantity" = "r"."quantity", "is_open" = "r"."is_open"
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::numeric[], $::boolean[]) as r ("tenant_id", "reservation_id", "id", "item_id", "item_variant_id", "sku", "title", "storage_place_id", "quantity", "is_open")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."reservation_id" = "r"."reservation_id"
and "t"."id" = "r"."id"

-- createSalesReturn [1]
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)

-- createSalesReturn 1
select q.tenant_id, q.id, p.batch_id, p.shipped, p.held, p.last_id, m.storage_place_id
from unnest($::bigint[], $::bigint[]) as q (tenant_id, id)
cross join lateral (
 select batch_id, sum(shipped) as shipped, sum(held) as held, max(shipped_id) as last_id
 from (
  select s.batch_id, s.quantity as shipped, 0 as held, s.id as shipped_id
  from sales_shipment_items s
  cross join lateral (select reversed from sales_shipments where tenant_id = s.tenant_id and id = s.sales_shipment_id limit 1) h
  where s.tenant_id = q.tenant_id
  and s.sales_order_item_id = q.id
  and not h.reversed
  union all
  select i.batch_id, 0, i.quantity, null
  from sales_return_items i
  cross join lateral (select status from sales_returns where tenant_id = i.tenant_id and id = i.sales_return_id limit 1) r
  where i.tenant_id = q.tenant_id
  and i.sales_order_item_id = q.id
  and r.status <> 'CANCELLED') pieces
 group by batch_id) p
left join lateral (
 select *
 from sales_shipment_items
 where tenant_id = q.tenant_id
 and sales_order_item_id = q.id
 and id = p.last_id
 limit 1) s on true
left join lateral (
 select m.storage_place_id
 from (
  select storage_place_id, row_number() over (order by id) as at
  from (select * from stock_movements where tenant_id = s.tenant_id and source_id = s.sales_shipment_id offset 0) booked) m
 where s.value is not null
 and m.at = (
  select count(*)
  from sales_shipment_items
  where tenant_id = s.tenant_id
  and sales_shipment_id = s.sales_shipment_id
  and id <= s.id
  and value is not null)
 limit 1) m on true
order by p.last_id desc

-- createSalesReturn 2
select q.tenant_id, f.count, f.number
from unnest($::bigint[], $::integer[]) as q (tenant_id, wanted)
cross join lateral (
 select coalesce((document_counts ->> 'sales_return')::integer, 0) as used
 from tenant_streams
 where tenant_id = q.tenant_id) s
cross join lateral (
 select n.count, n.number
 from (
  -- In the select list, where it is made row by row: as many as are looked at.
  select count, 'SR-' || lpad(count::text, greatest(length(count::text), 5), '0') as number
  from (select generate_series(s.used + 1, 2147483647) as count) c) n
 where (
  -- The next number from there on, and not just this one: the order leaves one index only, also where the table was
  -- nearly empty when this was planned. It is asked for each number.
  select number
  from "sales_returns"
  where tenant_id = q.tenant_id
  and number >= n.number
  order by number
  limit 1) is distinct
 from n.number
 limit q.wanted) f

-- createSalesReturn 3
insert into "sales_returns" ("tenant_id", "id", "number", "status", "source_type", "sales_order_id", "customer_id", "storage_place_id", "external_return_ref", "external_ref", "tracking_info", "notes", "metadata", "created_by_user_name", "updated_by_user_name", "cancellation_reason", "created_at", "updated_at", "return_date", "refund_amount")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::text[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::numeric[]) as r ("tenant_id", "id", "number", "status", "source_type", "sales_order_id", "customer_id", "storage_place_id", "external_return_ref", "external_ref", "tracking_info", "notes", "metadata", "created_by_user_name", "updated_by_user_name", "cancellation_reason", "created_at", "updated_at", "return_date", "refund_amount")

-- createSalesReturn 4
insert into "sales_return_items" ("tenant_id", "sales_return_id", "id", "sales_order_item_id", "item_variant_id", "batch_id", "storage_place_id", "sku", "title", "reason", "reason_note", "reason_id", "quantity", "unit_price", "quarantine", "sales_order_id", "value")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::integer[], $::numeric[], $::numeric[], $::boolean[], $::bigint[], $::numeric[]) as r ("tenant_id", "sales_return_id", "id", "sales_order_item_id", "item_variant_id", "batch_id", "storage_place_id", "sku", "title", "reason", "reason_note", "reason_id", "quantity", "unit_price", "quarantine", "sales_order_id", "value")

-- createSalesReturn 5
[1]
cross join lateral (select id from "sales_returns" where tenant_id = q.tenant_id and "number" = q.value limit 1) r

-- createSalesReturn 6
[1]
cross join lateral (select id from "sales_returns" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createShipment [1]
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)

-- createShipment 1
select q.tenant_id, f.count, f.number
from unnest($::bigint[], $::integer[]) as q (tenant_id, wanted)
cross join lateral (
 select coalesce((document_counts ->> 'sales_shipment')::integer, 0) as used
 from tenant_streams
 where tenant_id = q.tenant_id) s
cross join lateral (
 select n.count, n.number
 from (
  -- In the select list, where it is made row by row: as many as are looked at.
  select count, 'SH-' || lpad(count::text, greatest(length(count::text), 5), '0') as number
  from (select generate_series(s.used + 1, 2147483647) as count) c) n
 where (
  -- The next number from there on, and not just this one: the order leaves one index only, also where the table was
  -- nearly empty when this was planned. It is asked for each number.
  select number
  from "sales_shipments"
  where tenant_id = q.tenant_id
  and number >= n.number
  order by number
  limit 1) is distinct
 from n.number
 limit q.wanted) f

-- createShipment 2
insert into "sales_shipments" ("tenant_id", "id", "number", "sales_order_id", "date", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "carrier", "tracking_number", "tracking_url", "notes", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::timestamptz[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::text[], $::text[], $::text[], $::text[], $::timestamptz[], $::boolean[], $::timestamptz[], $::text[], $::text[]) as r ("tenant_id", "id", "number", "sales_order_id", "date", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "carrier", "tracking_number", "tracking_url", "notes", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name")

-- createShipment 3
insert into "sales_shipment_items" ("tenant_id", "sales_shipment_id", "id", "sales_order_item_id", "item_variant_id", "quantity", "batch_id", "sales_order_id", "value")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::numeric[], $::bigint[], $::bigint[], $::numeric[]) as r ("tenant_id", "sales_shipment_id", "id", "sales_order_item_id", "item_variant_id", "quantity", "batch_id", "sales_order_id", "value")

-- createShipment 4
[1]
cross join lateral (select id from "sales_shipments" where tenant_id = q.tenant_id and "number" = q.value limit 1) r

-- createShipment 5
[1]
cross join lateral (select id from "sales_shipments" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createStockAdjustment [1]
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)

-- createStockAdjustment 1
[1]
cross join lateral (select id from "stock_adjustments" where tenant_id = q.tenant_id and "number" = q.value limit 1) r

-- createStockAdjustment 2
[1]
cross join lateral (select id from "stock_adjustments" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createStockCount 1
select q.tenant_id, f.count, f.number
from unnest($::bigint[], $::integer[]) as q (tenant_id, wanted)
cross join lateral (
 select coalesce((document_counts ->> 'stock_count')::integer, 0) as used
 from tenant_streams
 where tenant_id = q.tenant_id) s
cross join lateral (
 select n.count, n.number
 from (
  -- In the select list, where it is made row by row: as many as are looked at.
  select count, 'SC-' || lpad(count::text, greatest(length(count::text), 5), '0') as number
  from (select generate_series(s.used + 1, 2147483647) as count) c) n
 where (
  -- The next number from there on, and not just this one: the order leaves one index only, also where the table was
  -- nearly empty when this was planned. It is asked for each number.
  select number
  from "stock_counts"
  where tenant_id = q.tenant_id
  and number >= n.number
  order by number
  limit 1) is distinct
 from n.number
 limit q.wanted) f

-- createStockCount 2
insert into "stock_counts" ("tenant_id", "id", "number", "title", "storage_place_id", "status", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "line_count", "difference_count", "adjustment_id", "created_at", "updated_at", "completed_at")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::text[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::integer[], $::integer[], $::bigint[], $::timestamptz[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "number", "title", "storage_place_id", "status", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "line_count", "difference_count", "adjustment_id", "created_at", "updated_at", "completed_at")

-- createStockCount 3
insert into "stock_count_items" ("tenant_id", "id", "stock_count_id", "item_id", "item_variant_id", "sku", "title", "batch_id", "batch_number", "expected_quantity", "counted_quantity", "difference", "counted_at", "counted_by_user_name")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::text[], $::numeric[], $::numeric[], $::numeric[], $::timestamptz[], $::text[]) as r ("tenant_id", "id", "stock_count_id", "item_id", "item_variant_id", "sku", "title", "batch_id", "batch_number", "expected_quantity", "counted_quantity", "difference", "counted_at", "counted_by_user_name")

-- createStockTransfer [1]
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)

-- createStockTransfer 1
select q.tenant_id, f.count, f.number
from unnest($::bigint[], $::integer[]) as q (tenant_id, wanted)
cross join lateral (
 select coalesce((document_counts ->> 'stock_transfer')::integer, 0) as used
 from tenant_streams
 where tenant_id = q.tenant_id) s
cross join lateral (
 select n.count, n.number
 from (
  -- In the select list, where it is made row by row: as many as are looked at.
  select count, 'ST-' || lpad(count::text, greatest(length(count::text), 5), '0') as number
  from (select generate_series(s.used + 1, 2147483647) as count) c) n
 where (
  -- The next number from there on, and not just this one: the order leaves one index only, also where the table was
  -- nearly empty when this was planned. It is asked for each number.
  select number
  from "stock_transfers"
  where tenant_id = q.tenant_id
  and number >= n.number
  order by number
  limit 1) is distinct
 from n.number
 limit q.wanted) f

-- createStockTransfer 2
insert into "stock_transfers" ("tenant_id", "id", "number", "from_storage_place_id", "to_storage_place_id", "date", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::bigint[], $::timestamptz[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[], $::boolean[], $::timestamptz[], $::text[], $::text[]) as r ("tenant_id", "id", "number", "from_storage_place_id", "to_storage_place_id", "date", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name")

-- createStockTransfer 3
insert into "stock_transfer_items" ("tenant_id", "stock_transfer_id", "id", "item_variant_id", "sku", "title", "batch_id", "batch_number", "quantity", "value", "from_quarantine", "to_quarantine")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::text[], $::numeric[], $::numeric[], $::boolean[], $::boolean[]) as r ("tenant_id", "stock_transfer_id", "id", "item_variant_id", "sku", "title", "batch_id", "batch_number", "quantity", "value", "from_quarantine", "to_quarantine")

-- createStockTransfer 4
[1]
cross join lateral (select id from "stock_transfers" where tenant_id = q.tenant_id and "number" = q.value limit 1) r

-- createStockTransfer 5
[1]
cross join lateral (select id from "stock_transfers" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createStoragePlace 1
insert into "storage_places" ("tenant_id", "id", "title", "code", "is_main", "manufacturing_allowed", "sales_allowed", "purchase_allowed", "address", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::boolean[], $::boolean[], $::boolean[], $::boolean[], $::jsonb[], $::text[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "title", "code", "is_main", "manufacturing_allowed", "sales_allowed", "purchase_allowed", "address", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")

-- createStoragePlace 2
select q.tenant_id, q.value, r.id
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select id from "storage_places" where tenant_id = q.tenant_id and "external_ref" = q.value limit 1) r

-- createSupplier 1
select tenant_id
from tenant_streams
where tenant_id = any ($::bigint[])
order by tenant_id for no key update skip locked

-- createSupplier 2
insert into event_gaps (tenant_id, after_sequence, until_sequence)
select *
from unnest($::bigint[], $::bigint[], $::bigint[]) as gap ("tenant_id", "after", "until")

-- createSupplierItem [1]
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::numeric[], $::numeric[], $::text[], $::numeric[], $::numeric[], $::integer[], $::boolean[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "supplier_id", "item_variant_id", "supplier_sku", "purchase_unit_name", "conversion_rate", "price", "currency", "minimum_quantity", "multiple_of", "lead_time_days", "is_preferred", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")

-- createSupplierItem 1
select q.tenant_id, "r"."id"::text as "id", "r"."supplier_id"::text as "supplier_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."supplier_sku"::text as "supplier_sku", "r"."purchase_unit_name"::text as "purchase_unit_name", "r"."conversion_rate"::text as "conversion_rate",
"r"."price"::text as "price", "r"."currency"::text as "currency", "r"."minimum_quantity"::text as "minimum_quantity", "r"."multiple_of"::text as "multiple_of",
"r"."lead_time_days"::text as "lead_time_days", "r"."is_preferred"::text as "is_preferred", "r"."notes"::text as "notes",
"r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."archived"::text as "archived", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, item_variant_id)
cross join lateral (select * from supplier_items where tenant_id = q.tenant_id and preferred_variant_id = q.item_variant_id limit 1) r

-- createSupplierItem 2
insert into "supplier_items" ("tenant_id", "id", "supplier_id", "item_variant_id", "supplier_sku", "purchase_unit_name", "conversion_rate", "price", "currency", "minimum_quantity", "multiple_of", "lead_time_days", "is_preferred", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")
select *
[1]

-- createSupplierItem 3
update "supplier_items" t
set "supplier_id" = "r"."supplier_id", "item_variant_id" = "r"."item_variant_id", "supplier_sku" = "r"."supplier_sku", "purchase_unit_name" = "r"."purchase_unit_name",
"conversion_rate" = "r"."conversion_rate", "price" = "r"."price", "currency" = "r"."currency", "minimum_quantity" = "r"."minimum_quantity",
"multiple_of" = "r"."multiple_of", "lead_time_days" = "r"."lead_time_days", "is_preferred" = "r"."is_preferred", "notes" = "r"."notes",
"external_ref" = "r"."external_ref", "metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name",
"archived" = "r"."archived", "created_at" = "r"."created_at", "updated_at" = "r"."updated_at"
[1]
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- createWebhookSubscription 1
select id, url, to_json(events)::text as events
from webhook_subscriptions
where tenant_id = $::bigint
and deleted_at is null
order by id

-- createWebhookSubscription 2
with r as (select * from jsonb_to_recordset($::jsonb) as r (tenant_id bigint, sequence bigint)), relays as (insert into webhook_relays (tenant_id, relayed_sequence) select tenant_id, sequence from r on conflict do nothing)
update tenant_streams s
set has_webhooks = true
from r
where s.tenant_id = r.tenant_id
and not s.has_webhooks

-- createWebhookSubscription 3
insert into "webhook_subscriptions" ("tenant_id", "id", "url", "description", "events", "enabled", "status", "consecutive_failures", "created_at", "last_delivery_at", "last_failure_at", "last_failure_reason", "from_sequence", "generation", "disabled_at", "good_since", "deleted_at")
select *
from (
 select "tenant_id", "id", "url", "description", string_to_array("events", chr(31))::text[] as "events", "enabled", "status",
 "consecutive_failures", "created_at", "last_delivery_at", "last_failure_at", "last_failure_reason", "from_sequence", "generation",
 "disabled_at", "good_since", "deleted_at"
 from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::boolean[], $::text[], $::integer[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::text[], $::bigint[], $::integer[], $::timestamptz[], $::timestamptz[], $::timestamptz[]) as u ("tenant_id", "id", "url", "description", "events", "enabled", "status", "consecutive_failures", "created_at", "last_delivery_at", "last_failure_at", "last_failure_reason", "from_sequence", "generation", "disabled_at", "good_since", "deleted_at")) as r ("tenant_id",
 "id", "url", "description", "events", "enabled", "status", "consecutive_failures", "created_at", "last_delivery_at", "last_failure_at",
 "last_failure_reason", "from_sequence", "generation", "disabled_at", "good_since", "deleted_at")

-- createWebhookSubscription 4
insert into "webhook_secrets" ("tenant_id", "subscription_id", "id", "sealed", "created_at", "expires_at")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bytea[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "subscription_id", "id", "sealed", "created_at", "expires_at")

-- deleteManufacturingOrder [1]
using unnest($::bigint[], $::bigint[], $::bigint[]) as r ("tenant_id", "manufacturing_order_id", "id")

-- deleteManufacturingOrder 1
delete
from "manufacturing_order_items" t
[1]
where "t"."tenant_id" = "r"."tenant_id"
and "t"."manufacturing_order_id" = "r"."manufacturing_order_id"
and "t"."id" = "r"."id"

-- deleteManufacturingOrder 2
delete
from "manufacturing_orders" t
using unnest($::bigint[], $::bigint[]) as r ("tenant_id", "id")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- deleteManufacturingOrder 3
delete
from "manufacturing_order_tasks" t
[1]
where "t"."tenant_id" = "r"."tenant_id"
and "t"."manufacturing_order_id" = "r"."manufacturing_order_id"
and "t"."id" = "r"."id"

-- deleteWebhookSubscription [1]
from (select * from unnest($::bigint[], $::bigint[]) as q (tenant_id, value) order by tenant_id, value offset 0) q
cross join lateral (
 select *

-- deleteWebhookSubscription 1
select q.tenant_id, "r"."id"::text as "id", "r"."url"::text as "url", "r"."description"::text as "description", to_json("r"."events")::text as "events",
"r"."enabled"::text as "enabled", "r"."status"::text as "status", "r"."consecutive_failures"::text as "consecutive_failures",
iso("r"."created_at") as "created_at", iso("r"."last_delivery_at") as "last_delivery_at", iso("r"."last_failure_at") as "last_failure_at",
"r"."last_failure_reason"::text as "last_failure_reason", "r"."from_sequence"::text as "from_sequence", "r"."generation"::text as "generation",
iso("r"."disabled_at") as "disabled_at", iso("r"."good_since") as "good_since", iso("r"."deleted_at") as "deleted_at"
[1]
 from "webhook_subscriptions"
 where tenant_id = q.tenant_id
 and "id" = q.value
 and "deleted_at" is null
 limit 1 for no key update) r

-- deleteWebhookSubscription 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", encode("r"."sealed", 'hex') as "sealed", iso("r"."created_at") as "created_at",
iso("r"."expires_at") as "expires_at"
[1]
 from "webhook_secrets"
 where tenant_id = q.tenant_id
 and "subscription_id" = q.value
 offset 0 for no key update) r
order by r.id

-- deleteWebhookSubscription 3
delete
from webhook_recoveries w
using jsonb_to_recordset($::jsonb) as r (tenant_id bigint, subscription_id bigint)
where w.tenant_id = r.tenant_id
and w.subscription_id = r.subscription_id

-- deleteWebhookSubscription 4
update "webhook_subscriptions" t
set "url" = "r"."url", "description" = "r"."description", "events" = "r"."events", "enabled" = "r"."enabled", "status" = "r"."status",
"consecutive_failures" = "r"."consecutive_failures", "created_at" = "r"."created_at", "last_delivery_at" = "r"."last_delivery_at",
"last_failure_at" = "r"."last_failure_at", "last_failure_reason" = "r"."last_failure_reason", "from_sequence" = "r"."from_sequence",
"generation" = "r"."generation", "disabled_at" = "r"."disabled_at", "good_since" = "r"."good_since", "deleted_at" = "r"."deleted_at"
from (
 select "tenant_id", "id", "url", "description", string_to_array("events", chr(31))::text[] as "events", "enabled", "status",
 "consecutive_failures", "created_at", "last_delivery_at", "last_failure_at", "last_failure_reason", "from_sequence", "generation",
 "disabled_at", "good_since", "deleted_at"
 from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::boolean[], $::text[], $::integer[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::text[], $::bigint[], $::integer[], $::timestamptz[], $::timestamptz[], $::timestamptz[]) as u ("tenant_id", "id", "url", "description", "events", "enabled", "status", "consecutive_failures", "created_at", "last_delivery_at", "last_failure_at", "last_failure_reason", "from_sequence", "generation", "disabled_at", "good_since", "deleted_at")) as r ("tenant_id",
 "id", "url", "description", "events", "enabled", "status", "consecutive_failures", "created_at", "last_delivery_at", "last_failure_at",
 "last_failure_reason", "from_sequence", "generation", "disabled_at", "good_since", "deleted_at")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- deleteWebhookSubscription 5
delete
from "webhook_secrets" t
using unnest($::bigint[], $::bigint[], $::bigint[]) as r ("tenant_id", "subscription_id", "id")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."subscription_id" = "r"."subscription_id"
and "t"."id" = "r"."id"

-- moveMaterials 1
select q.tenant_id, q.id, m.*
from unnest($::bigint[], $::bigint[]) as q (tenant_id, id)
cross join lateral (
 select item_variant_id, batch_id, -sum(quantity) as quantity, max(id) filter (where kind = 'MANUFACTURING_WRITE_OFF') as last_id
 from (select * from stock_movements where tenant_id = q.tenant_id and source_id = q.id offset 0) of_order
 where kind in ('MANUFACTURING_WRITE_OFF', 'MANUFACTURING_RETURN')
 group by item_variant_id, batch_id
 having sum(quantity) < 0) m
order by m.last_id

-- moveMaterials 2
update "manufacturing_order_items" t
set "item_id" = "r"."item_id", "item_variant_id" = "r"."item_variant_id", "sku" = "r"."sku", "title" = "r"."title", "quantity" = "r"."quantity",
"quantity_per_unit" = "r"."quantity_per_unit", "actual_quantity" = "r"."actual_quantity", "cost" = "r"."cost", "is_open" = "r"."is_open"
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::boolean[]) as r ("tenant_id", "manufacturing_order_id", "id", "item_id", "item_variant_id", "sku", "title", "quantity", "quantity_per_unit", "actual_quantity", "cost", "is_open")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."manufacturing_order_id" = "r"."manufacturing_order_id"
and "t"."id" = "r"."id"

-- receiveSalesReturn 1
update "sales_return_items" t
set "sales_order_item_id" = "r"."sales_order_item_id", "item_variant_id" = "r"."item_variant_id", "batch_id" = "r"."batch_id",
"storage_place_id" = "r"."storage_place_id", "sku" = "r"."sku", "title" = "r"."title", "reason" = "r"."reason", "reason_note" = "r"."reason_note",
"reason_id" = "r"."reason_id", "quantity" = "r"."quantity", "unit_price" = "r"."unit_price", "quarantine" = "r"."quarantine",
"sales_order_id" = "r"."sales_order_id", "value" = "r"."value"
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::integer[], $::numeric[], $::numeric[], $::boolean[], $::bigint[], $::numeric[]) as r ("tenant_id", "sales_return_id", "id", "sales_order_item_id", "item_variant_id", "batch_id", "storage_place_id", "sku", "title", "reason", "reason_note", "reason_id", "quantity", "unit_price", "quarantine", "sales_order_id", "value")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."sales_return_id" = "r"."sales_return_id"
and "t"."id" = "r"."id"

-- recoverWebhookSubscription 1
with recursive wanted as materialized (select greatest($3::timestamptz, now() - make_interval(days => 14)) as since), search(low, high, last) as (
 -- What is sought lies above low and is high at most.
 select 0::bigint, t.event_sequence + 1, t.event_sequence
 from webhook_subscriptions s
 join tenant_streams t on t.tenant_id = s.tenant_id
 where s.tenant_id = $1::bigint
 and s.id = $2::bigint
 and s.deleted_at is null
 union all
 select case when m.is_later then a.low else m.middle end, case when m.is_later then m.middle else a.high end, a.last
 from search a
 cross join lateral (
  select (a.low + a.high) / 2 as middle, coalesce((
    select e.created_at >= (select since from wanted) - make_interval(secs => 3600)
    from events e
    -- The next one, where numbers were left out.
    where e.tenant_id = $1::bigint
    and e.sequence >= (a.low + a.high) / 2
    order by e.sequence
    limit 1), false) as is_later) m
 where a.high - a.low > 1), found as (select high, last from search order by high - low limit 1), range as materialized (
 select found.last, coalesce((
   select e.sequence
   from events e
   where e.tenant_id = $1::bigint
   and e.sequence >= found.high
   and e.created_at >= (select since from wanted)
   order by e.sequence
   limit 1), found.last + 1) as first
 from found)
select last, first, (
 select coalesce(sum(until_sequence - after_sequence), 0)::bigint
 from event_gaps
 where tenant_id = $1::bigint
 and after_sequence >= first
 and until_sequence < last) as left_out
from range

-- recoverWebhookSubscription 2
with s as materialized (select events, '*' = any (events) as is_all from webhook_subscriptions where tenant_id = $1::bigint and id = $2::bigint)
select (
 select count(*)
 from events e
 where e.tenant_id = $1::bigint
 and e.sequence between $3::bigint
 and $4::bigint
 and ((select is_all from s) or e.type = any ((select events from s)::text[]))) - (
 select count(*)
 from (
  -- Ordered, so that it is a range of the index over sequences.
  select
  from webhook_deliveries d
  where d.tenant_id = $1::bigint
  and d.subscription_id = $2::bigint
  and d.sequence between $3::bigint
  and $4::bigint
  and d.status = 'succeeded'
  and ((select is_all from s) or d.event_type = any ((select events from s)::text[]))
  order by d.sequence
  offset 0) delivered) as count

-- recoverWebhookSubscription 3
with step as materialized (
 select tenant_id, id as subscription_id, generation, events, true as is_current, $3::bigint as first, least($3::bigint + $4::integer - 1, $5::bigint) as last,
 $5::bigint as range_last, $6::timestamptz as due_at
 from webhook_subscriptions
 where tenant_id = $1::bigint
 and id = $2::bigint), missed as materialized (
 select e.tenant_id, step.subscription_id, step.generation, e.event_id, e.type, e.sequence, step.due_at - interval '1 microsecond' * (step.range_last - e.sequence + 1) as next_attempt_at,
 step.due_at
 from step
 cross join lateral (
  select tenant_id, type, sequence, coalesce(id, substr(body, 8, 36)) as event_id
  from events e
  where e.tenant_id = step.tenant_id
  and e.sequence between step.first
  and step.last
  and ('*' = any (step.events) or e.type = any (step.events))
  offset 0) e
 where step.is_current
 and e.sequence not in (
  -- Depends on no event, so that it is read once; ordered, so that it is a range of the index over sequences.
  select d.sequence
  from webhook_deliveries d
  where d.tenant_id = (select tenant_id from step)
  and d.subscription_id = (select subscription_id from step)
  and d.sequence between (select first from step)
  and (select last from step)
  and d.status = 'succeeded'
  order by d.sequence
  offset 0)
 order by e.sequence), made as (
 insert into webhook_deliveries (tenant_id, subscription_id, generation, event_id, event_type, sequence, next_attempt_at, created_at)
 select tenant_id, subscription_id, generation, event_id, type, sequence, next_attempt_at, due_at
 from missed
 order by sequence on conflict (tenant_id, subscription_id, sequence) do update
 set status = 'pending', generation = excluded.generation, round_attempts = 0, next_attempt_at = excluded.next_attempt_at,
 completed_at = null
 where webhook_deliveries.status <> 'succeeded'
 returning 1)
insert into webhook_recoveries as r (tenant_id, subscription_id, generation, next_sequence, last_sequence, due_at)
select tenant_id, subscription_id, generation, last + 1, range_last, due_at
from step
where last < range_last on conflict (tenant_id, subscription_id) do update
set generation = excluded.generation, last_sequence = excluded.last_sequence, due_at = excluded.due_at, next_sequence = case when r.generation = excluded.generation then least(r.next_sequence, excluded.next_sequence) else excluded.next_sequence end

-- recoverWebhookSubscription 4
select iso(created_at) as at
from events
where tenant_id = $::bigint
and sequence >= $::bigint
order by sequence
limit 1

-- recoverWebhookSubscription, distributed 1
with step as materialized (
 select tenant_id, id as subscription_id, generation, events, true as is_current, $3::bigint as first, least($3::bigint + $4::integer - 1, $5::bigint) as last,
 $5::bigint as range_last, $6::timestamptz as due_at
 from webhook_subscriptions
 where tenant_id = $1::bigint
 and id = $2::bigint), missed as materialized (
 select e.tenant_id, step.subscription_id, step.generation, e.event_id, e.type, e.sequence, step.due_at - interval '1 microsecond' * (step.range_last - e.sequence + 1) as next_attempt_at,
 step.due_at
 from step
 cross join lateral (
  select tenant_id, type, sequence, coalesce(id, substr(body, 8, 36)) as event_id
  from events e
  where e.tenant_id = step.tenant_id
  and e.sequence between step.first
  and step.last
  and ('*' = any (step.events) or e.type = any (step.events))
  offset 0) e
 where step.is_current
 and e.sequence not in (
  -- Depends on no event, so that it is read once; ordered, so that it is a range of the index over sequences.
  select d.sequence
  from webhook_deliveries d
  where d.tenant_id = (select tenant_id from step)
  and d.subscription_id = (select subscription_id from step)
  and d.sequence between (select first from step)
  and (select last from step)
  and d.status = 'succeeded'
  order by d.sequence
  offset 0)
 order by e.sequence), made as (
 insert into webhook_deliveries (id, tenant_id, subscription_id, generation, event_id, event_type, sequence, next_attempt_at, created_at)
 select ($7::bigint[])[row_number() over (order by sequence)], tenant_id, subscription_id, generation, event_id, type, sequence,
 next_attempt_at, due_at
 from missed
 order by sequence on conflict (tenant_id, subscription_id, sequence) do update
 set status = 'pending', generation = excluded.generation, round_attempts = 0, next_attempt_at = excluded.next_attempt_at,
 completed_at = null
 where webhook_deliveries.status <> 'succeeded'
 returning 1)
insert into webhook_recoveries as r (tenant_id, subscription_id, generation, next_sequence, last_sequence, due_at)
select tenant_id, subscription_id, generation, last + 1, range_last, due_at
from step
where last < range_last on conflict (tenant_id, subscription_id) do update
set generation = excluded.generation, last_sequence = excluded.last_sequence, due_at = excluded.due_at, next_sequence = case when r.generation = excluded.generation then least(r.next_sequence, excluded.next_sequence) else excluded.next_sequence end

-- redeliverWebhookDelivery 1
select d.tenant_id, d.id, s.generation, d.body is not null
or exists (select from events e where e.tenant_id = d.tenant_id and e.sequence = d.sequence) as kept
from (
 select d.*
 from unnest($::bigint[], $::bigint[]) as q (tenant_id, id)
 cross join lateral (
  select tenant_id, id, subscription_id, body, sequence
  from webhook_deliveries
  where tenant_id = q.tenant_id
  and id = q.id
  limit 1) d
 order by d.tenant_id, d.subscription_id
 offset 0) d
cross join lateral (
 select generation
 from webhook_subscriptions
 where tenant_id = d.tenant_id
 and id = d.subscription_id
 and deleted_at is null
 limit 1 for no key update) s

-- redeliverWebhookDelivery 2
select q.tenant_id, "r"."id"::text as "id", "r"."subscription_id"::text as "subscription_id", "r"."generation"::text as "generation",
"r"."event_id"::text as "event_id", "r"."event_type"::text as "event_type", "r"."sequence"::text as "sequence", "r"."body"::text as "body",
"r"."status"::text as "status", "r"."attempts"::text as "attempts", "r"."round_attempts"::text as "round_attempts", "r"."response_status"::text as "response_status",
"r"."duration_ms"::text as "duration_ms", "r"."error"::text as "error", iso("r"."next_attempt_at") as "next_attempt_at", iso("r"."created_at") as "created_at",
iso("r"."completed_at") as "completed_at"
from (select * from unnest($::bigint[], $::bigint[]) as q (tenant_id, value) order by tenant_id, value offset 0) q
cross join lateral (select * from "webhook_deliveries" where tenant_id = q.tenant_id and "id" = q.value limit 1 for no key update) r

-- redeliverWebhookDelivery 3
update "webhook_deliveries" t
set "subscription_id" = "r"."subscription_id", "generation" = "r"."generation", "event_id" = "r"."event_id", "event_type" = "r"."event_type",
"sequence" = "r"."sequence", "body" = "r"."body", "status" = "r"."status", "attempts" = "r"."attempts", "round_attempts" = "r"."round_attempts",
"response_status" = "r"."response_status", "duration_ms" = "r"."duration_ms", "error" = "r"."error", "next_attempt_at" = "r"."next_attempt_at",
"created_at" = "r"."created_at", "completed_at" = "r"."completed_at"
from unnest($::bigint[], $::bigint[], $::bigint[], $::integer[], $::text[], $::text[], $::bigint[], $::text[], $::text[], $::integer[], $::integer[], $::integer[], $::integer[], $::text[], $::timestamptz[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "subscription_id", "generation", "event_id", "event_type", "sequence", "body", "status", "attempts", "round_attempts", "response_status", "duration_ms", "error", "next_attempt_at", "created_at", "completed_at")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- reverseLandedCost [1]
"r"."stock_amount"::text as "stock_amount", "r"."expensed_amount"::text as "expensed_amount"

-- reverseLandedCost 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."purchase_receipt_id"::text as "purchase_receipt_id",
"r"."purchase_order_id"::text as "purchase_order_id", "r"."storage_place_id"::text as "storage_place_id", "r"."currency"::text as "currency",
"r"."exchange_rate"::text as "exchange_rate", iso("r"."date") as "date", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at", "r"."reversed"::text as "reversed", iso("r"."reversed_at") as "reversed_at",
"r"."reversal_reason"::text as "reversal_reason", "r"."reversed_by_user_name"::text as "reversed_by_user_name", "r"."total_amount"::text as "total_amount",
[1]
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "landed_costs" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- reverseLandedCost 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."title"::text as "title", "r"."amount"::text as "amount",
"r"."distribution"::text as "distribution"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "landed_cost_items" where tenant_id = q.tenant_id and "landed_cost_id" = q.value offset 0) r
order by r.id

-- reverseLandedCost 3
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."purchase_receipt_id"::text as "receipt_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."batch_id"::text as "batch_id", "r"."stock_quantity"::text as "stock_quantity", "r"."amount"::text as "amount",
[1]
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "landed_cost_allocations" where tenant_id = q.tenant_id and "landed_cost_id" = q.value offset 0) r
order by r.id

-- reverseLandedCost 4
update "landed_costs" t
set "number" = "r"."number", "purchase_receipt_id" = "r"."purchase_receipt_id", "purchase_order_id" = "r"."purchase_order_id",
"storage_place_id" = "r"."storage_place_id", "currency" = "r"."currency", "exchange_rate" = "r"."exchange_rate", "date" = "r"."date",
"notes" = "r"."notes", "external_ref" = "r"."external_ref", "metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name",
"updated_by_user_name" = "r"."updated_by_user_name", "created_at" = "r"."created_at", "updated_at" = "r"."updated_at", "reversed" = "r"."reversed",
"reversed_at" = "r"."reversed_at", "reversal_reason" = "r"."reversal_reason", "reversed_by_user_name" = "r"."reversed_by_user_name",
"total_amount" = "r"."total_amount", "stock_amount" = "r"."stock_amount", "expensed_amount" = "r"."expensed_amount"
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::numeric[], $::timestamptz[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[], $::boolean[], $::timestamptz[], $::text[], $::text[], $::numeric[], $::numeric[], $::numeric[]) as r ("tenant_id", "id", "number", "purchase_receipt_id", "purchase_order_id", "storage_place_id", "currency", "exchange_rate", "date", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name", "total_amount", "stock_amount", "expensed_amount")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- reversePurchaseReceipt [1]
from (
 select distinct a.tenant_id, found.id as value
 from unnest($::bigint[], $::bigint[]) as a (tenant_id, value)
 cross join lateral (select "purchase_order_id" as id from "purchase_receipts" where tenant_id = a.tenant_id and id = a.value limit 1) found) q

-- reversePurchaseReceipt 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."status"::text as "status", "r"."delivery_status"::text as "delivery_status",
"r"."currency"::text as "currency", "r"."exchange_rate"::text as "exchange_rate", iso("r"."date") as "date", iso("r"."expected_date") as "expected_date",
"r"."expected_place_id"::text as "storage_place_id", iso("r"."completed_at") as "completed_at", "r"."notes"::text as "notes",
"r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."close_reason"::text as "close_reason", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at", "r"."supplier_id"::text as "supplier_id", "r"."total_amount"::text as "total_amount",
"r"."tax_amount"::text as "tax_amount"
[1]
cross join lateral (select * from "purchase_orders" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- reversePurchaseReceipt 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."supplier_sku"::text as "supplier_sku", "r"."title"::text as "title", "r"."batch_number"::text as "batch_number",
"r"."expiry_date"::text as "expiry_date", iso("r"."expected_date") as "expected_date", "r"."holds_stock"::text as "holds_stock",
"r"."is_open"::text as "is_open", "r"."was_received"::text as "was_received", "r"."quantity"::text as "quantity", "r"."purchase_quantity"::text as "purchase_quantity",
"r"."purchase_unit_name"::text as "purchase_unit_name", "r"."conversion_rate"::text as "conversion_rate", "r"."received_quantity"::text as "received_quantity",
"r"."price"::text as "price", "r"."purchase_price"::text as "purchase_price", "r"."discount_percent"::text as "discount_percent",
"r"."tax_rate"::text as "tax_rate", "r"."line_amount"::text as "line_amount", "r"."line_tax_amount"::text as "line_tax_amount"
[1]
cross join lateral (select * from "purchase_order_items" where tenant_id = q.tenant_id and "purchase_order_id" = q.value offset 0) r
order by r.id

-- reversePurchaseReceipt 3
select q.tenant_id, q.id, l.number
from unnest($::bigint[], $::bigint[]) as q (tenant_id, id)
cross join lateral (
 select number
 from landed_costs
 where tenant_id = q.tenant_id
 and purchase_receipt_id = q.id
 and not reversed
 order by id
 limit 1) l

-- reversePurchaseReceipt 4
select q.tenant_id, q.id, m.item_variant_id, m.storage_place_id, m.batch_id, m.kind, m.quantity, m.quarantine_quantity, m.value
from unnest($::bigint[], $::bigint[]) as q (tenant_id, id)
cross join lateral (select * from stock_movements where tenant_id = q.tenant_id and source_id = q.id order by id limit 101) m
order by m.id desc

-- reversePurchaseReceipt 5
update "purchase_receipts" t
set "number" = "r"."number", "purchase_order_id" = "r"."purchase_order_id", "storage_place_id" = "r"."storage_place_id", "received_date" = "r"."received_date",
"created_at" = "r"."created_at", "updated_at" = "r"."updated_at", "reversed" = "r"."reversed", "reversed_at" = "r"."reversed_at",
"reversal_reason" = "r"."reversal_reason", "reversed_by_user_name" = "r"."reversed_by_user_name", "notes" = "r"."notes", "external_ref" = "r"."external_ref",
"metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name",
"total_amount" = "r"."total_amount"
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::bigint[], $::timestamptz[], $::timestamptz[], $::timestamptz[], $::boolean[], $::timestamptz[], $::text[], $::text[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::numeric[]) as r ("tenant_id", "id", "number", "purchase_order_id", "storage_place_id", "received_date", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "total_amount")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- reverseSalesShipment [1]
from (
 select distinct a.tenant_id, found.id as value
 from unnest($::bigint[], $::bigint[]) as a (tenant_id, value)
 cross join lateral (select "sales_order_id" as id from "sales_shipments" where tenant_id = a.tenant_id and id = a.value limit 1) found) q

-- reverseSalesShipment 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."sales_order_id"::text as "sales_order_id",
iso("r"."date") as "date", "r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", iso("r"."created_at") as "created_at", "r"."carrier"::text as "carrier",
"r"."tracking_number"::text as "tracking_number", "r"."tracking_url"::text as "tracking_url", "r"."notes"::text as "notes",
iso("r"."updated_at") as "updated_at", "r"."reversed"::text as "reversed", iso("r"."reversed_at") as "reversed_at", "r"."reversal_reason"::text as "reversal_reason",
"r"."reversed_by_user_name"::text as "reversed_by_user_name"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_shipments" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- reverseSalesShipment 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."sales_order_item_id"::text as "sales_order_item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."quantity"::text as "quantity", "r"."batch_id"::text as "batch_id", "r"."sales_order_id"::text as "order_id", "r"."value"::text as "value"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_shipment_items" where tenant_id = q.tenant_id and "sales_shipment_id" = q.value offset 0) r
order by r.id

-- reverseSalesShipment 3
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."status"::text as "status", "r"."delivery_status"::text as "delivery_status",
"r"."currency"::text as "currency", "r"."priority"::text as "priority", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
"r"."allow_backorder"::text as "allow_backorder", iso("r"."created_at") as "created_date", iso("r"."updated_at") as "updated_at",
iso("r"."ordered_at") as "ordered_at", iso("r"."delivery_date") as "delivery_date", iso("r"."shipped_at") as "shipped_at",
iso("r"."cancelled_at") as "cancelled_at", "r"."cancelled_by_user_id"::text as "cancelled_by_user_id", "r"."cancelled_by_user_name"::text as "cancelled_by_user_name",
"r"."cancel_reason"::text as "cancel_reason", "r"."customer_id"::text as "customer_id", "r"."shipping_address"::text as "shipping_address",
"r"."billing_address"::text as "billing_address", "r"."total_amount"::text as "total_amount", "r"."tax_amount"::text as "tax_amount"
[1]
cross join lateral (select * from "sales_orders" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- reverseSalesShipment 4
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."title"::text as "title", "r"."holds_stock"::text as "holds_stock", "r"."is_open"::text as "is_open",
"r"."was_shipped"::text as "was_shipped", "r"."storage_place_id"::text as "storage_place_id", "r"."quantity"::text as "quantity",
"r"."price"::text as "price", "r"."discount_percent"::text as "discount_percent", "r"."tax_rate"::text as "tax_rate", "r"."line_amount"::text as "line_amount",
"r"."line_tax_amount"::text as "line_tax_amount", "r"."packed_quantity"::text as "packed_quantity", "r"."shipped_quantity"::text as "shipped_quantity",
"r"."shipped_value"::text as "shipped_value"
[1]
cross join lateral (select * from "sales_order_items" where tenant_id = q.tenant_id and "sales_order_id" = q.value offset 0) r
order by r.id

-- reverseSalesShipment 5
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."title"::text as "title", "r"."amount"::text as "amount",
"r"."tax_rate"::text as "tax_rate", "r"."tax_amount"::text as "tax_amount"
[1]
cross join lateral (select * from "sales_order_charges" where tenant_id = q.tenant_id and "sales_order_id" = q.value offset 0) r
order by r.id

-- reverseSalesShipment 6
select q.tenant_id, q.id, r.number
from unnest($::bigint[], $::bigint[]) as q (tenant_id, id)
cross join lateral (
 select r.number
 from sales_return_items i
 cross join lateral (select number, status from sales_returns where tenant_id = i.tenant_id and id = i.sales_return_id limit 1) r
 where i.tenant_id = q.tenant_id
 and i.sales_order_item_id = q.id
 and r.status <> 'CANCELLED'
 order by i.id
 limit 1) r

-- reverseSalesShipment 7
update "sales_shipments" t
set "number" = "r"."number", "sales_order_id" = "r"."sales_order_id", "date" = "r"."date", "external_ref" = "r"."external_ref",
"metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name",
"created_at" = "r"."created_at", "carrier" = "r"."carrier", "tracking_number" = "r"."tracking_number", "tracking_url" = "r"."tracking_url",
"notes" = "r"."notes", "updated_at" = "r"."updated_at", "reversed" = "r"."reversed", "reversed_at" = "r"."reversed_at", "reversal_reason" = "r"."reversal_reason",
"reversed_by_user_name" = "r"."reversed_by_user_name"
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::timestamptz[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::text[], $::text[], $::text[], $::text[], $::timestamptz[], $::boolean[], $::timestamptz[], $::text[], $::text[]) as r ("tenant_id", "id", "number", "sales_order_id", "date", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "carrier", "tracking_number", "tracking_url", "notes", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- reverseStockAdjustment 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."storage_place_id"::text as "storage_place_id",
iso("r"."date") as "date", "r"."reason"::text as "reason", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
"r"."stock_count_id"::text as "stock_count_id", iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at",
"r"."reversed"::text as "reversed", iso("r"."reversed_at") as "reversed_at", "r"."reversal_reason"::text as "reversal_reason",
"r"."reversed_by_user_name"::text as "reversed_by_user_name", "r"."total_amount"::text as "total_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "stock_adjustments" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- reverseStockAdjustment 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."title"::text as "title", "r"."batch_id"::text as "batch_id", "r"."batch_number"::text as "batch_number",
"r"."quantity"::text as "quantity", "r"."quantity_before"::text as "quantity_before", "r"."quantity_after"::text as "quantity_after",
"r"."unit_cost"::text as "unit_cost", "r"."amount"::text as "amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "stock_adjustment_items" where tenant_id = q.tenant_id and "stock_adjustment_id" = q.value offset 0) r
order by r.id

-- reverseStockAdjustment 3
update "stock_adjustments" t
set "number" = "r"."number", "storage_place_id" = "r"."storage_place_id", "date" = "r"."date", "reason" = "r"."reason", "notes" = "r"."notes",
"external_ref" = "r"."external_ref", "metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name",
"stock_count_id" = "r"."stock_count_id", "created_at" = "r"."created_at", "updated_at" = "r"."updated_at", "reversed" = "r"."reversed",
"reversed_at" = "r"."reversed_at", "reversal_reason" = "r"."reversal_reason", "reversed_by_user_name" = "r"."reversed_by_user_name",
"total_amount" = "r"."total_amount"
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::timestamptz[], $::text[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::bigint[], $::timestamptz[], $::timestamptz[], $::boolean[], $::timestamptz[], $::text[], $::text[], $::numeric[]) as r ("tenant_id", "id", "number", "storage_place_id", "date", "reason", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "stock_count_id", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name", "total_amount")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- reverseStockTransfer 1
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."from_storage_place_id"::text as "from_storage_place_id",
"r"."to_storage_place_id"::text as "to_storage_place_id", iso("r"."date") as "date", "r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name", "r"."updated_by_user_name"::text as "updated_by_user_name",
iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at", "r"."reversed"::text as "reversed", iso("r"."reversed_at") as "reversed_at",
"r"."reversal_reason"::text as "reversal_reason", "r"."reversed_by_user_name"::text as "reversed_by_user_name"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "stock_transfers" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- reverseStockTransfer 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_variant_id"::text as "item_variant_id", "r"."sku"::text as "sku",
"r"."title"::text as "title", "r"."batch_id"::text as "batch_id", "r"."batch_number"::text as "batch_number", "r"."quantity"::text as "quantity",
"r"."value"::text as "value", "r"."from_quarantine"::text as "from_quarantine", "r"."to_quarantine"::text as "to_quarantine"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "stock_transfer_items" where tenant_id = q.tenant_id and "stock_transfer_id" = q.value offset 0) r
order by r.id

-- reverseStockTransfer 3
update "stock_transfers" t
set "number" = "r"."number", "from_storage_place_id" = "r"."from_storage_place_id", "to_storage_place_id" = "r"."to_storage_place_id",
"date" = "r"."date", "notes" = "r"."notes", "external_ref" = "r"."external_ref", "metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name",
"updated_by_user_name" = "r"."updated_by_user_name", "created_at" = "r"."created_at", "updated_at" = "r"."updated_at", "reversed" = "r"."reversed",
"reversed_at" = "r"."reversed_at", "reversal_reason" = "r"."reversal_reason", "reversed_by_user_name" = "r"."reversed_by_user_name"
from unnest($::bigint[], $::bigint[], $::text[], $::bigint[], $::bigint[], $::timestamptz[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[], $::boolean[], $::timestamptz[], $::text[], $::text[]) as r ("tenant_id", "id", "number", "from_storage_place_id", "to_storage_place_id", "date", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at", "reversed", "reversed_at", "reversal_reason", "reversed_by_user_name")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- rotateWebhookSecret 1
update "webhook_secrets" t
set "sealed" = "r"."sealed", "created_at" = "r"."created_at", "expires_at" = "r"."expires_at"
from unnest($::bigint[], $::bigint[], $::bigint[], $::bytea[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "subscription_id", "id", "sealed", "created_at", "expires_at")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."subscription_id" = "r"."subscription_id"
and "t"."id" = "r"."id"

-- testWebhookSubscription 1
insert into "webhook_deliveries" ("tenant_id", "id", "subscription_id", "generation", "event_id", "event_type", "sequence", "body", "status", "attempts", "round_attempts", "response_status", "duration_ms", "error", "next_attempt_at", "created_at", "completed_at")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::integer[], $::text[], $::text[], $::bigint[], $::text[], $::text[], $::integer[], $::integer[], $::integer[], $::integer[], $::text[], $::timestamptz[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "subscription_id", "generation", "event_id", "event_type", "sequence", "body", "status", "attempts", "round_attempts", "response_status", "duration_ms", "error", "next_attempt_at", "created_at", "completed_at")

-- updateBatch 1
select q.tenant_id, "r"."id"::text as "id", "r"."item_variant_id"::text as "item_variant_id", "r"."number"::text as "number",
"r"."manufacture_date"::text as "manufacture_date", "r"."expiry_date"::text as "expiry_date", (coalesce("r".expiry_date < (now() at time zone 'utc')::date, false))::text as "is_expired",
(l.quantity)::text as "quantity", (l.quarantine_quantity)::text as "quarantine_quantity", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "batches" where tenant_id = q.tenant_id and "id" = q.value limit 1) r
cross join lateral (
 select coalesce(sum(quantity), 0) as quantity, coalesce(sum(quarantine_quantity), 0) as quarantine_quantity
 from stock_levels
 where tenant_id = r.tenant_id
 and batch_id = r.id) l

-- updateBatch 2
select d.tenant_id, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."sku"::text as "sku", "r"."title"::text as "title"
from (
 select distinct q.tenant_id, d.other
 from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
 cross join lateral (select "item_variant_id" as other from "batches" where tenant_id = q.tenant_id and "id" = q.value offset 0) d) d
cross join lateral (select * from "item_variants" where tenant_id = d.tenant_id and id = d.other limit 1) r

-- updateBatch 3
update "batches" t
set "item_variant_id" = "r"."item_variant_id", "number" = "r"."number", "manufacture_date" = "r"."manufacture_date", "expiry_date" = "r"."expiry_date",
"created_at" = "r"."created_at", "updated_at" = "r"."updated_at"
from unnest($::bigint[], $::bigint[], $::bigint[], $::text[], $::date[], $::date[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "item_variant_id", "number", "manufacture_date", "expiry_date", "created_at", "updated_at")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- updateCustomer 1
update "customers" t
set "title" = "r"."title", "country_code" = "r"."country_code", "email" = "r"."email", "phone" = "r"."phone", "tax_number" = "r"."tax_number",
"currency" = "r"."currency", "external_ref" = "r"."external_ref", "metadata" = "r"."metadata", "shipping_address" = "r"."shipping_address",
"billing_address" = "r"."billing_address", "created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name",
"archived" = "r"."archived", "created_at" = "r"."created_at", "updated_at" = "r"."updated_at"
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::text[], $::text[], $::text[], $::jsonb[], $::jsonb[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "title", "country_code", "email", "phone", "tax_number", "currency", "external_ref", "metadata", "shipping_address", "billing_address", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- updateOperation 1
update "operations" t
set "title" = "r"."title", "position" = "r"."position", "cost_per_hour" = "r"."cost_per_hour", "unit_id" = "r"."unit_id",
"external_ref" = "r"."external_ref", "metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name",
"created_at" = "r"."created_at", "updated_at" = "r"."updated_at"
from unnest($::bigint[], $::bigint[], $::text[], $::integer[], $::numeric[], $::bigint[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "title", "position", "cost_per_hour", "unit_id", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- updateProduct 1
select q.tenant_id, "r"."id"::text as "id", "r"."title"::text as "title", "r"."type"::text as "type", "r"."description"::text as "description",
"r"."category"::text as "category", "r"."unit_id"::text as "unit_id", "r"."is_sellable"::text as "is_sellable", "r"."is_producible"::text as "is_producible",
"r"."is_purchasable"::text as "is_purchasable", "r"."batch_tracked"::text as "batch_tracked", "r"."shelf_life_days"::text as "shelf_life_days",
"r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."archived"::text as "archived", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "items" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- updateProduct 2
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."title"::text as "title",
"r"."sku"::text as "sku", "r"."barcode"::text as "barcode", "r"."price"::text as "price", "r"."purchase_price"::text as "purchase_price",
"r"."minimum_stock"::text as "minimum_stock", "r"."lead_time_days"::text as "lead_time_days", "r"."minimum_order_quantity"::text as "minimum_order_quantity",
"r"."order_multiple"::text as "order_multiple", "r"."attributes"::text as "attributes", "r"."archived"::text as "archived",
"r"."active"::text as "active", iso("r"."created_at") as "created_at", iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "item_variants" where tenant_id = q.tenant_id and "item_id" = q.value offset 0) r
order by r.id

-- updateProduct 3
select d.tenant_id, "r"."id"::text as "id", "r"."name"::text as "name"
from (
 select distinct q.tenant_id, d.other
 from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
 cross join lateral (select "unit_id" as other from "items" where tenant_id = q.tenant_id and "id" = q.value offset 0) d) d
cross join lateral (select * from "units" where tenant_id = d.tenant_id and id = d.other limit 1) r

-- updateProduct 4
update "items" t
set "title" = "r"."title", "type" = "r"."type", "description" = "r"."description", "category" = "r"."category", "unit_id" = "r"."unit_id",
"is_sellable" = "r"."is_sellable", "is_producible" = "r"."is_producible", "is_purchasable" = "r"."is_purchasable", "batch_tracked" = "r"."batch_tracked",
"shelf_life_days" = "r"."shelf_life_days", "external_ref" = "r"."external_ref", "metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name",
"updated_by_user_name" = "r"."updated_by_user_name", "archived" = "r"."archived", "created_at" = "r"."created_at", "updated_at" = "r"."updated_at"
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::bigint[], $::boolean[], $::boolean[], $::boolean[], $::boolean[], $::integer[], $::text[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "title", "type", "description", "category", "unit_id", "is_sellable", "is_producible", "is_purchasable", "batch_tracked", "shelf_life_days", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- updateProduct 5
update "item_variants" t
set "item_id" = "r"."item_id", "title" = "r"."title", "sku" = "r"."sku", "barcode" = "r"."barcode", "price" = "r"."price",
"purchase_price" = "r"."purchase_price", "minimum_stock" = "r"."minimum_stock", "lead_time_days" = "r"."lead_time_days", "minimum_order_quantity" = "r"."minimum_order_quantity",
"order_multiple" = "r"."order_multiple", "attributes" = "r"."attributes", "archived" = "r"."archived", "active" = "r"."active",
"created_at" = "r"."created_at", "updated_at" = "r"."updated_at"
from unnest($::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::numeric[], $::numeric[], $::numeric[], $::integer[], $::numeric[], $::numeric[], $::jsonb[], $::boolean[], $::boolean[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "item_id", "id", "title", "sku", "barcode", "price", "purchase_price", "minimum_stock", "lead_time_days", "minimum_order_quantity", "order_multiple", "attributes", "archived", "active", "created_at", "updated_at")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."item_id" = "r"."item_id"
and "t"."id" = "r"."id"

-- updateProduct 6
select q.tenant_id, q.id
from unnest($::bigint[], $::bigint[]) as q (tenant_id, id)
where exists (
 select
 from item_variants v
 cross join lateral (select from stock_levels l where l.tenant_id = v.tenant_id and l.item_variant_id = v.id and l.quantity > 0 limit 1) l
 where v.tenant_id = q.tenant_id
 and v.item_id = q.id)

-- updatePurchaseOrder 1
delete
from "purchase_order_items" t
using unnest($::bigint[], $::bigint[], $::bigint[]) as r ("tenant_id", "purchase_order_id", "id")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."purchase_order_id" = "r"."purchase_order_id"
and "t"."id" = "r"."id"

-- updateRecipe [1]
using unnest($::bigint[], $::bigint[], $::bigint[]) as r ("tenant_id", "recipe_id", "id")

-- updateRecipe 1
update "recipes" t
set "item_id" = "r"."item_id", "item_variant_id" = "r"."item_variant_id", "external_ref" = "r"."external_ref", "metadata" = "r"."metadata",
"created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name", "created_at" = "r"."created_at",
"updated_at" = "r"."updated_at"
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::jsonb[], $::text[], $::text[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "item_id", "item_variant_id", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "created_at", "updated_at")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- updateRecipe 2
delete
from "recipe_operations" t
[1]
where "t"."tenant_id" = "r"."tenant_id"
and "t"."recipe_id" = "r"."recipe_id"
and "t"."id" = "r"."id"

-- updateRecipe 3
delete
from "recipe_materials" t
[1]
where "t"."tenant_id" = "r"."tenant_id"
and "t"."recipe_id" = "r"."recipe_id"
and "t"."id" = "r"."id"

-- updateSalesOrder 1
delete
from "sales_order_items" t
using unnest($::bigint[], $::bigint[], $::bigint[]) as r ("tenant_id", "sales_order_id", "id")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."sales_order_id" = "r"."sales_order_id"
and "t"."id" = "r"."id"

-- updateSalesOrder 2
select q.tenant_id, "r"."id"::text as "id", "r"."name"::text as "name"
from unnest($::bigint[], $::text[]) as q (tenant_id, value)
cross join lateral (select * from "users" where tenant_id = q.tenant_id and "name" = q.value limit 1) r

-- updateSalesOrder 3
insert into "users" ("tenant_id", "id", "name")
select *
from unnest($::bigint[], $::bigint[], $::text[]) as r ("tenant_id", "id", "name")

-- updateStockCount 1
select q.tenant_id, q.count, q.variant, q.batch, q.number, "l"."id"::text as "id", "l"."stock_count_id"::text as "stock_count_id",
"l"."item_id"::text as "item_id", "l"."item_variant_id"::text as "item_variant_id", "l"."sku"::text as "sku", "l"."title"::text as "title",
"l"."batch_id"::text as "batch_id", "l"."batch_number"::text as "batch_number", "l"."expected_quantity"::text as "expected_quantity",
"l"."counted_quantity"::text as "counted_quantity", "l"."difference"::text as "difference", iso("l"."counted_at") as "counted_at",
"l"."counted_by_user_name"::text as "counted_by_user_name"
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[]) as q (tenant_id, count, variant, batch, number)
cross join lateral (
 select case when q.number = '' then q.batch else (select id from batches where tenant_id = q.tenant_id and item_variant_id = q.variant and number = q.number limit 1) end as batch_key) b
cross join lateral (
 select *
 from stock_count_items
 where tenant_id = q.tenant_id
 and stock_count_id = q.count
 and item_variant_id = q.variant
 and batch_key = b.batch_key
 limit 1) l

-- updateStockCount 2
update "stock_count_items" t
set "stock_count_id" = "r"."stock_count_id", "item_id" = "r"."item_id", "item_variant_id" = "r"."item_variant_id", "sku" = "r"."sku",
"title" = "r"."title", "batch_id" = "r"."batch_id", "batch_number" = "r"."batch_number", "expected_quantity" = "r"."expected_quantity",
"counted_quantity" = "r"."counted_quantity", "difference" = "r"."difference", "counted_at" = "r"."counted_at", "counted_by_user_name" = "r"."counted_by_user_name"
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::bigint[], $::text[], $::numeric[], $::numeric[], $::numeric[], $::timestamptz[], $::text[]) as r ("tenant_id", "id", "stock_count_id", "item_id", "item_variant_id", "sku", "title", "batch_id", "batch_number", "expected_quantity", "counted_quantity", "difference", "counted_at", "counted_by_user_name")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- updateStoragePlace 1
update "storage_places" t
set "title" = "r"."title", "code" = "r"."code", "is_main" = "r"."is_main", "manufacturing_allowed" = "r"."manufacturing_allowed",
"sales_allowed" = "r"."sales_allowed", "purchase_allowed" = "r"."purchase_allowed", "address" = "r"."address", "external_ref" = "r"."external_ref",
"metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name",
"archived" = "r"."archived", "created_at" = "r"."created_at", "updated_at" = "r"."updated_at"
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::boolean[], $::boolean[], $::boolean[], $::boolean[], $::jsonb[], $::text[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "title", "code", "is_main", "manufacturing_allowed", "sales_allowed", "purchase_allowed", "address", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- updateStoragePlace 2
select q.tenant_id, q.id
from unnest($::bigint[], $::bigint[]) as q (tenant_id, id)
cross join lateral (
 select
 from stock_levels
 where tenant_id = q.tenant_id
 and storage_place_id = q.id
 and (quantity > 0 or reserved_quantity > 0)
 limit 1) l

-- updateSupplier 1
update "suppliers" t
set "title" = "r"."title", "country_code" = "r"."country_code", "email" = "r"."email", "phone" = "r"."phone", "tax_number" = "r"."tax_number",
"currency" = "r"."currency", "external_ref" = "r"."external_ref", "metadata" = "r"."metadata", "address" = "r"."address",
"created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name", "archived" = "r"."archived",
"created_at" = "r"."created_at", "updated_at" = "r"."updated_at"
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::text[], $::text[], $::text[], $::jsonb[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[]) as r ("tenant_id", "id", "title", "country_code", "email", "phone", "tax_number", "currency", "external_ref", "metadata", "address", "created_by_user_name", "updated_by_user_name", "archived", "created_at", "updated_at")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- updateSupplierItem 1
select q.tenant_id, "r"."id"::text as "id", "r"."supplier_id"::text as "supplier_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."supplier_sku"::text as "supplier_sku", "r"."purchase_unit_name"::text as "purchase_unit_name", "r"."conversion_rate"::text as "conversion_rate",
"r"."price"::text as "price", "r"."currency"::text as "currency", "r"."minimum_quantity"::text as "minimum_quantity", "r"."multiple_of"::text as "multiple_of",
"r"."lead_time_days"::text as "lead_time_days", "r"."is_preferred"::text as "is_preferred", "r"."notes"::text as "notes",
"r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."archived"::text as "archived", iso("r"."created_at") as "created_at",
iso("r"."updated_at") as "updated_at"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "supplier_items" where tenant_id = q.tenant_id and "id" = q.value limit 1) r
