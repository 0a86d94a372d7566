/**
 * A service on a Redis Cluster of three masters: writes are done once, processes share their counts, and a silent master affects only the
 * tenants whose keys it has.
 */
import { randomUUID } from 'node:crypto'
import { publishKeyChange } from '../../lib/access/key-changes.ts'
import { shardTags } from '../../lib/pipeline/redis-keys.ts'
import { ReplyReader } from '../../lib/pipeline/replies.ts'
import { streamOf } from '../../lib/pipeline/reply-stream.ts'
import { CommandQueues } from '../../lib/pipeline/tenant-queues.ts'
import { onThrownAway } from '../../lib/platform/answer-limit.ts'
import { closeRedis, connectRedis, nodeOf } from '../../lib/platform/redis/redis.ts'
import { secretBox } from '../../lib/platform/secret-box.ts'
import { EventSignals, signalFollowers } from '../../lib/webhooks/event-signals.ts'
import { testDatabase } from '../support/database.ts'
import { openStream } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import { noteCommand } from '../support/pipeline.ts'
import type { TestProcess } from '../support/processes.ts'
import { redisCluster } from '../support/redis-cluster.ts'
import { revokeUnnoted } from '../support/revoke-unnoted.ts'
import { servers } from '../support/servers.ts'
import { apart } from '../support/suite.ts'
import { ask, type FleetTenant, startFleet } from './fleet.ts'

const test = apart(import.meta, { isSerial: true })

const { databaseUrl, stop } = await servers()
const [database, cluster] = await Promise.all([testDatabase(databaseUrl), redisCluster()])
const redis = connectRedis(cluster.url, 'worker', 'test')
const fleet = await startFleet({ DATABASE_URL: database.url, REDIS_URL: cluster.url, QUEUE_SHARDS: '16' })
const [first, second] = fleet.webs

test.after.always(async () => {
  await fleet.close()
  await closeRedis(redis)
  await cluster.close()
  await database.close()
  await stop()
})

/** Repeats as every client does: it sends again with the same key what a busy machine did not answer in time. */
async function persist(...[web, token, path, write]: Parameters<typeof ask>): ReturnType<typeof ask> {
  const again = write && { key: randomUUID(), ...write }
  for (;;) {
    const answer = await ask(web, token, path, again)
    if (answer.status !== 503) return answer
  }
}

/** A product, then ten adjustments that add one to its stock, each sent to both servers at the same time under one key. */
async function work(tenant: FleetTenant) {
  const product = await persist(first, tenant.token, '/products', {
    body: { title: 'Screw', sku: 'SCREW', purchase_price: 2 },
  })
  const variantId = product.body.variants[0].id
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => {
      const key = randomUUID()
      const body = { reason: 'CORRECTION', items: [{ item_variant_id: variantId, quantity: 1, unit_cost: 2 }] }
      return Promise.all([first, second].map(web => persist(web, tenant.token, '/stock-adjustments', { body, key })))
    }),
  )
  return { product, variantId, answers }
}

test('on a cluster of three masters, 20 tenants on 16 shards write once whatever they send twice', async t => {
  const tenants = await Promise.all(Array.from({ length: 20 }, () => fleet.tenant()))
  const done = await Promise.all(tenants.map(work))
  for (const [at, { product, variantId, answers }] of done.entries()) {
    const token = tenants[at]?.token ?? ''
    t.is(product.status, 201, product.text)
    for (const pair of answers) {
      const statuses = pair.map(({ status }) => status).sort()
      t.true(statuses[0] === 200 && [200, 201].includes(statuses[1] ?? 0), pair.map(({ text }) => text).join('\n'))
      t.is(pair[0]?.text, pair[1]?.text)
    }
    const stock = await ask(second, token, `/stock?item_variant_id=${variantId}`)
    t.is(stock.body.data[0].quantity, 10)
    t.is(stock.body.data[0].stock_value, 20)
  }
  const sizes = await Promise.all(cluster.masters.map(master => master.dbsize()))
  t.true(
    sizes.every(size => size > 20),
    `keys by master: ${sizes}`,
  )
})

