-- Statements that the service sends. Written by `npm run statements`.
-- Each stands once, under the first of its senders in the order of their names. `$` is the next parameter. `[1]` stands for the passage
-- of this number; the passages of a sender stand before its statements.

-- clocks 1
select extract(epoch from known_at)::float8 as known_at, extract(epoch from looked_at)::float8 as looked_at, watched_s, extract(epoch from clock_timestamp())::float8 as now
from known_time

-- clocks 2
START TRANSACTION

-- clocks 3
select
from known_time for
update

-- clocks 4
update known_time
set known_at = to_timestamp($::float8), looked_at = to_timestamp($::float8), watched_s = $::float8

-- clocks 5
COMMIT

-- command line, cells 1
select c.name, c.number::int as number, c.weight, (case when c.number = 0 then (select count(*) from tenant_streams) else (select count(*) from cell_tenants t where t.cell = c.name) end)::int as tenants
from cells c
order by c.number

-- command line, cells 2
select (select cell from cell_tenants where tenant_id = $::bigint) as cell, coalesce((select true from tenant_moves where tenant_id = $::bigint), false) as "isMoving"

-- command line, keys [1]
with recent as materialized (select key_id, max(hour * 3600::bigint + second) as second from security_recent where tenant_id = $ group by key_id)
select id as key_id, name, user_name, case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'valid' end as status,
user_name = (select owner_email from tenants where tenant_id = api_keys.tenant_id) as is_unnamed, to_json(scopes)::text as scopes,
rate_per_minute, burst, daily_documents, iso(created_at) as created_at, iso(expires_at) as expires_at, iso(revoked_at) as revoked_at,
iso(last_used_at) as last_used_at

-- command line, keys [2]
-- From the counts of the security telemetry, which come a few seconds after the request and stay for 90 days. The last one
-- reads minutes as earlier versions wrote them.
left join lateral (
 select to_timestamp(max(second)) as last_used_at
 from ((select second from recent where recent.key_id = api_keys.id)
  union all (
   select hour * 3600::bigint + (select max(second) from unnest(seconds) second)
   from security_hours
   where tenant_id = api_keys.tenant_id
   and key_id = api_keys.id
   order by hour desc, 1 desc
   limit 1)
  union all (
   select extract(epoch from minute)::bigint + (select max(second) from unnest(seconds) second)
   from security_key_minutes
   where tenant_id = api_keys.tenant_id
   and key_id = api_keys.id
   order by minute desc
   limit 1)) lasts) used on true

-- command line, keys 1
select nextval('ids') as id
from generate_series(1, $::integer)

-- command line, keys 2
with t as materialized (select tenant_id, owner_email from tenants where tenant_id = $)
insert into api_keys (tenant_id, id, quota_group, name, user_name, token_hash, scopes, rate_per_minute, burst, daily_documents, expires_at, for_one_run)
select tenant_id, $::bigint, $::bigint, $, coalesce($, owner_email), decode($, 'hex'), array(select jsonb_array_elements_text($::jsonb)),
$, $, $, $::timestamptz, $
from t
returning id

-- command line, keys 3
[1]
from api_keys
[2]
where tenant_id = $
and not (for_one_run and (revoked_at is not null or coalesce(expires_at <= now(), false)))
order by id asc
limit $::integer

-- command line, keys 4
select k.id as "keyId", k.name, t.tenant_id as "tenantId", t.name as "tenantName", iso(k.revoked_at) as "revokedAt", encode(k.token_hash, 'hex') as "tokenHash"
from api_keys k
join tenants t
using (tenant_id)
where k.id = $ for no key update of k

-- command line, keys 5
update api_keys
set name = coalesce($, name), user_name = coalesce($, user_name), scopes = case when $ then scopes else array(select jsonb_array_elements_text($::jsonb)) end,
rate_per_minute = coalesce($::int, rate_per_minute), burst = coalesce($::int, burst), daily_documents = coalesce($::int, daily_documents),
expires_at = case when $ then expires_at else $::timestamptz end
where tenant_id = $
and id = $

-- command line, keys 6
update api_keys k
set daily_documents = $::int
from api_keys named
where $
and named.tenant_id = $
and named.id = $
and k.tenant_id = named.tenant_id
and k.quota_group = named.quota_group
and k.id <> named.id
and k.revoked_at is null
returning k.id, encode(k.token_hash, 'hex') as "tokenHash"

-- command line, keys 7
[1]
from api_keys
[2]
where tenant_id = $
and id = $
order by id asc
limit $::integer

-- command line, keys 8
with old as (
 select *
 from api_keys
 where id = $
 and revoked_at is null
 and (expires_at is null or expires_at > clock_timestamp()) for no key update), ended as (
 update api_keys k
 set expires_at = least(old.expires_at, now() + make_interval(secs => $))
 from old
 where k.tenant_id = old.tenant_id
 and k.id = old.id), made as (
 insert into api_keys (tenant_id, id, name, user_name, token_hash, scopes, rate_per_minute, burst, daily_documents, quota_group, expires_at)
 select tenant_id, $::bigint, name, user_name, decode($, 'hex'), scopes, rate_per_minute, burst, daily_documents, quota_group,
 $::timestamptz
 from old
 returning id)
select made.id, encode(old.token_hash, 'hex') as token_hash
from made, old

-- command line, keys 9
with old as (
 -- The time here, since Citus takes no clock in a choice of an update.
 select tenant_id, id, revoked_at, coalesce(revoked_at, now()) as ends_at
 from api_keys
 where id = $
 and ($::bigint is null or tenant_id = $::bigint) for no key update), k as (
 update api_keys k
 set revoked_at = old.ends_at
 from old
 where k.tenant_id = old.tenant_id
 and k.id = old.id
 returning k.*)
select k.id as "keyId", k.name, t.tenant_id as "tenantId", t.name as "tenantName", iso(k.revoked_at) as "revokedAt", encode(k.token_hash, 'hex') as "tokenHash",
old.revoked_at is not null as "wasRevoked"
from k
join old
using (tenant_id, id)
join tenants t
using (tenant_id)

-- command line, secrets 1
select encode(substr(w.sealed, 2, 4), 'hex') as mark, count(*)::int as count
from webhook_secrets w
where (w.expires_at is null or w.expires_at > now())
group by 1

-- command line, secrets 2
select w.tenant_id::text as "tenantId", w.subscription_id::text as "subscriptionId", w.id::text as id, encode(w.sealed, 'hex') as sealed
from webhook_secrets w
where (w.tenant_id, w.subscription_id, w.id) > ($::bigint, $::bigint, $::bigint)
and (w.expires_at is null or w.expires_at > now())
and encode(substr(w.sealed, 2, 4), 'hex') = any ($::"text"[])
order by w.tenant_id, w.subscription_id, w.id
limit $

-- command line, secrets 3
with changed as (
 update webhook_secrets w
 set sealed = decode(c.anew, 'hex')
 from jsonb_to_recordset($::jsonb) as c(tenant_id bigint, subscription_id bigint, id bigint, sealed text, anew text)
 where w.tenant_id = c.tenant_id
 and w.subscription_id = c.subscription_id
 and w.id = c.id
 and w.sealed = decode(c.sealed, 'hex')
 returning 1)
select count(*)::int as count
from changed

-- command line, tenants 1
with made as (insert into tenants (tenant_id, name, owner_email, plan, currency) values ($::bigint, $, $, $, $) returning tenant_id),
stream as (insert into tenant_streams (tenant_id) select tenant_id from made)
select tenant_id
from made

-- command line, tenants 2
select tenant_id, name, owner_email, plan, currency, closed_through::text, iso(suspended_at) as suspended_at, iso(created_at) as created_at
from tenants
where tenant_id in (select tenant_id from tenant_streams)
order by tenant_id

-- command line, tenants 3
select
from tenant_streams
where tenant_id = $

-- command line, tenants 4
with locked as materialized (
 -- The time here, since Citus takes no clock in a choice of an update.
 select tenant_id, now() as now
 from tenant_streams
 where tenant_id = $ for no key update), changed as (
 update tenants t
 set name = coalesce($, t.name), owner_email = coalesce($, t.owner_email), plan = coalesce($, t.plan), suspended_at = case when $ then t.suspended_at when $ then coalesce(t.suspended_at, locked.now) end
 from locked
 where t.tenant_id = locked.tenant_id
 returning t.*)
select tenant_id, name, owner_email, plan, currency, closed_through::text, iso(suspended_at) as suspended_at, iso(created_at) as created_at,
(
 select coalesce(json_agg(encode(k.token_hash, 'hex')), '[]')::text
 from api_keys k
 where k.tenant_id = changed.tenant_id
 and k.revoked_at is null) as token_hashes
from changed

-- command line, tenants 5
with locked as materialized (select tenant_id from tenant_streams where tenant_id = $ for no key update)
update tenants t
set closed_through = $::date
from locked
where t.tenant_id = locked.tenant_id
returning t.tenant_id

-- housekeeping, api_keys 1
with old as (
 select tenant_id, id
 from api_keys k
 where (revoked_at is not null or expires_at is not null)
 and coalesce(revoked_at, expires_at) < now() - interval '98 days'
 and created_at < now() - interval '98 days'
 and not exists (select from security_networks n where n.tenant_id = k.tenant_id and n.key_id = k.id)
 and not exists (select from security_recent n where n.tenant_id = k.tenant_id and n.key_id = k.id)
 order by coalesce(revoked_at, expires_at)
 limit $), gone as (delete from "api_keys" r using old where r.tenant_id = old.tenant_id and "r"."id" = "old"."id" returning 1)
select count(*)::int as removed
from gone

-- housekeeping, commands 1
select to_regclass($) is not null as "isThere"

-- housekeeping, commands 2
with old as (
 select tenant_id, idempotency_key
 from commands_before
 where created_at < now() - $::interval
 order by created_at
 limit $), gone as (
 delete
 from "commands_before" r
 using old
 where r.tenant_id = old.tenant_id
 and "r"."idempotency_key" = "old"."idempotency_key"
 returning 1)
select count(*)::int as removed
from gone

-- housekeeping, commands_periods 1
select keep_periods($, $::interval) as dropped

-- housekeeping, events 1
with old as (select tenant_id, sequence from events_before where created_at < now() - $::interval order by created_at limit $),
gone as (
 delete
 from "events_before" r
 using old
 where r.tenant_id = old.tenant_id
 and "r"."sequence" = "old"."sequence"
 returning 1)
select count(*)::int as removed
from gone

-- housekeeping, key_changes 1
delete
from key_changes
where changed_at < now() - interval '1 day'

-- housekeeping, level_expiries 1
with unknown as materialized (
 select tenant_id, id
 from stock_levels
 where batch_id is not null
 and expires_on is null
 order by tenant_id, id
 limit $ for no key update skip locked), copied as (
 update stock_levels l
 set expires_on = coalesce((select expiry_date from batches where tenant_id = l.tenant_id and id = l.batch_id), 'infinity')
 from unknown
 where l.tenant_id = unknown.tenant_id
 and l.id = unknown.id
 returning 1)
select count(*)::int as copied
from copied

-- housekeeping, mails 1
with old as (select tenant_id, id from mails where created_at < now() - interval '30 days 1 hour' limit $), gone as (delete from "mails" r using old where r.tenant_id = old.tenant_id and "r"."id" = "old"."id" returning 1)
select count(*)::int as removed
from gone

-- housekeeping, past_stock_balances 1
with page as materialized (select tenant_id from tenant_streams where tenant_id > $::bigint order by tenant_id limit 20000),
behind as materialized (
 select s.tenant_id, m.id, m.item_variant_id
 from page s
 left join lateral (select movement_id from past_stock_balances_progress where tenant_id = s.tenant_id limit 1) p on true
 cross join lateral (
  select id, item_variant_id
  from stock_movements
  where tenant_id = s.tenant_id
  and id > coalesce(p.movement_id, 0)
  order by id
  limit $) m
 limit $), reached as materialized (select tenant_id, max(id) as movement_id from behind group by tenant_id), due as materialized (
 select moved.tenant_id, moved.item_variant_id, note.movement_id as since, reached.movement_id as until
 from (select distinct tenant_id, item_variant_id from behind where mod(hashint8(id), $::int) = 0) moved
 join reached on reached.tenant_id = moved.tenant_id
 left join lateral (
  select movement_id
  from past_stock_balances
  where tenant_id = moved.tenant_id
  and item_variant_id = moved.item_variant_id
  order by movement_id desc
  limit 1) note on true
 cross join lateral (
  select count(*) as movements
  from stock_movements
  where tenant_id = moved.tenant_id
  and item_variant_id = moved.item_variant_id
  and id > coalesce(note.movement_id, 0)
  and id <= reached.movement_id) since
 where since.movements >= $::bigint
 and since.movements >= (select count(*) from stock_balances where tenant_id = moved.tenant_id and item_variant_id = moved.item_variant_id)), noted as (
 insert into past_stock_balances (tenant_id, item_variant_id, movement_id, place_key, quantity, value)
 select due.tenant_id, due.item_variant_id, due.until, part.place_key, sum(part.quantity), sum(part.value)
 from due
 cross join lateral (
  select place_key, quantity, value
  from past_stock_balances
  where tenant_id = due.tenant_id
  and item_variant_id = due.item_variant_id
  and movement_id = due.since
  union all
  select coalesce(storage_place_id, 0), quantity, value
  from stock_movements
  where tenant_id = due.tenant_id
  and item_variant_id = due.item_variant_id
  and id > coalesce(due.since, 0)
  and id <= due.until) part
 group by due.tenant_id, due.item_variant_id, due.until, part.place_key on conflict do nothing), progress as (
 insert into past_stock_balances_progress as known (tenant_id, movement_id)
 select tenant_id, movement_id
 from reached on conflict (tenant_id) do update
 set movement_id = greatest(known.movement_id, excluded.movement_id))
select (select count(*) from behind)::int as seen, (select case when count(*) = $ then max(tenant_id)::text end from page) as last

