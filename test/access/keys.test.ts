import * as v from 'valibot'
import { onKeyChange, publishKeyChange } from '../../lib/access/key-changes.ts'
import { listKeys } from '../../lib/access/key-summaries.ts'
import { defaultLimits, issueKey, type NewKey, revokeKey, rotateKey, updateKey } from '../../lib/access/keys.ts'
import { findKeys } from '../../lib/access/stored-keys.ts'
import { createTenant } from '../../lib/access/tenants.ts'
import { hashToken } from '../../lib/access/token.ts'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const { pool, redisUrl } = await serviceOfFile()

let tenantId = ''
test.before(async () => {
  const tenant = { name: 'Acme', ownerEmail: 'owner@acme.example', plan: 'free', currency: 'EUR' } as const
  tenantId = await createTenant(pool, tenant)
})

async function issue(options: Partial<NewKey> = {}) {
  const key = await issueKey(pool, { tenantId, name: 'sync', scopes: ['read:stock'], ...defaultLimits, ...options })
  if (key === null) throw new Error('no tenant')
  return key
}

const find = async (token: string) => (await findKeys(pool, [hashToken(token)])).get(hashToken(token)) ?? null

async function secondsLeft(keyId: string): Promise<number | null> {
  const row = await pool.one(rows(v.object({ seconds: v.nullable(v.number()) }))`
    select round(extract(epoch from expires_at - now()))::int as seconds from api_keys where id = ${keyId}`)
  return row.seconds
}

test('a key is found by its token with all that it allows', async t => {
  const key = await issue({ scopes: ['read:stock', 'read:sales'], userName: 'Jane' })
  t.deepEqual(await find(key.token), {
    access: {
      tenantId,
      cell: 'main',
      keyId: key.keyId,
      keyName: 'sync',
      userName: 'Jane',
      scopes: new Set(['read:stock', 'read:sales']),
      ratePerMinute: 600,
      burst: 100,
      dailyDocuments: 500,
      quotaGroup: key.keyId,
      tenantSuspended: false,
      timeZone: 'UTC',
    },
    expiresAt: null,
    revoked: false,
  })
})

test("a key without a user names the tenant's owner", async t => {
  t.is((await find((await issue()).token))?.access.userName, 'owner@acme.example')
})

test('a key for a tenant that is not there is not made', async t => {
  t.is(await issueKey(pool, { tenantId: '999999999', name: 'x', scopes: [], ...defaultLimits }), null)
})

test('the token is nowhere in the database', async t => {
  const { token } = await issue()
  const found = await pool.any(rows(v.object({}))`
    select 1 as one from api_keys k where strpos(k::text, ${token.slice(4, 36)}) > 0`)
  t.is(found.length, 0)
})

test('a revoked key is found as revoked, and revoking again changes nothing', async t => {
  const key = await issue()
  const revoked = await revokeKey(pool, key.keyId)
  const owner = { keyId: key.keyId, name: 'sync', tenantId, tenantName: 'Acme' }
  t.like(revoked, { ...owner, tokenHash: hashToken(key.token), wasRevoked: false })
  t.like(await revokeKey(pool, key.keyId), { ...owner, revokedAt: revoked?.revokedAt ?? '', wasRevoked: true })
  t.true((await find(key.token))?.revoked)
  const [before] = (await listKeys(pool, tenantId)).filter(listed => listed.key_id === key.keyId)
  await revokeKey(pool, key.keyId)
  const [after] = (await listKeys(pool, tenantId)).filter(listed => listed.key_id === key.keyId)
  t.deepEqual(after, before)
  t.is(await revokeKey(pool, '999999999'), null)
})

test('a rotated key has a successor with its name, user, scopes, limits and quota', async t => {
  const old = await issue({ scopes: ['read:stock', 'write:webhooks'], userName: 'Jane' })
  const made = await rotateKey(pool, { keyId: old.keyId, overlapSeconds: 3_600 })
  t.not(made, null)
  if (made === null) return
  t.is(made.tokenHash, hashToken(old.token))
  const [before, after] = [await find(old.token), await find(made.token)]
  t.deepEqual({ ...after?.access, keyId: old.keyId }, { ...before?.access })
  t.is(after?.expiresAt, null)
  const left = await secondsLeft(old.keyId)
  t.true(left !== null && left <= 3_600 && left > 3_000, `${left} s`)
})

