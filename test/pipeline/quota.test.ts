/** The document quota is exact whatever happens to Redis, and checking it costs the same however much was spent. */

import { Redis } from 'ioredis'
import { quotaDay } from '../../lib/access/document-quota.ts'
import { CommandQueues } from '../../lib/pipeline/tenant-queues.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests, ownService } from '../support/of-file.ts'
import {
  createNotesTable,
  noteCommand,
  noteEndpoint,
  notesOf,
  settler,
  testEndpoints,
  unitRunner,
  wordsOf,
} from '../support/pipeline.ts'
import { startService } from '../support/service.ts'
import { ownRedis } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

/** A service with a Redis of its own, which the test empties. */
const service = ofTests(test, () => ownService({ endpoints: testEndpoints }))
const idleRedisServer = ofTests(test, ownRedis)
/** A service on the same PostgreSQL, without workers. */
const idle = ofTests(test, () =>
  startService(
    { databaseUrl: service.databaseUrl, redisUrl: idleRedisServer.url },
    { endpoints: testEndpoints, workers: 0 },
  ),
)
const units = ofTests(test, async () => unitRunner(service.databaseUrl, [noteEndpoint]))
let redis: Redis
test.before(async () => {
  redis = new Redis(service.redisUrl)
  await createNotesTable(service.pool)
})
test.after.always(() => redis.disconnect())

/** Writes this many successes of the key for today into the log alone. */
const spend = (tenantId: string, keyId: string, documents: number) =>
  service.pool.query(statement`
    insert into commands (tenant_id, idempotency_key, fingerprint, endpoint, status, body, key_id, quota_group, quota_day, request_id)
    select ${tenantId}::bigint, 'spent' || n, '\\x00', 'addNote', 201, '{}', ${keyId}::bigint, ${keyId}::bigint,
      ${quotaDay(new Date())}::date, 'req_spent' || n
    from generate_series(1, ${documents}::int) n`)

test('a Redis that is emptied under load lets a key spend its quota, and not one document more', async t => {
  const QUOTA = 60
  const client = await service.tenant({ key: { dailyDocuments: QUOTA } })
  let over = 0
  const lane = async (name: number) => {
    for (let n = 0; over < 24; ) {
      const { status } = await client.post('/notes', { text: `${name}-${n}` }, `${name}-${n}`)
      if (status === 429) {
        t.is((await notesOf(service.pool, client.tenantId)).length, QUOTA, 'refused when it is spent in truth')
        over++
      }
      // Sends each with a key of its own until it is acknowledged or refused.
      if (status !== 503) n++
    }
  }
  const lanes = Promise.all(Array.from({ length: 12 }, (_, name) => lane(name)))
  let ended = false
  void lanes.finally(() => {
    ended = true
  })
  for (let noted = 0; !ended; ) {
    const now = (await notesOf(service.pool, client.tenantId)).length
    if (now > noted) await redis.flushdb()
    noted = now
  }
  await lanes
  t.is((await notesOf(service.pool, client.tenantId)).length, QUOTA)
})