test('on a cluster, a replay is answered from Redis and another body under its key is refused', async t => {
  const { token } = await fleet.tenant()
  const write = { body: { title: 'Shelf' }, key: 'shelf' }
  const made = await ask(first, token, '/storage-places', write)
  t.is(made.status, 201, made.text)
  const replay = await ask(second, token, '/storage-places', write)
  t.deepEqual([replay.status, replay.replayed, replay.text], [201, true, made.text])
  t.is((await ask(second, token, '/storage-places', { ...write, body: { title: 'Hall' } })).status, 409)
})

test('on a cluster, a revoked key is refused by every server at once', async t => {
  const { id } = await fleet.tenant()
  const key = await fleet.key(id)
  for (const web of fleet.webs) t.is((await ask(web, key.token, '/products')).status, 200)
  await publishKeyChange(redis, await revokeUnnoted(fleet.pool, { tenantId: id, keyId: key.keyId }))
  for (const web of fleet.webs)
    t.true(await eventually(async () => (await ask(web, key.token, '/products')).status === 401))
})

test('on a cluster, all servers share a rate, a daily quota and the count of failed attempts', async t => {
  const { id } = await fleet.tenant()
  const slow = await fleet.key(id, { ratePerMinute: 1, burst: 2 })
  const rated = await Promise.all([first, second, first].map(web => ask(web, slow.token, '/products')))
  t.deepEqual(rated.map(({ status }) => status).sort(), [200, 200, 429])

  const poor = await fleet.key(id, { dailyDocuments: 1 })
  const title = (n: number) => ({ body: { title: `Product ${n}` } })
  t.is((await ask(first, poor.token, '/products', title(1))).status, 201)
  t.is((await ask(second, poor.token, '/products', title(2))).status, 429)

  // Neither process alone has seen more than a hundred failures of the address, which is the limit.
  const guesses = await Promise.all(
    Array.from({ length: 150 }, (_, n) => ask(fleet.webs[n % 2], `mr_guess_${n}`, '/products')),
  )
  const refused = guesses.filter(({ status }) => status === 429)
  t.true(refused.length >= 50, `${refused.length} were refused`)
})

test('on a cluster, signals of events reach every process, and all servers count the streams of a key', async t => {
  const tenant = await fleet.tenant()
  const subscriber = connectRedis(cluster.url, 'subscriber', 'test')
  const heard: string[] = []
  const signals = new EventSignals(subscriber)
  signals.onSignal(tenantId => heard.push(tenantId))
  signals.follow(tenant.id)
  await eventually(async () => {
    await signalFollowers(redis, tenant.id)
    return heard.includes(tenant.id)
  })
  await closeRedis(subscriber)
  const open = (n: number) => openStream({ url: fleet.webs[n % 2]?.url ?? '', token: tenant.token }, '/events/stream')
  const streams = await Promise.all(Array.from({ length: 10 }, (_, n) => open(n)))
  for (const n of [0, 1]) t.like(await open(n).catch((error: unknown) => error), { status: 429 })
  await work(tenant)
  for (const stream of streams) {
    t.deepEqual(
      (await stream.events(21)).slice(0, 21).map(({ id }) => id),
      Array.from({ length: 21 }, (_, n) => n + 1),
    )
    stream.close()
  }
})

test('on a cluster, forgotten mail is found by its shard', async t => {
  // A shard that no worker of this fleet drains.
  const queues = new CommandQueues(redis, 256)
  const tenantId = Array.from({ length: 1_000 }, (_, n) => String(n)).find(id => queues.tagOf(id) === '{s200}') ?? ''
  await queues.enqueue(noteCommand(tenantId, 'nobody', 'forgotten'), 'forgotten-1')
  t.deepEqual(await queues.tenantsWithCommands('{s200}', 10), [tenantId])
  t.deepEqual(await queues.tenantsWithCommands('{s201}', 10), [])
})

