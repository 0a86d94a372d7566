/** The endpoint of the key itself: what the key may do, and what is left of its limits. */

import * as v from 'valibot'
import { defineRead, type Json } from '../kit/api/endpoint.ts'
import { type Refusal, refuse } from '../kit/api/errors.ts'
import { shape } from '../kit/api/fields.ts'
import {
  choice,
  day,
  explained,
  idText,
  instant,
  named,
  orNull,
  plainText,
  plainTexts,
  wholeNumber,
} from '../kit/api/reply-fields.ts'
import { resource } from '../kit/documents/resources.ts'
import { type Connection, type Fragment, rows, sql } from '../platform/postgres/postgres.ts'
import { nextQuotaDay, quotaDay } from './document-quota.ts'
import { plans } from './tenants.ts'

/** The request rate of a key. */
export const keyRate = explained(
  shape({
    per_minute: explained(wholeNumber(), 'requests'),
    burst: explained(wholeNumber(), 'requests that may come at once'),
  }),
  'how often it may ask',
)

const Me = named(
  'Me',
  shape({
    tenant_id: explained(idText(), 'the tenant'),
    tenant_name: explained(plainText(), 'the name of the tenant'),
    currency: explained(plainText(), 'of costs and stock values (ISO 4217)'),
    time_zone: explained(plainText(), 'a name of the IANA base: a day of the tenant is a day there'),
    closed_through: orNull(explained(day(), 'the last day of the closed accounting period')),
    plan: explained(choice(plans), "the tenant's plan"),
    key_id: explained(idText(), 'the key'),
    key_name: explained(plainText(), 'the name of the key'),
    user_name: explained(plainText(), 'who is named where a document says by whom'),
    scopes: explained(plainTexts(), 'what the key may do'),
    expires_at: orNull(explained(instant(), 'when the key stops being valid; null: never')),
    rate: keyRate,
    documents: explained(
      shape({
        limit: explained(wholeNumber(), 'documents a day'),
        spent: explained(wholeNumber(), 'of them today, also by keys that this one was rotated from or to'),
        resets_at: explained(instant(), 'the next midnight, UTC'),
      }),
      'how many documents it may make today',
    ),
  }),
)

const getMeEndpoint = defineRead({
  id: 'getMe',
  path: '/me',
  tag: ['API key', 'The key that a request carries.'],
  scope: null,
  summary: 'Read who the key is, what it may do and what is left of it',
  description:
    'The tenant, the key that the request carries, its scopes, its rate and its daily documents. `documents.spent` is exact: it ' +
    'counts every success that was answered before.',
  refusals: [],
  reply: Me,
  handle: ({ pool, tenantId, actor, now }) => readMe(pool, { tenantId, keyId: actor.keyId, now }),
})

/** `unauthorized` where the key was removed after it was checked. */
async function readMe(
  connection: Connection,
  { tenantId, keyId, now }: { readonly tenantId: string; readonly keyId: string; readonly now: string },
): Promise<Json | Refusal> {
  const found = await connection.maybeOne(rows(v.object({ document: v.string() }))`
    select ${document(now)}::text as document
    from (select * from api_keys where tenant_id = ${tenantId}::bigint and id = ${keyId}::bigint limit 1) k
    cross join lateral (select * from tenants where tenant_id = k.tenant_id limit 1) t
  `)
  return found?.document ?? refuse('unauthorized', 'The API key is not valid', { 'WWW-Authenticate': 'Bearer' })
}

const object = (query: Fragment): Fragment => sql.fragment`(select to_json(object) from (${query}) object)`

/** JSON of the key `k` and its tenant `t`. */
const document = (now: string) =>
  object(sql.fragment`select
    t.tenant_id::text as tenant_id,
    t.name as tenant_name,
    t.currency,
    t.time_zone,
    t.closed_through::text as closed_through,
    t.plan,
    k.id::text as key_id,
    k.name as key_name,
    k.user_name,
    k.scopes,
    iso(k.expires_at) as expires_at,
    ${object(sql.fragment`select k.rate_per_minute as per_minute, k.burst`)} as rate,
    ${object(sql.fragment`select
      k.daily_documents as limit,
      documents_spent(k.tenant_id, k.quota_group, ${quotaDay(new Date(now))}::date) as spent,
      ${nextQuotaDay(new Date(now)).toISOString()}::text as resets_at
    `)} as documents
  `)

export const access = resource([], [getMeEndpoint])
