/** API keys for the access check, found by their tokens' hashes or their ids. */
import * as v from 'valibot'
import { MAIN } from '../platform/cells.ts'
import { type Connection, jsonParameter, rows, sql } from '../platform/postgres/postgres.ts'
import type { Access } from './access.ts'

/** A key for the access check. */
export type StoredKey = {
  readonly access: Access
  /** When it ends, in ms since 1970; null: never. */
  readonly expiresAt: number | null
  readonly revoked: boolean
}

const KeyRow = v.object({
  token_hash: v.string(),
  tenant_id: v.string(),
  id: v.string(),
  name: v.string(),
  user_name: v.string(),
  scopes: v.string(),
  rate_per_minute: v.number(),
  burst: v.number(),
  daily_documents: v.number(),
  quota_group: v.string(),
  time_zone: v.string(),
  tenant_suspended: v.boolean(),
  expires_at: v.nullable(v.string()),
  revoked: v.boolean(),
})

/** The columns of a KeyRow, from key `k` and its tenant `t`. */
const stored = sql.fragment`
  encode(k.token_hash, 'hex') as token_hash, k.tenant_id, k.id, k.name, k.user_name, to_json(k.scopes)::text as scopes,
  k.rate_per_minute, k.burst, k.daily_documents, k.quota_group, t.time_zone, t.suspended_at is not null as tenant_suspended,
  iso(k.expires_at) as expires_at, k.revoked_at is not null as revoked`

/** A key counts in the cell that has its tenant's row of tenant_streams. During a move the other cell has the key too. */
const isHere = sql.fragment`
  cross join lateral (select from tenant_streams where tenant_id = k.tenant_id limit 1) as here`

/** Keys of a cell by the hashes (hex) of their tokens. Revoked and expired keys are included, because their refusals differ. */
export async function findKeys(
  connection: Connection,
  tokenHashes: readonly string[],
  cell: string = MAIN,
): Promise<Map<string, StoredKey>> {
  const found = await connection.any(rows(KeyRow)`
    select ${stored}
    from jsonb_array_elements_text(${jsonParameter(tokenHashes)}::jsonb) as wanted(token_hash)
    cross join lateral (select * from api_keys where token_hash = decode(wanted.token_hash, 'hex') limit 1) as k
    cross join lateral (select * from tenants where tenant_id = k.tenant_id limit 1) as t
    ${isHere}`)
  return new Map(found.map(row => [row.token_hash, storedKey(row, cell)]))
}

/** Keys of a cell by their ids, as stored now. */
export async function findKeysById(
  connection: Connection,
  keys: readonly Pick<Access, 'tenantId' | 'keyId'>[],
  cell: string = MAIN,
): Promise<Map<string, StoredKey>> {
  const wanted = jsonParameter(keys.map(({ tenantId, keyId }) => ({ tenant_id: tenantId, id: keyId })))
  const found = await connection.any(rows(KeyRow)`
    select ${stored}
    from jsonb_to_recordset(${wanted}::jsonb) as wanted (tenant_id bigint, id bigint)
    cross join lateral (select * from api_keys where tenant_id = wanted.tenant_id and id = wanted.id limit 1) as k
    cross join lateral (select * from tenants where tenant_id = k.tenant_id limit 1) as t
    ${isHere}`)
  return new Map(found.map(row => [row.id, storedKey(row, cell)]))
}

/** Many keys have the same scopes; one set is shared. */
const scopeSets = new Map<string, ReadonlySet<string>>()
const SCOPE_SETS_MAX = 1_000

function scopesOf(json: string): ReadonlySet<string> {
  const known = scopeSets.get(json)
  if (known !== undefined) return known
  const scopes = new Set(JSON.parse(json) as string[])
  if (scopeSets.size < SCOPE_SETS_MAX) scopeSets.set(json, scopes)
  return scopes
}

function storedKey(row: v.InferOutput<typeof KeyRow>, cell: string): StoredKey {
  return {
    access: {
      tenantId: row.tenant_id,
      cell,
      keyId: row.id,
      keyName: row.name,
      userName: row.user_name,
      scopes: scopesOf(row.scopes),
      ratePerMinute: row.rate_per_minute,
      burst: row.burst,
      dailyDocuments: row.daily_documents,
      quotaGroup: row.quota_group,
      timeZone: row.time_zone,
      tenantSuspended: row.tenant_suspended,
    },
    expiresAt: row.expires_at === null ? null : Date.parse(row.expires_at),
    revoked: row.revoked,
  }
}
