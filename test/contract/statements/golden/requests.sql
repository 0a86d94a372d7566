-- Written by `npm run statements`. `$` is the next parameter.

-- listRequests 1
select id::text, request_id, key_id::text, user_name, method, path, idempotency_key, outcome, status::integer, error, message,
scope, first_sequence::text, last_sequence::text
from ((
  select r.id, r.request_id, r.key_id, r.user_name, r.method, r.path, r.idempotency_key, 'done' as outcome, r.status, null as error,
  null as message, null as scope, r.first_sequence, r.last_sequence
  from (
   select r.*
   from api_keys k
   cross join lateral (
    select *
    from commands r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'done') = 'done'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id asc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::bigint[] is null or k.id = any ($::bigint[]))) r
  order by r.id asc
  limit $)
 union all (
  select r.id, r.request_id, r.key_id, r.user_name, r.method, r.path, r.idempotency_key, 'refused' as outcome, r.status, r.error,
  r.message, r.scope, null, null
  from (
   select r.*
   from api_keys k
   cross join lateral (
    select *
    from refused_requests r
    where r.tenant_id = $::bigint
    and r.key_id = k.id
    and coalesce($::text, 'refused') = 'refused'
    and r.id > greatest($::bigint, $::bigint)
    and r.id < $::bigint
    order by r.id asc
    limit $) r
   where k.tenant_id = $::bigint
   and ($::bigint[] is null or k.id = any ($::bigint[]))) r
  order by r.id asc
  limit $)) page
order by page.id asc
limit $
