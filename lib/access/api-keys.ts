/** The endpoints of a tenant's API keys: list keys, show what each may do, and revoke one at once (docs/rules/requests.md, "API keys"). */
import { defineImmediate, defineList, defineRead } from '../kit/api/endpoint.ts'
import { optional, shape, someIds, someOf } from '../kit/api/fields.ts'
import { arrayOf } from '../kit/api/same.ts'
import { resource } from '../kit/documents/resources.ts'
import { sql } from '../platform/postgres/postgres.ts'
import { common, jsonOf, mustLiveHere, noSuchKey, readKey } from './api-key-document.ts'
import { isListed, keyStatuses, statusOf, summaries } from './key-summaries.ts'
import { revokeKey } from './keys.ts'
import { createApiKey } from './make-key.ts'

const listApiKeys = defineList({
  ...common,
  id: 'listApiKeys',
  path: '/api-keys',
  scope: 'read:keys',
  summary: 'List the API keys',
  description: 'Every key that was issued to the tenant, also those that are revoked or expired, without their tokens.',
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
  success: 200,
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

export const apiKeys = resource([], [listApiKeys, getApiKey, createApiKey, revokeApiKey])
