/**
 * API keys in Postgres: issue, find, list, update, revoke, rotate. A token leaves this file once, when it is
 * made; nothing here tells the server processes of a change (see key-changes.ts).
 */
import * as v from 'valibot'
import { MAIN } from '../cells/cells.ts'
import { generationOf } from '../postgres/generation.ts'
import { type Connection, type Fragment, jsonParameter, type Pool, rows, sql, statement } from '../postgres/postgres.ts'
import type { Access } from './access.ts'
import { nextId } from './tenants.ts'
import { generateToken, hashToken } from './token.ts'

/** A key as the access check knows it. */
export type StoredKey = {
  readonly access: Access
  /** When it stops being valid, in ms since 1970; null: never. */
  readonly expiresAt: number | null
  readonly revoked: boolean
}

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
  /** Made by a command for its own requests: once it has ended, lists leave it out. */
  readonly forOneRun?: boolean
}

/** The token is shown to its owner now and is nowhere afterwards. */
export type IssuedKey = { readonly keyId: string; readonly token: string }

/** Limits of a key for which nothing else is said. */
export const defaultLimits = { ratePerMinute: 600, burst: 100, dailyDocuments: 500 } as const

/** Makes a key, of a new token where none is given; null when there is no such tenant. */
export async function issueKey(
  connection: Connection,
  key: NewKey,
  token: string = generateToken(),
): Promise<IssuedKey | null> {
  const id = await nextId(connection)
  // The tenant apart: Citus makes a wrong statement of an insert that selects from a table and has the time as a default.
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
  tenant_suspended: v.boolean(),
  expires_at: v.nullable(v.string()),
  revoked: v.boolean(),
})

/** The key of the main cell with this token hash (hex), also when it is revoked or expired: the refusal differs. */
export async function findKey(connection: Connection, tokenHash: string): Promise<StoredKey | null> {
  return (await findKeys(connection, [tokenHash])).get(tokenHash) ?? null
}

/** Of the key `k` and its tenant `t`: the columns of a KeyRow. */
const stored = sql.fragment`
  encode(k.token_hash, 'hex') as token_hash, k.tenant_id, k.id, k.name, k.user_name, to_json(k.scopes)::text as scopes,
  k.rate_per_minute, k.burst, k.daily_documents, k.quota_group, t.suspended_at is not null as tenant_suspended,
  iso(k.expires_at) as expires_at, k.revoked_at is not null as revoked`

/** The same for several keys of a cell, by their hashes. */
export async function findKeys(
  connection: Connection,
  tokenHashes: readonly string[],
  cell: string = MAIN,
): Promise<Map<string, StoredKey>> {
  const found = await connection.any(rows(KeyRow)`
    select ${stored}
    from jsonb_array_elements_text(${jsonParameter(tokenHashes)}::jsonb) as wanted(token_hash)
    cross join lateral (select * from api_keys where token_hash = decode(wanted.token_hash, 'hex') limit 1) as k
    cross join lateral (select * from tenants where tenant_id = k.tenant_id limit 1) as t`)
  return new Map(found.map(row => [row.token_hash, storedKey(row, cell)]))
}

