/** The endpoints of a tenant's API keys: list keys, show what each may do, and revoke one at once (docs/rules/requests.md, "API keys"). */
import * as v from 'valibot'
import { defineImmediate, defineList, defineRead, type Json } from '../kit/api/endpoint.ts'
import { type Refusal, refuse } from '../kit/api/errors.ts'
import { optional, shape, someIds, someOf } from '../kit/api/fields.ts'
import {
  choice,
  explained,
  idText,
  instant,
  named,
  orNull,
  plainText,
  plainTexts,
  wholeNumber,
} from '../kit/api/reply-fields.ts'
import { arrayOf } from '../kit/api/same.ts'
import { resource } from '../kit/documents/resources.ts'
import { TenantNotHere } from '../platform/cells.ts'
import { type Connection, rows, sql } from '../platform/postgres/postgres.ts'
import { keyRate } from './endpoints.ts'
import { isListed, type KeySummary, keyStatuses, statusOf, summaries } from './key-summaries.ts'
import { revokeKey } from './keys.ts'

const ApiKey = named(
  'ApiKey',
  shape({
    id: explained(idText(), 'the key'),
    name: explained(plainText(), 'what the key is for'),
    user_name: orNull(explained(plainText(), 'whom its changes name; null: the key was issued without a name')),
    scopes: explained(plainTexts(), 'what the key may do'),
    rate: keyRate,
    daily_documents: explained(wholeNumber(), 'documents that it may make in a UTC day'),
    status: explained(choice(keyStatuses), 'whether the key is taken'),
    created_at: explained(instant(), 'when it was issued'),
    last_used_at: orNull(
      explained(instant(), 'the second of its last request, also a refused one; null: none in 90 days'),
    ),
    expires_at: orNull(explained(instant(), 'when it stops being valid; null: never')),
    revoked_at: orNull(explained(instant(), 'when it was revoked; null: it is not revoked')),
  }),
)

const common = {
  tag: ['API keys', 'The keys of the tenant, without their tokens.'] as const,
  refusals: [],
  reply: ApiKey,
}

const listApiKeys = defineList({
  ...common,
  id: 'listApiKeys',
  path: '/api-keys',
  scope: 'read:keys',
  summary: 'List the API keys',
  description:
    'Every key that was issued to the tenant, also those that are revoked or expired. No answer holds a token.',
  filters: shape({ id: optional(someIds()), status: optional(someOf(keyStatuses)) }),
  page: async ({ pool, tenantId }, { filters: { id: ids, status }, after, limit, order }) => {
    const found = await pool.any(
      summaries(
        tenantId,
        sql.fragment`${isListed}
          and (${arrayOf(ids, 'int8')} is null or id = any (${arrayOf(ids, 'int8')}))
          and (${arrayOf(status, 'text')} is null or ${statusOf} = any (${arrayOf(status, 'text')}))
          and (${after}::bigint is null or ${order === 'asc' ? sql.fragment`id > ${after}::bigint` : sql.fragment`id < ${after}::bigint`})`,
        { limit, order },
      ),
    )
    return found.map(key => ({ id: key.key_id, document: jsonOf(key) }))
  },
})

const getApiKey = defineRead({
  ...common,
  id: 'getApiKey',
  path: '/api-keys/{id}',
  scope: 'read:keys',
  summary: 'Read an API key',
  handle: ({ pool, tenantId }, { params: { id = '' } }) => readKey(pool, { tenantId, id }),
})

const revokeApiKey = defineImmediate({
  ...common,
  id: 'revokeApiKey',
  path: '/api-keys/{id}/revoke',
  scope: 'write:keys',
  summary: 'Revoke an API key',
  description:
    'For good, and within 5 seconds on every server. It does not wait for other writes of the tenant. It needs no `Idempotency-Key` ' +
    '(one that is sent is ignored) and cannot be an entry of a bulk: a repeat answers the same. A key may revoke itself.',
  handle: async ({ pool, tenantId, announce }, { params: { id = '' } }) => {
    await mustLiveHere(pool, tenantId)
    const change = await revokeKey(pool, id, tenantId)
    if (change === null) return noSuchKey
    await announce(change)
    return readKey(pool, { tenantId, id })
  },
})

/**
 * Keys of a tenant do not change while the tenant moves to another cell. @throws TenantNotHere during a move, and where the tenant lives
 * elsewhere
 */
async function mustLiveHere(connection: Connection, tenantId: string): Promise<void> {
  const found = await connection.maybeOne(rows(v.object({ paused: v.boolean() }))`
    select coalesce(t.moving ->> 'paused' = 'writes', false) as paused
    from tenants t join tenant_streams using (tenant_id) where t.tenant_id = ${tenantId}`)
  if (found === null || found.paused) throw new TenantNotHere()
}

const noSuchKey = refuse('not_found', 'no such API key')

async function readKey(
  connection: Connection,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<Json | Refusal> {
  const found = await connection.maybeOne(summaries(tenantId, sql.fragment`id = ${id} and ${isListed}`))
  return found === null ? noSuchKey : jsonOf(found)
}

const jsonOf = ({ key_id: id, is_unnamed, scopes, ...key }: KeySummary): Json => {
  const { name, user_name, rate_per_minute: per_minute, burst, daily_documents, status, ...times } = key
  const { created_at, last_used_at, expires_at, revoked_at } = times
  return JSON.stringify({
    id,
    name,
    user_name: is_unnamed ? null : user_name,
    scopes: JSON.parse(scopes),
    rate: { per_minute, burst },
    daily_documents,
    status,
    created_at,
    last_used_at,
    expires_at,
    revoked_at,
  })
}

export const apiKeys = resource([], [listApiKeys, getApiKey, revokeApiKey])
