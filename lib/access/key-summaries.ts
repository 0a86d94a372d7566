/** API keys as their owners and operators see them: without token or hash. */
import * as v from 'valibot'
import { type Connection, type Fragment, rows, sql } from '../platform/postgres/postgres.ts'

export const KeySummary = v.object({
  key_id: v.string(),
  name: v.string(),
  user_name: v.string(),
  status: v.picklist(['valid', 'revoked', 'expired']),
  is_unnamed: v.boolean(),
  scopes: v.string(),
  rate_per_minute: v.number(),
  burst: v.number(),
  daily_documents: v.number(),
  created_at: v.string(),
  expires_at: v.nullable(v.string()),
  revoked_at: v.nullable(v.string()),
  last_used_at: v.nullable(v.string()),
})

/** `scopes` is a JSON array. `last_used_at` is the second of the last request, also of a refused one (null: no request within 90 days). */
export type KeySummary = v.InferOutput<typeof KeySummary>

/** Whether a key is accepted. */
export const keyStatuses = { valid: 'it is', expired: 'its time is over', revoked: 'it was ended for good' } as const

export const statusOf: Fragment = sql.fragment`
  case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'valid' end`

/** Excludes ended keys that a command made for itself. */
export const isListed: Fragment = sql.fragment`
  not (for_one_run and (revoked_at is not null or coalesce(expires_at <= now(), false)))`

type Page = { readonly limit: number; readonly order: 'asc' | 'desc' }

/**
 * The summaries of the tenant's keys that match the condition, by id. `is_unnamed`: the key was issued without a user, so its user name is
 * the owner's e-mail address.
 */
export const summaries = (tenantId: string, where: Fragment, page?: Page) => rows(KeySummary)`
    with recent as materialized (
      select key_id, max(hour * 3600::bigint + second) as second from security_recent where tenant_id = ${tenantId} group by key_id
    )
    select
      id as key_id, name, user_name,
      ${statusOf} as status,
      user_name = (select owner_email from tenants where tenant_id = api_keys.tenant_id) as is_unnamed,
      to_json(scopes)::text as scopes, rate_per_minute, burst, daily_documents,
      iso(created_at) as created_at, iso(expires_at) as expires_at, iso(revoked_at) as revoked_at, iso(last_used_at) as last_used_at
    from api_keys
    -- From the counts of the security telemetry, which come a few seconds after the request and stay for 90 days.
    left join lateral (
      select to_timestamp(max(second)) as last_used_at
      from (
        (select second from recent where recent.key_id = api_keys.id)
        union all
        (
          select hour * 3600::bigint + (select max(second) from unnest(seconds) second) from security_hours
          where tenant_id = api_keys.tenant_id and key_id = api_keys.id
          order by hour desc, 1 desc limit 1
        )
      ) lasts
    ) used on true
    where tenant_id = ${tenantId} and ${where}
    order by id ${page?.order === 'desc' ? sql.fragment`desc` : sql.fragment`asc`}
    limit ${page?.limit ?? null}::integer`

/** The tenant's keys, the oldest first, without ended keys that a command made for itself. */
export async function listKeys(connection: Connection, tenantId: string): Promise<readonly KeySummary[]> {
  return connection.any(summaries(tenantId, isListed))
}
