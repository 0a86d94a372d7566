/** The refusals of a dry run: they have the message of the write, and say that it was a dry run. */
import type { ExecutionContext } from 'ava'
import { Redis } from 'ioredis'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import type { Client, Reply, RequestOptions } from '../support/service.ts'
import { snapshotOf } from '../support/snapshot.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

const DRY = { 'dry-run': 'true' }
const dry = (client: Client, method: string, path: string, options: RequestOptions = {}) =>
  client.request(method, path, { key: null, ...options, headers: { ...options.headers, ...DRY } })

function isRefused(t: ExecutionContext, reply: Reply, status: number, error: string, message?: RegExp): void {
  t.is(reply.status, status, reply.text)
  t.is(reply.body.error, error)
  t.is(reply.headers.get('dry-run'), 'true')
  if (message) t.regex(reply.body.message, message)
}

/** A client with one unit of a product in stock, and an order of two that allows no backorder. */
async function shortOfStock(given: Parameters<typeof service.tenant>[0] = {}) {
  const client = await service.tenant(given)
  const { variants } = (await client.post('/products', { title: 'Chair', sku: 'CHAIR' })).body
  const item_variant_id = variants[0].id
  await client.post('/stock-adjustments', { items: [{ item_variant_id, quantity: 1 }] })
  const order = { customer: { title: 'Shop' }, allow_backorder: false, items: [{ item_variant_id, quantity: 2 }] }
  return { client, order, item_variant_id }
}

test('the header is "true" or absent, is given once, and stands on writes alone', async t => {
  const client = await service.tenant()
  const body = { title: 'Nobody' }
  const before = await snapshotOf(service.pool, client.tenantId)
  for (const value of ['false', 'TRUE', '1', '', 'true, true']) {
    const reply = await client.request('POST', '/suppliers', { body, headers: { 'dry-run': value } })
    t.is(reply.status, 400, value)
    t.is(reply.body.message, 'Dry-Run: must be true, or left out')
  }
  const read = await dry(client, 'GET', '/suppliers')
  isRefused(t, read, 400, 'validation_failed', /^Dry-Run: is not taken by this endpoint$/)
  const revoke = await dry(client, 'POST', `/api-keys/${client.keyId}/revoke`)
  isRefused(t, revoke, 400, 'validation_failed', /^Dry-Run: is not taken by this endpoint$/)
  const entry = { method: 'POST', path: '/suppliers', idempotency_key: 'one', body }
  for (const mode of [{ mode: 'each' }, {}]) {
    const bulk = await dry(client, 'POST', '/bulk', { body: { ...mode, requests: [entry] } })
    isRefused(t, bulk, 400, 'validation_failed', /^Dry-Run: is taken with mode all alone$/)
  }
  t.deepEqual(await snapshotOf(service.pool, client.tenantId), before)
  t.is((await client.get('/me')).status, 200, 'the key is valid')
})

test('a header that is given twice is refused', async t => {
  const client = await service.tenant()
  const { request } = await import('node:http')
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = ['authorization', `Bearer ${client.token}`, 'idempotency-key', 'twice']
    const twice = ['dry-run', 'true', 'dry-run', 'true', 'content-type', 'application/json']
    const url = `${service.url}/api/external/v1/suppliers`
    const sent = request(url, { method: 'POST', headers: [...headers, ...twice] as never }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.on('error', reject)
    sent.end('{"title":"Twice"}')
  })
  t.is(status, 400)
  t.deepEqual((await client.get('/suppliers')).body.data, [])
})

test('what stands before the command refuses a dry run as it refuses a write', async t => {
  const client = await service.tenant()
  const body = { title: 'Nobody' }
  isRefused(t, await dry(client, 'POST', '/suppliers', { body, token: null }), 401, 'unauthorized')
  const { client: reader } = await service.key(client.tenantId, { scopes: ['read:purchase'] })
  isRefused(t, await dry(reader, 'POST', '/suppliers', { body }), 403, 'forbidden')
  isRefused(t, await dry(client, 'POST', '/nowhere', { body }), 404, 'not_found')
  isRefused(t, await dry(client, 'PUT', '/suppliers', { body }), 405, 'method_not_allowed')
  isRefused(t, await dry(client, 'PATCH', '/suppliers/1', { body }), 404, 'not_found')
  isRefused(t, await dry(client, 'POST', '/suppliers', { body: {} }), 400, 'validation_failed', /^title: /)
  const text = { rawBody: 'title', headers: { 'content-type': 'text/plain' } }
  isRefused(t, await dry(client, 'POST', '/suppliers', text), 415, 'unsupported_media_type')
  const { client: slow } = await service.key(client.tenantId, { ratePerMinute: 1, burst: 1 })
  t.is((await dry(slow, 'POST', '/suppliers', { body })).status, 201, "it takes from the key's rate")
  isRefused(t, await dry(slow, 'POST', '/suppliers', { body }), 429, 'rate_limited')
})

