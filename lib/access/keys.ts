/**
 * What operators do with API keys: issue, revoke, update, rotate. A token leaves this file once, when it is made. key-changes.ts informs
 * server processes of a change.
 */
import * as v from 'valibot'
import { takeId } from '../platform/postgres/ids.ts'
import { type Connection, jsonParameter, type Pool, rows, sql, statement } from '../platform/postgres/postgres.ts'
import type { KeyChange } from './key-changes.ts'
import { type KeySummary, summaries } from './key-summaries.ts'
import { generateToken, hashToken } from './token.ts'

export type NewKey = {
  readonly tenantId: string
  readonly name: string
  /** Default: the tenant's owner. */
  readonly userName?: string | undefined
  readonly scopes: readonly string[]
  readonly ratePerMinute: number
  readonly burst: number
  readonly dailyDocuments: number
  /** ISO-8601 timestamp. */
  readonly expiresAt?: string | undefined
  /** Made by a command for its own requests. Lists leave it out after it has ended. */
  readonly forOneRun?: boolean
}

/** The token is shown to its owner now and stored nowhere. */
export type IssuedKey = { readonly keyId: string; readonly token: string }

/** Within these limits, rates in whole microseconds are exact to less than a percent. */
export const RATE_MAX = 1_000_000
export const BURST_MAX = RATE_MAX
export const DOCUMENTS_MAX = 1_000_000_000

/** The default limits of a key. */
export const defaultLimits = { ratePerMinute: 600, burst: 100, dailyDocuments: 500 } as const

/** Makes a key, with a new token where none is given. Null when there is no such tenant. */
export async function issueKey(
  connection: Connection,
  key: NewKey,
  token: string = generateToken(),
): Promise<IssuedKey | null> {
  const id = await takeId(connection)
  // The tenant is selected in a part of its own: Citus makes a wrong plan for an insert that selects from a table and has the time as a
  // default.
  const made = await connection.maybeOne(rows(v.object({ id: v.string() }))`
    with t as materialized (
      select tenant_id, owner_email from tenants where tenant_id = ${key.tenantId}
    )
    insert into api_keys (
      tenant_id, id, quota_group, name, user_name, token_hash, scopes, rate_per_minute, burst, daily_documents, expires_at,
      for_one_run)
    select
      tenant_id, ${id}::bigint, ${id}::bigint, ${key.name}, coalesce(${key.userName ?? null}, owner_email),
      decode(${hashToken(token)}, 'hex'), array(select jsonb_array_elements_text(${jsonParameter(key.scopes)}::jsonb)),
      ${key.ratePerMinute}, ${key.burst}, ${key.dailyDocuments}, ${key.expiresAt ?? null}::timestamptz,
      ${key.forOneRun ?? false}
    from t
    returning id`)
  return made && { keyId: made.id, token }
}

/** The tenant of a key, and the key's name. */
export type KeyOwner = {
  readonly keyId: string
  readonly name: string
  readonly tenantId: string
  readonly tenantName: string
}

const OwnerRow = v.object({
  keyId: v.string(),
  name: v.string(),
  tenantId: v.string(),
  tenantName: v.string(),
  revokedAt: v.nullable(v.string()),
  tokenHash: v.string(),
})

/** The columns of an OwnerRow, from key `k` and its tenant `t`. */
const owner = sql.fragment`
  k.id as "keyId", k.name, t.tenant_id as "tenantId", t.name as "tenantName", iso(k.revoked_at) as "revokedAt",
  encode(k.token_hash, 'hex') as "tokenHash"`

type Revocation = KeyOwner & KeyChange & { readonly revokedAt: string; readonly wasRevoked: boolean }

/**
 * Revokes a key for good. Null when there is none. A second revocation changes nothing: the first time stays.
 * @param tenantId only a key of this tenant
 */
export async function revokeKey(connection: Connection, keyId: string, tenantId?: string): Promise<Revocation | null> {
  const Row = v.object({ ...OwnerRow.entries, revokedAt: v.string(), wasRevoked: v.boolean() })
  return connection.maybeOne(rows(Row)`
    with old as (
      -- The time here, since Citus takes no clock in a choice of an update.
      select tenant_id, id, revoked_at, coalesce(revoked_at, now()) as ends_at
      from api_keys
      where id = ${keyId} and (${tenantId ?? null}::bigint is null or tenant_id = ${tenantId ?? null}::bigint)
      for no key update
    ), k as (
      update api_keys k set revoked_at = old.ends_at
      from old where k.tenant_id = old.tenant_id and k.id = old.id
      returning k.*
    )
    select ${owner}, old.revoked_at is not null as "wasRevoked"
    from k join old using (tenant_id, id) join tenants t using (tenant_id)`)
}

