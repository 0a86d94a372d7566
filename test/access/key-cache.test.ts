import { KeyCache } from '../../lib/access/key-cache.ts'
import type { StoredKey } from '../../lib/access/stored-keys.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const stored = (keyId: string, tenantId = '1'): StoredKey => ({
  access: {
    tenantId,
    cell: 'main',
    keyId,
    keyName: 'test',
    userName: 'owner',
    scopes: new Set(),
    ratePerMinute: 600,
    burst: 100,
    dailyDocuments: 500,
    tenantSuspended: false,
    quotaGroup: keyId,
    timeZone: 'UTC',
  },
  expiresAt: null,
  revoked: false,
})

/** A cache over a table that the test can change, with a clock that the test sets. */
function setUp() {
  const table = new Map<string, StoredKey>()
  const asked: string[] = []
  const state = {
    now: 0,
    gate: undefined as Promise<void> | undefined,
    /** The tenants that changed since the last question; null: any of them may have changed. */
    changed: [] as string[] | null,
    questions: 0,
  }
  const cache = new KeyCache({
    find: async hash => {
      asked.push(hash)
      const found = table.get(hash) ?? null
      await state.gate
      return found
    },
    changes: async since => {
      state.questions++
      const tenantIds = since === null ? null : state.changed
      state.changed = []
      await state.gate
      return { mark: { generation: 1, transaction: 1n, at: 0 }, tenantIds }
    },
    clock: () => state.now,
  })
  /** Puts the key `a` into the cache, with changes asked for at this moment. */
  const know = async () => {
    table.set('a', stored('1'))
    await cache.get('a')
    asked.length = 0
    state.questions = 0
  }
  return { table, asked, state, cache, know }
}

test('a key that does not change is looked up once, however seldom it comes', async t => {
  const { asked, state, cache, know } = setUp()
  await know()
  for (let n = 0; n < 10; n++) {
    state.now += 60_000
    t.is((await cache.get('a'))?.access.keyId, '1')
  }
  t.deepEqual([asked.length, state.questions], [0, 10])
})

test('keys in use have nobody wait for changes to be asked for: that is done every two seconds beside', async t => {
  const { asked, state, cache, know } = setUp()
  await know()
  const { promise, resolve } = Promise.withResolvers<void>()
  state.gate = promise
  state.now += 1_999
  await cache.get('a')
  t.is(state.questions, 0)
  state.now += 1
  for (let n = 0; n < 5; n++) await cache.get('a')
  t.deepEqual([asked.length, state.questions], [0, 1])
  resolve()
})

test('what changed is looked up again, and what did not is not', async t => {
  const { table, asked, state, cache, know } = setUp()
  await know()
  table.set('b', stored('2', '2'))
  await cache.get('b')
  table.set('a', { ...stored('1'), revoked: true })
  state.changed = ['1']
  state.now += 4_000
  asked.length = 0
  t.true((await cache.get('a'))?.revoked)
  t.is((await cache.get('b'))?.access.keyId, '2')
  t.deepEqual(asked, ['a'])
})

test('where any may have changed, all are looked up again', async t => {
  const { asked, state, cache, know } = setUp()
  await know()
  state.changed = null
  state.now += 4_000
  await cache.get('a')
  t.deepEqual(asked, ['a'])
})

test('the four seconds begin before the look-up or the question, however long it takes', async t => {
  const { asked, state, cache, know } = setUp()
  await know()
  const { promise, resolve } = Promise.withResolvers<void>()
  state.gate = promise
  state.now += 4_000
  const got = cache.get('a')
  state.now += 4_000
  state.gate = undefined
  resolve()
  await got
  t.deepEqual(asked, ['a'])
})

test('while changes cannot be asked for a key is served for four seconds', async t => {
  let [now, isAway] = [0, false]
  const cache = new KeyCache({
    find: async () => stored('1'),
    changes: async () => {
      if (isAway) throw new Error('Connection terminated')
      return { mark: { generation: 1, transaction: 1n, at: 0 }, tenantIds: [] }
    },
    clock: () => now,
  })
  await cache.get('a')
  isAway = true
  now = 3_999
  t.is((await cache.get('a'))?.access.keyId, '1')
  now = 4_000
  await t.throwsAsync(cache.get('a'), { message: 'Connection terminated' })
  isAway = false
  t.is((await cache.get('a'))?.access.keyId, '1')
})

test('a look-up that a change overtook is not remembered', async t => {
  const { table, state, cache, know } = setUp()
  await know()
  const { promise, resolve } = Promise.withResolvers<void>()
  table.set('b', stored('2', '2'))
  state.gate = promise
  const overtaken = cache.get('b')
  table.set('b', { ...stored('2', '2'), revoked: true })
  state.changed = ['2']
  state.gate = undefined
  state.now += 4_000
  await cache.get('a')
  resolve()
  t.true((await overtaken)?.revoked, 'it has taken too long')
  t.true((await cache.get('b'))?.revoked)
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
  const { table, state, cache, know } = setUp()
  await know()
  cache.evict('a')
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
  await cache.get('x0') // it took the place of the first of them
  t.is(asked.length, before + 1)
})

test('a failed look-up is not remembered', async t => {
  let isAway = true
  const cache = new KeyCache({
    find: async () => {
      if (isAway) throw new Error('Connection terminated')
      return stored('1')
    },
    changes: async () => ({ mark: { generation: 1, transaction: 1n, at: 0 }, tenantIds: [] }),
  })
  await t.throwsAsync(cache.get('a'), { message: 'Connection terminated' })
  isAway = false
  t.is((await cache.get('a'))?.access.keyId, '1')
})

test('a process that slept while it looked a key up looks again: the key may be revoked since', async t => {
  const { table, asked, state, cache, know } = setUp()
  await know()
  table.set('b', stored('2'))
  const { promise, resolve } = Promise.withResolvers<void>()
  state.gate = promise
  const looking = cache.get('b')
  table.set('b', { ...stored('2'), revoked: true })
  state.now += 60_000
  resolve()
  t.true((await looking)?.revoked)
  t.deepEqual(asked, ['b', 'b'])
})
