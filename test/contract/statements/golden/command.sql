-- Written by `npm run statements`. `$` is the next parameter.

-- annotateSalesOrder 1
begin

-- annotateSalesOrder 2
select tenant_id
from tenant_streams
where tenant_id = any ($::bigint[])
order by tenant_id for no key update

-- annotateSalesOrder 3
select current_generation()

-- annotateSalesOrder 4
select t.tenant_id, t.plan, t.owner_email, t.currency, t.closed_through::text, t.time_zone, s.event_sequence, iso(greatest(date_trunc('milliseconds', clock_timestamp()), s.last_command_at + interval '1 millisecond')) as now,
extract(epoch from clock_timestamp()) * 1000 as clock_ms, s.document_counts::text, s.has_webhooks, iso((select expires_at from reservations where tenant_id = q.tenant_id and status = 'HELD' order by expires_at limit 1)) as due_0,
pg_current_xact_id()::text as transaction, g.generation, t.moving ->> 'paused' = 'writes' as paused, clock_timestamp() - $2::timestamptz not between '-60 s'
and '60 s' as is_apart, s.event_gap + case when s.generation = g.generation then 0 else (select sum(event_gap)::bigint from generations where generation > s.generation) end as event_gap
from (select generation from generations order by generation desc limit 1) g
cross join unnest($1::bigint[]) as q (tenant_id)
cross join lateral (select * from tenants where tenant_id = q.tenant_id limit 1) t
cross join lateral (select * from tenant_streams where tenant_id = q.tenant_id limit 1) s

-- annotateSalesOrder 5
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

-- annotateSalesOrder 6
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

-- annotateSalesOrder 7
select q.tenant_id, q.key_id, q.quota_group, q.quota_day, k.daily_documents, coalesce((
  select documents
  from spent_documents
  where tenant_id = q.tenant_id
  and quota_group = q.quota_group
  and quota_day = q.quota_day
  limit 1), 0) as spent
from unnest($::bigint[], $::bigint[], $::bigint[], $::date[]) as q (tenant_id, key_id, quota_group, quota_day)
cross join lateral (select daily_documents from api_keys where tenant_id = q.tenant_id and id = q.key_id limit 1) k

-- annotateSalesOrder 8
select nextval('ids') as id
from generate_series(1, $::integer)

-- annotateSalesOrder 9
select q.tenant_id, "r"."id"::text as "id", "r"."number"::text as "number", "r"."status"::text as "status", "r"."delivery_status"::text as "delivery_status",
"r"."currency"::text as "currency", "r"."exchange_rate"::text as "exchange_rate", "r"."prices_include_tax"::text as "prices_include_tax",
"r"."tax_rounding"::text as "tax_rounding", "r"."tax_rounding_mode"::text as "tax_rounding_mode", "r"."priority"::text as "priority",
"r"."notes"::text as "notes", "r"."external_ref"::text as "external_ref", "r"."metadata"::text as "metadata", "r"."created_by_user_name"::text as "created_by_user_name",
"r"."updated_by_user_name"::text as "updated_by_user_name", "r"."allow_backorder"::text as "allow_backorder", iso("r"."created_at") as "created_date",
iso("r"."updated_at") as "updated_at", iso("r"."ordered_at") as "ordered_at", iso("r"."delivery_date") as "delivery_date",
iso("r"."shipped_at") as "shipped_at", iso("r"."cancelled_at") as "cancelled_at", "r"."cancelled_by_user_id"::text as "cancelled_by_user_id",
"r"."cancelled_by_user_name"::text as "cancelled_by_user_name", "r"."cancel_reason"::text as "cancel_reason", "r"."customer_id"::text as "customer_id",
"r"."shipping_address"::text as "shipping_address", "r"."billing_address"::text as "billing_address", "r"."total_amount"::text as "total_amount",
"r"."tax_amount"::text as "tax_amount"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_orders" where tenant_id = q.tenant_id and "id" = q.value limit 1) r

-- annotateSalesOrder 10
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."item_id"::text as "item_id", "r"."item_variant_id"::text as "item_variant_id",
"r"."sku"::text as "sku", "r"."title"::text as "title", "r"."holds_stock"::text as "holds_stock", "r"."is_open"::text as "is_open",
"r"."was_shipped"::text as "was_shipped", "r"."storage_place_id"::text as "storage_place_id", "r"."quantity"::text as "quantity",
"r"."price"::text as "price", "r"."discount_percent"::text as "discount_percent", "r"."discount_amount"::text as "discount_amount",
"r"."tax_rate"::text as "tax_rate", "r"."taxes"::text as "taxes", "r"."line_amount"::text as "line_amount", "r"."line_tax_amount"::text as "line_tax_amount",
"r"."packed_quantity"::text as "packed_quantity", "r"."shipped_quantity"::text as "shipped_quantity", "r"."external_ref"::text as "external_ref",
"r"."metadata"::text as "metadata", "r"."components"::text as "components", "r"."shipped_value"::text as "shipped_value"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_order_items" where tenant_id = q.tenant_id and "sales_order_id" = q.value offset 0) r
order by r.id

-- annotateSalesOrder 11
select q.tenant_id, q.value as parent, "r"."id"::text as "id", "r"."title"::text as "title", "r"."amount"::text as "amount",
"r"."tax_rate"::text as "tax_rate", "r"."taxes"::text as "taxes", "r"."tax_amount"::text as "tax_amount", ("r".amount + "r".tax_amount)::text as "amount_with_tax",
"r"."external_ref"::text as "external_ref"
from unnest($::bigint[], $::bigint[]) as q (tenant_id, value)
cross join lateral (select * from "sales_order_charges" where tenant_id = q.tenant_id and "sales_order_id" = q.value offset 0) r
order by r.id