test('a key rotated twice keeps the quota of the first', async t => {
  const first = await issue()
  const second = await rotateKey(pool, { keyId: first.keyId, overlapSeconds: 0 })
  const third = second && (await rotateKey(pool, { keyId: second.keyId, overlapSeconds: 0 }))
  t.is(third && (await find(third.token))?.access.quotaGroup, first.keyId)
})

test('an overlap never prolongs a key', async t => {
  const soon = new Date(Date.now() + 60_000).toISOString()
  const key = await issue({ expiresAt: soon })
  await rotateKey(pool, { keyId: key.keyId, overlapSeconds: 3_600 })
  t.is((await find(key.token))?.expiresAt, Date.parse(soon))
})

test('an overlap of 0 ends the old key at once', async t => {
  const key = await issue()
  await rotateKey(pool, { keyId: key.keyId, overlapSeconds: 0 })
  const found = await find(key.token)
  t.true(found?.expiresAt != null && found.expiresAt <= Date.now())
})

test('a revoked or expired key has no successor', async t => {
  const revoked = await issue()
  await revokeKey(pool, revoked.keyId)
  t.is(await rotateKey(pool, { keyId: revoked.keyId, overlapSeconds: 60 }), null)
  const expired = await issue({ expiresAt: '2020-01-01T00:00:00.000Z' })
  t.is(await rotateKey(pool, { keyId: expired.keyId, overlapSeconds: 60 }), null)
})

test('of 10 rotations at once with overlap 0, one makes a successor', async t => {
  const key = await issue()
  const made = await Promise.all(
    Array.from({ length: 10 }, () => rotateKey(pool, { keyId: key.keyId, overlapSeconds: 0 })),
  )
  t.is(made.filter(successor => successor !== null).length, 1)
})

test('a rotation that began before another ended the key makes no second successor', async t => {
  const key = await issue()
  const rotation = { keyId: key.keyId, overlapSeconds: 0 }
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const earlier = pool.transaction(async connection => {
    await connection.query(statement`select now()`)
    begun.resolve()
    await ended.promise
    return rotateKey(connection, rotation)
  })
  await begun.promise
  t.truthy(await rotateKey(pool, rotation))
  ended.resolve()
  t.is(await earlier, null)
})

/** Updates a key that exists and is not revoked. */
async function updated(keyId: string, change: Omit<Parameters<typeof updateKey>[1], 'keyId'>) {
  const result = await updateKey(pool, { keyId, ...change })
  if (result === null || 'revokedAt' in result) throw new Error('no such key')
  return result
}

test('an update changes what is named and nothing else', async t => {
  const key = await issue({ userName: 'Jane', expiresAt: '2099-01-01T00:00:00.000Z' })
  const before = await find(key.token)
  const renamed = await updated(key.keyId, { name: 'renamed' })
  t.like(renamed.owner, { keyId: key.keyId, name: 'renamed', tenantId, tenantName: 'Acme' })
  t.deepEqual(renamed.changes, [{ tokenHash: hashToken(key.token) }])
  t.deepEqual(await find(key.token), before && { ...before, access: { ...before.access, keyName: 'renamed' } })
  const change = { userName: 'Joe', ratePerMinute: 6, burst: 7, dailyDocuments: 0, expiresAt: null }
  t.like((await updated(key.keyId, { ...change, scopes: ['read:sales', 'write:webhooks'] })).key, {
    daily_documents: 0,
  })
  const { expiresAt, ...access } = change
  t.like(await find(key.token), { access: { ...access, keyName: 'renamed' }, expiresAt })
  t.deepEqual((await find(key.token))?.access.scopes, new Set(['read:sales', 'write:webhooks']))
})