/** Keys of a cell by their ids, as they are now. */
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
    cross join lateral (select * from tenants where tenant_id = k.tenant_id limit 1) as t`)
  return new Map(found.map(row => [row.id, storedKey(row, cell)]))
}

/**
 * Up to where changes of keys are known: all transactions below `transaction` of this generation of the database are. `at`: when,
 * in ms since 1970 of Postgres's clock.
 */
export type KeyMark = { readonly generation: number; readonly transaction: bigint; readonly at: number }

/** Tenants whose keys changed since a mark, and the next mark. Null: it is not known which, any may have. */
export type ChangedKeys = { readonly mark: KeyMark; readonly tenantIds: readonly string[] | null }

/** Changes are kept for a day (sql/000031_key_changes.sql), so that a mark is good for half of one. */
const MARK_MS_MAX = 12 * 3_600_000

/**
 * Whose keys changed by commits that the statement which gave `since` did not show. It also learns whether the database lives
 * elsewhere now (sql/000032_generations.sql).
 */
export async function changedKeys(connection: Connection, since: KeyMark | null): Promise<ChangedKeys> {
  const generation = await generationOf(connection)
  const Row = v.object({ transaction: v.string(), at: v.string(), tenantIds: v.string() })
  const found = await connection.one(rows(Row)`
    select pg_snapshot_xmin(pg_current_snapshot())::text as transaction, iso(now()) as at, (
      select coalesce(json_agg(distinct tenant_id::text), '[]')::text from key_changes
      where changed_by >= ${since === null ? null : String(since.transaction)}::xid8
    ) as "tenantIds"`)
  const mark = {
    generation,
    transaction: BigInt(found.transaction),
    at: Date.parse(found.at),
  }
  const isGood =
    since !== null &&
    mark.generation === since.generation &&
    // Of a database that was set back unnoticed the numbers are lower.
    mark.transaction >= since.transaction &&
    mark.at - since.at < MARK_MS_MAX
  return { mark, tenantIds: isGood ? (JSON.parse(found.tenantIds) as string[]) : null }
}

/** Most keys have the scopes of many others: remembered once. */
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
      tenantSuspended: row.tenant_suspended,
    },
    expiresAt: row.expires_at === null ? null : Date.parse(row.expires_at),
    revoked: row.revoked,
  }
}

/** A key for its owner's eyes: without token or hash. */
export const KeySummary = v.object({
  key_id: v.string(),
  name: v.string(),
  user_name: v.string(),
  status: v.picklist(['valid', 'revoked', 'expired']),
  scopes: v.string(),
  rate_per_minute: v.number(),
  burst: v.number(),
  daily_documents: v.number(),
  created_at: v.string(),
  expires_at: v.nullable(v.string()),
  revoked_at: v.nullable(v.string()),
  last_used_at: v.nullable(v.string()),
})

/** `scopes` is a JSON array, `last_used_at` the second of the last request, a refused one too (null: none within 90 days). */
export type KeySummary = v.InferOutput<typeof KeySummary>

const summaries = (where: Fragment) => rows(KeySummary)`
    select
      id as key_id, name, user_name,
      case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'valid' end as status,
      to_json(scopes)::text as scopes, rate_per_minute, burst, daily_documents,
      iso(created_at) as created_at, iso(expires_at) as expires_at, iso(revoked_at) as revoked_at, iso(last_used_at) as last_used_at
    from api_keys
    -- From the counts of the security telemetry, which come a few seconds after the request and stay for 90 days. The last one
    -- reads minutes as earlier versions wrote them.
    left join lateral (
      select to_timestamp(max(second)) as last_used_at
      from (
        (
          select hour * 3600::bigint + second as second from security_recent
          where tenant_id = api_keys.tenant_id and key_id = api_keys.id
          order by hour desc, second desc limit 1
        )
        union all
        (
          select hour * 3600::bigint + (select max(second) from unnest(seconds) second) from security_hours
          where tenant_id = api_keys.tenant_id and key_id = api_keys.id
          order by hour desc, 1 desc limit 1
        )
        union all
        (
          select extract(epoch from minute)::bigint + (select max(second) from unnest(seconds) second) from security_key_minutes
          where tenant_id = api_keys.tenant_id and key_id = api_keys.id
          order by minute desc limit 1
        )
      ) lasts
    ) used on true
    where ${where}
    order by id`

/** The tenant's keys, the oldest first; without those that a command made for itself and that have ended. */
export async function listKeys(connection: Connection, tenantId: string): Promise<readonly KeySummary[]> {
  return connection.any(
    summaries(sql.fragment`
      tenant_id = ${tenantId} and not (for_one_run and (revoked_at is not null or coalesce(expires_at <= now(), false)))`),
  )
}

/** A change that the server processes must hear of. */
export type KeyChange = { readonly tokenHash: string }

/** Whose key it is, and what it is for: what people know it by. */
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

/** Of the key `k` and its tenant `t`: the columns of an OwnerRow. */
const owner = sql.fragment`
  k.id as "keyId", k.name, t.tenant_id as "tenantId", t.name as "tenantName", iso(k.revoked_at) as "revokedAt",
  encode(k.token_hash, 'hex') as "tokenHash"`

export type Revocation = KeyOwner & KeyChange & { readonly revokedAt: string; readonly wasRevoked: boolean }

/** Revokes a key for good; null when there is none. Revoking again changes nothing: the first time stays. */
export async function revokeKey(connection: Connection, keyId: string): Promise<Revocation | null> {
  const Row = v.object({ ...OwnerRow.entries, revokedAt: v.string(), wasRevoked: v.boolean() })
  return connection.maybeOne(rows(Row)`
    with old as (
      select tenant_id, id, revoked_at from api_keys where id = ${keyId} for no key update
    ), k as (
      update api_keys k set revoked_at = coalesce(k.revoked_at, now())
      from old where k.tenant_id = old.tenant_id and k.id = old.id
      returning k.*
    )
    select ${owner}, old.revoked_at is not null as "wasRevoked"
    from k join old using (tenant_id, id) join tenants t using (tenant_id)`)
}

/** What is absent stays as it is. */
export type KeyUpdate = {
  readonly keyId: string
  readonly name?: string | undefined
  readonly userName?: string | undefined
  readonly scopes?: readonly string[] | undefined
  readonly ratePerMinute?: number | undefined
  readonly burst?: number | undefined
  readonly dailyDocuments?: number | undefined
  /** ISO-8601 timestamp; null: never. */
  readonly expiresAt?: string | null | undefined
}

export type UpdatedKey = {
  readonly owner: KeyOwner
  readonly key: KeySummary
  /** Other keys whose daily documents changed with it, since they count on the same quota. */
  readonly sameQuota: readonly string[]
  readonly changes: readonly KeyChange[]
}

/**
 * Changes a key; null when there is none, and its owner with the time when it is revoked. Only the daily documents change for
 * all keys of a rotation: they are the limit of one count. An expired key may get a later end, which makes it valid again.
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
    // A statement of its own: it also sees a successor that was made while this one waited for the key.
    const others = await connection.any(rows(v.object({ id: v.string(), tokenHash: v.string() }))`
      update api_keys k set daily_documents = ${dailyDocuments ?? null}::int
      from api_keys named
      where ${dailyDocuments !== undefined} and named.tenant_id = ${of.tenantId} and named.id = ${keyId}
        and k.tenant_id = named.tenant_id and k.quota_group = named.quota_group and k.id <> named.id and k.revoked_at is null
      returning k.id, encode(k.token_hash, 'hex') as "tokenHash"`)
    return {
      owner: { ...of, name: update.name ?? of.name },
      key: await connection.one(summaries(sql.fragment`tenant_id = ${of.tenantId} and id = ${keyId}`)),
      sameQuota: others.map(({ id }) => id),
      changes: [{ tokenHash }, ...others.map(other => ({ tokenHash: other.tokenHash }))],
    }
  })
}

export type Rotation = {
  readonly keyId: string
  /** How long the old key stays valid beside the new one. */
  readonly overlapSeconds: number
  /** When the new key stops being valid (ISO-8601 timestamp); it does not inherit the old one's end. */
  readonly expiresAt?: string | undefined
}

/**
 * Puts a new key beside an old one: same tenant, name, user, scopes, limits and quota. The old one ends after the overlap,
 * or at its own expiry when that is earlier. Null when there is no such key, or it is revoked or expired.
 */
export async function rotateKey(
  connection: Connection,
  rotation: Rotation,
  token: string = generateToken(),
): Promise<(IssuedKey & KeyChange) | null> {
  const id = await nextId(connection)
  // `old` is locked, so that two rotations at once don't both read its first expiry; the clock as it is then, since `now()` is
  // when this transaction began: before the end that the other rotation has just set.
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
