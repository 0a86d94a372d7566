import test from 'ava'
import { closeRedis, connectRedis } from '../../lib/store/redis.ts'
import { eventually } from '../support/eventually.ts'
import { privateRedis } from '../support/servers.ts'

async function timed<T>(work: Promise<T>): Promise<{ ms: number; error: unknown }> {
  const began = performance.now()
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return { ms: performance.now() - began, error }
}

test("while Redis is away, a producer's command fails within a second or so, and works again afterwards", async t => {
  const server = await privateRedis({ durable: false })
  const outages: string[] = []
  const redis = connectRedis(server.url, 'producer', 'test', error => outages.push(error.message))
  await redis.ping()
  await server.kill()
  for (let n = 0; n < 3; n++) {
    const { ms, error } = await timed(redis.ping())
    t.truthy(error)
    t.true(ms < 1_500, `${ms} ms`)
  }
  await server.start()
  await eventually(() => redis.ping())
  t.is(outages.length, 1)
  await closeRedis(redis)
  await server.close()
})

test('a Redis that accepts and does not answer fails a producer within three seconds', async t => {
  const server = await privateRedis({ durable: false })
  const redis = connectRedis(server.url, 'producer', 'test')
  await redis.ping()
  process.kill(server.pid, 'SIGSTOP')
  const { ms, error } = await timed(redis.ping())
  process.kill(server.pid, 'SIGCONT')
  t.truthy(error)
  t.true(ms < 3_000, `${ms} ms`)
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

test('a connection to a Redis that is not there closes at once', async t => {
  const redis = connectRedis('redis://127.0.0.1:1', 'worker', 'test')
  const { ms } = await timed(closeRedis(redis))
  t.true(ms < 500)
})
