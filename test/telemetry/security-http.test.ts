import * as v from 'valibot'
import { revokeKey } from '../../lib/access/keys.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests, ownService } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import { type Client, startService } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { deliveriesOf, makePlace, startWebhookProcess, subscribe } from '../webhooks/bench.ts'
import { receiver, status } from '../webhooks/receiver.ts'

const test = testsOf(import.meta)

const DAY = 86_400_000
const env = { TRUST_PROXY: 'true', WEBHOOK_ALLOWED_NETWORKS: 'loopback' }
const service = ofTests(test, () => ownService({ env }))

const text = (ms: number) => new Date(ms).toISOString()
const path = (start: string, end: string) =>
  `/security/telemetry?${new URLSearchParams({ windowStart: start, windowEnd: end })}`
/** The window that began an hour ago. */
const recent = (now = Date.now()) => path(text(now - DAY / 24), text(now - DAY / 24 + DAY))

/** The answer, as soon as it counts this many requests. */
async function whenCounted(client: Client, requests: number): Promise<Loose> {
  return eventually(
    async () => {
      const { body } = await client.get(recent())
      return countOf(body, 'requests') >= requests ? body : null
    },
    { what: `${requests} requests counted` },
  )
}

const countOf = (body: Loose, name: string): number => body.metrics.find((metric: Loose) => metric.name === name)?.count

test('a scripted abuse shows within ten seconds: by metric, by key and by route, and to its tenant only', async t => {
  const client = await service.tenant()
  const stranger = await service.tenant()
  const narrow = await service.key(client.tenantId, { scopes: ['read:stock'], ratePerMinute: 1, burst: 12 })
  const revoked = await service.key(client.tenantId)
  const spent = await service.key(client.tenantId, { dailyDocuments: 0 })
  await revokeKey(service.pool, revoked.keyId)
  const foreign = (await stranger.post('/products', { title: 'Secret', sku: 'S' })).body.variants[0].id

  for (let n = 0; n < 12; n++) t.is((await revoked.client.get('/products')).status, 401)
  for (let n = 0; n < 10; n++) t.is((await narrow.client.get('/products')).status, 403)
  for (let n = 0; n < 4; n++) await narrow.client.get('/stock') // two of the burst are left
  for (let n = 0; n < 3; n++) t.is((await client.get(`/products/${n + 1}`)).status, 404)
  for (const item_variant_id of [foreign, '1'])
    t.is((await client.post('/stock-adjustments', { items: [{ item_variant_id, quantity: 1 }] })).status, 400)
  t.is((await client.post('/products', {})).status, 400)
  t.is((await client.post('/products', { title: 'Chair' }, 'once')).status, 201)
  t.is((await client.post('/products', { title: 'Chair' }, 'once')).status, 200)
  t.is((await client.post('/products', { title: 'Table' }, 'once')).status, 409)
  t.is((await spent.client.post('/products', { title: 'Lamp' })).status, 429)
  // None of the next requests belongs to a tenant.
  t.is((await client.request('GET', '/products', { token: `mrk_${'0'.repeat(38)}` })).status, 401)
  t.is((await client.request('GET', '/nowhere')).status, 404)

  const own = 12 + 10 + 4 + 3 + 2 + 1 + 3 + 1
  const body = await whenCounted(client, own)
  const expected: Record<string, number> = {
    unauthorized: 12,
    forbidden: 10,
    rate_limited: 2,
    not_found: 3,
    foreign_references: 2,
    idempotency_replays: 1,
    idempotency_conflicts: 1,
    quota_exceeded: 1,
    keys_created: 4,
    keys_revoked: 1,
    webhook_failures: 0,
    responses_4xx: own - 2 - 2,
    responses_5xx: 0,
  }
  for (const [name, count] of Object.entries(expected)) t.is(countOf(body, name), count, name)
  t.is(countOf(body, 'requests'), countOf(body, 'responses_2xx') + countOf(body, 'responses_4xx'))
  const key = (id: string) => body.by_key.find((row: Loose) => row.key_id === id)
  t.deepEqual(key(revoked.keyId), { key_id: revoked.keyId, requests: 12, denied: 12, distinct_networks: null })
  t.deepEqual(key(narrow.keyId), { key_id: narrow.keyId, requests: 14, denied: 12, distinct_networks: null })
  t.like(key(spent.keyId), { requests: 1, denied: 1 })
  const route = (method: string, route: string) =>
    body.by_route.find((row: Loose) => row.method === method && row.route === route)
  t.like(route('GET', '/products'), { requests: 22, errors: 22 })
  t.like(route('GET', '/products/{id}'), { requests: 3, errors: 3 })
  t.like(route('POST', '/products'), { requests: 5, errors: 3 })
  t.deepEqual(
    body.metrics.find((metric: Loose) => metric.name === 'unauthorized'),
    { name: 'unauthorized', count: 12, baseline_daily_mean: 0, baseline_daily_max: 0, ratio: null, level: 'NORMAL' },
  )
  t.deepEqual(body.privacy, { minimum_group: 5 })

  const theirs = (await stranger.get(recent())).body
  t.is(countOf(theirs, 'unauthorized'), 0)
  t.true(theirs.by_key.every((row: Loose) => row.key_id === stranger.keyId))
})