-- annotateSalesOrder 12
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

-- annotateSalesOrder 13
update "sales_orders" t
set "number" = "r"."number", "status" = "r"."status", "delivery_status" = "r"."delivery_status", "currency" = "r"."currency",
"exchange_rate" = "r"."exchange_rate", "prices_include_tax" = "r"."prices_include_tax", "tax_rounding" = "r"."tax_rounding",
"tax_rounding_mode" = "r"."tax_rounding_mode", "priority" = "r"."priority", "notes" = "r"."notes", "external_ref" = "r"."external_ref",
"metadata" = "r"."metadata", "created_by_user_name" = "r"."created_by_user_name", "updated_by_user_name" = "r"."updated_by_user_name",
"allow_backorder" = "r"."allow_backorder", "created_at" = "r"."created_at", "updated_at" = "r"."updated_at", "ordered_at" = "r"."ordered_at",
"delivery_date" = "r"."delivery_date", "shipped_at" = "r"."shipped_at", "cancelled_at" = "r"."cancelled_at", "cancelled_by_user_id" = "r"."cancelled_by_user_id",
"cancelled_by_user_name" = "r"."cancelled_by_user_name", "cancel_reason" = "r"."cancel_reason", "customer_id" = "r"."customer_id",
"shipping_address" = "r"."shipping_address", "billing_address" = "r"."billing_address", "total_amount" = "r"."total_amount",
"tax_amount" = "r"."tax_amount"
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::numeric[], $::boolean[], $::text[], $::text[],
 $::integer[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[], $::timestamptz[],
 $::timestamptz[], $::timestamptz[], $::timestamptz[], $::bigint[], $::text[], $::text[], $::bigint[], $::jsonb[], $::jsonb[],
 $::numeric[], $::numeric[]) as r ("tenant_id", "id", "number", "status", "delivery_status", "currency", "exchange_rate", "prices_include_tax",
 "tax_rounding", "tax_rounding_mode", "priority", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name",
 "allow_backorder", "created_at", "updated_at", "ordered_at", "delivery_date", "shipped_at", "cancelled_at", "cancelled_by_user_id",
 "cancelled_by_user_name", "cancel_reason", "customer_id", "shipping_address", "billing_address", "total_amount", "tax_amount")
where "t"."tenant_id" = "r"."tenant_id"
and "t"."id" = "r"."id"

-- annotateSalesOrder 14
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

-- annotateSalesOrder 15
commit

-- createSalesOrder 2
insert into "sales_orders" ("tenant_id", "id", "number", "status", "delivery_status", "currency", "exchange_rate", "prices_include_tax",
 "tax_rounding", "tax_rounding_mode", "priority", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name",
 "allow_backorder", "created_at", "updated_at", "ordered_at", "delivery_date", "shipped_at", "cancelled_at", "cancelled_by_user_id",
 "cancelled_by_user_name", "cancel_reason", "customer_id", "shipping_address", "billing_address", "total_amount", "tax_amount")
select *
from unnest($::bigint[], $::bigint[], $::text[], $::text[], $::text[], $::text[], $::numeric[], $::boolean[], $::text[], $::text[],
 $::integer[], $::text[], $::text[], $::jsonb[], $::text[], $::text[], $::boolean[], $::timestamptz[], $::timestamptz[], $::timestamptz[],
 $::timestamptz[], $::timestamptz[], $::timestamptz[], $::bigint[], $::text[], $::text[], $::bigint[], $::jsonb[], $::jsonb[],
 $::numeric[], $::numeric[]) as r ("tenant_id", "id", "number", "status", "delivery_status", "currency", "exchange_rate", "prices_include_tax",
 "tax_rounding", "tax_rounding_mode", "priority", "notes", "external_ref", "metadata", "created_by_user_name", "updated_by_user_name",
 "allow_backorder", "created_at", "updated_at", "ordered_at", "delivery_date", "shipped_at", "cancelled_at", "cancelled_by_user_id",
 "cancelled_by_user_name", "cancel_reason", "customer_id", "shipping_address", "billing_address", "total_amount", "tax_amount")

-- createSalesOrder 3
insert into "sales_order_items" ("tenant_id", "sales_order_id", "id", "item_id", "item_variant_id", "sku", "title", "holds_stock",
 "is_open", "was_shipped", "storage_place_id", "quantity", "price", "discount_percent", "discount_amount", "tax_rate", "taxes",
 "line_amount", "line_tax_amount", "packed_quantity", "shipped_quantity", "external_ref", "metadata", "components", "shipped_value")
select *
from unnest($::bigint[], $::bigint[], $::bigint[], $::bigint[], $::bigint[], $::text[], $::text[], $::boolean[], $::boolean[],
 $::boolean[], $::bigint[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::numeric[], $::jsonb[], $::numeric[],
 $::numeric[], $::numeric[], $::numeric[], $::text[], $::jsonb[], $::jsonb[], $::numeric[]) as r ("tenant_id", "sales_order_id",
 "id", "item_id", "item_variant_id", "sku", "title", "holds_stock", "is_open", "was_shipped", "storage_place_id", "quantity",
 "price", "discount_percent", "discount_amount", "tax_rate", "taxes", "line_amount", "line_tax_amount", "packed_quantity",
 "shipped_quantity", "external_ref", "metadata", "components", "shipped_value")
