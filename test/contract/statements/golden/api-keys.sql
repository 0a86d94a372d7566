-- Written by `npm run statements`. `$` is the next parameter.

-- listApiKeys 1
with recent as materialized (select key_id, max(hour * 3600::bigint + second) as second from security_recent where tenant_id = $ group by key_id)
select id as key_id, name, user_name, case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'valid' end as status,
user_name = (select owner_email from tenants where tenant_id = api_keys.tenant_id) as is_unnamed, to_json(scopes)::text as scopes,
rate_per_minute, burst, daily_documents, iso(created_at) as created_at, iso(expires_at) as expires_at, iso(revoked_at) as revoked_at,
iso(last_used_at) as last_used_at
from api_keys
-- From the counts of the security telemetry, which come a few seconds after the request and stay for 90 days.
left join lateral (
 select to_timestamp(max(second)) as last_used_at
 from ((select second from recent where recent.key_id = api_keys.id)
  union all (
   select hour * 3600::bigint + (select max(second) from unnest(seconds) second)
   from security_hours
   where tenant_id = api_keys.tenant_id
   and key_id = api_keys.id
   order by hour desc, 1 desc
   limit 1)) lasts) used on true
where tenant_id = $
and not (for_one_run and (revoked_at is not null or coalesce(expires_at <= now(), false)))
and ($::"int8"[] is null or id = any ($::"int8"[]))
and ($::"text"[] is null
 or case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'valid' end = any ($::"text"[]))
and ($::bigint is null or id > $::bigint)
order by id asc
limit $::integer
