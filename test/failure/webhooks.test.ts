/** The webhook process is killed again and again, and Redis is emptied: each committed event arrives, and no other. */
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess } from '../support/processes.ts'
import { privatePostgres, privateRedis } from '../support/servers.ts'
import { type Client, startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { deliveriesOf, delivery, makePlace, startWebhookProcess, subscribe } from '../webhooks/bench.ts'
import { type Receiver, receiver } from '../webhooks/receiver.ts'

const test = apart(import.meta, { isSerial: true })

/** A load that leaves processors to the tests that run at the same time. */
const PAUSE_MS = 40

/** Writes that succeed and writes that are refused, until stopped. */
function load(client: Client, lanes = 3) {
  let isStopped = false
  let acknowledged = 0
  const loops = Array.from({ length: lanes }, async (_, lane) => {
    for (let n = 0; !isStopped; n++) {
      const key = `place-${lane}-${n}`
      const write = () => client.post('/storage-places', { title: key, external_ref: key }, key).catch(() => null)
      while ((await write())?.status !== 201) await delay(20)
      acknowledged += 1
      const refused = await client.post('/storage-places', { title: 'Taken', external_ref: key }).catch(() => null)
      if (refused?.status === 201) throw new Error('a taken reference was accepted')
      await delay(PAUSE_MS)
    }
  })
  return {
    count: () => acknowledged,
    stop: async () => {
      isStopped = true
      await Promise.all(loops)
    },
  }
}

/** The ids of all committed events, and those that arrived. */
async function compare(client: Client, hook: Receiver): Promise<{ committed: string[]; received: string[] }> {
  const committed: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await client.get(`/events?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`)
    committed.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.next_cursor
    if (cursor === '') break
  }
  const received = [...new Set(hook.arrivals.map(({ headers }) => headers['webhook-id'] ?? ''))]
  return { committed: committed.sort(), received: received.sort() }
}

const allArrived = (client: Client, hook: Receiver) =>
  eventually(
    async () => {
      const { committed, received } = await compare(client, hook)
      return committed.length > 0 && received.length >= committed.length
    },
    { what: 'arrival of all events' },
  )

const more = (count: () => number, by: number) => {
  const wanted = count() + by
  return eventually(() => count() >= wanted, { what: 'progress' })
}

test('the webhook process killed again and again: every committed event arrives, and no other', async t => {
  const services = await testServices()
  const service = await startService(services, { env: { WEBHOOK_ALLOWED_NETWORKS: 'loopback' } })
  const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl, WEBHOOK_ALLOWED_NETWORKS: 'loopback' }
  const [client, hook] = [await service.tenant(), await receiver()]
  const { id } = await subscribe(client, hook.url)
  let webhook = await startProcess('webhook', env)
  const writes = load(client)
  for (let kill = 0; kill < 2; kill++) {
    await more(() => hook.arrivals.length, 20)
    await webhook.end('SIGKILL')
    await more(writes.count, 10)
    webhook = await startProcess('webhook', env)
  }
  await writes.stop()
  await allArrived(client, hook)
  const { committed, received } = await compare(client, hook)
  t.deepEqual(received, committed)
  await eventually(async () => (await deliveriesOf(client, id)).every(({ status }) => status === 'succeeded'))
  t.log(`${committed.length} events, ${hook.arrivals.length - committed.length} copies, 2 kills`)
  t.is(await webhook.end('SIGTERM'), 0)
  await hook.close()
  await service.close()
  await services.close()
})

test('the process of one delivery killed twice: it arrives, with one id, and the kills count as no attempt', async t => {
  const services = await testServices()
  const service = await startService(services, { env: { WEBHOOK_ALLOWED_NETWORKS: 'loopback' } })
  const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl, WEBHOOK_ALLOWED_NETWORKS: 'loopback' }
  const [client, hook] = [await service.tenant(), await receiver(() => {})]
  const { id } = await subscribe(client, hook.url)
  await makePlace(client)
  for (let kill = 1; kill <= 2; kill++) {
    const webhook = await startProcess('webhook', env)
    await eventually(() => hook.arrivals.length === kill, { what: `request ${kill}` })
    await webhook.end('SIGKILL')
  }
  hook.answer(response => void response.writeHead(200).end())
  const webhook = await startProcess('webhook', env)
  const done = await eventually(() => delivery(client, id, ({ status }) => status === 'succeeded'))
  t.is(done.attempts, 1)
  t.is(hook.arrivals.length, 3)
  t.is(new Set(hook.arrivals.map(({ headers }) => headers['webhook-id'])).size, 1)
  t.is(await webhook.end('SIGTERM'), 0)
  await hook.close()
  await service.close()
  await services.close()
})

test('Redis emptied again and again: every committed event arrives, retries included', async t => {
  const [postgres, redis] = await Promise.all([privatePostgres(), privateRedis()])
  await migrate(postgres.url)
  const on = { databaseUrl: postgres.url, redisUrl: redis.url }
  const env = { WEBHOOK_ALLOWED_NETWORKS: 'loopback' }
  const service = await startService(on, { env })
  const webhook = await startWebhookProcess(on, env)
  const admin = new Redis(redis.url)
  // Every seventh request fails the first time, so that there are retries that could be lost.
  const failed = new Set<string>()
  const hook = await receiver((response, { body }) => {
    const isFirst = body.sequence % 7 === 0 && !failed.has(body.id)
    failed.add(body.id)
    response.writeHead(isFirst ? 500 : 200).end()
  })
  const client = await service.tenant()
  const { id } = await subscribe(client, hook.url)
  const writes = load(client)
  for (let flush = 0; flush < 2; flush++) {
    await more(writes.count, 15)
    await admin.flushall()
  }
  await more(writes.count, 5)
  await writes.stop()
  await admin.flushall()
  await allArrived(client, hook)
  const { committed, received } = await compare(client, hook)
  t.deepEqual(received, committed)
  await eventually(
    async () => {
      const all = await deliveriesOf(client, id)
      return all.length >= Math.min(200, committed.length) && all.every(({ status }) => status === 'succeeded')
    },
    { what: 'success of all' },
  )
  t.log(`${committed.length} events, 3 times emptied`)
  admin.disconnect()
  await hook.close()
  await webhook.close()
  await service.close()
  await redis.close()
  await postgres.close()
})

test('Postgres killed and restarted: deliveries go on by themselves', async t => {
  const [postgres, redis] = await Promise.all([privatePostgres(), privateRedis()])
  await migrate(postgres.url)
  const on = { databaseUrl: postgres.url, redisUrl: redis.url }
  const env = { WEBHOOK_ALLOWED_NETWORKS: 'loopback' }
  const service = await startService(on, { env })
  const webhook = await startWebhookProcess(on, env)
  const [client, hook] = [await service.tenant(), await receiver()]
  await subscribe(client, hook.url)
  const writes = load(client)
  await more(writes.count, 20)
  await postgres.kill()
  await postgres.start()
  await more(writes.count, 20)
  await writes.stop()
  await allArrived(client, hook)
  const { committed, received } = await compare(client, hook)
  t.deepEqual(received, committed)
  await hook.close()
  await webhook.close()
  await service.close()
  await redis.close()
  await postgres.close()
})
