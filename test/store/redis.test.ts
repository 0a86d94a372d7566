import { loadConfig } from '../../lib/platform/config.ts'
import { isDependencyFailure } from '../../lib/platform/postgres/failures.ts'
import { readRedisAddress } from '../../lib/platform/redis/address.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { eventually } from '../support/eventually.ts'
import { privateRedis } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

test("while Redis is away, a producer's command fails, and works again afterwards", async t => {
  const server = await privateRedis({ durable: false })
  const outages: string[] = []
  const redis = connectRedis(server.url, 'producer', 'test', error => outages.push(error.message))
  await redis.ping()
  await server.kill()
  for (let n = 0; n < 3; n++) {
    await t.throwsAsync(redis.ping())
  }
  await server.start()
  await eventually(() => redis.ping())
  t.is(outages.length, 1)
  await closeRedis(redis)
  await server.close()
})

test('a Redis that accepts and does not answer fails a producer', async t => {
  const server = await privateRedis({ durable: false })
  const redis = connectRedis(server.url, 'producer', 'test')
  await redis.ping()
  process.kill(server.pid, 'SIGSTOP')
  await t.throwsAsync(redis.ping())
  process.kill(server.pid, 'SIGCONT')
  await closeRedis(redis)
  await server.close()
})

test("a worker's command waits until Redis is back", async t => {
  const server = await privateRedis({ durable: false })
  const redis = connectRedis(server.url, 'worker', 'test')
  await redis.ping()
  await server.kill()
  const waiting = redis.ping()
  await server.start()
  t.is(await waiting, 'PONG')
  await closeRedis(redis)
  await server.close()
})

test('a connection to a Redis that is not there can be closed', async t => {
  const redis = connectRedis('redis://127.0.0.1:1', 'worker', 'test')
  await t.notThrowsAsync(closeRedis(redis))
})

test('REDIS_URL names one Redis, nodes of a cluster, or a cluster behind one name', t => {
  const single = 'redis://:secret@cache.example:7000/3'
  t.deepEqual(readRedisAddress(single), { kind: 'single', url: single })
  const cluster = { kind: 'cluster', username: undefined, password: undefined, tls: false }
  const nodes = [
    { host: 'a.example', port: 7000 },
    { host: '::1', port: 6379 },
  ]
  t.deepEqual(readRedisAddress('redis://a.example:7000,[::1]'), { ...cluster, nodes })
  t.deepEqual(readRedisAddress('redis://a.example:7000,redis://[::1]/0'), { ...cluster, nodes })
  t.deepEqual(readRedisAddress('redis+cluster://a.example:7000'), { ...cluster, nodes: nodes.slice(0, 1) })
  t.deepEqual(readRedisAddress('rediss://me:a%40b@a.example:7000,[::1]'), {
    ...cluster,
    nodes,
    username: 'me',
    password: 'a@b',
    tls: true,
  })
  for (const wrong of [
    '',
    'a.example',
    'http://a.example',
    'redis://a.example/abc',
    'redis://a.example/0/1',
    'redis://a.example/-1',
    'redis://a.example,',
    'redis://a.example,b.example/1',
    'redis://a.example,rediss://b.example',
    'redis://a.example,http://b.example',
    'redis://a.example:99999,b.example',
  ])
    t.is(readRedisAddress(wrong), undefined, wrong)
})

test('tenants are spread over 16 shards on a cluster, over one otherwise, unless QUEUE_SHARDS says else', t => {
  t.is(loadConfig({ REDIS_URL: 'redis://127.0.0.1:7000' }).queueShards, 1)
  t.is(loadConfig({ REDIS_URL: 'redis://127.0.0.1:7000,127.0.0.1:7001' }).queueShards, 16)
  t.is(loadConfig({ REDIS_URL: 'redis+cluster://127.0.0.1:7000', QUEUE_SHARDS: '4' }).queueShards, 4)
  t.throws(() => loadConfig({ REDIS_URL: 'redis://127.0.0.1:7000,127.0.0.1/1' }), { message: /^REDIS_URL must be/ })
})

test("while a cluster is away, a producer's command fails as something that may work again", async t => {
  const redis = connectRedis('redis://127.0.0.1:1,127.0.0.1:2', 'producer', 'test')
  const error = await t.throwsAsync(redis.ping())
  t.true(isDependencyFailure(error), String(error))
  await t.notThrowsAsync(closeRedis(redis))
})

test('commands of one turn of the event loop travel together, in their order', async t => {
  const server = await privateRedis({ durable: false })
  const redis = connectRedis(server.url, 'producer', 'test')
  const reads = async () => Number(/total_reads_processed:(\d+)/.exec(await redis.info('stats'))?.[1])
  await redis.ping()
  const before = await reads()
  await Promise.all(Array.from({ length: 50 }, (_, n) => redis.rpush('list', n)))
  t.is((await reads()) - before, 2) // one for all of these, and one for this question
  // More bytes than one round gathers.
  await Promise.all(Array.from({ length: 50 }, (_, n) => redis.rpush('list', `${n + 50} ${'x'.repeat(2_000)}`)))
  const list = await redis.lrange('list', 0, -1)
  t.deepEqual(
    list.map(entry => Number.parseInt(entry, 10)),
    Array.from({ length: 100 }, (_, n) => n),
  )
  await closeRedis(redis)
  await server.close()
})