test('failed attempts to deliver webhooks show within ten seconds, to their tenant only; successes do not', async t => {
  const [client, stranger, hook, fine] = [
    await service.tenant(),
    await service.tenant(),
    await receiver(status(503)),
    await receiver(),
  ]
  const webhooks = await startWebhookProcess(service, env)
  const [{ id }, theirs] = [await subscribe(client, hook.url), await subscribe(stranger, fine.url)]
  await subscribe(client, fine.url)
  for (const title of ['Hall', 'Yard', 'Ramp']) await makePlace(client, title)
  await makePlace(stranger)
  const failures = async (of: Client) => countOf((await of.get(recent())).body, 'webhook_failures')
  await eventually(async () => (await failures(client)) > 0, { what: 'failures counted' })
  await eventually(async () => (await deliveriesOf(stranger, theirs.id))[0]?.status === 'succeeded')
  const isTried = ({ attempts }: Loose) => attempts > 0
  await eventually(async () => (await deliveriesOf(client, id)).filter(isTried).length === 3)
  await webhooks.close() // it writes the remaining counts
  const attempts = (await deliveriesOf(client, id)).map(delivery => delivery.attempts)
  const counted = await whenCounted(client, 1)
  t.is(
    countOf(counted, 'webhook_failures'),
    attempts.reduce((sum, count) => sum + count, 0),
  )
  t.deepEqual(column(counted.by_key, 'key_id'), [client.keyId], 'they belong to no key')
  t.is(await failures(stranger), 0)
  await Promise.all([hook.close(), fine.close()])
})

test('a bulk is one request, and what its entries were refused for is counted for each', async t => {
  const client = await service.tenant()
  const narrow = await service.key(client.tenantId, { scopes: ['write:purchase.order.create'] })
  const entry = (path: string, body: unknown, idempotency_key: string) => ({
    method: 'POST',
    path,
    body,
    idempotency_key,
  })
  const order = (supplier_id: string, key: string) =>
    entry('/purchase-orders', { supplier_id, items: [{ item_variant_id: '1', quantity: 1 }] }, key)
  const requests = [order('1', 'a'), order('2', 'b'), entry('/products', { title: 'P' }, 'c'), entry('/no', {}, 'd')]
  const { body: bulk } = await narrow.client.request('POST', '/bulk', { key: null, body: { requests } })
  t.deepEqual(column(bulk.results, 'status'), [400, 400, 403, 404])
  const body = await eventually(
    async () => {
      const { body } = await client.get(recent())
      return countOf(body, 'forbidden') > 0 ? body : null
    },
    { what: 'the bulk is counted' },
  )
  for (const [name, count] of Object.entries({ foreign_references: 2, forbidden: 1, not_found: 1 }))
    t.is(countOf(body, name), count, name)
  t.like(
    body.by_route.find(({ route }: Loose) => route === '/bulk'),
    { method: 'POST', requests: 1, errors: 0 },
  )
})