-- housekeeping, refused_commands 1
with old as (
 select tenant_id, claim_id
 from refused_commands
 where created_at < now() - interval '1 hour'
 order by created_at
 limit $), gone as (
 delete
 from "refused_commands" r
 using old
 where r.tenant_id = old.tenant_id
 and "r"."claim_id" = "old"."claim_id"
 returning 1)
select count(*)::int as removed
from gone

-- housekeeping, refused_requests 1
with many as materialized (select tenant_id from refused_requests group by tenant_id having count(*) > $), old as materialized (
 select r.*
 from many
 cross join lateral (select tenant_id, key_id, id from refused_requests where tenant_id = many.tenant_id order by id desc offset $) r
 limit $)
delete
from refused_requests r
using old
where r.tenant_id = old.tenant_id
and r.key_id = old.key_id
and r.id = old.id

-- housekeeping, security 1
select
from make_security_partitions((now() at time zone 'UTC')::date, $)

-- housekeeping, security 2
delete
from security_writers
where written_at < now() - interval '1 day'

-- housekeeping, security 3
select drop_security_partitions((now() at time zone 'UTC')::date - $::int) as dropped

-- housekeeping, security_hours 1
with taken as (
 delete
 from security_recent
 where ctid = any (array(
   select ctid
   from security_recent
   -- Of a tenant that is moved to another cell it is copied as it is.
   where hour < $
   and tenant_id <> all (array(select tenant_id from tenants where moving is not null))
   order by tenant_id, hour
   limit $))
 returning *), kept as (select * from taken where hour >= $), seconds as (
 select tenant_id, hour, key_id, metric, method, route, second, sum(count)::integer as count
 from kept
 group by 1, 2, 3, 4, 5, 6, 7), hours as (
 insert into security_hours as t (tenant_id, hour, key_id, metric, method, route, total, seconds, counts)
 select tenant_id, hour, key_id, metric, method, route, sum(count), array_agg(second order by second), case when max(count) > 1 then array_agg(count order by second) end
 from seconds
 group by 1, 2, 3, 4, 5, 6
 order by 1, 2, 3, 4, 5, 6 on conflict (tenant_id, hour, key_id, metric, method, route) do update
 set total = t.total + excluded.total, seconds = t.seconds || excluded.seconds, counts = case when t.counts is not null or excluded.counts is not null then coalesce(t.counts, array_fill(1, array[cardinality(t.seconds)])) || coalesce(excluded.counts, array_fill(1, array[cardinality(excluded.seconds)])) end), networks as (
 insert into security_networks as t (tenant_id, day, key_id, network, network_before, first_seen, last_seen)
 select tenant_id, date '1970-01-01' + hour / 24, key_id, network, network_before, to_timestamp(min(hour * 3600::bigint + second)),
 to_timestamp(max(hour * 3600::bigint + second))
 from kept
 where network is not null
 group by 1, 2, 3, 4, 5
 order by 1, 2, 3, 4 on conflict (tenant_id, day, key_id, network) do update
 set first_seen = least(t.first_seen, excluded.first_seen), last_seen = greatest(t.last_seen, excluded.last_seen)
 where excluded.first_seen < t.first_seen
 or excluded.last_seen > t.last_seen)
select count(*)::int as taken
from taken

-- housekeeping, security_hours 2
select tenant_id, hour
from security_recent
group by tenant_id, hour
having count(*) >= $
limit $

-- housekeeping, security_network_keys 1
delete
from security_network_keys
where day <= (now() at time zone 'UTC')::date - 8

-- housekeeping, spent_documents 1
delete
from spent_documents
where (tenant_id, quota_group, quota_day) in (
 select tenant_id, quota_group, quota_day
 from spent_documents
 where quota_day < current_date - 2
 order by quota_day
 limit $)

-- housekeeping, webhook_backlog 1
with old as (
 with recursive pending as ((
   select tenant_id, subscription_id, generation, 1 as n
   from webhook_deliveries
   where status = 'pending'
   and (tenant_id, subscription_id, generation) > ($::bigint, $::bigint, $::int)
   order by tenant_id, subscription_id, generation, next_attempt_at, id
   limit 1)
  union all
  select next.tenant_id, next.subscription_id, next.generation, p.n + 1
  from pending p
  cross join lateral (
   select tenant_id, subscription_id, generation
   from webhook_deliveries
   where status = 'pending'
   and (tenant_id, subscription_id, generation) > (p.tenant_id, p.subscription_id, p.generation)
   order by tenant_id, subscription_id, generation, next_attempt_at, id
   limit 1) next
  where p.n < $::int)
 select d.tenant_id, d.id
 from pending p
 cross join lateral (select generation from webhook_subscriptions where tenant_id = p.tenant_id and id = p.subscription_id limit 1) s
 cross join lateral (
  select tenant_id, id
  from webhook_deliveries
  where tenant_id = p.tenant_id
  and subscription_id = p.subscription_id
  and generation = p.generation
  and status = 'pending'
  and next_attempt_at < now() - interval '14 days 1 hour'
  offset 0) d
 where p.generation < s.generation
 limit $), gone as (delete from "webhook_deliveries" r using old where r.tenant_id = old.tenant_id and "r"."id" = "old"."id" returning 1)
select count(*)::int as removed
from gone

-- housekeeping, webhook_deleted_deliveries 1
with old as (
 select d.tenant_id, d.id
 from webhook_deliveries d
 join webhook_subscriptions s on s.tenant_id = d.tenant_id
 and s.id = d.subscription_id
 where s.deleted_at < now() - interval '1 minute'
 limit $), gone as (delete from "webhook_deliveries" r using old where r.tenant_id = old.tenant_id and "r"."id" = "old"."id" returning 1)
select count(*)::int as removed
from gone

-- housekeeping, webhook_deliveries 1
with old as (
 select d.tenant_id, d.id
 from webhook_deliveries d
 join webhook_subscriptions s on s.tenant_id = d.tenant_id
 and s.id = d.subscription_id
 where d.created_at < now() - interval '30 days 1 hour'
 and (d.status <> 'pending' or d.generation <> s.generation)
 order by d.created_at
 limit $), gone as (delete from "webhook_deliveries" r using old where r.tenant_id = old.tenant_id and "r"."id" = "old"."id" returning 1)
select count(*)::int as removed
from gone

-- housekeeping, webhook_subscriptions 1
with old as (
 select tenant_id, id
 from webhook_subscriptions s
 where deleted_at < now() - interval '1 minute'
 and not exists (select from webhook_deliveries d where d.tenant_id = s.tenant_id and d.subscription_id = s.id)
 limit $), gone as (delete from "webhook_subscriptions" r using old where r.tenant_id = old.tenant_id and "r"."id" = "old"."id" returning 1)
select count(*)::int as removed
from gone

-- reconcile [1]
select l.tenant_id, format('level %s (variant %s, place %s, batch %s)', l.id, l.item_variant_id, coalesce(l.storage_place_id::text, 'none'), coalesce(l.batch_id::text, 'none')) as subject,

-- reconcile [2]
 and tenant_id <> all (array(select tenant_id from tenants where moving is not null)))
select f.tenant_id::text as tenant_id, f.subject, coalesce(f.expected::text, 'none') as expected, coalesce(f.found::text, 'none') as found
from f
order by f.tenant_id, f.subject
limit $

-- reconcile [3]
select tenant_id, format('variant %s at place %s', item_variant_id, coalesce(nullif(place_key, 0)::text, 'none')) as subject,

-- reconcile [4]
select tenant_id, format('document %s, variant %s, batch %s', document_id, item_variant_id, coalesce(nullif(batch_key, 0)::text, 'none')) as subject,
case when i.quantity is not null then format('quantity %s, value %s', trim_scale(i.quantity), trim_scale(i.value)) end as expected,
case when m.quantity is not null then format('quantity %s, value %s', trim_scale(m.quantity), trim_scale(m.value)) end as found

-- reconcile [5]
select tenant_id, source_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key, sum(quantity) as quantity,

-- reconcile [6]
using (tenant_id, document_id, item_variant_id, batch_key)
where (i.quantity, i.value) is distinct
from (m.quantity, m.value)) found

-- reconcile [7]
select tenant_id, $::text as source_type, id as source_id, number, reversed, reversed_at
from "stock_adjustments"

-- reconcile [8]
select tenant_id, $::text as source_type, id as source_id, number, reversed, reversed_at
from "stock_transfers"

-- reconcile [9]
select tenant_id, $::text as source_type, id as source_id, number, reversed, reversed_at
from "purchase_receipts"

-- reconcile [10]
select tenant_id, $::text as source_type, id as source_id, number, reversed, reversed_at
from "landed_costs"

-- reconcile [11]
select tenant_id, $::text as source_type, id as source_id, number, reversed, reversed_at
from "sales_shipments") d

-- reconcile [12]
where tenant_id = p.tenant_id
and item_variant_id = p.item_variant_id
and is_open
and holds_stock

-- reconcile [13]
select o.tenant_id, $::text || ' order ' || o.number as subject, format('%s + %s', trim_scale(l.amount), trim_scale(l.tax)) as expected,
format('%s + %s', trim_scale(o.total_amount), trim_scale(o.tax_amount)) as found

-- reconcile [14]
select tenant_id, $::text || ' order ' || o.number as subject, l.status as expected, o.delivery_status as found

-- reconcile [15]
select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found

-- reconcile 1
set transaction isolation level repeatable read, read only

-- reconcile 2
select count(*) as tenants
from tenants
where tenant_id = $::bigint
and tenant_id <> all (array(select tenant_id from tenants where moving is not null))

