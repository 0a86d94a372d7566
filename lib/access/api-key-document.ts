/** An API key as its endpoints show it, and what these endpoints share. */
import * as v from 'valibot'
import type { Json } from '../kit/api/endpoint.ts'
import { type Refusal, refuse } from '../kit/api/errors.ts'
import { shape } from '../kit/api/fields.ts'
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
import { TenantNotHere } from '../platform/cells.ts'
import { type Connection, rows, sql } from '../platform/postgres/postgres.ts'
import { keyRate } from './endpoints.ts'
import { isListed, type KeySummary, keyStatuses, summaries } from './key-summaries.ts'

const members = {
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
}

const ApiKey = named('ApiKey', shape(members))
/** The only answer that contains the token. */
export const NewApiKey = named(
  'NewApiKey',
  shape({
    ...members,
    token: explained(plainText(), 'what requests carry; it is shown this once, and stored nowhere'),
  }),
)

/** What the declarations of the endpoints share. */
export const common = {
  tag: ['API keys', 'The keys of the tenant.'] as const,
  refusals: [],
  reply: ApiKey,
}

/**
 * Keys of a tenant do not change while the tenant moves to another cell. @throws TenantNotHere during a move, and where the tenant lives
 * elsewhere
 */
export async function mustLiveHere(connection: Connection, tenantId: string): Promise<void> {
  const found = await connection.maybeOne(rows(v.object({ paused: v.boolean() }))`
    select coalesce(t.moving ->> 'paused' = 'writes', false) as paused
    from tenants t join tenant_streams using (tenant_id) where t.tenant_id = ${tenantId}`)
  if (found === null || found.paused) throw new TenantNotHere()
}

export const noSuchKey = refuse('not_found', 'no such API key')

export async function readKey(
  connection: Connection,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<Json | Refusal> {
  const found = await connection.maybeOne(summaries(tenantId, sql.fragment`id = ${id} and ${isListed}`))
  return found === null ? noSuchKey : jsonOf(found)
}

export const jsonOf = ({ key_id: id, is_unnamed, scopes, ...key }: KeySummary): Json => {
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
