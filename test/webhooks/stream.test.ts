/**
 * The guarantees of an event stream: it brings every event once, in order and soon, only to keys that may see it, and without a cost for
 * others.
 */
import { connect } from 'node:net'
import { revokeKey, updateKey } from '../../lib/access/keys.ts'
import { KEEP_EVERY_MS, StreamSlots } from '../../lib/access/stream-slots.ts'
import { API_PREFIX } from '../../lib/kit/api/endpoint.ts'
import { statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../../lib/platform/redis/redis.ts'
import { openStream, StreamRefused } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests, ownService } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import { type Client, startService, type TestService } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { makePlace } from './bench.ts'

const test = testsOf(import.meta)

let other: TestService
let redis: Redis
// Two server processes over one database: a reader may ask either.
const service = ofTests(test, async () => {
  const own = await ownService()
  other = await startService(own, { workers: 0 })
  redis = connectRedis(own.redisUrl, 'worker', 'test')
  return {
    ...own,
    close: async () => {
      await closeRedis(redis)
      await other.close()
      await own.close()
    },
  }
})

const numbers = (count: number, first = 1) => Array.from({ length: count }, (_, n) => first + n)
const idsOf = (events: readonly { readonly id: number }[]) => events.map(({ id }) => id)
const lastEventId = (id: number | string) => ({ 'last-event-id': String(id) })

/** Why a stream was refused. */
async function refusal(client: Client, search: string, headers: Record<string, string> = {}): Promise<string> {
  const error = await openStream(client, `/events/stream${search}`, headers).then(
    stream => stream.close(),
    (error: unknown) => error,
  )
  if (!(error instanceof StreamRefused)) throw new Error('the stream was opened', { cause: error })
  return `${error.status} ${error.body.error} ${error.body.message}`
}

/** Adds events of a tenant to the outbox as a command does, each of this many bytes. */
async function leaveEvents({ tenantId }: Client, count: number, bytes: number): Promise<void> {
  await service.pool.query(statement`
    with stream as (
      update tenant_streams set event_sequence = event_sequence + ${count} where tenant_id = ${tenantId}
      returning event_sequence - ${count} as last
    )
    insert into events (tenant_id, sequence, type, body)
    select ${tenantId}::bigint, last + n, 'stock.changed',
      '{"id":"evt_' || lpad(n::text, 32, '0') || '","pad":"' || repeat('x', ${bytes}) || '"}'
    from stream, generate_series(1, ${count}) n`)
}

