-- Written by `npm run statements`. `$` is the next parameter.

-- listEvents 1
with found as materialized (
 select tenant_id, sequence, created_at
 from events
 where tenant_id = $::bigint
 and sequence > $::bigint
 and sequence < $::bigint
 order by sequence asc
 limit $)
select e.sequence::text as id, e.body as document
from found
-- Bounds of its time, so that a row is looked for in its period only; no index by time serves them.
join events e on e.tenant_id = found.tenant_id
and e.sequence = found.sequence
and e.created_at >= found.created_at
and e.created_at <= found.created_at
order by e.sequence asc

-- listWebhookDeliveries 1
select shown.id::text as id, case when shown.id is not null then ('{"id":"' || "shown"."id"::text || '","event_id":' || to_json("shown"."event_id")::text ||
  ',"event_type":' || to_json("shown"."event_type")::text ||
  ',"sequence":' || coalesce(("shown"."sequence"::text), 'null') ||
  ',"status":"' || "shown"."status"::text || '","attempts":' || "shown"."attempts"::text ||
  ',"response_status":' || coalesce(("shown"."response_status"::text), 'null') ||
  ',"duration_ms":' || coalesce(("shown"."duration_ms"::text), 'null') ||
  ',"error":' || coalesce((to_json("shown"."error")::text), 'null') ||
  ',"next_attempt_at":' || coalesce(('"' || iso("shown"."next_attempt_at") || '"'), 'null') ||
  ',"created_at":"' || iso("shown"."created_at") || '","completed_at":' || coalesce(('"' || iso("shown"."completed_at") || '"'), 'null') || '}') end as document
from webhook_subscriptions s
left join lateral (
 select d.id, d.event_id, d.event_type, d.sequence, d.attempts, d.response_status, d.duration_ms, d.created_at, case when (d.status = 'pending' and d.generation <> s.generation) then 'failed' else d.status end as status,
 case when (d.status = 'pending' and d.generation <> s.generation) then 'the subscription was disabled' else d.error end as error,
 case when not (d.status = 'pending' and d.generation <> s.generation) then d.next_attempt_at end as next_attempt_at, case when (d.status = 'pending' and d.generation <> s.generation) then s.disabled_at else d.completed_at end as completed_at
 from (select d.* from webhook_deliveries d where d.tenant_id = s.tenant_id and d.subscription_id = s.id and d.id > $::bigint) d
 order by "d"."id" asc
 limit $) shown on true
where s.tenant_id = $::bigint
and s.id = $::bigint
and s.deleted_at is null
order by "shown"."id" asc

-- listWebhookSubscriptions 1
select "d"."id"::text as id, ('{"id":"' || "d"."id"::text || '","url":' || to_json("d"."url")::text ||
 ',"description":' || coalesce((to_json("d"."description")::text), 'null') ||
 ',"events":' || to_json("d"."events")::text ||
 ',"enabled":' || "d"."enabled"::text ||
 ',"status":"' || "d"."status"::text || '","consecutive_failures":' || "d"."consecutive_failures"::text ||
 ',"created_at":"' || iso("d"."created_at") || '","last_delivery_at":' || coalesce(('"' || iso("d"."last_delivery_at") || '"'), 'null') ||
 ',"last_failure_at":' || coalesce(('"' || iso("d"."last_failure_at") || '"'), 'null') ||
 ',"last_failure_reason":' || coalesce((to_json("d"."last_failure_reason")::text), 'null') || '}')::text as document
from (
 select r.id
 from (
  select *
  from "webhook_subscriptions" r
  where r.tenant_id = $::bigint
  and "r"."id" > $::bigint
  and "r"."deleted_at" is null
  order by "r"."id" asc
  offset 0) r
 where true
 order by "r"."id" asc
 limit $) page
cross join lateral (select * from "webhook_subscriptions" where tenant_id = $::bigint and id = page.id limit 1) "d"
order by "d"."id" asc