/** Undefined fields stay as they are. */
type KeyUpdate = {
  readonly keyId: string
  readonly name?: string | undefined
  readonly userName?: string | undefined
  readonly scopes?: readonly string[] | undefined
  readonly ratePerMinute?: number | undefined
  readonly burst?: number | undefined
  readonly dailyDocuments?: number | undefined
  /** ISO-8601 timestamp; null: the key never ends. */
  readonly expiresAt?: string | null | undefined
}

type UpdatedKey = {
  readonly owner: KeyOwner
  readonly key: KeySummary
  /** Other keys whose daily documents changed too, because they share the quota. */
  readonly sameQuota: readonly string[]
  readonly changes: readonly KeyChange[]
}

/**
 * Changes a key. Null when there is none. A revoked key is not changed: the result is its owner and the time of its revocation. The daily
 * documents change for all keys of a rotation, because these share one count. An expired key may get a later end, which makes it valid
 * again.
 */
export async function updateKey(
  pool: Pool,
  update: KeyUpdate,
): Promise<UpdatedKey | (KeyOwner & { readonly revokedAt: string }) | null> {
  const { keyId, expiresAt, dailyDocuments } = update
  return pool.transaction(async connection => {
    const found = await connection.maybeOne(rows(OwnerRow)`
      select ${owner} from api_keys k join tenants t using (tenant_id) where k.id = ${keyId} for no key update of k`)
    if (found === null) return null
    const { revokedAt, tokenHash, ...of } = found
    if (revokedAt !== null) return { ...of, revokedAt }
    await connection.query(statement`
      update api_keys set
        name = coalesce(${update.name ?? null}, name),
        user_name = coalesce(${update.userName ?? null}, user_name),
        scopes = case when ${update.scopes === undefined} then scopes
          else array(select jsonb_array_elements_text(${jsonParameter(update.scopes ?? [])}::jsonb)) end,
        rate_per_minute = coalesce(${update.ratePerMinute ?? null}::int, rate_per_minute),
        burst = coalesce(${update.burst ?? null}::int, burst),
        daily_documents = coalesce(${dailyDocuments ?? null}::int, daily_documents),
        expires_at = case when ${expiresAt === undefined} then expires_at else ${expiresAt ?? null}::timestamptz end
      where tenant_id = ${of.tenantId} and id = ${keyId}`)
    // A statement of its own also sees a new key that a rotation made while this one waited for the lock.
    const others = await connection.any(rows(v.object({ id: v.string(), tokenHash: v.string() }))`
      update api_keys k set daily_documents = ${dailyDocuments ?? null}::int
      from api_keys named
      where ${dailyDocuments !== undefined} and named.tenant_id = ${of.tenantId} and named.id = ${keyId}
        and k.tenant_id = named.tenant_id and k.quota_group = named.quota_group and k.id <> named.id and k.revoked_at is null
      returning k.id, encode(k.token_hash, 'hex') as "tokenHash"`)
    return {
      owner: { ...of, name: update.name ?? of.name },
      key: await connection.one(summaries(of.tenantId, sql.fragment`id = ${keyId}`)),
      sameQuota: others.map(({ id }) => id),
      changes: [{ tokenHash }, ...others.map(other => ({ tokenHash: other.tokenHash }))],
    }
  })
}

export type Rotation = {
  readonly keyId: string
  /** How long the old key stays valid after the new one is made. */
  readonly overlapSeconds: number
  /** When the new key ends (ISO-8601 timestamp). It does not inherit the end of the old key. */
  readonly expiresAt?: string | undefined
}

/**
 * Makes a new key for an old one, with the same tenant, name, user, scopes, limits and quota. The old key ends after the overlap, or at its
 * own expiry when that is earlier. Null when there is no such key, or the key is revoked or expired.
 */
export async function rotateKey(
  connection: Connection,
  rotation: Rotation,
  token: string = generateToken(),
): Promise<(IssuedKey & KeyChange) | null> {
  const id = await takeId(connection)
  // `old` is locked, so that two rotations at once do not both read its first expiry. The clock is read after the lock: `now()` is the
  // beginning of this transaction, which is before the end that the other rotation has set.
  const row = await connection.maybeOne(rows(v.object({ id: v.string(), token_hash: v.string() }))`
    with old as (
      select * from api_keys
      where id = ${rotation.keyId} and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())
      for no key update
    ), ended as (
      update api_keys k
      set expires_at = least(old.expires_at, now() + make_interval(secs => ${rotation.overlapSeconds}))
      from old
      where k.tenant_id = old.tenant_id and k.id = old.id
    ), made as (
      insert into api_keys (
        tenant_id, id, name, user_name, token_hash, scopes, rate_per_minute, burst, daily_documents, quota_group, expires_at)
      select
        tenant_id, ${id}::bigint, name, user_name, decode(${hashToken(token)}, 'hex'), scopes, rate_per_minute, burst, daily_documents,
        quota_group, ${rotation.expiresAt ?? null}::timestamptz
      from old
      returning id
    )
    select made.id, encode(old.token_hash, 'hex') as token_hash from made, old`)
  return row && { keyId: row.id, token, tokenHash: row.token_hash }
}