-- reconcile 3
with f as materialized (
 select *
 from (
  [1]
  coalesce(m.total, 0) as expected, "l"."quantity" as found
  from stock_levels l
  left join (select tenant_id, stock_level_id, sum("quantity") as total from stock_movements group by 1, 2) m on m.tenant_id = l.tenant_id
  and m.stock_level_id = l.id
  where "l"."quantity" <> coalesce(m.total, 0)) found
 where tenant_id = $::bigint
[2]

-- reconcile 4
with f as materialized (
 select *
 from (
  [1]
  coalesce(m.total, 0) as expected, "l"."quarantine_quantity" as found
  from stock_levels l
  left join (select tenant_id, stock_level_id, sum("quarantine_quantity") as total from stock_movements group by 1, 2) m on m.tenant_id = l.tenant_id
  and m.stock_level_id = l.id
  where "l"."quarantine_quantity" <> coalesce(m.total, 0)) found
 where tenant_id = $::bigint
[2]

-- reconcile 5
with f as materialized (
 select *
 from (
  [3]
  l.total as expected, b.total as found
  from (select tenant_id, item_variant_id, place_key, sum("quantity") as total from stock_levels group by 1, 2, 3) l full
  join (select tenant_id, item_variant_id, place_key, "quantity" as total from stock_balances) b
  using (tenant_id, item_variant_id, place_key)
  where l.total is distinct
  from b.total) found
 where tenant_id = $::bigint
[2]

-- reconcile 6
with f as materialized (
 select *
 from (
  [3]
  l.total as expected, b.total as found
  from (select tenant_id, item_variant_id, place_key, sum("quarantine_quantity") as total from stock_levels group by 1, 2, 3) l full
  join (select tenant_id, item_variant_id, place_key, "quarantine_quantity" as total from stock_balances) b
  using (tenant_id, item_variant_id, place_key)
  where l.total is distinct
  from b.total) found
 where tenant_id = $::bigint
[2]

-- reconcile 7
with f as materialized (
 select *
 from (
  [3]
  m.total as expected, b.value as found
  from stock_balances b full
  join (
   select tenant_id, item_variant_id, coalesce(storage_place_id, 0) as place_key, sum(value) as total
   from stock_movements
   group by 1, 2, 3) m
  using (tenant_id, item_variant_id, place_key)
  where coalesce(m.total, 0) <> coalesce(b.value, 0)) found
 where tenant_id = $::bigint
[2]

-- reconcile 8
with f as materialized (
 select *
 from (
  [3]
  '0' as expected, value as found
  from stock_balances
  where value < 0
  or (quantity = 0 and value <> 0)) found
 where tenant_id = $::bigint
[2]

-- reconcile 9
with f as materialized (
 select *
 from (
  [3]
  value as expected, shown as found
  from (
   select b.tenant_id, b.item_variant_id, b.place_key, b.value, sum((case when l.quantity = 0 then 0 when l.quantity = b.quantity then b.value when (
       select true
       from stock_levels o
       where o.tenant_id = l.tenant_id
       and o.item_variant_id = l.item_variant_id
       and o.place_key = l.place_key
       and o.quantity > 0
       and o.id > l.id
       limit 1) then cost_ratio(b.value * l.quantity, b.quantity) else b.value - (
       select sum(cost_ratio(b.value * o.quantity, b.quantity))
       from stock_levels o
       where o.tenant_id = l.tenant_id
       and o.item_variant_id = l.item_variant_id
       and o.place_key = l.place_key
       and o.quantity > 0
       and o.id <> l.id) end)) as shown
   from stock_balances b
   join stock_levels l on l.tenant_id = b.tenant_id
   and l.item_variant_id = b.item_variant_id
   and l.place_key = b.place_key
   group by 1, 2, 3, 4) shares
  where shown <> value) found
 where tenant_id = $::bigint
[2]

-- reconcile 10
with f as materialized (
 select *
 from (
  select tenant_id, format('movement %s', id) as subject, running as expected, quantity_after as found
  from (
   select tenant_id, id, quantity_after, sum(quantity) over (partition by tenant_id, stock_level_id order by id) as running
   from stock_movements) m
  where quantity_after <> running
  or quantity_after < 0) found
 where tenant_id = $::bigint
[2]

-- reconcile 11
with f as materialized (
 select *
 from (
  select tenant_id, format('variant %s at place %s after movement %s', item_variant_id, coalesce(nullif(place_key, 0)::text, 'none'), id) as subject,
  format('quantity %s, value %s', trim_scale(running_quantity), trim_scale(running_value)) as expected, case when noted_quantity is not null then format('quantity %s, value %s', trim_scale(noted_quantity), trim_scale(noted_value)) end as found
  from (
   select *, sum(quantity) over moved_until_then as running_quantity, sum(value) over moved_until_then as running_value, count(*) filter (where not is_note) over moved_until_then as movements
   from (
    select tenant_id, item_variant_id, coalesce(storage_place_id, 0) as place_key, id, false as is_note, quantity, value, null::numeric as noted_quantity,
    null::numeric as noted_value
    from stock_movements
    union all
    select note.tenant_id, note.item_variant_id, b.place_key, note.movement_id, true, 0, 0, p.quantity, p.value
    from (select distinct tenant_id, item_variant_id, movement_id from past_stock_balances) note
    join stock_balances b on b.tenant_id = note.tenant_id
    and b.item_variant_id = note.item_variant_id
    left join past_stock_balances p on p.tenant_id = note.tenant_id
    and p.item_variant_id = note.item_variant_id
    and p.movement_id = note.movement_id
    and p.place_key = b.place_key) m window moved_until_then as (partition by tenant_id, item_variant_id, place_key order by id, is_note rows unbounded preceding)) m
  where is_note
  and case when movements = 0 then noted_quantity is not null else (running_quantity, running_value) is distinct from (noted_quantity, noted_value) end) found
 where tenant_id = $::bigint
[2]

-- reconcile 12
with f as materialized (
 select *
 from (
  select m.tenant_id, format('movement %s', m.id) as subject, format('level %s (variant %s, place %s, batch %s)', l.id, l.item_variant_id, coalesce(l.storage_place_id::text, 'none'), coalesce(l.batch_id::text, 'none')) as expected,
  format('variant %s, place %s, batch %s', m.item_variant_id, coalesce(m.storage_place_id::text, 'none'), coalesce(m.batch_id::text, 'none')) as found
  from stock_movements m
  join stock_levels l on l.tenant_id = m.tenant_id
  and l.id = m.stock_level_id
  where (m.item_variant_id, coalesce(m.storage_place_id, 0), coalesce(m.batch_id, 0)) <> (l.item_variant_id, l.place_key, l.batch_key)) found
 where tenant_id = $::bigint
[2]

-- reconcile 13
with f as materialized (
 select *
 from (
  [1]
  coalesce(b.expiry_date, 'infinity') as expected, l.expires_on as found
  from stock_levels l
  join batches b on b.tenant_id = l.tenant_id
  and b.id = l.batch_id
  where l.expires_on <> coalesce(b.expiry_date, 'infinity')) found
 where tenant_id = $::bigint
[2]

-- reconcile 14
with f as materialized (
 select *
 from (
  [1]
  b.item_variant_id as expected, l.item_variant_id as found
  from stock_levels l
  join batches b on b.tenant_id = l.tenant_id
  and b.id = l.batch_id
  where b.item_variant_id <> l.item_variant_id) found
 where tenant_id = $::bigint
[2]

-- reconcile 15
with f as materialized (
 select *
 from (
  [4]
  from (
   select tenant_id, stock_adjustment_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key, sum(quantity) as quantity,
   sum(amount) as value
   from stock_adjustment_items
   where quantity <> 0
   group by 1, 2, 3, 4) i full
  join (
   [5]
   sum(value) as value
   from stock_movements
   where source_type = 'STOCK_ADJUSTMENT'
   and kind <> 'REVERSAL'
   group by 1, 2, 3, 4) m
  [6]
 where tenant_id = $::bigint
[2]

-- reconcile 16
with f as materialized (
 select *
 from (
  [4]
  from (
   select tenant_id, stock_transfer_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key, sum(quantity) as quantity,
   sum(value) as value
   from stock_transfer_items
   group by 1, 2, 3, 4) i full
  join (
   select tenant_id, source_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key, sum(abs(quantity)) as quantity,
   sum(abs(value)) as value
   from stock_movements
   where source_type = 'STOCK_TRANSFER'
   and kind = $
   group by 1, 2, 3, 4) m
  [6]
 where tenant_id = $::bigint
[2]

-- reconcile 17
with f as materialized (
 select *
 from (
  [4]
  from (
   select tenant_id, purchase_receipt_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key, sum(quantity) as quantity,
   sum(stock_value) as value
   from purchase_receipt_items
   where stock_value is not null
   group by 1, 2, 3, 4) i full
  join (
   [5]
   sum(value) as value
   from stock_movements
   where source_type = $
   and kind <> 'REVERSAL'
   group by 1, 2, 3, 4) m
  [6]
 where tenant_id = $::bigint
[2]

-- reconcile 18
with f as materialized (
 select *
 from (
  [4]
  from (
   select tenant_id, sales_shipment_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key, -sum(quantity) as quantity,
   -sum(value) as value
   from sales_shipment_items
   where value is not null
   group by 1, 2, 3, 4) i full
  join (
   [5]
   sum(value) as value
   from stock_movements
   where source_type = $
   and kind <> 'REVERSAL'
   group by 1, 2, 3, 4) m
  [6]
 where tenant_id = $::bigint
[2]

-- reconcile 19
with f as materialized (
 select *
 from (
  [4]
  from (
   select tenant_id, sales_return_id as document_id, item_variant_id, coalesce(batch_id, 0) as batch_key, sum(quantity) as quantity,
   sum(value) as value
   from sales_return_items
   where value is not null
   group by 1, 2, 3, 4) i full
  join (
   [5]
   sum(value) as value
   from stock_movements
   where source_type = $
   and kind <> 'REVERSAL'
   group by 1, 2, 3, 4) m
  [6]
 where tenant_id = $::bigint
[2]

-- reconcile 20
with f as materialized (
 select *
 from (
  select a.tenant_id, format('adjustment %s', a.number) as subject, sum(i.amount) as expected, a.total_amount as found
  from stock_adjustments a
  left join stock_adjustment_items i on i.tenant_id = a.tenant_id
  and i.stock_adjustment_id = a.id
  group by a.tenant_id, a.id
  having sum(i.amount) is distinct
  from a.total_amount) found
 where tenant_id = $::bigint
[2]

-- reconcile 21
with f as materialized (
 select *
 from (
  select m.tenant_id, format('document %s, level %s', d.number, m.stock_level_id) as subject, 'quantity 0, of it 0 in quarantine' as expected,
  format('quantity %s, of it %s in quarantine', trim_scale(m.quantity), trim_scale(m.quarantine)) as found
  from (
   select *
   from (
    [7]
    union all
    [8]
    union all
    [9]
    union all
    [10]
    union all
    [11]
   where reversed) d
  join (
   select tenant_id, source_type, source_id, stock_level_id, sum(quantity) as quantity, sum(quarantine_quantity) as quarantine
   from stock_movements
   group by 1, 2, 3, 4) m
  using (tenant_id, source_type, source_id)
  where (m.quantity, m.quarantine) <> (0, 0)) found
 where tenant_id = $::bigint
[2]

-- reconcile 22
with f as materialized (
 select *
 from (
  select d.tenant_id, format('document %s', d.number) as subject, 0 as expected, trim_scale(m.value) as found
  from (select * from stock_transfers where reversed) d
  join (
   select tenant_id, source_id as id, sum(value) as value
   from stock_movements
   where source_type = 'STOCK_TRANSFER'
   group by 1, 2) m
  using (tenant_id, id)
  where m.value <> 0) found
 where tenant_id = $::bigint
[2]

-- reconcile 23
with f as materialized (
 select *
 from (
  select d.tenant_id, format('document %s', d.number) as subject, case when m.source_id is null then 'reversed and dated alike' else 'reversed' end as expected,
  format('reversed %s, reversed_at %s', d.reversed, coalesce(d.reversed_at::text, 'null')) as found
  from (
   [7]
   union all
   [8]
   union all
   [9]
   union all
   [10]
   union all
   [11]
  left join (select distinct tenant_id, source_type, source_id from stock_movements where kind = 'REVERSAL') m
  using (tenant_id, source_type, source_id)
  where d.reversed <> (d.reversed_at is not null)
  or (m.source_id is not null and not d.reversed)) found
 where tenant_id = $::bigint
[2]

-- reconcile 24
with f as materialized (
 select *
 from (
  select tenant_id, format('stock count %s', c.number) as subject, format('%s lines, %s differences', coalesce(l.lines, 0), coalesce(l.differences, 0)) as expected,
  format('%s lines, %s differences', c.line_count, c.difference_count) as found
  from stock_counts c
  left join (
   select tenant_id, stock_count_id as id, count(*) as lines, count(*) filter (where counted_quantity <> expected_quantity) as differences
   from stock_count_items
   group by 1, 2) l
  using (tenant_id, id)
  where (c.line_count, c.difference_count) <> (coalesce(l.lines, 0), coalesce(l.differences, 0))) found
 where tenant_id = $::bigint
[2]

-- reconcile 25
with f as materialized (
 select *
 from (
  select tenant_id, format('stock count %s', coalesce(c.number, id::text)) as subject, case when c.status = 'DONE' and c.difference_count > 0 then 'an adjustment that names it' else 'no adjustment' end as expected,
  format('adjustment %s, named by %s', coalesce(c.adjustment_id::text, 'none'), coalesce(a.ids, 'none')) as found
  from stock_counts c full
  join (
   select tenant_id, stock_count_id as id, string_agg(id::text, ', ') as ids
   from stock_adjustments
   where stock_count_id is not null
   group by 1, 2) a
  using (tenant_id, id)
  where a.ids is distinct
  from c.adjustment_id::text
  or (c.adjustment_id is not null) <> (c.status = 'DONE' and c.difference_count > 0)
  or (c.completed_at is not null) <> (c.status = 'DONE')) found
 where tenant_id = $::bigint
[2]

-- reconcile 26
with f as materialized (
 select *
 from (
  select tenant_id, format('stock count %s, variant %s, batch %s', number, item_variant_id, coalesce(nullif(batch_key, 0)::text, 'none or any')) as subject,
  trim_scale(l.quantity) as expected, trim_scale(a.quantity) as found
  from (
   select c.tenant_id, c.id, c.number, l.item_variant_id, l.batch_key, sum(l.counted_quantity - l.expected_quantity) as quantity
   from stock_counts c
   join (
    select tenant_id, stock_count_id, item_variant_id, counted_quantity, expected_quantity, case when bool_or(batch_id is null) over (partition by tenant_id, stock_count_id, item_variant_id) then 0 else batch_key end as batch_key
    from stock_count_items
    where counted_quantity <> expected_quantity) l on l.tenant_id = c.tenant_id
   and l.stock_count_id = c.id
   where c.status = 'DONE'
   group by 1, 2, 3, 4, 5) l full
  join (
   select a.tenant_id, a.stock_count_id as id, c.number, i.item_variant_id, case when w.item_variant_id is null then coalesce(i.batch_id, 0) else 0 end as batch_key,
   sum(i.quantity) as quantity
   from stock_adjustments a
   join stock_counts c on c.tenant_id = a.tenant_id
   and c.id = a.stock_count_id
   join stock_adjustment_items i on i.tenant_id = a.tenant_id
   and i.stock_adjustment_id = a.id
   left join (
    select distinct tenant_id, stock_count_id, item_variant_id
    from stock_count_items
    where counted_quantity <> expected_quantity
    and batch_id is null) w on w.tenant_id = a.tenant_id
   and w.stock_count_id = a.stock_count_id
   and w.item_variant_id = i.item_variant_id
   group by 1, 2, 3, 4, 5) a
  using (tenant_id, id, number, item_variant_id, batch_key)
  where l.quantity is distinct
  from a.quantity) found
 where tenant_id = $::bigint
[2]

-- reconcile 27
with f as materialized (
 select *
 from (
  [3]
  coalesce(d.total, 0) as expected, coalesce(l.total, 0) as found
  from (
   select tenant_id, item_variant_id, place_key, sum(quantity) as total
   from (
    select l.tenant_id, l.item_variant_id, coalesce(o.expected_place_id, 0) as place_key, l.quantity - l.received_quantity as quantity
    from purchase_orders o
    join purchase_order_items l on l.tenant_id = o.tenant_id
    and l.purchase_order_id = o.id
    where o.status = 'OPEN'
    and l.holds_stock
    union all
    select tenant_id, item_variant_id, manufacturing_location_id as place_key, greatest(quantity - released_quantity, 0) as quantity
    from manufacturing_orders
    where status <> 'DONE') open
   group by 1, 2, 3) d full
  join (select tenant_id, item_variant_id, place_key, sum("expected_quantity") as total from stock_levels group by 1, 2, 3) l
  using (tenant_id, item_variant_id, place_key)
  where coalesce(d.total, 0) <> coalesce(l.total, 0)) found
 where tenant_id = $::bigint
[2]

-- reconcile 28
with f as materialized (
 select *
 from (
  [3]
  coalesce(d.total, 0) as expected, coalesce(l.total, 0) as found
  from (
   select tenant_id, item_variant_id, place_key, sum(quantity) as total
   from (
    select l.tenant_id, l.item_variant_id, coalesce(l.storage_place_id, 0) as place_key, l.quantity - l.shipped_quantity as quantity
    from sales_orders o
    join sales_order_items l on l.tenant_id = o.tenant_id
    and l.sales_order_id = o.id
    where o.status = 'OPEN'
    and l.holds_stock
    union all
    select l.tenant_id, l.item_variant_id, coalesce(l.storage_place_id, 0) as place_key, l.quantity
    from reservations h
    join reservation_items l on l.tenant_id = h.tenant_id
    and l.reservation_id = h.id
    where h.status = 'HELD'
    union all
    select l.tenant_id, l.item_variant_id, o.manufacturing_location_id as place_key, l.quantity
    from manufacturing_orders o
    join manufacturing_order_items l on l.tenant_id = o.tenant_id
    and l.manufacturing_order_id = o.id
    where (o.status = 'NOT_STARTED' or o.status_before_block = 'NOT_STARTED')) open
   group by 1, 2, 3) d full
  join (select tenant_id, item_variant_id, place_key, sum("reserved_quantity") as total from stock_levels group by 1, 2, 3) l
  using (tenant_id, item_variant_id, place_key)
  where coalesce(d.total, 0) <> coalesce(l.total, 0)) found
 where tenant_id = $::bigint
[2]

-- reconcile 29
with f as materialized (
 select *
 from (
  [3]
  trim_scale(p.total) as expected, trim_scale(coalesce(e.total, 0)) as found
  from (select tenant_id, item_variant_id, place_key, sum("reserved_quantity") as total from stock_levels group by 1, 2, 3) p
  cross join lateral (
   select sum(quantity) as total
   from (
    select 'SALES_ORDER' as source_type, o.id as source_id, o.number, sum(l.quantity - l.shipped_quantity) as quantity, o.delivery_date as due
    from (
     select *
     from sales_order_items
     [12]
     and quantity > shipped_quantity
     offset 0) l
    cross join lateral (
     select id, number, delivery_date
     from sales_orders
     where tenant_id = l.tenant_id
     and id = l.sales_order_id
     and status = 'OPEN'
     limit 1) o
    where coalesce(l.storage_place_id, 0) = p.place_key
    group by o.id, o.number, o.delivery_date
    union all
    select 'RESERVATION', h.id, h.number, sum(l.quantity), null::timestamptz
    from (
     select *
     from reservation_items
     where tenant_id = p.tenant_id
     and item_variant_id = p.item_variant_id
     and is_open
     offset 0) l
    cross join lateral (select id, number from reservations where tenant_id = l.tenant_id and id = l.reservation_id and status = 'HELD' limit 1) h
    where coalesce(l.storage_place_id, 0) = p.place_key
    group by h.id, h.number
    union all
    select 'MANUFACTURING_ORDER', o.id, o.number, sum(l.quantity), o.planned_start_date
    from (
     select *
     from manufacturing_order_items
     where tenant_id = p.tenant_id
     and item_variant_id = p.item_variant_id
     and is_open
     and quantity > 0
     offset 0) l
    cross join lateral (
     select id, number, planned_start_date
     from manufacturing_orders o
     where tenant_id = l.tenant_id
     and id = l.manufacturing_order_id
     and manufacturing_location_id = p.place_key
     and (o.status = 'NOT_STARTED' or o.status_before_block = 'NOT_STARTED')
     limit 1) o
    group by o.id, o.number, o.planned_start_date) listed) e
  where p.total <> coalesce(e.total, 0)) found
 where tenant_id = $::bigint
[2]

-- reconcile 30
with f as materialized (
 select *
 from (
  [3]
  trim_scale(p.total) as expected, trim_scale(coalesce(e.total, 0)) as found
  from (select tenant_id, item_variant_id, place_key, sum("expected_quantity") as total from stock_levels group by 1, 2, 3) p
  cross join lateral (
   select sum(quantity) as total
   from (
    select 'PURCHASE_ORDER' as source_type, o.id as source_id, o.number, sum(l.quantity - l.received_quantity) as quantity, min(coalesce(l.expected_date, o.expected_date)) as due
    from (
     select *
     from purchase_order_items
     [12]
     and quantity > received_quantity
     offset 0) l
    cross join lateral (
     select id, number, expected_date
     from purchase_orders
     where tenant_id = l.tenant_id
     and id = l.purchase_order_id
     and status = 'OPEN'
     and coalesce(expected_place_id, 0) = p.place_key
     limit 1) o
    group by o.id, o.number
    union all
    select 'MANUFACTURING_ORDER', o.id, o.number, o.quantity - o.released_quantity, o.production_date
    from (
     select *
     from manufacturing_orders
     where tenant_id = p.tenant_id
     and item_variant_id = p.item_variant_id
     and completed_at is null
     and quantity > released_quantity
     offset 0) o
    where o.manufacturing_location_id = p.place_key) listed) e
  where p.total <> coalesce(e.total, 0)) found
 where tenant_id = $::bigint
[2]

-- reconcile 31
with f as materialized (
 select *
 from (
  select l.tenant_id, format('level %s', l.id) as subject, v.minimum_stock as expected, l.minimum_stock as found
  from stock_levels l
  join item_variants v on v.tenant_id = l.tenant_id
  and v.id = l.item_variant_id
  where l.batch_id is null
  and coalesce(l.minimum_stock, 0) <> coalesce(v.minimum_stock, 0)) found
 where tenant_id = $::bigint
[2]

-- reconcile 32
with f as materialized (
 select *
 from (
  select tenant_id, format('variant %s', id) as subject, has_entry::text as expected, has_main_entry::text as found
  from (
   select v.tenant_id, v.id, v.has_main_entry, exists (
    select
    from stock_levels l
    where l.tenant_id = v.tenant_id
    and l.item_variant_id = v.id
    and l.batch_id is null
    and l.place_key = coalesce((select p.id from storage_places p where p.tenant_id = v.tenant_id and p.is_main), 0)) as has_entry
   from item_variants v
   where v.minimum_stock > 0) v
  where has_entry <> has_main_entry) found
 where tenant_id = $::bigint
[2]

-- reconcile 33
with f as materialized (
 select *
 from (
  select l.tenant_id, format('line %s of purchase order %s', l.id, l.purchase_order_id) as subject, coalesce(r.total, 0) as expected,
  l.received_quantity as found
  from purchase_order_items l
  left join (
   select i.tenant_id, i.purchase_order_id, i.purchase_order_item_id as id, sum(i.quantity) as total
   from purchase_receipt_items i
   join purchase_receipts d on d.tenant_id = i.tenant_id
   and d.id = i.purchase_receipt_id
   where not d.reversed
   group by 1, 2, 3) r
  using (tenant_id, purchase_order_id, id)
  where l.received_quantity <> coalesce(r.total, 0)) found
 where tenant_id = $::bigint
[2]

-- reconcile 34
with f as materialized (
 select *
 from (
  select tenant_id, subject, expected, found
  from (
   select tenant_id, format('line %s of purchase order %s', id, purchase_order_id) as subject, purchase_quantity * conversion_rate as expected,
   quantity as found
   from purchase_order_items
   where purchase_quantity is not null
   union all
   select tenant_id, format('line %s of purchase receipt %s', id, purchase_receipt_id), purchase_quantity * conversion_rate,
   quantity
   from purchase_receipt_items
   where purchase_quantity is not null) lines
  where expected <> found) found
 where tenant_id = $::bigint
[2]

-- reconcile 35
with f as materialized (
 select *
 from (
  [13]
  from "purchase_orders" o
  left join (
   select tenant_id, id, sum(amount) as amount, sum(tax) as tax
   from (select tenant_id, "purchase_order_id" as id, line_amount as amount, line_tax_amount as tax from "purchase_order_items") parts
   group by 1, 2) l
  using (tenant_id, id)
  where (o.total_amount, o.tax_amount) is distinct
  from (l.amount, l.tax)) found
 where tenant_id = $::bigint
[2]

-- reconcile 36
with f as materialized (
 select *
 from (
  [14]
  from "purchase_orders" o
  left join (
   select tenant_id, "purchase_order_id" as id, case when bool_and(received_quantity = quantity) then 'RECEIVED' when bool_or(received_quantity > 0) then 'PARTIALLY_RECEIVED' else 'NOT_RECEIVED' end as status
   from "purchase_order_items"
   group by 1, 2) l
  using (tenant_id, id)
  where o.delivery_status is distinct
  from l.status) found
 where tenant_id = $::bigint
[2]

-- reconcile 37
with f as materialized (
 select *
 from (
  select l.tenant_id, format('landed cost %s', l.number) as subject, format('costs %s, allocated %s, stock %s, expensed %s', trim_scale(c.total), trim_scale(a.total), trim_scale(a.stock), trim_scale(a.expensed)) as expected,
  format('total %s, stock %s, expensed %s', trim_scale(l.total_amount), trim_scale(l.stock_amount), trim_scale(l.expensed_amount)) as found
  from landed_costs l
  left join (
   select i.tenant_id, i.landed_cost_id as id, sum(round(i.amount * d.exchange_rate, 4)) as total
   from landed_cost_items i
   join landed_costs d on d.tenant_id = i.tenant_id
   and d.id = i.landed_cost_id
   group by 1, 2) c
  using (tenant_id, id)
  left join (
   select tenant_id, landed_cost_id as id, sum(amount) as total, sum(stock_amount) as stock, sum(expensed_amount) as expensed
   from landed_cost_allocations
   group by 1, 2) a
  using (tenant_id, id)
  where (c.total, a.total, a.stock, a.expensed) is distinct
  from (l.total_amount, l.total_amount, l.stock_amount, l.expensed_amount)
  or l.total_amount <> l.stock_amount + l.expensed_amount) found
 where tenant_id = $::bigint
[2]

-- reconcile 38
with f as materialized (
 select *
 from (
  select tenant_id, format('landed cost %s, receipt line %s', landed_cost_id, id) as subject, trim_scale(s.share) as expected,
  trim_scale(a.amount) as found
  from landed_cost_allocations a full
  join (
   select tenant_id, landed_cost_id, id, sum(cost_ratio(cost * upto, whole) - cost_ratio(cost * (upto - weight), whole)) as share
   from (
    select *, sum(weight) over (partition by tenant_id, cost_id order by id) as upto, sum(weight) over (partition by tenant_id, cost_id) as whole
    from (
     select l.tenant_id, l.id as landed_cost_id, c.id as cost_id, g.id, round(c.amount * l.exchange_rate, 4) as cost, case when c.distribution = 'QUANTITY' or g.is_free then g.quantity else g.stock_value end as weight
     from landed_costs l
     join landed_cost_items c on c.tenant_id = l.tenant_id
     and c.landed_cost_id = l.id
     join (
      select *, bool_and(stock_value = 0) over (partition by tenant_id, purchase_receipt_id) as is_free
      from purchase_receipt_items
      where stock_value is not null) g on g.tenant_id = l.tenant_id
     and g.purchase_receipt_id = l.purchase_receipt_id) weights) running
   group by 1, 2, 3) s
  using (tenant_id, landed_cost_id, id)
  where s.share is distinct
  from a.amount) found
 where tenant_id = $::bigint
[2]

-- reconcile 39
with f as materialized (
 select *
 from (
  select a.tenant_id, format('landed cost %s, receipt line %s', a.landed_cost_id, a.id) as subject, format('stock %s, expensed %s', trim_scale(w.stock), trim_scale(a.amount - w.stock)) as expected,
  format('stock %s, expensed %s, of quantity %s', trim_scale(a.stock_amount), trim_scale(a.expensed_amount), trim_scale(a.stock_quantity)) as found
  from landed_cost_allocations a
  join purchase_receipt_items r on r.tenant_id = a.tenant_id
  and r.purchase_receipt_id = a.purchase_receipt_id
  and r.id = a.id
  cross join lateral (select cost_ratio(a.amount * a.stock_quantity, r.quantity) as stock) w
  where (w.stock, a.amount - w.stock) <> (a.stock_amount, a.expensed_amount)
  or a.stock_quantity not between 0
  and r.quantity) found
 where tenant_id = $::bigint
[2]

-- reconcile 40
with f as materialized (
 select *
 from (
  select tenant_id, format('landed cost %s, variant %s', id, item_variant_id) as subject, case when a.value is not null then format('quantity 0, value %s', trim_scale(a.value)) end as expected,
  case when m.value is not null then format('quantity %s, value %s', trim_scale(m.quantity), trim_scale(m.value)) end as found
  from (
   select d.tenant_id, d.id, a.item_variant_id, coalesce(d.storage_place_id, 0) as place_key, coalesce(a.batch_id, 0) as batch_key,
   sum(a.stock_amount) as value
   from landed_costs d
   join landed_cost_allocations a on a.tenant_id = d.tenant_id
   and a.landed_cost_id = d.id
   where a.stock_amount <> 0
   group by 1, 2, 3, 4, 5) a full
  join (
   select tenant_id, source_id as id, item_variant_id, coalesce(storage_place_id, 0) as place_key, coalesce(batch_id, 0) as batch_key,
   sum(value) as value, max(abs(quantity)) as quantity
   from stock_movements
   where source_type = 'LANDED_COST'
   and kind <> 'REVERSAL'
   group by 1, 2, 3, 4, 5) m
  using (tenant_id, id, item_variant_id, place_key, batch_key)
  where (a.value, 0) is distinct
  from (m.value, m.quantity)) found
 where tenant_id = $::bigint
[2]

-- reconcile 41
with f as materialized (
 select *
 from (
  select tenant_id, format('landed cost %s, variant %s', source_id, item_variant_id) as subject, format('0 to %s', trim_scale(brought)) as expected,
  trim_scale(taken) as found
  from (
   select tenant_id, source_id, item_variant_id, storage_place_id, batch_id, coalesce(sum(value) filter (where kind = 'LANDED_COST'), 0) as brought,
   coalesce(-sum(value) filter (where kind = 'REVERSAL'), 0) as taken
   from stock_movements
   where source_type = 'LANDED_COST'
   group by 1, 2, 3, 4, 5) m
  where taken not between 0
  and brought) found
 where tenant_id = $::bigint
[2]

-- reconcile 42
with f as materialized (
 select *
 from (
  select l.tenant_id, format('landed cost %s', l.number) as subject, format('a receipt of purchase order %s that stands', l.purchase_order_id) as expected,
  format('receipt %s of purchase order %s, reversed %s', r.number, r.purchase_order_id, r.reversed) as found
  from landed_costs l
  join purchase_receipts r on r.tenant_id = l.tenant_id
  and r.id = l.purchase_receipt_id
  where r.purchase_order_id <> l.purchase_order_id
  or (r.reversed and not l.reversed)) found
 where tenant_id = $::bigint
[2]

-- reconcile 43
with f as materialized (
 select *
 from (
  select l.tenant_id, format('line %s of sales order %s', l.id, l.sales_order_id) as subject, format('%s worth %s', trim_scale(coalesce(s.quantity, 0)), trim_scale(coalesce(s.value, 0))) as expected,
  format('%s worth %s', trim_scale(l.shipped_quantity), trim_scale(l.shipped_value)) as found
  from sales_order_items l
  left join (
   select i.tenant_id, i.sales_order_id, i.sales_order_item_id as id, sum(i.quantity) as quantity, sum(i.value) as value
   from sales_shipment_items i
   join sales_shipments d on d.tenant_id = i.tenant_id
   and d.id = i.sales_shipment_id
   where not d.reversed
   group by 1, 2, 3) s
  using (tenant_id, sales_order_id, id)
  where (l.shipped_quantity, l.shipped_value) <> (coalesce(s.quantity, 0), coalesce(s.value, 0))) found
 where tenant_id = $::bigint
[2]

-- reconcile 44
with f as materialized (
 select *
 from (
  select l.tenant_id, format('line %s of reservation %s', l.id, l.reservation_id) as subject, h.status as expected, case when l.is_open then 'open' else 'closed' end as found
  from reservation_items l
  left join reservations h on h.tenant_id = l.tenant_id
  and h.id = l.reservation_id
  where l.is_open is distinct
  from (h.status = 'HELD')) found
 where tenant_id = $::bigint
[2]

-- reconcile 45
with f as materialized (
 select *
 from (
  [13]
  from "sales_orders" o
  left join (
   select tenant_id, id, sum(amount) as amount, sum(tax) as tax
   from (
    select tenant_id, "sales_order_id" as id, line_amount as amount, line_tax_amount as tax
    from "sales_order_items"
    union all
    select tenant_id, sales_order_id, amount, tax_amount
    from sales_order_charges) parts
   group by 1, 2) l
  using (tenant_id, id)
  where (o.total_amount, o.tax_amount) is distinct
  from (l.amount, l.tax)) found
 where tenant_id = $::bigint
[2]

-- reconcile 46
with f as materialized (
 select *
 from (
  [14]
  from "sales_orders" o
  left join (
   select tenant_id, "sales_order_id" as id, case when bool_and(shipped_quantity = quantity) then 'SHIPPED' when bool_or(shipped_quantity > 0) then 'PARTIALLY_SHIPPED' when bool_and(packed_quantity = quantity) then 'PACKED' when bool_or(packed_quantity > 0) then 'PARTIALLY_PACKED' else 'NOT_SHIPPED' end as status
   from "sales_order_items"
   group by 1, 2) l
  using (tenant_id, id)
  where o.delivery_status is distinct
  from l.status) found
 where tenant_id = $::bigint
[2]

-- reconcile 47
with f as materialized (
 select *
 from (
  select tenant_id, format('sales order %s', number) as subject, status as expected, delivery_status as found
  from sales_orders
  where (delivery_status = 'SHIPPED') <> (shipped_at is not null)
  or (delivery_status = 'SHIPPED' and status <> 'DONE')
  or (delivery_status = 'PARTIALLY_SHIPPED' and status = 'CANCELLED')) found
 where tenant_id = $::bigint
[2]

-- reconcile 48
with f as materialized (
 select *
 from (
  select l.tenant_id, format('line %s of sales order %s', l.id, l.sales_order_id) as subject, trim_scale(l.shipped_quantity) as expected,
  trim_scale(r.quantity) as found
  from sales_order_items l
  join (
   select i.tenant_id, i.sales_order_id, i.sales_order_item_id as id, sum(i.quantity) as quantity
   from sales_return_items i
   join sales_returns r on r.tenant_id = i.tenant_id
   and r.id = i.sales_return_id
   where r.status <> 'CANCELLED'
   group by 1, 2, 3) r
  using (tenant_id, sales_order_id, id)
  where r.quantity > l.shipped_quantity) found
 where tenant_id = $::bigint
[2]

-- reconcile 49
with f as materialized (
 select *
 from (
  select tenant_id, format('variant %s in manufacturing order %s', item_variant_id, order_id) as subject, format('quantity %s, cost %s', trim_scale(m.quantity), trim_scale(m.cost)) as expected,
  format('quantity %s, cost %s', trim_scale(l.quantity), trim_scale(l.cost)) as found
  from (
   select tenant_id, manufacturing_order_id as order_id, item_variant_id, sum(actual_quantity) as quantity, sum(cost) as cost
   from manufacturing_order_items
   where actual_quantity > 0
   or cost > 0
   group by 1, 2, 3) l full
  join (
   select tenant_id, source_id as order_id, item_variant_id, -sum(quantity) as quantity, -sum(value) as cost
   from stock_movements
   where kind in ('MANUFACTURING_WRITE_OFF', 'MANUFACTURING_RETURN')
   group by 1, 2, 3
   having sum(quantity) <> 0
   or sum(value) <> 0) m
  using (tenant_id, order_id, item_variant_id)
  where (l.quantity, l.cost) is distinct
  from (m.quantity, m.cost)) found
 where tenant_id = $::bigint
[2]

-- reconcile 50
with f as materialized (
 select *
 from (
  select tenant_id, format('variant %s, batch %s in manufacturing order %s', item_variant_id, coalesce(batch_id::text, 'none'), source_id) as subject,
  '0 or more written off' as expected, trim_scale(-sum(quantity))::text as found
  from stock_movements
  where kind in ('MANUFACTURING_WRITE_OFF', 'MANUFACTURING_RETURN')
  group by tenant_id, source_id, item_variant_id, batch_id
  having sum(quantity) > 0) found
 where tenant_id = $::bigint
[2]

-- reconcile 51
with f as materialized (
 select *
 from (
  select tenant_id, format('manufacturing order %s', id) as subject, format('released %s, good %s, worth %s', trim_scale(m.released), trim_scale(m.good), trim_scale(m.value)) as expected,
  format('released %s, good %s, worth %s', trim_scale(o.released), trim_scale(o.good), trim_scale(o.value)) as found
  from (
   select tenant_id, id, released_quantity as released, actual_quantity as good, posted_cost - expensed_cost as value
   from manufacturing_orders
   where released_quantity > 0
   or posted_cost > expensed_cost) o full
  join (
   select tenant_id, source_id as id, sum(quantity) as released, sum(quantity - quarantine_quantity) as good, sum(value) as value
   from stock_movements
   where kind = 'MANUFACTURING_OUTPUT'
   group by 1, 2) m
  using (tenant_id, id)
  where (o.released, o.good, o.value) is distinct
  from (m.released, m.good, m.value)) found
 where tenant_id = $::bigint
[2]

-- reconcile 52
with f as materialized (
 select *
 from (
  select o.tenant_id, format('manufacturing order %s', o.number) as subject, format('%s + %s', trim_scale(c.materials), trim_scale(c.operations)) as expected,
  format('%s + %s', trim_scale(o.materials_cost), trim_scale(o.operations_cost)) as found
  from manufacturing_orders o
  left join (select tenant_id, manufacturing_order_id as id, sum(cost) as cost from manufacturing_order_items group by 1, 2) l
  using (tenant_id, id)
  left join (
   select tenant_id, manufacturing_order_id as id, sum(coalesce(actual_cost, planned_cost)) as cost
   from manufacturing_order_tasks
   group by 1, 2) k
  using (tenant_id, id)
  cross join lateral (
   select coalesce(l.cost, 0) as materials, case when (o.status = 'NOT_STARTED' or o.status_before_block = 'NOT_STARTED') then 0 else coalesce(k.cost, 0) end as operations) c
  where (o.materials_cost, o.operations_cost) <> (c.materials, c.operations)) found
 where tenant_id = $::bigint
[2]

-- reconcile 53
with f as materialized (
 select *
 from (
  select o.tenant_id, format('manufacturing order %s', o.number) as subject, case when o.status = 'DONE' then 'no work in progress' else 'work in progress of 0 or more' end as expected,
  trim_scale(o.materials_cost + o.operations_cost - o.posted_cost)::text as found
  from manufacturing_orders o
  where o.posted_cost > o.materials_cost + o.operations_cost
  or (o.status = 'DONE' and o.posted_cost <> o.materials_cost + o.operations_cost)) found
 where tenant_id = $::bigint
[2]

-- reconcile 54
with f as materialized (
 select *
 from (
  [15]
  from (
   select distinct tenant_id, 'items: unit_id' as reference, unit_id as key_1
   from items
   where num_nulls(unit_id) = 0
   union all
   select distinct tenant_id, 'operations: unit_id' as reference, unit_id as key_1
   from operations
   where num_nulls(unit_id) = 0
   union all
   select distinct tenant_id, 'manufacturing_order_tasks: unit_id' as reference, unit_id as key_1
   from manufacturing_order_tasks
   where num_nulls(unit_id) = 0) r
  where not exists (select from units o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  [15]
  from (
   select distinct tenant_id, 'item_variants: item_id' as reference, item_id as key_1
   from item_variants
   where num_nulls(item_id) = 0
   union all
   select distinct tenant_id, 'stock_adjustment_items: item_id' as reference, item_id as key_1
   from stock_adjustment_items
   where num_nulls(item_id) = 0
   union all
   select distinct tenant_id, 'stock_count_items: item_id' as reference, item_id as key_1
   from stock_count_items
   where num_nulls(item_id) = 0
   union all
   select distinct tenant_id, 'recipes: item_id' as reference, item_id as key_1
   from recipes
   where num_nulls(item_id) = 0
   union all
   select distinct tenant_id, 'manufacturing_orders: item_id' as reference, item_id as key_1
   from manufacturing_orders
   where num_nulls(item_id) = 0
   union all
   select distinct tenant_id, 'manufacturing_order_items: item_id' as reference, item_id as key_1
   from manufacturing_order_items
   where num_nulls(item_id) = 0
   union all
   select distinct tenant_id, 'purchase_order_items: item_id' as reference, item_id as key_1
   from purchase_order_items
   where num_nulls(item_id) = 0
   union all
   select distinct tenant_id, 'purchase_receipt_items: item_id' as reference, item_id as key_1
   from purchase_receipt_items
   where num_nulls(item_id) = 0
   union all
   select distinct tenant_id, 'reservation_items: item_id' as reference, item_id as key_1
   from reservation_items
   where num_nulls(item_id) = 0
   union all
   select distinct tenant_id, 'sales_order_items: item_id' as reference, item_id as key_1
   from sales_order_items
   where num_nulls(item_id) = 0) r
  where not exists (select from items o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'stock_levels: item_variant_id' as reference, item_variant_id as key_1
   from stock_levels
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'stock_movements: item_variant_id' as reference, item_variant_id as key_1
   from stock_movements
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'batches: item_variant_id' as reference, item_variant_id as key_1
   from batches
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'stock_adjustment_items: item_variant_id' as reference, item_variant_id as key_1
   from stock_adjustment_items
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'stock_transfer_items: item_variant_id' as reference, item_variant_id as key_1
   from stock_transfer_items
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'stock_count_items: item_variant_id' as reference, item_variant_id as key_1
   from stock_count_items
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'recipes: item_variant_id' as reference, item_variant_id as key_1
   from recipes
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'recipe_materials: item_variant_id' as reference, item_variant_id as key_1
   from recipe_materials
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'manufacturing_orders: item_variant_id' as reference, item_variant_id as key_1
   from manufacturing_orders
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'manufacturing_order_items: item_variant_id' as reference, item_variant_id as key_1
   from manufacturing_order_items
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'supplier_items: item_variant_id' as reference, item_variant_id as key_1
   from supplier_items
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'purchase_order_items: item_variant_id' as reference, item_variant_id as key_1
   from purchase_order_items
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'purchase_receipt_items: item_variant_id' as reference, item_variant_id as key_1
   from purchase_receipt_items
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'landed_cost_allocations: item_variant_id' as reference, item_variant_id as key_1
   from landed_cost_allocations
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'reservation_items: item_variant_id' as reference, item_variant_id as key_1
   from reservation_items
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'sales_order_items: item_variant_id' as reference, item_variant_id as key_1
   from sales_order_items
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'sales_shipment_items: item_variant_id' as reference, item_variant_id as key_1
   from sales_shipment_items
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'sales_packing_items: item_variant_id' as reference, item_variant_id as key_1
   from sales_packing_items
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'sales_return_items: item_variant_id' as reference, item_variant_id as key_1
   from sales_return_items
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'past_stock_balances: item_variant_id' as reference, item_variant_id as key_1
   from past_stock_balances
   where num_nulls(item_variant_id) = 0
   union all
   select distinct tenant_id, 'stock_balances: item_variant_id' as reference, item_variant_id as key_1
   from stock_balances
   where num_nulls(item_variant_id) = 0) r
  where not exists (select from item_variants o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'stock_levels: storage_place_id' as reference, storage_place_id as key_1
   from stock_levels
   where num_nulls(storage_place_id) = 0
   union all
   select distinct tenant_id, 'stock_movements: storage_place_id' as reference, storage_place_id as key_1
   from stock_movements
   where num_nulls(storage_place_id) = 0
   union all
   select distinct tenant_id, 'stock_adjustments: storage_place_id' as reference, storage_place_id as key_1
   from stock_adjustments
   where num_nulls(storage_place_id) = 0
   union all
   select distinct tenant_id, 'stock_transfers: from_storage_place_id' as reference, from_storage_place_id as key_1
   from stock_transfers
   where num_nulls(from_storage_place_id) = 0
   union all
   select distinct tenant_id, 'stock_transfers: to_storage_place_id' as reference, to_storage_place_id as key_1
   from stock_transfers
   where num_nulls(to_storage_place_id) = 0
   union all
   select distinct tenant_id, 'stock_counts: storage_place_id' as reference, storage_place_id as key_1
   from stock_counts
   where num_nulls(storage_place_id) = 0
   union all
   select distinct tenant_id, 'manufacturing_orders: last_output_place_id' as reference, last_output_place_id as key_1
   from manufacturing_orders
   where num_nulls(last_output_place_id) = 0
   union all
   select distinct tenant_id, 'manufacturing_orders: manufacturing_location_id' as reference, manufacturing_location_id as key_1
   from manufacturing_orders
   where num_nulls(manufacturing_location_id) = 0
   union all
   select distinct tenant_id, 'purchase_orders: expected_place_id' as reference, expected_place_id as key_1
   from purchase_orders
   where num_nulls(expected_place_id) = 0
   union all
   select distinct tenant_id, 'purchase_receipts: storage_place_id' as reference, storage_place_id as key_1
   from purchase_receipts
   where num_nulls(storage_place_id) = 0
   union all
   select distinct tenant_id, 'landed_costs: storage_place_id' as reference, storage_place_id as key_1
   from landed_costs
   where num_nulls(storage_place_id) = 0
   union all
   select distinct tenant_id, 'reservation_items: storage_place_id' as reference, storage_place_id as key_1
   from reservation_items
   where num_nulls(storage_place_id) = 0
   union all
   select distinct tenant_id, 'sales_order_items: storage_place_id' as reference, storage_place_id as key_1
   from sales_order_items
   where num_nulls(storage_place_id) = 0
   union all
   select distinct tenant_id, 'sales_returns: storage_place_id' as reference, storage_place_id as key_1
   from sales_returns
   where num_nulls(storage_place_id) = 0
   union all
   select distinct tenant_id, 'sales_return_items: storage_place_id' as reference, storage_place_id as key_1
   from sales_return_items
   where num_nulls(storage_place_id) = 0
   union all
   select distinct tenant_id, 'stock_balances: storage_place_id' as reference, storage_place_id as key_1
   from stock_balances
   where num_nulls(storage_place_id) = 0) r
  where not exists (select from storage_places o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'stock_levels: batch_id' as reference, batch_id as key_1
   from stock_levels
   where num_nulls(batch_id) = 0
   union all
   select distinct tenant_id, 'stock_movements: batch_id' as reference, batch_id as key_1
   from stock_movements
   where num_nulls(batch_id) = 0
   union all
   select distinct tenant_id, 'stock_adjustment_items: batch_id' as reference, batch_id as key_1
   from stock_adjustment_items
   where num_nulls(batch_id) = 0
   union all
   select distinct tenant_id, 'stock_transfer_items: batch_id' as reference, batch_id as key_1
   from stock_transfer_items
   where num_nulls(batch_id) = 0
   union all
   select distinct tenant_id, 'stock_count_items: batch_id' as reference, batch_id as key_1
   from stock_count_items
   where num_nulls(batch_id) = 0
   union all
   select distinct tenant_id, 'manufacturing_orders: last_output_batch_id' as reference, last_output_batch_id as key_1
   from manufacturing_orders
   where num_nulls(last_output_batch_id) = 0
   union all
   select distinct tenant_id, 'purchase_receipt_items: batch_id' as reference, batch_id as key_1
   from purchase_receipt_items
   where num_nulls(batch_id) = 0
   union all
   select distinct tenant_id, 'landed_cost_allocations: batch_id' as reference, batch_id as key_1
   from landed_cost_allocations
   where num_nulls(batch_id) = 0
   union all
   select distinct tenant_id, 'sales_shipment_items: batch_id' as reference, batch_id as key_1
   from sales_shipment_items
   where num_nulls(batch_id) = 0
   union all
   select distinct tenant_id, 'sales_packing_items: batch_id' as reference, batch_id as key_1
   from sales_packing_items
   where num_nulls(batch_id) = 0
   union all
   select distinct tenant_id, 'sales_return_items: batch_id' as reference, batch_id as key_1
   from sales_return_items
   where num_nulls(batch_id) = 0) r
  where not exists (select from batches o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'stock_adjustment_items: stock_adjustment_id' as reference, stock_adjustment_id as key_1
   from stock_adjustment_items
   where num_nulls(stock_adjustment_id) = 0
   union all
   select distinct tenant_id, 'stock_counts: adjustment_id' as reference, adjustment_id as key_1
   from stock_counts
   where num_nulls(adjustment_id) = 0) r
  where not exists (select from stock_adjustments o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'stock_transfer_items: stock_transfer_id' as reference, stock_transfer_id as key_1
   from stock_transfer_items
   where num_nulls(stock_transfer_id) = 0) r
  where not exists (select from stock_transfers o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'stock_count_items: stock_count_id' as reference, stock_count_id as key_1
   from stock_count_items
   where num_nulls(stock_count_id) = 0) r
  where not exists (select from stock_counts o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'recipe_materials: recipe_id' as reference, recipe_id as key_1
   from recipe_materials
   where num_nulls(recipe_id) = 0
   union all
   select distinct tenant_id, 'recipe_operations: recipe_id' as reference, recipe_id as key_1
   from recipe_operations
   where num_nulls(recipe_id) = 0
   union all
   select distinct tenant_id, 'manufacturing_orders: recipe_id' as reference, recipe_id as key_1
   from manufacturing_orders
   where num_nulls(recipe_id) = 0) r
  where not exists (select from recipes o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'recipe_operations: operation_id' as reference, operation_id as key_1
   from recipe_operations
   where num_nulls(operation_id) = 0
   union all
   select distinct tenant_id, 'manufacturing_order_tasks: operation_id' as reference, operation_id as key_1
   from manufacturing_order_tasks
   where num_nulls(operation_id) = 0) r
  where not exists (select from operations o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'manufacturing_orders: sales_order_id' as reference, sales_order_id as key_1
   from manufacturing_orders
   where num_nulls(sales_order_id) = 0
   union all
   select distinct tenant_id, 'reservations: sales_order_id' as reference, sales_order_id as key_1
   from reservations
   where num_nulls(sales_order_id) = 0
   union all
   select distinct tenant_id, 'sales_order_items: sales_order_id' as reference, sales_order_id as key_1
   from sales_order_items
   where num_nulls(sales_order_id) = 0
   union all
   select distinct tenant_id, 'sales_order_charges: sales_order_id' as reference, sales_order_id as key_1
   from sales_order_charges
   where num_nulls(sales_order_id) = 0
   union all
   select distinct tenant_id, 'sales_shipments: sales_order_id' as reference, sales_order_id as key_1
   from sales_shipments
   where num_nulls(sales_order_id) = 0
   union all
   select distinct tenant_id, 'sales_shipment_items: sales_order_id' as reference, sales_order_id as key_1
   from sales_shipment_items
   where num_nulls(sales_order_id) = 0
   union all
   select distinct tenant_id, 'sales_packings: sales_order_id' as reference, sales_order_id as key_1
   from sales_packings
   where num_nulls(sales_order_id) = 0
   union all
   select distinct tenant_id, 'sales_returns: sales_order_id' as reference, sales_order_id as key_1
   from sales_returns
   where num_nulls(sales_order_id) = 0
   union all
   select distinct tenant_id, 'sales_return_items: sales_order_id' as reference, sales_order_id as key_1
   from sales_return_items
   where num_nulls(sales_order_id) = 0) r
  where not exists (select from sales_orders o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'manufacturing_order_items: manufacturing_order_id' as reference, manufacturing_order_id as key_1
   from manufacturing_order_items
   where num_nulls(manufacturing_order_id) = 0
   union all
   select distinct tenant_id, 'manufacturing_order_tasks: manufacturing_order_id' as reference, manufacturing_order_id as key_1
   from manufacturing_order_tasks
   where num_nulls(manufacturing_order_id) = 0) r
  where not exists (select from manufacturing_orders o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'supplier_items: supplier_id' as reference, supplier_id as key_1
   from supplier_items
   where num_nulls(supplier_id) = 0
   union all
   select distinct tenant_id, 'purchase_orders: supplier_id' as reference, supplier_id as key_1
   from purchase_orders
   where num_nulls(supplier_id) = 0) r
  where not exists (select from suppliers o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'purchase_order_items: purchase_order_id' as reference, purchase_order_id as key_1
   from purchase_order_items
   where num_nulls(purchase_order_id) = 0
   union all
   select distinct tenant_id, 'purchase_receipts: purchase_order_id' as reference, purchase_order_id as key_1
   from purchase_receipts
   where num_nulls(purchase_order_id) = 0
   union all
   select distinct tenant_id, 'purchase_receipt_items: purchase_order_id' as reference, purchase_order_id as key_1
   from purchase_receipt_items
   where num_nulls(purchase_order_id) = 0
   union all
   select distinct tenant_id, 'landed_costs: purchase_order_id' as reference, purchase_order_id as key_1
   from landed_costs
   where num_nulls(purchase_order_id) = 0) r
  where not exists (select from purchase_orders o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1,key_2)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'purchase_receipt_items: purchase_order_id, purchase_order_item_id' as reference, purchase_order_id as key_1,
   purchase_order_item_id as key_2
   from purchase_receipt_items
   where num_nulls(purchase_order_id, purchase_order_item_id) = 0) r
  where not exists (select from purchase_order_items o where (o.tenant_id, o.purchase_order_id,o.id) = (r.tenant_id, r.key_1,r.key_2))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'purchase_receipt_items: purchase_receipt_id' as reference, purchase_receipt_id as key_1
   from purchase_receipt_items
   where num_nulls(purchase_receipt_id) = 0
   union all
   select distinct tenant_id, 'landed_costs: purchase_receipt_id' as reference, purchase_receipt_id as key_1
   from landed_costs
   where num_nulls(purchase_receipt_id) = 0
   union all
   select distinct tenant_id, 'landed_cost_allocations: purchase_receipt_id' as reference, purchase_receipt_id as key_1
   from landed_cost_allocations
   where num_nulls(purchase_receipt_id) = 0) r
  where not exists (select from purchase_receipts o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'landed_cost_items: landed_cost_id' as reference, landed_cost_id as key_1
   from landed_cost_items
   where num_nulls(landed_cost_id) = 0
   union all
   select distinct tenant_id, 'landed_cost_allocations: landed_cost_id' as reference, landed_cost_id as key_1
   from landed_cost_allocations
   where num_nulls(landed_cost_id) = 0) r
  where not exists (select from landed_costs o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1,key_2)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'landed_cost_allocations: purchase_receipt_id, id' as reference, purchase_receipt_id as key_1,
   id as key_2
   from landed_cost_allocations
   where num_nulls(purchase_receipt_id, id) = 0) r
  where not exists (select from purchase_receipt_items o where (o.tenant_id, o.purchase_receipt_id,o.id) = (r.tenant_id, r.key_1,r.key_2))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'reservations: customer_id' as reference, customer_id as key_1
   from reservations
   where num_nulls(customer_id) = 0
   union all
   select distinct tenant_id, 'sales_orders: customer_id' as reference, customer_id as key_1
   from sales_orders
   where num_nulls(customer_id) = 0
   union all
   select distinct tenant_id, 'sales_returns: customer_id' as reference, customer_id as key_1
   from sales_returns
   where num_nulls(customer_id) = 0) r
  where not exists (select from customers o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'reservation_items: reservation_id' as reference, reservation_id as key_1
   from reservation_items
   where num_nulls(reservation_id) = 0) r
  where not exists (select from reservations o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'sales_orders: cancelled_by_user_id' as reference, cancelled_by_user_id as key_1
   from sales_orders
   where num_nulls(cancelled_by_user_id) = 0) r
  where not exists (select from users o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1,key_2)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'sales_shipment_items: sales_order_id, sales_order_item_id' as reference, sales_order_id as key_1,
   sales_order_item_id as key_2
   from sales_shipment_items
   where num_nulls(sales_order_id, sales_order_item_id) = 0
   union all
   select distinct tenant_id, 'sales_return_items: sales_order_id, sales_order_item_id' as reference, sales_order_id as key_1,
   sales_order_item_id as key_2
   from sales_return_items
   where num_nulls(sales_order_id, sales_order_item_id) = 0) r
  where not exists (select from sales_order_items o where (o.tenant_id, o.sales_order_id,o.id) = (r.tenant_id, r.key_1,r.key_2))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'sales_shipment_items: sales_shipment_id' as reference, sales_shipment_id as key_1
   from sales_shipment_items
   where num_nulls(sales_shipment_id) = 0) r
  where not exists (select from sales_shipments o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'sales_packing_items: sales_packing_id' as reference, sales_packing_id as key_1
   from sales_packing_items
   where num_nulls(sales_packing_id) = 0) r
  where not exists (select from sales_packings o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'sales_return_items: sales_return_id' as reference, sales_return_id as key_1
   from sales_return_items
   where num_nulls(sales_return_id) = 0) r
  where not exists (select from sales_returns o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'past_stock_balances: movement_id' as reference, movement_id as key_1
   from past_stock_balances
   where num_nulls(movement_id) = 0
   union all
   select distinct tenant_id, 'past_stock_balances_progress: movement_id' as reference, movement_id as key_1
   from past_stock_balances_progress
   where num_nulls(movement_id) = 0) r
  where not exists (select from stock_movements o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))
  union all
  select tenant_id, format('%s %s', reference, concat_ws(', ', key_1)) as subject, 1 as expected, 0 as found
  from (
   select distinct tenant_id, 'stock_movements: stock_level_id' as reference, stock_level_id as key_1
   from stock_movements
   where num_nulls(stock_level_id) = 0) r
  where not exists (select from stock_levels o where (o.tenant_id, o.id) = (r.tenant_id, r.key_1))) found
 where tenant_id = $::bigint
[2]

-- reconcile 55
with f as materialized (
 select *
 from (
  select e.tenant_id, 'events' as subject, format('%s to %s', s.event_sequence - e.events - g.left_out + 1, s.event_sequence) as expected,
  format('%s to %s', e.first, e.last) as found
  from (select tenant_id, count(*) as events, min(sequence) as first, max(sequence) as last from events group by 1) e
  join tenant_streams s on s.tenant_id = e.tenant_id
  cross join lateral (
   select coalesce(sum(until_sequence - after_sequence), 0) as left_out
   from event_gaps
   where tenant_id = e.tenant_id
   and after_sequence >= e.first
   and until_sequence < e.last) g
  where e.last <> s.event_sequence
  or e.last - e.first + 1 - g.left_out <> e.events) found
 where tenant_id = $::bigint
[2]

-- server, command log 1
select q.idempotency_key, encode(c.fingerprint, 'hex') as fingerprint, c.status, c.body, c.request_id
from (select tenant_id from tenant_streams where tenant_id = $::bigint limit 1) t
cross join unnest($::"text"[]) as q (idempotency_key)
left join lateral (
 select c.fingerprint, c.status, coalesce(c.body, e.data) as body, c.request_id
 from (select * from commands where tenant_id = t.tenant_id and idempotency_key = q.idempotency_key limit 1) c
 left join lateral (
  select (body::json -> 'data')::text as data
  from events
  where tenant_id = c.tenant_id
  and sequence = c.body_sequence
  limit 1) e on true
 where c.body_sequence is null
 or e.data is not null) c on true

-- server, command log 2
select r.claim_id, r.refusal
from unnest($::"text"[]) as q (claim_id)
cross join lateral (select * from refused_commands where tenant_id = $::bigint and claim_id = q.claim_id limit 1) r

-- server, event streams [1]
select s.event_sequence::text as last, s.event_sequence <= $::bigint
or coalesce((
  select true

-- server, event streams [2]
  and sequence = 1 + coalesce((select until_sequence from event_gaps where tenant_id = $::bigint and after_sequence = $::bigint limit 1), $::bigint)
  limit 1), false) as "isKept", e.found::text as found, e.sequence::text as sequence, e.type, e.body
from tenant_streams s

-- server, event streams [3]
select sequence, type, body, count(*) over () as found, sum(octet_length(body)) over (order by sequence) - octet_length(body) as before

-- server, event streams [4]
and (type, sequence) > (k.type, $::bigint)
and (type, sequence) < (k.type, 9223372036854775807)
order by type, sequence
limit $) e

-- server, event streams 1
select q.tenant_id::text as "tenantId", s.event_sequence::text as last, e.sequence::text as sequence, e.type, e.body
from jsonb_to_recordset($::jsonb) as q (tenant_id bigint, after bigint, wanted boolean)
cross join lateral (select event_sequence from tenant_streams where tenant_id = q.tenant_id limit 1) s
left join lateral (
 select sequence, type, body
 from (
  select sequence, type, body, sum(octet_length(body)) over (order by sequence) - octet_length(body) as before
  from (
   select sequence, type, body
   from events
   where q.wanted
   and tenant_id = q.tenant_id
   and sequence > q.after
   order by sequence
   limit 200) next) measured
 where before < $) e on true
where s.event_sequence <> q.after
order by q.tenant_id, e.sequence

-- server, event streams 2
[1]
  from events
  where tenant_id = $::bigint
[2]
left join lateral (
 select sequence, type, body, found
 from (
  [3]
  from (select * from events where tenant_id = $::bigint and sequence > $::bigint order by sequence limit 200) next) measured
 where before < $) e on true
where s.tenant_id = $::bigint
order by e.sequence

-- server, event streams 3
select coalesce(sum(octet_length(body)), 0)::text as bytes
from (select * from events where tenant_id = $::bigint and sequence > $::bigint order by sequence limit 8192) waiting

-- server, event streams 4
[1]
  from events
  where tenant_id = $::bigint
[2]
left join lateral (
 select sequence, type, body, found
 from (
  [3]
  from (
   select e.*
   from unnest($::"text"[]) k (type)
   cross join lateral (
    select *
    from events
    where tenant_id = $::bigint
    [4]
   order by e.sequence
   limit $) next) measured
 where before < $) e on true
where s.tenant_id = $::bigint
order by e.sequence

-- server, event streams 5
select coalesce(sum(octet_length(body)), 0)::text as bytes
from (
 select e.*
 from unnest($::"text"[]) k (type)
 cross join lateral (
  select *
  from events
  where tenant_id = $::bigint
  [4]
 order by e.sequence
 limit $) waiting

-- server, keys [1]
select encode(k.token_hash, 'hex') as token_hash, k.tenant_id, k.id, k.name, k.user_name, to_json(k.scopes)::text as scopes,
k.rate_per_minute, k.burst, k.daily_documents, k.quota_group, t.suspended_at is not null as tenant_suspended, iso(k.expires_at) as expires_at,
k.revoked_at is not null as revoked

-- server, keys [2]
cross join lateral (select * from tenants where tenant_id = k.tenant_id limit 1) as t
cross join lateral (select from tenant_streams where tenant_id = k.tenant_id limit 1) as here

-- server, keys 1
[1]
from jsonb_array_elements_text($::jsonb) as wanted(token_hash)
cross join lateral (select * from api_keys where token_hash = decode(wanted.token_hash, 'hex') limit 1) as k
[2]

-- server, keys 2
select wanted.token_hash, t.cell, coalesce((select true from tenant_moves where tenant_id = t.tenant_id), false) as "isMoving"
from unnest($::"text"[]) as wanted (token_hash)
cross join lateral (select tenant_id from cell_keys where token_hash = decode(wanted.token_hash, 'hex') limit 1) k
cross join lateral (select tenant_id, cell from cell_tenants where tenant_id = k.tenant_id limit 1) t

-- server, keys 3
[1]
from jsonb_to_recordset($::jsonb) as wanted (tenant_id bigint, id bigint)
cross join lateral (select * from api_keys where tenant_id = wanted.tenant_id and id = wanted.id limit 1) as k
[2]

-- server, keys 4
select current_generation(true)::text as generation

-- server, keys 5
select pg_snapshot_xmin(pg_current_snapshot())::text as transaction, iso(now()) as at, (select coalesce(json_agg(distinct tenant_id::text), '[]')::text from key_changes where changed_by >= $::xid8) as "tenantIds"

-- server, mail of a spent quota 1
with noted as materialized (
 select t.tenant_id, t.owner_email, jsonb_build_object('key_id', k.id::text, 'key_name', k.name, 'daily_documents', k.daily_documents, 'day', $::text) as facts
 from tenant_streams s
 join tenants t on t.tenant_id = s.tenant_id
 join api_keys k on k.tenant_id = s.tenant_id
 where s.tenant_id = $::bigint
 and k.id = $::bigint)
insert into mails (tenant_id, id, cause, kind, recipient, facts)
select tenant_id, $::bigint, $, 'quota_exhausted', owner_email, facts
from noted on conflict (tenant_id, cause) do nothing

-- server, security counts 1
insert into security_network_keys (day, key)
select day, decode(fresh, 'hex')
from jsonb_to_recordset($::jsonb) as entry(day date, fresh text)
order by day on conflict (day) do nothing

-- server, security counts 2
select day::text as day, encode(key, 'hex') as key from security_network_keys
where day in (select day from jsonb_to_recordset($::jsonb) as entry(day date))

-- server, security counts 3
with writer as (
 insert into security_writers (writer, last_batch, written_at)
 select $, $, now() on conflict (writer) do update
 set last_batch = excluded.last_batch, written_at = excluded.written_at
 where security_writers.last_batch < excluded.last_batch
 returning 1), tenants_here as materialized (
 select q.tenant_id, s.is_here
 from (select distinct tenant_id from jsonb_to_recordset($::jsonb) as entry (tenant_id bigint)) q
 left join lateral (select true as is_here from tenant_streams where tenant_id = q.tenant_id limit 1) s on true), counts as (
 insert into security_recent (tenant_id, hour, batch, place, second, key_id, metric, method, route, count, network, network_before)
 select tenant_id, hour, hashtextextended($, $), place, second, key_id, metric, method, route, count, decode(network, 'hex'),
 decode(network_before, 'hex')
 from rows
 from (jsonb_to_recordset($::jsonb) as (tenant_id bigint, hour integer, second smallint, key_id bigint, metric smallint, method text, route text, count integer, network text, network_before text))
 with ordinality as entry(tenant_id, hour, second, key_id, metric, method, route, count, network, network_before, place)
 where exists (select from writer)
 and tenant_id in (select tenant_id from tenants_here where is_here))
select exists (select from writer) as is_new, (select coalesce(json_agg(tenant_id::text), '[]')::text from tenants_here where is_here is null) as elsewhere

-- webhook, mails 1
with due as (
 select tenant_id, id
 from mails
 where sent_at is null
 and next_attempt_at <= now()
 and tenant_id <> all (array(select tenant_id from tenants where moving is not null))
 order by next_attempt_at
 limit 1 for
 update skip locked), taken as (
 update mails m
 set attempts = m.attempts + 1, next_attempt_at = now() + make_interval(secs => $)
 from due
 where m.tenant_id = due.tenant_id
 and m.id = due.id
 returning m.*)
select tenant_id::text as "tenantId", id::text as id, kind, recipient, facts::text as facts, attempts, iso(created_at) as "createdAt"
from taken

-- webhook, mails 2
update mails
set next_attempt_at = now() + make_interval(secs => $)
where tenant_id = $::bigint
and id = $::bigint

-- webhook, mails 3
update mails
set sent_at = now()
where tenant_id = $::bigint
and id = $::bigint

-- webhook, metrics 1
with recursive pending as ((
  select tenant_id, subscription_id, generation, 1 as n
  from webhook_deliveries
  where status = 'pending'
  and (tenant_id, subscription_id, generation) > ($::bigint, $::bigint, $::int)
  order by tenant_id, subscription_id, generation, next_attempt_at, id
  limit 1)
 union all
 select next.tenant_id, next.subscription_id, next.generation, p.n + 1
 from pending p
 cross join lateral (
  select tenant_id, subscription_id, generation
  from webhook_deliveries
  where status = 'pending'
  and (tenant_id, subscription_id, generation) > (p.tenant_id, p.subscription_id, p.generation)
  order by tenant_id, subscription_id, generation, next_attempt_at, id
  limit 1) next
 where p.n < $::int)
select count(*)::int as count
from (
 select
 from pending p
 cross join lateral (
  select generation
  from webhook_subscriptions
  where tenant_id = p.tenant_id
  and id = p.subscription_id
  and generation = p.generation
  and deleted_at is null
  limit 1) s
 cross join lateral (
  select
  from webhook_deliveries d
  where d.tenant_id = p.tenant_id
  and d.subscription_id = p.subscription_id
  and d.generation = s.generation
  and d.status = 'pending'
  and d.next_attempt_at <= $::timestamptz
  offset 0) d
 limit $) due

-- webhook, outcomes 1
select s.tenant_id::text as tenant_id, s.id::text as id, s.url, s.generation, s.status, s.consecutive_failures, iso(s.good_since) as good_since,
iso(s.last_delivery_at) as last_delivery_at, iso(s.last_failure_at) as last_failure_at, s.last_failure_reason
from (
 select tenant_id, id
 from jsonb_to_recordset($::jsonb) as asked(tenant_id bigint, id bigint)
 where set_config('synchronous_commit', 'off', true) is not null
 offset 0) key cross join lateral (select * from webhook_subscriptions where tenant_id = key.tenant_id and id = key.id for no key update skip locked) s

-- webhook, outcomes 2
with ended as (
 update webhook_deliveries d
 set attempts = d.attempts + 1, response_status = o.response_status, duration_ms = o.duration_ms, error = o.error, round_attempts = case when (d.generation = o.generation and d.round_attempts = o.round_attempts) then d.round_attempts + 1 else d.round_attempts end,
 status = case when ((d.generation = o.generation and d.round_attempts = o.round_attempts) or o.status = 'succeeded') then o.status else d.status end,
 next_attempt_at = case when ((d.generation = o.generation and d.round_attempts = o.round_attempts) or o.status = 'succeeded') then o.next_attempt_at else d.next_attempt_at end,
 completed_at = case when ((d.generation = o.generation and d.round_attempts = o.round_attempts) or o.status = 'succeeded') then o.completed_at else d.completed_at end
 from jsonb_to_recordset($::jsonb) as o(tenant_id bigint, id bigint, generation int, round_attempts int, status text, response_status int, duration_ms int, error text, next_attempt_at timestamptz, completed_at timestamptz)
 where d.tenant_id = o.tenant_id
 and d.id = o.id
 and d.status <> 'succeeded')
update webhook_subscriptions s
set status = o.status, enabled = o.status <> 'disabled', consecutive_failures = o.consecutive_failures, good_since = o.good_since,
last_delivery_at = o.last_delivery_at, last_failure_at = o.last_failure_at, last_failure_reason = o.last_failure_reason, generation = o.generation,
disabled_at = coalesce(o.moved_at, s.disabled_at)
from jsonb_to_recordset($::jsonb) as o(tenant_id bigint, id bigint, status text, consecutive_failures int, good_since timestamptz, last_delivery_at timestamptz, last_failure_at timestamptz, last_failure_reason text, generation int, moved_at timestamptz)
where s.tenant_id = o.tenant_id
and s.id = o.id

-- webhook, outcomes 3
with noted as materialized (
 select t.tenant_id, m.id, m.cause, m.kind, t.owner_email, m.facts
 from jsonb_to_recordset($::jsonb) as m(tenant_id bigint, id bigint, cause text, kind text, facts jsonb)
 join tenants t
 using (tenant_id))
insert into mails (tenant_id, id, cause, kind, recipient, facts)
select tenant_id, id, cause, kind, owner_email, facts
from noted on conflict (tenant_id, cause) do nothing

-- webhook, recovery 1
with next as materialized (
 select tenant_id, subscription_id
 from webhook_recoveries
 where tenant_id = $::bigint
 and set_config('synchronous_commit', 'off', true) is not null
 order by subscription_id
 limit 1), s as materialized (
 select s.*
 from next
 cross join lateral (
  select *
  from webhook_subscriptions
  where tenant_id = next.tenant_id
  and id = next.subscription_id
  limit 1 for no key update) s), step as materialized (
 select r.tenant_id, r.subscription_id, s.generation, s.events, r.generation = s.generation
 and s.deleted_at is null as is_current, first.sequence as first, least(first.sequence + $ - 1, r.last_sequence) as last, r.last_sequence as range_last,
 r.due_at
 from s
 cross join lateral (select * from webhook_recoveries where tenant_id = s.tenant_id and subscription_id = s.id limit 1 for no key update) r
 cross join lateral (
  -- Not number by number through those that were left out.
  select coalesce((
    select e.sequence
    from events e
    where e.tenant_id = r.tenant_id
    and e.sequence >= r.next_sequence
    order by e.sequence
    limit 1), r.last_sequence) as sequence) first), missed as materialized (
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
 returning 1), moved as (
 update webhook_recoveries r
 set next_sequence = step.last + 1
 from step
 where r.tenant_id = step.tenant_id
 and r.subscription_id = step.subscription_id
 and step.is_current
 and step.last < step.range_last)
delete
from webhook_recoveries r
using step
where r.tenant_id = step.tenant_id
and r.subscription_id = step.subscription_id
and not (step.is_current and step.last < step.range_last)

-- webhook, relay 1
with relay as materialized (
 select tenant_id, relayed_sequence
 from webhook_relays
 where tenant_id = $::bigint
 and set_config('synchronous_commit', 'off', true) is not null for
 update), receivers as materialized (select * from webhook_subscriptions where tenant_id = $::bigint and deleted_at is null), bound as materialized (select greatest(1, least($, $ / greatest(1, count(*)))) as events from receivers where enabled), news as materialized (
 select e.tenant_id, e.sequence, e.id, e.type
 from relay r
 cross join lateral (
  select tenant_id, sequence, coalesce(id, substr(body, 8, 36)) as id, type
  from events
  where tenant_id = r.tenant_id
  and sequence > r.relayed_sequence
  order by sequence
  limit (select events from bound)) e), made as (
 insert into webhook_deliveries (tenant_id, subscription_id, generation, event_id, event_type, sequence, next_attempt_at, created_at)
 select n.tenant_id, s.id, s.generation, n.id, n.type, n.sequence, $::timestamptz, $::timestamptz
 from news n
 join receivers s on s.enabled
 and n.sequence > s.from_sequence
 and ('*' = any (s.events) or n.type = any (s.events))
 order by n.sequence, s.id on conflict (tenant_id, subscription_id, sequence) do nothing
 returning subscription_id), moved as (
 update webhook_relays
 set relayed_sequence = (select max(sequence) from news)
 where tenant_id = $::bigint
 and exists (select 1 from news)), due as (
 select subscription_id as id
 from made
 union
 select s.id
 from receivers s
 where (
  -- Not by EXISTS, which may be answered by reading all that is due to anybody.
  select true
  from webhook_deliveries d
  where d.tenant_id = s.tenant_id
  and d.subscription_id = s.id
  and d.generation = s.generation
  and d.status = 'pending'
  and d.next_attempt_at <= $::timestamptz
  limit 1))
select (select coalesce(json_agg(id::text), '[]') from due)::text as due, (select count(*) from news) = (select events from bound) as "isBehind",
exists (select 1 from webhook_recoveries where tenant_id = $::bigint) as "isRecovering"

-- webhook, relay, distributed [1]
insert into webhook_deliveries (id, tenant_id, subscription_id, generation, event_id, event_type, sequence, next_attempt_at, created_at)

-- webhook, relay, distributed 1
with receivers as materialized (select count(*) as count from webhook_subscriptions where tenant_id = $::bigint and deleted_at is null and enabled),
news as materialized (
 select e.sequence
 from webhook_relays r
 cross join lateral (
  select sequence
  from events
  where tenant_id = r.tenant_id
  and sequence > r.relayed_sequence
  order by sequence
  limit (select greatest(1, least($, $ / greatest(1, count))) from receivers)) e
 where r.tenant_id = $::bigint)
select ((select count(*) from news) * (select count from receivers))::int as deliveries, coalesce((select max(sequence) from news), 0)::text as last

-- webhook, relay, distributed 2
with relay as materialized (
 select tenant_id, relayed_sequence
 from webhook_relays
 where tenant_id = $::bigint
 and set_config('synchronous_commit', 'off', true) is not null for
 update), receivers as materialized (select * from webhook_subscriptions where tenant_id = $::bigint and deleted_at is null), bound as materialized (select greatest(1, least($, $ / greatest(1, count(*)))) as events from receivers where enabled), news as materialized (
 select e.tenant_id, e.sequence, e.id, e.type
 from relay r
 cross join lateral (
  select tenant_id, sequence, coalesce(id, substr(body, 8, 36)) as id, type
  from events
  where tenant_id = r.tenant_id
  and sequence > r.relayed_sequence
  and sequence <= $::bigint
  order by sequence
  limit (select events from bound)) e), made as (
 [1]
 select ($::"int8"[])[row_number() over (order by n.sequence, s.id)], n.tenant_id, s.id, s.generation, n.id, n.type, n.sequence,
 $::timestamptz, $::timestamptz
 from news n
 join receivers s on s.enabled
 and n.sequence > s.from_sequence
 and ('*' = any (s.events) or n.type = any (s.events))
 order by n.sequence, s.id on conflict (tenant_id, subscription_id, sequence) do nothing
 returning subscription_id), moved as (
 update webhook_relays
 set relayed_sequence = (select max(sequence) from news)
 where tenant_id = $::bigint
 and exists (select 1 from news)), due as (
 select subscription_id as id
 from made
 union
 select s.id
 from receivers s
 where (
  -- Not by EXISTS, which may be answered by reading all that is due to anybody.
  select true
  from webhook_deliveries d
  where d.tenant_id = s.tenant_id
  and d.subscription_id = s.id
  and d.generation = s.generation
  and d.status = 'pending'
  and d.next_attempt_at <= $::timestamptz
  limit 1))
select (select coalesce(json_agg(id::text), '[]') from due)::text as due, (select count(*) from news) = (select events from bound) as "isBehind",
exists (select 1 from webhook_recoveries where tenant_id = $::bigint) as "isRecovering"

-- webhook, relay, distributed 3
with next as materialized (
 select tenant_id, subscription_id
 from webhook_recoveries
 where tenant_id = $::bigint
 and set_config('synchronous_commit', 'off', true) is not null
 order by subscription_id
 limit 1), s as materialized (
 select s.*
 from next
 cross join lateral (
  select *
  from webhook_subscriptions
  where tenant_id = next.tenant_id
  and id = next.subscription_id
  limit 1 for no key update) s), step as materialized (
 select r.tenant_id, r.subscription_id, s.generation, s.events, r.generation = s.generation
 and s.deleted_at is null as is_current, first.sequence as first, least(first.sequence + $ - 1, r.last_sequence) as last, r.last_sequence as range_last,
 r.due_at
 from s
 cross join lateral (select * from webhook_recoveries where tenant_id = s.tenant_id and subscription_id = s.id limit 1 for no key update) r
 cross join lateral (
  -- Not number by number through those that were left out.
  select coalesce((
    select e.sequence
    from events e
    where e.tenant_id = r.tenant_id
    and e.sequence >= r.next_sequence
    order by e.sequence
    limit 1), r.last_sequence) as sequence) first), missed as materialized (
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
 [1]
 select ($::"int8"[]::bigint[])[row_number() over (order by sequence)], tenant_id, subscription_id, generation, event_id, type,
 sequence, next_attempt_at, due_at
 from missed
 order by sequence on conflict (tenant_id, subscription_id, sequence) do update
 set status = 'pending', generation = excluded.generation, round_attempts = 0, next_attempt_at = excluded.next_attempt_at,
 completed_at = null
 where webhook_deliveries.status <> 'succeeded'
 returning 1), moved as (
 update webhook_recoveries r
 set next_sequence = step.last + 1
 from step
 where r.tenant_id = step.tenant_id
 and r.subscription_id = step.subscription_id
 and step.is_current
 and step.last < step.range_last)
delete
from webhook_recoveries r
using step
where r.tenant_id = step.tenant_id
and r.subscription_id = step.subscription_id
and not (step.is_current and step.last < step.range_last)

-- webhook, retries 1
select s.tenant_id::text as "tenantId", s.id::text as "subscriptionId", ceil(extract(epoch from d.next_attempt_at) * 1000)::text as at
from jsonb_to_recordset($::jsonb) as asked(tenant_id bigint, id bigint)
cross join lateral (
 select tenant_id, id, generation
 from webhook_subscriptions
 where tenant_id = asked.tenant_id
 and id = asked.id
 and deleted_at is null
 limit 1) s
cross join lateral (
 select next_attempt_at
 from webhook_deliveries
 where tenant_id = s.tenant_id
 and subscription_id = s.id
 and generation = s.generation
 and status = 'pending'
 and next_attempt_at > $::timestamptz
 order by next_attempt_at
 limit 1) d

-- webhook, sender 1
with s as materialized (
 select s.tenant_id, s.id, s.generation, s.url, (
  select coalesce(json_agg(encode(w.sealed, 'hex') order by w.id desc), '[]')::text
  from webhook_secrets w
  where w.tenant_id = s.tenant_id
  and w.subscription_id = s.id
  and (w.expires_at is null or w.expires_at > $::timestamptz)) as secrets
 from webhook_subscriptions s
 where s.tenant_id = $::bigint
 and s.id = $::bigint
 and s.deleted_at is null
 -- While it is moved to another cell they rest, here and there.
 and (select moving is null from tenants where tenant_id = $::bigint))
select d.id::text as id, d.generation, d.event_id as "eventId", d.event_type as "eventType", d.attempts, d.round_attempts as "roundAttempts",
coalesce(d.body, e.body) as body, floor(extract(epoch from coalesce(e.created_at, d.created_at)) * 1000)::text as since, s.url,
s.secrets, e.trace_parent as trace
from s
join lateral (
 select *
 from webhook_deliveries d
 where d.tenant_id = s.tenant_id
 and d.subscription_id = s.id
 and d.generation = s.generation
 and d.status = 'pending'
 and d.next_attempt_at <= $::timestamptz
 and d.id <> all ($::"int8"[])
 order by d.next_attempt_at, d.id
 limit $) d on true
left join lateral (select body, created_at, trace_parent from events where tenant_id = d.tenant_id and sequence = d.sequence limit 1) e on true
order by d.next_attempt_at, d.id

-- webhook, sender 2
update webhook_deliveries
set status = 'failed', error = 'the event is older than 30 days', next_attempt_at = null, completed_at = $::timestamptz
where tenant_id = $::bigint
and id = $::bigint
and status = 'pending'

-- webhook, sweep [1]
cross join lateral (select relayed_sequence from webhook_relays where tenant_id = c.tenant_id limit 1) r
cross join lateral (select event_sequence from tenant_streams where tenant_id = c.tenant_id limit 1) s
where s.event_sequence > r.relayed_sequence
or c.tenant_id in (select tenant_id from webhook_recoveries)
order by c.tenant_id)

-- webhook, sweep 1
with page as materialized (select tenant_id from webhook_relays where tenant_id > $::bigint order by tenant_id limit 500),
behind as materialized (
 select c.tenant_id::text as tenant_id
 from (select tenant_id from page) c
 [1]
select (select coalesce(json_agg(tenant_id), '[]') from behind)::text as behind, (select case when count(*) = $ then max(tenant_id)::text end from page) as last

-- webhook, sweep 2
with recent as materialized (
 select tenant_id
 from events
 where created_at > least($::timestamptz, now()) - interval '15 seconds'
 and created_at < 'infinity'
 order by created_at
 limit 50000), behind as materialized (
 select c.tenant_id::text as tenant_id
 from (select tenant_id from recent union select tenant_id from webhook_recoveries union select unnest($::"int8"[])) c
 [1]
select (select count(*) from recent)::int as events, iso(now()) as at, (select coalesce(json_agg(tenant_id), '[]') from behind)::text as behind

-- webhook, sweep 3
with recursive pending as ((
  select tenant_id, subscription_id, generation, 1 as n
  from webhook_deliveries
  where status = 'pending'
  and (tenant_id, subscription_id, generation) > ($::bigint, $::bigint, $::int)
  order by tenant_id, subscription_id, generation, next_attempt_at, id
  limit 1)
 union all
 select next.tenant_id, next.subscription_id, next.generation, p.n + 1
 from pending p
 cross join lateral (
  select tenant_id, subscription_id, generation
  from webhook_deliveries
  where status = 'pending'
  and (tenant_id, subscription_id, generation) > (p.tenant_id, p.subscription_id, p.generation)
  order by tenant_id, subscription_id, generation, next_attempt_at, id
  limit 1) next
 where p.n < $::int)
select *
from (
 select p.n, p.tenant_id::text as "tenantId", p.subscription_id::text as "subscriptionId", p.generation, coalesce((
   select true
   from webhook_deliveries d
   where d.tenant_id = p.tenant_id
   and d.subscription_id = p.subscription_id
   and d.generation = s.generation
   and d.status = 'pending'
   and d.next_attempt_at <= $::timestamptz
   limit 1), false) as "isOverdue"
 from pending p
 left join lateral (
  select generation
  from webhook_subscriptions
  where tenant_id = p.tenant_id
  and id = p.subscription_id
  and generation = p.generation
  and deleted_at is null
  limit 1) s on true) looked_at
where "isOverdue"
or n = $
order by n

-- worker, due holds 1
select tenant_id::text
from (
 select tenant_id, expires_at
 from reservations
 where status = 'HELD'
 and expires_at <= now()
 order by expires_at
 limit 10000) due
group by tenant_id
order by min(expires_at)

-- worker, due holds 2
select q.tenant_id, iso(q.now) as now, h.id, l.item_variant_id, l.storage_place_id
from unnest($::bigint[], $::timestamptz[]) as q (tenant_id, now)
cross join lateral (
 select id
 from reservations
 where tenant_id = q.tenant_id
 and status = 'HELD'
 and expires_at <= q.now
 order by expires_at, id
 limit 20) h
cross join lateral (select item_variant_id, storage_place_id from reservation_items where tenant_id = q.tenant_id and reservation_id = h.id) l

-- worker, sweep 1
select tenant_id
from tenants
where tenant_id > $::bigint
order by tenant_id
limit 1000