test('networks show from five on', async t => {
  const client = await service.tenant()
  const from = (address: string) => client.request('GET', '/stock', { headers: { 'x-forwarded-for': address } })
  for (let n = 0; n < 5; n++) await from(`203.0.113.${n}`) // all in one network
  for (let n = 1; n <= 2; n++) await from(`2001:db8:${n}::1`)
  const few = await whenCounted(client, 7)
  t.is(few.by_key[0].distinct_networks, null)
  for (let n = 1; n <= 3; n++) await from(`192.0.${n}.1`)
  // These reads come from one more network.
  t.true(await eventually(async () => (await client.get(recent())).body.by_key[0].distinct_networks === 1 + 2 + 3 + 1))
})

test('bounds must be RFC 3339 with an offset and exactly 24 hours apart', async t => {
  const client = await service.tenant()
  const get = async (query: string) => {
    const { status, body } = await client.get(`/security/telemetry${query}`)
    return `${status} ${body.error} ${String(body.message).split(':')[0]}`
  }
  const of = (start: string, end: string) => get(`?${new URLSearchParams({ windowStart: start, windowEnd: end })}`)
  const end = '2026-11-21T05:00:00Z'
  t.is(await get(''), '400 validation_failed windowStart')
  t.is(await get(`?windowStart=${end}`), '400 validation_failed windowEnd')
  t.is(await get(`?windowEnd=${end}`), '400 validation_failed windowStart')
  for (const malformed of [
    '2026-11-20',
    '2026-11-20T05:00:00',
    '2026-11-20T05:00Z',
    '2026-11-20 05:00:00Z',
    '2026-11-20T05:00:00+0000',
    '2026-11-20T05:00:00 00:00',
    '2026-02-30T05:00:00Z',
    '2026-11-20T25:00:00Z',
    '1795150800',
    'yesterday',
  ])
    t.is(await of(malformed, end), '400 validation_failed windowStart', malformed)
  for (const start of ['2026-11-20T05:00:01Z', '2026-11-20T04:59:59.999Z', '2026-11-20T05:00:00+01:00', end])
    t.is(await of(start, end), '400 validation_failed windowEnd', start)
  t.is(await of('2026-11-21T05:00:00Z', '2026-11-20T05:00:00Z'), '400 validation_failed windowEnd')
})

test('bounds are answered in UTC, and a window in the past or the future with what is known', async t => {
  const client = await service.tenant()
  const reply = await client.get(path('2126-11-20T07:00:00.5+02:00', '2126-11-21T05:00:00.5Z'))
  t.is(reply.status, 200, reply.text)
  t.like(reply.body, {
    window_start: '2126-11-20T05:00:00.500Z',
    window_end: '2126-11-21T05:00:00.500Z',
    baseline_start: '2126-11-13T05:00:00.500Z',
    baseline_end: '2126-11-20T05:00:00.500Z',
    by_key: [],
    by_route: [],
  })
  t.is(reply.body.metrics.length, 15)
  t.is((await client.get(path('2001-01-01T00:00:00Z', '2001-01-02T00:00:00Z'))).status, 200)
})

test('a graceful stop writes what was counted, at once', async t => {
  const leaving = await startService(service)
  const client = await leaving.tenant()
  for (let n = 0; n < 20; n++) await client.get('/stock')
  await leaving.close()
  const { requests } = await service.pool.one(rows(v.object({ requests: v.string() }))`
    select coalesce(sum(count), 0)::text as requests from security_recent where tenant_id = ${client.tenantId}`)
  t.is(requests, '20')
})
