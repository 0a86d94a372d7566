/** A Redis with a memory limit: the memory that writes take there is bounded, and a Redis that is nearly full refuses writes at once. */
import { randomBytes, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { Claims } from '../../lib/pipeline/claims.ts'
import type { Command } from '../../lib/pipeline/command.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { readInfo } from '../../lib/tools/doctor/redis.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { noteCommand, settler } from '../support/pipeline.ts'
import { privateRedis } from '../support/servers.ts'
import { type Client, type Reply, startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const LIMIT_BYTES = 12 * 1024 * 1024
/** An accepted write that no worker runs is answered after this time. A refused one is answered long before. */
const DEADLINE_MS = 60_000
const AT_ONCE_MS = 20_000

const services = ofTests(test, testServices)
const own = ofTests(test, () => privateRedis({ durable: false }))
const env = { COMMAND_DEADLINE_MS: String(DEADLINE_MS) }
const service = ofTests(test, () => startService({ ...services, redisUrl: own.url }, { env }))
let redis: ReturnType<typeof connectRedis>
/** The shard is one that the worker of this file does not serve, so that claimed commands are not run. */
let claims: Claims
let settle: ReturnType<typeof settler>
test.before(async () => {
  redis = connectRedis(own.url, 'worker', 'test filler')
  await redis.config('SET', 'maxmemory', LIMIT_BYTES)
  claims = new Claims(redis, () => '{s7}')
  settle = settler(redis, () => '{s7}')
})

test.afterEach.always(() => redis.flushdb())
test.after.always(() => closeRedis(redis))

async function usedShare(): Promise<number> {
  const { used_memory } = readInfo(await redis.info('memory'))
  return Number(used_memory) / LIMIT_BYTES
}

/**
 * Fills Redis up to a share of its limit, or until it takes no more. Then removes the notes by which the scripts would still believe that
 * there is room.
 */
async function fill(share: number): Promise<void> {
  const text = 'x'.repeat(10_000)
  try {
    while ((await usedShare()) < share) await redis.rpush('filler', text)
  } catch {
    // Redis is full.
  }
  const notes = await redis.keys('{s*}:memory')
  if (notes.length > 0) await redis.del(...notes)
}

const empty = () => redis.del('filler')

/** All keys of the tenant's commands and claims. */
const keysOf = async (tenantId: string): Promise<string[]> =>
  (await redis.keys('*')).filter(key => new RegExp(`:t${tenantId}:|:tenant:${tenantId}:`).test(key)).sort()

const product = { title: 'A product' }
const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true'

/** The status of the write, and whether it came long before the answer to a write that waits. */
async function timed(answer: Promise<Reply>): Promise<readonly [number, 'at once' | 'late']> {
  const began = performance.now()
  const { status } = await answer
  return [status, performance.now() - began < AT_ONCE_MS ? 'at once' : 'late']
}

test('a small answer is kept for an hour; a large one is replayed from the command log', async t => {
  const write = async (client: Client, description: string) => {
    const key = randomUUID()
    const first = await client.post('/products', { ...product, description }, key)
    const again = await client.post('/products', { ...product, description }, key)
    t.deepEqual([first.status, again.text, isReplay(again)], [201, first.text, true])
    const answers = (await keysOf(client.tenantId)).filter(name => name.endsWith(':answer'))
    return Promise.all(answers.map(async name => Math.ceil((await redis.pttl(name)) / 60_000)))
  }
  t.deepEqual(await write(await service.tenant(), 'short'), [60])
  t.deepEqual(await write(await service.tenant(), randomBytes(5_000).toString('hex')), [])
})

test('however many answers there are, a quarter of Redis stays free of them', async t => {
  const answer = (n: number) =>
    settle(noteCommand('1', 'test-server', `${n}`), {
      outcome: 'done',
      status: 201,
      body: randomBytes(1_500).toString('base64'),
    })
  for (let hundreds = 0; hundreds < 60; hundreds++)
    await Promise.all(Array.from({ length: 100 }, (_, n) => answer(100 * hundreds + n)))
  t.true((await usedShare()) > 0.7, 'they were kept while there was room')
  t.true((await usedShare()) < 0.8, `${await usedShare()}`)
  const client = await service.tenant()
  const key = randomUUID()
  t.is((await client.post('/products', product, key)).status, 201)
  t.true(isReplay(await client.post('/products', product, key)))
})

test('a Redis that is nearly full refuses writes at once and keeps nothing of them; reads and replays are served', async t => {
  const client = await service.tenant()
  const [known, other] = [randomUUID(), randomUUID()]
  const made = await client.post('/products', product, known)
  await redis.flushdb()
  await fill(0.93)
  const before = await keysOf(client.tenantId)
  t.deepEqual(await timed(client.post('/products', product, other)), [503, 'at once'])
  const entry = { method: 'POST', path: '/products', body: product, idempotency_key: other }
  t.deepEqual(await timed(client.request('POST', '/bulk', { body: { mode: 'all', requests: [entry] }, key: null })), [
    503,
    'at once',
  ])
  const each = await client.request('POST', '/bulk', { body: { mode: 'each', requests: [entry] }, key: null })
  t.is(each.body.results[0].status, 503)
  t.deepEqual(await keysOf(client.tenantId), before)
  t.is((await client.get(`/products/${made.body.id}`)).status, 200)
  const replayed = await client.post('/products', product, known)
  t.deepEqual([replayed.text, isReplay(replayed)], [made.text, true])
  await empty()
  const done = await client.post('/products', product, other)
  t.deepEqual([done.status, isReplay(done)], [201, false])
})

test('writes that meet a Redis that fills up are done or refused, and none waits', async t => {
  const clients = await Promise.all(Array.from({ length: 5 }, () => service.tenant()))
  await fill(0.85)
  let isFull = false
  let served = 0
  const writing = clients.map(async client => {
    const answers: (readonly [number, string])[] = []
    while (!isFull || answers.at(-1)?.[0] === 201) {
      answers.push(await timed(client.post('/products', product)))
      if (answers.length === 1) served++
    }
    return { client, answers }
  })
  await eventually(() => served === clients.length)
  for (let share = 0.86; share < 0.95; share += 0.01) await fill(share)
  isFull = true
  for (const { client, answers } of await Promise.all(writing)) {
    const kinds = new Set(answers.map(answer => answer.join(' ')))
    t.deepEqual([...kinds].sort(), ['201 at once', '503 at once'])
    const { made } = await service.pool.one(rows(v.object({ made: v.number() }))`
      select count(*)::int as made from items where tenant_id = ${client.tenantId}`)
    t.is(made, answers.filter(([status]) => status === 201).length)
  }
})

test('with no byte left a claim is refused and leaves nothing, and what was claimed before ends', async t => {
  const quota = { group: '77', day: '2026-11-21' }
  const options = { dailyDocuments: 10, runningTtlMs: 600_000 }
  const [done, refused, waiting, late] = ['done', 'refused', 'waiting', 'late'].map(text =>
    noteCommand('1', 'test-server', text, { quota }),
  ) as [Command, Command, Command, Command]
  for (const command of [done, refused, waiting]) t.is((await claims.claim(command, options)).kind, 'fresh')
  await fill(2)
  const before = await keysOf('1')
  t.is((await claims.claim(late, options)).kind, 'full')
  t.is((await claims.claim({ ...late, quota: null }, options)).kind, 'full')
  t.deepEqual(await claims.claimAll([late, done], options), [{ kind: 'full' }, { kind: 'fresh', isUnready: true }])
  t.deepEqual(await keysOf('1'), before)
  await settle(done, { outcome: 'done', status: 201, body: '{}', spent: 1 })
  await settle(refused, { outcome: 'refused' })
  t.deepEqual(await claims.cancel(waiting, waiting.requestId), [])
  await empty()
  for (const command of [done, refused, waiting, late])
    t.is((await claims.claim({ ...command, requestId: `again-${command.requestId}` }, options)).kind, 'fresh')
})