test('a shortage is told as the write would tell it, and is not remembered', async t => {
  const { client, order, item_variant_id } = await shortOfStock()
  const before = await snapshotOf(service.pool, client.tenantId)
  const reply = await dry(client, 'POST', '/sales-orders', { body: order, key: 'order' })
  isRefused(t, reply, 409, 'insufficient_stock')
  t.deepEqual(await snapshotOf(service.pool, client.tenantId), before)
  const real = await client.post('/sales-orders', order, 'order')
  t.is(real.body.message, reply.body.message)
  await client.post('/stock-adjustments', { items: [{ item_variant_id, quantity: 1 }] })
  t.is((await dry(client, 'POST', '/sales-orders', { body: order })).status, 201)
})

test('Redis keeps nothing of a dry run: no claim, no answer, no place in the quota', async t => {
  const { client, order } = await shortOfStock({ key: { dailyDocuments: 5 } })
  const redis = new Redis(service.redisUrl)
  t.teardown(() => redis.disconnect())
  const keys = async () => (await redis.keys(`*:tenant:${client.tenantId}:key:*`)).sort()
  const spent = async () => redis.mget('none', ...(await redis.keys(`*:tenant:${client.tenantId}:quota:*`)))
  // If the worker was slow, Redis may have no answer. The command log has it then.
  const kept = await eventually(
    async () => {
      const found = await keys()
      return found.every(key => key.endsWith(':answer')) && found
    },
    { what: 'the end of the two real writes' },
  )
  const before = await spent()
  const free = { ...order, allow_backorder: true }
  await Promise.all([free, free, order].map(body => dry(client, 'POST', '/sales-orders', { body })))
  await eventually(async () => (await keys()).length === kept.length, { what: 'an end of the dry runs' })
  t.deepEqual(await keys(), kept)
  t.deepEqual(await spent(), before)
})

test.serial('metrics tell dry runs from writes, by the endpoint that both name', async t => {
  const client = await service.tenant()
  // The services of one process share these counters.
  const counted = async (outcome: string) => {
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
    t.notRegex(text, /endpoint="dry run/)
    return Number(
      new RegExp(`_count\\{[^}]*endpoint="createCustomer",outcome="${outcome}"[^}]*\\} (\\d+)$`, 'm').exec(text)?.[1] ??
        0,
    )
  }
  const [dryRuns, done] = [await counted('dry_run'), await counted('done')]
  t.is((await dry(client, 'POST', '/customers', { body: { title: 'Nobody' } })).status, 201)
  await eventually(async () => (await counted('dry_run')) === dryRuns + 1, { what: 'the dry run in the metrics' })
  t.is(await counted('done'), done)
})

test('If-Match holds', async t => {
  const client = await service.tenant()
  const made = await client.post('/products', { title: 'Chair' })
  const etag = made.headers.get('etag') ?? ''
  const path = `/products/${made.body.id}`
  const change = (title: string, options: RequestOptions = {}) => ({ body: { title }, ...options })
  const as = (tag: string) => ({ headers: { 'if-match': tag } })
  t.is((await dry(client, 'PATCH', path, change('Stool', as(etag)))).body.title, 'Stool')
  t.is((await dry(client, 'PATCH', path, change('Bench', as(etag)))).status, 200, 'the record is as it was')
  await client.patch(path, { title: 'Table' })
  isRefused(t, await dry(client, 'PATCH', path, change('Bench', as(etag))), 412, 'precondition_failed')
})

test('the quota is asked and not spent, and its mail is not sent', async t => {
  const { client, order } = await shortOfStock({ key: { dailyDocuments: 3 } })
  const free = { ...order, allow_backorder: true }
  for (let n = 0; n < 4; n++) t.is((await dry(client, 'POST', '/sales-orders', { body: free })).status, 201)
  t.is((await client.post('/sales-orders', free)).status, 201, 'the third document')
  const before = await snapshotOf(service.pool, client.tenantId)
  const reply = await dry(client, 'POST', '/sales-orders', { body: free })
  isRefused(t, reply, 429, 'document_quota_exceeded')
  t.true(Number(reply.headers.get('retry-after')) > 0)
  t.deepEqual(await snapshotOf(service.pool, client.tenantId), before)
  const all = { mode: 'all', requests: [{ method: 'POST', path: '/sales-orders', body: free }] }
  const bulk = await dry(client, 'POST', '/bulk', { body: all })
  t.is(bulk.body.results[0].body.error, 'document_quota_exceeded')
})

test('twenty at once on a quota with one document left are all answered, and leave it', async t => {
  const { client, order } = await shortOfStock({ key: { dailyDocuments: 3 } })
  const free = { ...order, allow_backorder: true }
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => dry(client, 'POST', '/sales-orders', { body: free })),
  )
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [201])
  t.is((await client.post('/sales-orders', free)).status, 201)
  t.is((await client.post('/sales-orders', free)).status, 429)
})