test('on a cluster, the answers to a tenant lie on the node that has its queue, one stream for each node', async t => {
  const options = { secrets: secretBox([Buffer.alloc(32)]), onFault: () => {} }
  const reader = new ReplyReader(connectRedis(cluster.url, 'worker', 'test replies'), 'test-server', options)
  t.teardown(() => reader.close())
  const tags = shardTags(16)
  const addresses = await eventually(() => {
    const all = tags.map(tag => reader.addressOf(tag))
    return new Set(all).size === cluster.masters.length && all
  })
  for (const [at, tag] of tags.entries())
    t.is(nodeOf(redis, streamOf(addresses[at] ?? '')), nodeOf(redis, tag), `the stream of ${tag}`)
})

test('on a cluster, tenants are served whose keys lie elsewhere while one of three masters is silent', async t => {
  const queues = new CommandQueues(redis, 16)
  const tenants = await Promise.all(Array.from({ length: 20 }, () => fleet.tenant()))
  const tagOf = ({ id }: FleetTenant) => queues.tagOf(id)
  const silentTag = tagOf(tenants[0] as FleetTenant)
  const isSilent = (tenant: FleetTenant) => nodeOf(redis, tagOf(tenant)) === nodeOf(redis, silentTag)
  const [silent = [], served = []] = [true, false].map(is => tenants.filter(tenant => isSilent(tenant) === is))
  const written = new Map(tenants.map(tenant => [tenant, 0]))
  let refused = 0
  let slowestMs = 0
  /** With one key until it is done: it is done once. */
  const write = async (tenant: FleetTenant, web: TestProcess | undefined) => {
    const number = (written.get(tenant) ?? 0) + 1
    written.set(tenant, number)
    const place = { body: { title: `Shelf ${number}` }, key: `shelf-${number}` }
    for (;;) {
      const { status, ms, text } = await ask(web, tenant.token, '/storage-places', place)
      if (isSilent(tenant)) refused += status === 503 ? 1 : 0
      else slowestMs = Math.max(slowestMs, ms)
      if (status === 503) continue
      t.true(status === 201, text)
      return
    }
  }
  const round = (of: readonly FleetTenant[]) =>
    Promise.all(of.map((tenant, at) => write(tenant, fleet.webs[at % fleet.webs.length])))
  await round(tenants)
  t.log(`slowest beside no silence: ${Math.round(slowestMs)} ms`)
  slowestMs = 0
  cluster.signal(silentTag, 'SIGSTOP')
  let rounds = 0
  let waiting: Promise<unknown>
  try {
    waiting = round(silent)
    // From the first silence on until connections were thrown away and the cluster has given the node up.
    for (; refused < 5 * silent.length; rounds++) await round(served)
    const ready = await fetch(`${first?.url}/readyz`)
    t.is(ready.status, 200, await ready.text())
  } finally {
    cluster.signal(silentTag, 'SIGCONT')
  }
  t.log(
    `${rounds} writes of each of ${served.length} tenants beside a silent master: slowest ${Math.round(slowestMs)} ms`,
  )
  await waiting
  for (const tenant of tenants) {
    const titles: string[] = []
    let cursor = ''
    do {
      const { body } = await ask(first, tenant.token, `/storage-places?limit=200${cursor && `&cursor=${cursor}`}`)
      for (const { title } of body.data) if (title.startsWith('Shelf')) titles.push(title)
      cursor = body.next_cursor
    } while (cursor !== '')
    t.is(titles.length, written.get(tenant) ?? 0)
    t.is(new Set(titles).size, titles.length)
  }
})

test('on a cluster whose nodes answered nobody for a while, a connection that listens hears again', async t => {
  const subscriber = connectRedis(cluster.url, 'subscriber', 'test')
  const heard: string[] = []
  subscriber.on('message', (_, text) => heard.push(text))
  await subscriber.subscribe('test:silence')
  const errors: string[] = []
  onThrownAway(({ error }) => errors.push(error.message))
  // The masters are silent for longer than the service needs to ask for an answer and to stop waiting for it.
  await Promise.all(cluster.masters.map(master => master.call('CLIENT', 'PAUSE', 12_000, 'ALL')))
  await eventually(() => errors.some(error => error.includes('for messages of the cluster')))
  await eventually(async () => {
    await redis.publish('test:silence', 'again')
    return heard.includes('again')
  })
  t.is(heard[0], 'again')
  await closeRedis(subscriber)
})
