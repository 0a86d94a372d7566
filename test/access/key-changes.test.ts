/** What server processes remember of keys follows PostgreSQL, whoever changed it there, with or without a message from Redis. */

import * as v from 'valibot'
import { openKeyCache } from '../../lib/access/access-services.ts'
import { changedKeys } from '../../lib/access/changed-keys.ts'
import { defaultLimits, issueKey, updateKey } from '../../lib/access/keys.ts'
import { createTenant, updateTenant } from '../../lib/access/tenants.ts'
import { hashToken } from '../../lib/access/token.ts'
import { createPool, type Pool, rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { runChore } from '../../workers/housekeeping/housekeeping.ts'
import { endedKeys } from '../../workers/housekeeping/retention.ts'
import { ofTests } from '../support/of-file.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const limits = { size: 3, statementTimeoutMs: 10_000, idleInTransactionTimeoutMs: 60_000, checkRows: true }
let statements = 0
let pool: Pool
// A database of its own, since the test begins generations in it.
ofTests(test, async () => {
  const { databaseUrl, close } = await testServices()
  pool = await createPool(databaseUrl, { ...limits, onStatement: () => statements++ })
  return {
    close: async () => {
      await pool.end()
      await close()
    },
  }
})

async function tenantWithKey() {
  const id = await createTenant(pool, { name: 'T', ownerEmail: 'owner@test.example', plan: 'pro', currency: 'EUR' })
  const key = await issueKey(pool, { tenantId: id, name: 'K', scopes: ['read:stock'], ...defaultLimits })
  if (key === null) throw new Error('there is no tenant')
  return { id, keyId: key.keyId, hash: hashToken(key.token) }
}

test('a process sees every change within four seconds: of a key, by hand, of its tenant', async t => {
  let now = 0
  const cache = openKeyCache([{ name: 'main', pool }], { clock: () => now })
  const [changed, other] = [await tenantWithKey(), await tenantWithKey()]
  const get = () => {
    now += 4_000
    return cache.get(changed.hash)
  }
  for (const { hash } of [changed, other]) await cache.get(hash)
  await updateKey(pool, { keyId: changed.keyId, burst: 7 })
  t.is((await get())?.access.burst, 7)
  await updateTenant(pool, { tenantId: changed.id, suspended: true })
  t.true((await get())?.access.tenantSuspended)
  await updateTenant(pool, { tenantId: changed.id, suspended: false })
  t.false((await get())?.access.tenantSuspended)
  await pool.query(statement`update api_keys set revoked_at = now() where id = ${changed.keyId}::bigint`)
  t.true((await get())?.revoked)
  await pool.query(statement`
    update api_keys set revoked_at = now() - interval '99 days', created_at = now() - interval '99 days' where id = ${changed.keyId}::bigint`)
  await runChore(pool, endedKeys)
  t.is(await get(), null)
  statements = 0
  now += 60_000
  t.is((await cache.get(other.hash))?.access.keyId, other.keyId)
  t.is(statements, 2, 'the key of another tenant was looked up again')
})

test('a change that commits long after others were seen is seen', async t => {
  const [early, late] = [await tenantWithKey(), await tenantWithKey()]
  let { mark } = await changedKeys(pool, null)
  const ask = async () => {
    const found = await changedKeys(pool, mark)
    mark = found.mark
    return found.tenantIds
  }
  const [isOpen, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const committing = pool.transaction(async open => {
    await open.query(statement`update api_keys set burst = 8 where id = ${late.keyId}::bigint`)
    isOpen.resolve()
    await mayCommit.promise
  })
  await isOpen.promise
  await updateKey(pool, { keyId: early.keyId, burst: 8 })
  const seen = await ask()
  t.true(seen?.includes(early.id) && !seen.includes(late.id))
  mayCommit.resolve()
  await committing
  t.true((await ask())?.includes(late.id))
})

test('of a database that was set back nothing is believed', async t => {
  const { mark } = await changedKeys(pool, null)
  t.not((await changedKeys(pool, mark)).tenantIds, null)
  t.is((await changedKeys(pool, { ...mark, transaction: mark.transaction + 1_000n })).tenantIds, null)
  t.is((await changedKeys(pool, { ...mark, generation: mark.generation + 1 })).tenantIds, null)
  t.is((await changedKeys(pool, { ...mark, at: mark.at - 13 * 3_600_000 })).tenantIds, null)
})

test('where the database lives elsewhere one generation begins, however many ask at once, and ids go on far beyond', async t => {
  const { mark } = await changedKeys(pool, null)
  const nextId = async () =>
    BigInt((await pool.one(rows(v.object({ id: v.string() }))`select nextval('ids')::text as id`)).id)
  const before = await nextId()
  await pool.query(statement`update generations set cluster = 'elsewhere'`)
  const found = await Promise.all([1, 2, 3].map(() => changedKeys(pool, mark)))
  t.deepEqual(new Set(found.map(({ tenantIds }) => tenantIds)), new Set([null]))
  const [fresh = 0, ...others] = new Set(found.map(of => of.mark.generation))
  t.deepEqual(others, [])
  t.true(fresh > mark.generation && (await nextId()) >= before + 10_000_000n)
  t.is((await changedKeys(pool, mark)).mark.generation, fresh)
  // By order, where nothing tells of it.
  await pool.query(statement`select begin_generation(true)`)
  t.true((await changedKeys(pool, mark)).mark.generation > fresh)
})