test('a success that Redis never heard of counts, as does its replay, which a spent quota does not refuse', async t => {
  const client = await idle.tenant({ key: { dailyDocuments: 1 } })
  const idleRedis = connectRedis(idleRedisServer.url, 'worker', 'test')
  const queues = new CommandQueues(idleRedis, 1)
  const first = client.post('/notes', { text: 'unheard' }, 'unheard')
  const queue = queues.tenantQueue(client.tenantId)
  const { queued } = await eventually(async () => {
    const taken = await queue.resume(9)
    return taken.queued.length > 0 && taken
  })
  const commands = queued.map(({ command }) => command)
  await units.run({ tenantId: client.tenantId, commands })
  // As a worker that lost Postgres while it committed, and so took it for undone.
  const settle = settler(idleRedis, tenantId => queues.tagOf(tenantId))
  for (const command of commands) await settle(command, { outcome: 'refused' })
  await queue.end({ jobIds: queued.map(({ jobId }) => jobId) })
  t.is((await first).status, 201)
  const second = client.post('/notes', { text: 'over' }, 'over')
  const { queued: next } = await eventually(async () => {
    const taken = await queue.resume(9)
    return taken.queued.length > 0 && taken
  })
  const [ended] = await units.run({ tenantId: client.tenantId, commands: next.map(({ command }) => command) })
  t.like(ended?.outcome, { kind: 'refused', refusal: { refusal: 'document_quota_exceeded' }, spent: 1 })
  const copies = commands.map(command => ({ ...command, requestId: `${command.requestId}-again` }))
  const [replay] = await units.run({ tenantId: client.tenantId, commands: copies })
  t.like(replay?.outcome, { kind: 'done', replayed: true, spent: 1 })
  await queue.end({ jobIds: next.map(({ jobId }) => jobId) })
  const refused = await second
  t.deepEqual([refused.status, refused.body.error], [429, 'document_quota_exceeded'])
  t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/)
  t.deepEqual(await notesOf(service.pool, client.tenantId), ['unheard'])
  await closeRedis(idleRedis)
})

/** Commands of a key whose quota has two documents left. */
async function lastTwo(behaviours: readonly string[]) {
  const { tenantId, keyId } = await service.tenant({ key: { dailyDocuments: 12 } })
  await spend(tenantId, keyId, 10)
  const on = { actor: { keyId, userName: 'Tester' }, quota: { group: keyId, day: quotaDay(new Date()) } }
  const commands = behaviours.map((behave, n) => noteCommand(tenantId, 'nobody', `note ${n}`, { ...on, behave }))
  return { tenantId, commands }
}

for (const { what, behaviours, words } of [
  {
    what: 'of one unit of work',
    behaviours: ['refuse', '', '', 'refuse', ''],
    words: ['validation_failed', 'done', 'done', 'document_quota_exceeded', 'document_quota_exceeded'],
  },
  {
    what: 'that run one by one, since one of them fails,',
    behaviours: ['refuse', '', 'throw', '', 'refuse', ''],
    words: [
      ...['validation_failed', 'done', 'internal_error', 'done'],
      ...['document_quota_exceeded', 'document_quota_exceeded'],
    ],
  },
])
  test(`commands ${what} spend what is left of the quota in their order, and those that are refused nothing`, async t => {
    t.deepEqual(wordsOf(await units.run(await lastTwo(behaviours))), words)
  })

test('how long a spent quota lasts is told by the time of the command, not by the clock of its worker', async t => {
  const day = quotaDay(new Date())
  const late = unitRunner(service.databaseUrl, [noteEndpoint], { clock: () => `${day}T23:59:30.000Z` })
  t.teardown(() => late.close())
  const [, , ended] = await late.run(await lastTwo(['', '', '']))
  t.like(ended?.outcome, {
    kind: 'refused',
    refusal: { refusal: 'document_quota_exceeded', headers: { 'Retry-After': '30' } },
  })
})

test('what a key has spent takes a few bytes of Redis, for however many callers', async t => {
  const client = await service.tenant({ key: { dailyDocuments: 20_064 } })
  await spend(client.tenantId, client.keyId, 20_000)
  await redis.flushdb()
  const replies = await Promise.all(Array.from({ length: 65 }, (_, n) => client.post('/notes', { text: `${n}` })))
  t.is(replies.filter(({ status }) => status === 201).length, 64)
  t.is(replies.filter(({ status }) => status === 429).length, 1)
  const keys = await redis.keys(`*tenant:${client.tenantId}:quota:*`)
  const sizes = await Promise.all(keys.map(key => redis.call('MEMORY', 'USAGE', key)))
  t.true(keys.length > 0)
  t.true(sizes.map(Number).reduce((sum, size) => sum + size, 0) < 1_000, `${keys}: ${sizes}`)
})