test('a stream tells what is stored, then what happens, with the bodies of the feed, one line each', async t => {
  const client = await service.tenant()
  await makePlace(client, 'Größe „XL“ \u2028 🏭\n')
  await client.post('/products', { title: 'Chair' })
  const stream = await openStream(client, '/events/stream?after_sequence=0')
  t.is(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  t.is(stream.headers.get('cache-control'), 'no-store')
  t.is(stream.headers.get('x-accel-buffering'), 'no')
  t.is(stream.headers.get('content-encoding'), null)
  t.regex(stream.headers.get('ratelimit-remaining') ?? '', /^\d+$/)
  await stream.events(2)
  await client.post('/suppliers', { title: 'Ash' })
  const events = await stream.events(3)
  const { body } = await client.get('/events')
  t.deepEqual(
    events.map(({ id, event, data }) => ({ id, event, data })),
    body.data.map((data: { sequence: number; type: string }) => ({ id: data.sequence, event: data.type, data })),
  )
  const feed = (await client.get('/events')).text
  for (const { text } of events) t.true(feed.includes(text), 'byte for byte')
  stream.close()
})

test('without a position a stream begins with the next event, and Last-Event-ID wins over after_sequence', async t => {
  const client = await service.tenant()
  for (let n = 0; n < 3; n++) await makePlace(client)
  const fresh = await openStream(client, '/events/stream')
  const resumed = await openStream({ ...client, url: other.url }, '/events/stream?after_sequence=3', lastEventId(1))
  t.is(fresh.headers.get('event-sequence'), '3', 'where it begins')
  t.is(resumed.headers.get('event-sequence'), '3', 'the last event, wherever it begins')
  await makePlace(client)
  t.deepEqual(idsOf(await fresh.events(1)), [4])
  t.deepEqual(idsOf(await resumed.events(3)), [2, 3, 4])
  for (const stream of [fresh, resumed]) stream.close()
})

test('a stream of one type passes over the others, and goes on behind them', async t => {
  const client = await service.tenant()
  const path = '/events/stream?type=supplier.created&after_sequence=0'
  for (const title of ['Ash', 'Birch']) {
    await makePlace(client)
    await client.post('/suppliers', { title })
  }
  const stream = await openStream(client, path)
  t.deepEqual(idsOf(await stream.events(2)), [2, 4])
  await makePlace(client)
  await client.post('/suppliers', { title: 'Cedar' })
  t.deepEqual(
    (await stream.events(3)).map(({ id, event, data }) => [id, event, data.data.title]),
    [
      [2, 'supplier.created', 'Ash'],
      [4, 'supplier.created', 'Birch'],
      [6, 'supplier.created', 'Cedar'],
    ],
  )
  const resumed = await openStream(client, path, lastEventId(2))
  t.deepEqual(idsOf(await resumed.events(2)), [4, 6])
  await client.post('/customers', { title: 'Dune' })
  const several = '/events/stream?type=customer.created,supplier.created&after_sequence=3'
  const both = await openStream(client, several)
  t.deepEqual(idsOf(await both.events(3)), [4, 6, 7])
  await makePlace(client)
  await client.post('/customers', { title: 'Elm' })
  t.deepEqual(idsOf(await both.events(4)), [4, 6, 7, 9])
  for (const one of [stream, resumed, both]) one.close()
})

test('a position that cannot be gone on from, or is none, is 400 before the stream begins', async t => {
  const client = await service.tenant()
  for (let n = 0; n < 4; n++) await makePlace(client)
  const ahead = 'lies ahead of the last event, 4'
  t.is(await refusal(client, '?after_sequence=5'), `400 validation_failed after_sequence: ${ahead}`)
  t.is(await refusal(client, '', lastEventId(5)), `400 validation_failed Last-Event-ID: ${ahead}`)
  for (const malformed of ['', 'x', '-1', '1.5', '1e2', '+1', '1, 2', '9'.repeat(16), '０'])
    t.regex(
      await refusal(client, '', lastEventId(encodeURI(malformed))),
      /^400 validation_failed Last-Event-ID: must be /,
    )
  t.regex(await refusal(client, '?after_sequence=-1'), /^400 validation_failed after_sequence: must be between/)
  t.regex(await refusal(client, '?after_sequence=x', lastEventId(1)), /^400 validation_failed after_sequence: /)
  t.regex(await refusal(client, '?type=no.such'), /^400 validation_failed type: must be some of /)
  t.regex(await refusal(client, '?limit=5'), /^400 validation_failed limit: is not a known/)
  await service.pool.query(statement`delete from events where tenant_id = ${client.tenantId} and sequence <= 2`)
  t.regex(await refusal(client, '?after_sequence=1'), /^400 validation_failed after_sequence: .* no longer kept/)
  t.regex(await refusal(client, '', lastEventId(0)), /^400 validation_failed Last-Event-ID: .* no longer kept/)
  // The feed answers the same, and a cursor of it can be continued whatever was removed meanwhile.
  const feed = async (query: string) => (await client.get(`/events?${query}`)).body
  t.is((await feed('after_sequence=5')).message, `after_sequence: ${ahead}`)
  t.regex((await feed('after_sequence=1')).message, /^after_sequence: .* no longer kept/)
  const { next_cursor, data } = await feed('after_sequence=2&limit=1')
  t.deepEqual(column(data, 'sequence'), [3])
  t.is((await feed(`after_sequence=2&limit=1&cursor=${next_cursor}`)).data[0].sequence, 4)
  const stream = await openStream(client, '/events/stream?after_sequence=2')
  t.deepEqual(idsOf(await stream.events(2)), [3, 4])
  stream.close()
  await service.pool.query(statement`delete from events where tenant_id = ${client.tenantId}`)
  const behindAll = await openStream(client, '/events/stream?after_sequence=4')
  await makePlace(client)
  t.deepEqual(idsOf(await behindAll.events(1)), [5])
  behindAll.close()
})

test('a tenant hears nothing of another', async t => {
  const [client, stranger] = [await service.tenant(), await service.tenant()]
  const stream = await openStream(client, '/events/stream')
  await makePlace(stranger)
  await makePlace(client, 'Own')
  const [event] = await stream.events(1)
  t.is(event?.data.data.title, 'Own')
  t.is(stream.received.length, 1)
  stream.close()
})

test('readers that come and go while many write get every event once and in order, through either process', async t => {
  const client = await service.tenant()
  const EACH = 150
  /** Reads until it has this many events, with a new connection after `perTurn` events. */
  const follow = async (
    url: string,
    { type = '', count = 2 * EACH, perTurn }: { type?: string; count?: number; perTurn: number },
  ) => {
    const ids: number[] = []
    while (ids.length < count) {
      const stream = await openStream(
        { ...client, url },
        `/events/stream?after_sequence=0${type}`,
        lastEventId(ids.at(-1) ?? 0),
      )
      await stream.events(Math.min(perTurn, count - ids.length))
      ids.push(...idsOf(stream.received))
      stream.close()
    }
    return ids
  }
  const readers = [
    follow(service.url, { perTurn: 7 }),
    follow(other.url, { perTurn: 31 }),
    follow(other.url, { perTurn: Number.POSITIVE_INFINITY }),
    follow(service.url, { type: '&type=customer.created', count: EACH, perTurn: 11 }),
  ]
  const write = (n: number) => client.post(n % 2 === 0 ? '/suppliers' : '/customers', { title: `Partner ${n}` })
  for (let n = 0; n < 2 * EACH; n += 20) await Promise.all(numbers(20, n).map(write))
  const [every, ofType] = [(await Promise.all(readers)).slice(0, 3), await readers[3]]
  for (const ids of every) t.deepEqual(ids, numbers(2 * EACH))
  const customers = await client.get('/events?type=customer.created&limit=200')
  t.deepEqual(
    ofType,
    customers.body.data.map(({ sequence }: { sequence: number }) => sequence),
  )
})

// Alone, since it empties the Redis of this file.
test.serial('what Redis loses is heard all the same', async t => {
  const client = await service.tenant()
  const streams = await Promise.all([service, other].map(({ url }) => openStream({ ...client, url }, '/events/stream')))
  for (let n = 1; n <= 3; n++) {
    // The subscriber to signals gets none for a while, and subscribes again without help.
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await redis.flushdb()
    await makePlace(client)
    for (const stream of streams) t.deepEqual(idsOf(await stream.events(n)), numbers(n))
  }
  // A signal without an event brings no event.
  for (let n = 0; n < 3; n++) await redis.publish(`millrace:events:${client.tenantId}`, '')
  await makePlace(client)
  for (const stream of streams) {
    t.deepEqual(idsOf(await stream.events(4)), numbers(4))
    stream.close()
  }
})

test('a key has ten streams over all processes, the next is 429, and one that ends makes room', async t => {
  const client = await service.tenant()
  const open = (n: number) => openStream({ ...client, url: n % 2 === 0 ? service.url : other.url }, '/events/stream')
  const streams = await Promise.all(numbers(10).map(open))
  for (const { url } of [service, other]) {
    const error = await openStream({ ...client, url }, '/events/stream').catch((thrown: unknown) => thrown)
    t.true(error instanceof StreamRefused)
    if (!(error instanceof StreamRefused)) return
    t.is(`${error.status} ${error.body.error}`, '429 rate_limited')
    t.regex(error.headers.get('retry-after') ?? '', /^\d+$/)
  }
  t.is((await client.get('/products')).status, 200, 'it may do all else')
  const another = await openStream((await service.key(client.tenantId)).client, '/events/stream')
  streams[0]?.close()
  const tenth = await eventually(() => open(0).catch(() => null))
  t.regex(await refusal(client, ''), /^429 rate_limited /)
  for (const stream of [...streams, another, tenth]) stream.close()
})

test.serial(
  'a killed process frees its places, one that lives keeps its, and an emptied Redis learns of them again',
  async t => {
    const tagOf = () => '{s0}'
    const [places, killed] = [new StreamSlots(redis, tagOf), new StreamSlots(redis, tagOf)]
    const key = { tenantId: '1', keyId: '17' }
    for (let n = 0; n < 5; n++) t.true(await killed.take(key, `killed ${n}`))
    for (let n = 0; n < 5; n++) t.true(await places.take(key, `living ${n}`))
    t.false(await places.take(key, 'one more'))
    const living = numbers(5, 0).map(n => `living ${n}`)
    // The places have expired, except for those that are kept now.
    const over = Date.now() - 1
    for (const name of await redis.zrange('{s0}:streams:1:17', 0, '-1'))
      await redis.call('ZADD', '{s0}:streams:1:17', String(over), name)
    await places.keep(key, living)
    for (let n = 0; n < 5; n++) t.true(await places.take(key, `next ${n}`))
    t.false(await places.take(key, 'one more'))
    await redis.flushdb()
    await places.keep(key, [...living, ...numbers(5, 0).map(n => `next ${n}`)])
    t.false(await places.take(key, 'one more'))
    await places.leave(key, 'living 0')
    t.true(await places.take(key, 'one more'))
    t.true((await redis.pttl('{s0}:streams:1:17')) > 2 * KEEP_EVERY_MS)
  },
)

test('a stream ends soon after its key is revoked, expires or loses the scope, or its tenant is suspended', async t => {
  const client = await service.tenant()
  const keyOf = async () => {
    const { client: own, keyId } = await service.key(client.tenantId)
    return { keyId, stream: await openStream(own, '/events/stream') }
  }
  const [revoked, expired, unscoped, kept] = [await keyOf(), await keyOf(), await keyOf(), await keyOf()]
  await revokeKey(service.pool, revoked.keyId)
  await updateKey(service.pool, { keyId: expired.keyId, expiresAt: new Date(Date.now() + 100).toISOString() })
  await updateKey(service.pool, { keyId: unscoped.keyId, scopes: ['read:catalog'] })
  for (const { stream } of [revoked, expired, unscoped]) {
    await stream.ended()
    t.deepEqual(stream.retries, [], 'it need not come again')
  }
  t.false(kept.stream.isClosed)
  await service.pool.query(statement`update tenants set suspended_at = now() where tenant_id = ${client.tenantId}`)
  await kept.stream.ended()
})

test('a silent stream gets comments', async t => {
  const stream = await openStream(await service.tenant(), '/events/stream')
  t.truthy(await eventually(() => stream.comments >= 3, { what: 'three comments' }))
  stream.close()
})

test('a reader that takes nothing is cut once much waits, gets the rest when it comes again, and holds up nobody', async t => {
  const client = await service.tenant()
  const cut = () => metric('millrace_event_streams_ended_total{cause="slow"}')
  const cutBefore = await cut()
  const slow = connect(Number(new URL(service.url).port), '127.0.0.1')
  slow.write(`GET ${API_PREFIX}/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\n\r\n`)
  await eventually(() => slow.bytesRead > 0)
  slow.pause()
  const quick = await openStream(client, '/events/stream')
  // The events are more than the buffers of both ends hold.
  for (let n = 0; n < 6; n++) await leaveEvents(client, 100, 60_000)
  t.deepEqual(idsOf(await quick.events(600)), numbers(600))
  await eventually(async () => (await cut()) > cutBefore, { what: 'the cut' })
  slow.destroy()
  const again = await openStream(client, '/events/stream', lastEventId(17))
  t.deepEqual(idsOf(await again.events(583)), numbers(583, 18))
  await makePlace(client)
  for (const stream of [quick, again]) {
    await eventually(() => stream.received.at(-1)?.id === 601)
    stream.close()
  }
})

/** A figure of `/metrics`, which all services of this process share. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
  const line = text.split('\n').find(each => each.startsWith(`${name} `))
  return Number(line?.slice(name.length) ?? 0)
}

test('a stream is one request to the rate, the metrics and the telemetry, counted when it opens', async t => {
  const client = await service.tenant({ key: { ratePerMinute: 1, burst: 3 } })
  const first = await openStream(client, '/events/stream')
  const second = await openStream(client, '/events/stream')
  t.deepEqual(
    [first, second].map(({ headers }) => headers.get('ratelimit-remaining')),
    ['2', '1'],
  )
  const route = 'method="GET",route="/events/stream"'
  const counted = () => metric(`millrace_http_request_duration_seconds_count{${route},status="200"}`)
  t.true((await counted()) >= 2)
  first.close()
  second.close()
})

test('HEAD answers the head of a stream and opens none', async t => {
  const client = await service.tenant()
  const reply = await client.request('HEAD', '/events/stream')
  t.deepEqual([reply.status, reply.text], [200, ''])
  t.is(reply.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  t.is(reply.headers.get('event-sequence'), '0')
  t.is(await redis.exists(`{s0}:streams:${client.tenantId}:${client.keyId}`), 0)
})

test('a server that stops tells its readers to come again, and they miss nothing', async t => {
  const client = await service.tenant()
  const stopping = await startService(service, { workers: 0 })
  const streams = await Promise.all(
    numbers(3).map(() => openStream({ ...client, url: stopping.url }, '/events/stream')),
  )
  await makePlace(client)
  for (const stream of streams) await stream.events(1)
  await stopping.close()
  for (const stream of streams) {
    await stream.ended()
    t.deepEqual(stream.retries, [1_000])
  }
  await makePlace(client)
  const again = await openStream(client, '/events/stream', lastEventId(1))
  t.deepEqual(idsOf(await again.events(1)), [2])
  t.is(await redis.zcard(`{s0}:streams:${client.tenantId}:${client.keyId}`), 1, 'its places are free')
  again.close()
})
