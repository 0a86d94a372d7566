/** The endpoint with which a key makes another key of its tenant (docs/rules/requests.md, "API keys"). */
import { hostname } from 'node:os'
import * as v from 'valibot'
import { defineImmediate, type Json, type KeyHolder } from '../kit/api/endpoint.ts'
import { allInvalid, invalid, type Refusal, refuse } from '../kit/api/errors.ts'
import { bodyTimestamp, clearable, identifier, integer, list, optional, shape, text } from '../kit/api/fields.ts'
import { explained } from '../kit/api/reply-fields.ts'
import { jsonParameter, rows, sql, statement, type WritingConnection } from '../platform/postgres/postgres.ts'
import { VERSION } from '../platform/version.ts'
import { common, jsonOf, mustLiveHere, NewApiKey } from './api-key-document.ts'
import { type KeySummary, statusOf, summaries } from './key-summaries.ts'
import { BURST_MAX, DOCUMENTS_MAX, defaultLimits, issueKey, RATE_MAX } from './keys.ts'
import { generateToken, hashToken } from './token.ts'

/** The most valid keys of one tenant. */
const KEYS_MAX = 200
const SCOPES_MAX = 200

const NewKey = shape({
  name: explained(text(), 'what the key is for'),
  user_name: explained(optional(text()), "whom its changes name; left out: as the caller's key"),
  scopes: explained(list(identifier(), { min: 1, max: SCOPES_MAX }), "what the key may do: scopes of the caller's key"),
  rate_per_minute: explained(optional(integer(1, RATE_MAX)), `requests; ${defaultWords(defaultLimits.ratePerMinute)}`),
  burst: explained(
    optional(integer(1, BURST_MAX)),
    `requests that may come at once; ${defaultWords(defaultLimits.burst)}`,
  ),
  daily_documents: explained(
    optional(integer(0, DOCUMENTS_MAX)),
    `documents that it may make in a UTC day; ${defaultWords(defaultLimits.dailyDocuments)}`,
  ),
  expires_at: explained(clearable(bodyTimestamp()), 'when it stops being valid; null or left out: never'),
})
type NewKey = v.InferOutput<typeof NewKey>

function defaultWords(limit: number): string {
  return `left out: ${limit}, at most as many as the caller's key`
}

export const createApiKey = defineImmediate({
  ...common,
  id: 'createApiKey',
  path: '/api-keys',
  scope: 'write:keys',
  summary: 'Make an API key',
  description:
    `The answer alone holds the \`token\`. The key gets no scope that the caller's key lacks (403), and no greater rate, burst or quota (400). ` +
    `A tenant has at most ${KEYS_MAX} valid keys. Like a revocation it does not wait for other writes of the tenant, needs no ` +
    '`Idempotency-Key` (one that is sent is ignored), cannot be an entry of a bulk and has no event. Each request makes a key: a caller ' +
    'who lost the answer revokes it, and makes another.',
  body: NewKey,
  example: {
    name: 'Packing table',
    user_name: 'Warehouse',
    scopes: ['read:stock', 'read:sales'],
    rate_per_minute: 120,
  },
  success: 201,
  reply: NewApiKey,
  handle: ({ tenantId, pool, caller, scopes, register, now }, { body }) =>
    pool.transaction(async connection => {
      await mustLiveHere(connection, tenantId)
      const refused = refuseKey(body, caller, { scopes, now }) ?? (await refuseMore(connection, tenantId))
      if (refused) return refused
      const token = generateToken()
      await register(hashToken(token))
      const made = await issueKey(connection, keyOf(body, caller, tenantId), token)
      const key = await connection.one(summaries(tenantId, sql.fragment`id = ${made?.keyId ?? ''}`))
      await noteMade(connection, key, { tenantId, caller })
      return withToken(jsonOf(key), token)
    }),
})

/** A refused request writes nothing, so it leaves no key. */
function refuseKey(
  key: NewKey,
  caller: KeyHolder,
  { scopes, now }: { readonly scopes: readonly string[]; readonly now: string },
): Refusal | undefined {
  const unknown = key.scopes.flatMap((scope, at) =>
    scopes.includes(scope) ? [] : [invalid(`scopes[${at}]`, `${JSON.stringify(scope)} is no scope`)],
  )
  const greater = (['rate_per_minute', 'burst', 'daily_documents'] as const).flatMap(name =>
    (key[name] ?? 0) > caller[name] ? [invalid(name, `is more than the ${caller[name]} of the API key`)] : [],
  )
  const over =
    key.expires_at && Date.parse(key.expires_at) <= Date.parse(now) ? [invalid('expires_at', 'is over already')] : []
  const faults = [...unknown, ...greater, ...over]
  if (faults.length > 0) return allInvalid(faults)
  const lacked = key.scopes.find(scope => !caller.scopes.has(scope))
  return lacked === undefined ? undefined : refuse('forbidden', `The API key lacks the scope ${lacked}`)
}

/** Two requests at once wait for each other here, so that they do not make one key too many. */
async function refuseMore(connection: WritingConnection, tenantId: string): Promise<Refusal | undefined> {
  await connection.query(statement`select from tenants where tenant_id = ${tenantId}::bigint for no key update`)
  const { count } = await connection.one(rows(v.object({ count: v.number() }))`
    select count(*)::int as count from api_keys where tenant_id = ${tenantId}::bigint and ${statusOf} = 'valid'`)
  if (count < KEYS_MAX) return undefined
  return refuse(
    'validation_failed',
    `The tenant has ${KEYS_MAX} valid API keys, the most that there may be: revoke one`,
  )
}

const keyOf = (key: NewKey, caller: KeyHolder, tenantId: string) => ({
  tenantId,
  name: key.name,
  userName: key.user_name ?? caller.userName,
  scopes: scopesInOrder(key.scopes),
  ratePerMinute: key.rate_per_minute ?? Math.min(defaultLimits.ratePerMinute, caller.rate_per_minute),
  burst: key.burst ?? Math.min(defaultLimits.burst, caller.burst),
  dailyDocuments: key.daily_documents ?? Math.min(defaultLimits.dailyDocuments, caller.daily_documents),
  expiresAt: key.expires_at ?? undefined,
})

const scopesInOrder = (scopes: readonly string[]): readonly string[] => [...new Set(scopes)].sort()

/** A row of the operators' audit trail, begun and ended, as `key issue` writes it. It contains no token. */
async function noteMade(
  connection: WritingConnection,
  key: KeySummary,
  { tenantId, caller }: { readonly tenantId: string; readonly caller: KeyHolder },
): Promise<void> {
  const { key_id, name, user_name, rate_per_minute, burst, daily_documents, expires_at } = key
  const made = {
    key_id,
    name,
    user_name,
    scopes: JSON.parse(key.scopes),
    rate_per_minute,
    burst,
    daily_documents,
    expires_at,
  }
  await connection.query(statement`
    insert into operator_actions (
      tenant_id, action_id, phase, command, arguments, system_user_name, host, given_name, version, outcome, state
    )
    select ${tenantId}::bigint, ${crypto.randomUUID()}::uuid, phase, 'POST /api-keys', ${jsonParameter({ by_key: caller.keyId, ...made })}::jsonb,
      'api', ${hostname()}, ${caller.userName}, ${VERSION}, outcome, state
    from (values ('begun', null, null), ('ended', 'done', ${jsonParameter({ key: made })}::jsonb)) as phases (phase, outcome, state)`)
}

const withToken = (key: Json, token: string): Json => `${key.slice(0, -1)},"token":${JSON.stringify(token)}}`
