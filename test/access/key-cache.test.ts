import test from 'ava'
import { KeyCache } from '../../lib/access/key-cache.ts'
import type { StoredKey } from '../../lib/access/keys.ts'

const stored = (keyId: string): StoredKey => ({
  access: {
    tenantId: '1',
    keyId,
    keyName: 'test',
    userName: 'owner',
    scopes: new Set(),
    ratePerMinute: 600,
    burst: 100,
    dailyDocuments: 500,
    tenantSuspended: false,
    quotaGroup: keyId,
  },
  expiresAt: null,
  revoked: false,
})

/** A cache over a table that can be changed, with a clock that is moved by hand. */
function setUp() {
  const table = new Map<string, StoredKey>()
  const asked: string[] = []
  const state = { now: 0, gate: undefined as Promise<void> | undefined }
  const cache = new KeyCache({
    find: async hash => {
      asked.push(hash)
      const found = table.get(hash) ?? null
      await state.gate
      return found
    },
    clock: () => state.now,
  })
  return { table, asked, state, cache }
}

test('a key is looked up once in four seconds', async t => {
  const { table, asked, state, cache } = setUp()
  table.set('a', stored('1'))
  t.is((await cache.get('a'))?.access.keyId, '1')
  state.now = 3_999
  t.is((await cache.get('a'))?.access.keyId, '1')
  t.deepEqual(asked, ['a'])
  state.now = 4_000
  await cache.get('a')
  t.deepEqual(asked, ['a', 'a'])
})

test('the four seconds begin before the look-up, however long it takes', async t => {
  const { table, asked, state, cache } = setUp()
  const { promise, resolve } = Promise.withResolvers<void>()
  table.set('a', stored('1'))
  state.gate = promise
  const first = cache.get('a')
  state.now = 4_000
  resolve()
  await first
  await cache.get('a')
  t.is(asked.length, 2)
})

test('20 look-ups of one key at once are one query', async t => {
  const { table, asked, cache } = setUp()
  table.set('a', stored('1'))
  const found = await Promise.all(Array.from({ length: 20 }, () => cache.get('a')))
  t.true(found.every(key => key?.access.keyId === '1'))
  t.is(asked.length, 1)
})

test('an evicted key is looked up again', async t => {
  const { table, cache } = setUp()
  table.set('a', stored('1'))
  await cache.get('a')
  table.set('a', { ...stored('1'), revoked: true })
  t.false((await cache.get('a'))?.revoked)
  cache.evict('a')
  t.true((await cache.get('a'))?.revoked)
})

test('a look-up that an eviction overtook is not remembered', async t => {
  const { table, state, cache } = setUp()
  const { promise, resolve } = Promise.withResolvers<void>()
  table.set('a', stored('1'))
  state.gate = promise
  const overtaken = cache.get('a')
  table.set('a', { ...stored('1'), revoked: true })
  cache.evict('a')
  resolve()
  t.false((await overtaken)?.revoked)
  t.true((await cache.get('a'))?.revoked)
})

test('an unknown key is remembered for a second', async t => {
  const { asked, state, cache } = setUp()
  t.is(await cache.get('x'), null)
  state.now = 999
  t.is(await cache.get('x'), null)
  t.is(asked.length, 1)
  state.now = 1_000
  await cache.get('x')
  t.is(asked.length, 2)
})

test('a flood of unknown keys pushes no known one out, and has an end', async t => {
  const { table, asked, cache } = setUp()
  table.set('a', stored('1'))
  await cache.get('a')
  for (let n = 0; n <= 1_000; n++) await cache.get(`x${n}`)
  const before = asked.length
  await cache.get('a')
  await cache.get('x1000')
  t.is(asked.length, before)
  await cache.get('x0') // the first of them made room
  t.is(asked.length, before + 1)
})

test('a failed look-up is not remembered', async t => {
  let isAway = true
  const cache = new KeyCache({
    find: async () => {
      if (isAway) throw new Error('Connection terminated')
      return stored('1')
    },
  })
  await t.throwsAsync(cache.get('a'), { message: 'Connection terminated' })
  isAway = false
  t.is((await cache.get('a'))?.access.keyId, '1')
})