test('a revoked key is not updated, an expired one gets a later end', async t => {
  t.is(await updateKey(pool, { keyId: '999999999', name: 'x' }), null)
  const revoked = await issue()
  await revokeKey(pool, revoked.keyId)
  const refused = await updateKey(pool, { keyId: revoked.keyId, name: 'x' })
  t.true(refused !== null && 'revokedAt' in refused && refused.name === 'sync')
  t.is((await find(revoked.token))?.access.keyName, 'sync')
  const expired = await issue({ expiresAt: '2020-01-01T00:00:00.000Z' })
  t.is((await updated(expired.keyId, { name: 'still' })).key.status, 'expired')
  t.is((await updated(expired.keyId, { expiresAt: '2099-01-01T00:00:00.000Z' })).key.status, 'valid')
})

test('the daily documents change for all keys of a rotation, everything else for the named one', async t => {
  const [first, stranger] = [await issue(), await issue()]
  const second = await rotateKey(pool, { keyId: first.keyId, overlapSeconds: 60 })
  const third = second && (await rotateKey(pool, { keyId: second.keyId, overlapSeconds: 60 }))
  if (!second || !third) throw new Error('not rotated')
  await revokeKey(pool, second.keyId)
  const { sameQuota, changes } = await updated(first.keyId, { dailyDocuments: 9, burst: 9 })
  t.deepEqual(sameQuota, [third.keyId])
  t.deepEqual(changes, [first, third].map(({ token }) => ({ tokenHash: hashToken(token) })) as typeof changes)
  const limits = async (token: string) => {
    const access = (await find(token))?.access
    return [access?.dailyDocuments, access?.burst]
  }
  t.deepEqual(await limits(first.token), [9, 9])
  t.deepEqual(await limits(third.token), [9, 100])
  t.deepEqual(await limits(second.token), [500, 100])
  t.deepEqual(await limits(stranger.token), [500, 100])
})

test('a key that is rotated and updated at once and its successor have one limit of documents', async t => {
  for (let n = 0; n < 20; n++) {
    const key = await issue()
    const rotation = { keyId: key.keyId, overlapSeconds: 60 }
    const [made] = await Promise.all([rotateKey(pool, rotation), updated(key.keyId, { dailyDocuments: 9 })])
    t.is((await find(made?.token ?? ''))?.access.dailyDocuments, 9)
  }
})

test('a key that a command made for itself is listed until it ends', async t => {
  const listed = async (keyId: string) => (await listKeys(pool, tenantId)).some(key => key.key_id === keyId)
  const [revoked, expired] = [await issue({ forOneRun: true }), await issue({ forOneRun: true })]
  t.true(await listed(revoked.keyId))
  await revokeKey(pool, revoked.keyId)
  t.true(await listed(expired.keyId))
  await updated(expired.keyId, { expiresAt: '2020-01-01T00:00:00.000Z' })
  t.deepEqual([await listed(revoked.keyId), await listed(expired.keyId)], [false, false])
  t.true((await find(revoked.token))?.revoked)
})

test('a list tells valid, revoked and expired keys apart, and holds no hash', async t => {
  const [valid, revoked, expired] = [await issue(), await issue(), await issue({ expiresAt: '2020-01-01' })]
  await revokeKey(pool, revoked.keyId)
  const listed = await listKeys(pool, tenantId)
  const statusOf = (keyId: string) => listed.find(key => key.key_id === keyId)?.status
  t.deepEqual(
    [valid, revoked, expired].map(key => statusOf(key.keyId)),
    ['valid', 'revoked', 'expired'],
  )
  t.false(JSON.stringify(listed).includes(hashToken(valid.token)))
})

test('a published change reaches who listens', async t => {
  const publisher = connectRedis(redisUrl, 'worker', 'test')
  const subscriber = connectRedis(redisUrl, 'subscriber', 'test')
  const heard: string[] = []
  onKeyChange(subscriber, change => heard.push(change.tokenHash))
  // A message before the subscription reaches nobody, so the test publishes until one arrives.
  t.true(
    await eventually(async () => {
      await publishKeyChange(publisher, { tokenHash: 'abc' })
      return heard.includes('abc')
    }),
  )
  await closeRedis(publisher)
  await closeRedis(subscriber)
})
