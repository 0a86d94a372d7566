/** Many writes in one request: the answer of each entry, and which of them are done. */
import { randomUUID } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import { etagOf } from '../../lib/kit/api/etag.ts'
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import type { Client, Reply } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile({ workers: 2 })

type Entry = { method: string; path: string; idempotency_key: string; body?: unknown; if_match?: unknown }
const entry = (method: string, path: string, body?: unknown, more: Loose = {}): Entry => ({
  method,
  path,
  idempotency_key: randomUUID(),
  ...(body === undefined ? {} : { body }),
  ...more,
})
const post = (path: string, body: unknown, key: string = randomUUID()) =>
  entry('POST', path, body, { idempotency_key: key })
/** A bulk carries no key of its own. */
const send = (client: Client, mode: string | undefined, requests: unknown) =>
  client.request('POST', '/bulk', { key: null, body: { ...(mode ? { mode } : {}), requests } })
const results = (t: ExecutionContext, reply: Reply): Loose[] => {
  t.is(reply.status, 200, reply.text)
  return reply.body.results
}
const statuses = (t: ExecutionContext, reply: Reply): number[] => results(t, reply).map(({ status }) => status)
const eventsOf = async (client: Client) =>
  (await client.get('/events?limit=200')).body.data as readonly { type: string; sequence: number }[]

/** A product with ten pieces in stock, and a function for the body of an order of one piece without backorder. */
async function tenInStock(client: Client) {
  const product = (await client.post('/products', { title: 'Chair', sku: 'CHAIR' })).body
  const item_variant_id = product.variants[0].id
  await client.post('/stock-adjustments', { items: [{ item_variant_id, quantity: 10, unit_cost: 1 }] })
  const customer = (await client.post('/customers', { title: 'Shop' })).body
  const order = { customer_id: customer.id, allow_backorder: false, items: [{ item_variant_id, quantity: 1 }] }
  return { product, item_variant_id, order }
}

for (const mode of ['each', 'all'])
  test(`${mode}: entries run in their order, answer what they would alone, and are told of`, async t => {
    const client = await service.tenant()
    const { product, order } = await tenInStock(client)
    const open = (await client.post('/sales-orders', order)).body
    const before = (await eventsOf(client)).length
    const reply = await send(client, mode, [
      post('/sales-orders', order, 'one'),
      entry('PATCH', `/products/${product.id}`, { title: 'Stool' }),
      post('/sales-orders', { ...order, external_ref: 'second' }),
      entry('PATCH', `/products/${product.id}`, { title: 'Bench' }),
      entry('PATCH', `/sales-orders/${open.id}`, { items: [{ id: open.items[0].id, quantity: 2 }] }),
    ])
    const [first, stool, second, bench, changed] = results(t, reply)
    t.deepEqual(Object.keys(reply.body), ['mode', 'results'])
    t.is(reply.body.mode, mode)
    t.deepEqual(Object.keys(first), [
      'idempotency_key',
      'status',
      'replayed',
      'etag',
      'retry_after',
      'error_fields',
      'body',
    ])
    t.deepEqual(statuses(t, reply), [201, 200, 201, 200, 200])
    t.like(first, { idempotency_key: 'one', replayed: false, body: { number: 'SO-00002' } })
    t.is(second.body.number, 'SO-00003')
    t.deepEqual([stool.body.title, bench.body.title], ['Stool', 'Bench'])
    // The answers show the records as they are now, and have the ETags of GET.
    for (const { body, etag, at } of [
      { ...bench, at: `/products/${product.id}` },
      { ...second, at: `/sales-orders/${second.body.id}` },
      { ...changed, at: `/sales-orders/${open.id}` },
    ]) {
      const now = await client.get(at)
      t.deepEqual(now.body, body)
      t.is(etag, etagOf(now.text))
    }
    t.deepEqual(column((await eventsOf(client)).slice(before), 'type'), [
      'stock.changed',
      'sales_order.created',
      'product.updated',
      'stock.changed',
      'sales_order.created',
      'product.updated',
      'stock.changed',
      'sales_order.updated',
    ])
    // Sent alone it is a replay, and the whole again is one of each.
    const alone = await client.post('/sales-orders', order, 'one')
    t.is(alone.headers.get('idempotent-replayed'), 'true')
    t.deepEqual(alone.body, first.body)
  })

test('a key that was used alone is replayed in a bulk, and the other way round; a bulk again is a replay of each', async t => {
  const client = await service.tenant()
  const alone = await client.post('/products', { title: 'Alone' }, 'alone')
  const requests = [
    post('/products', { title: 'Alone' }, 'alone'),
    post('/suppliers', { title: 'Beside' }, 'beside'),
    post('/products', { title: 'Another' }, 'alone-2'),
  ]
  for (const mode of ['all', 'each', 'all']) {
    const [first, second] = results(t, await send(client, mode, requests))
    // The replay of a new product has the status 200.
    t.like(first, { status: 200, replayed: true, etag: alone.headers.get('etag') })
    t.deepEqual(first.body, alone.body)
    t.is(second.status, 201)
  }
  t.deepEqual(column(results(t, await send(client, 'each', requests)), 'replayed'), [true, true, true])
  // A header may hold UTF-8 or Latin-1; the test's client sends characters as bytes.
  const asBytes = (key: string) => Buffer.from(key).toString('latin1')
  const keys = ['ключ', '🔑'.repeat(200)].map(key => [key, asBytes(key)] as const)
  for (const [key, header] of [...keys, ['clé', 'clé'] as const]) {
    await client.post('/suppliers', { title: 'Bytes' }, header)
    t.true(results(t, await send(client, 'each', [post('/suppliers', { title: 'Bytes' }, key)]))[0]?.replayed, key)
  }
  const reused = [post('/suppliers', { title: 'Else' }, 'alone'), post('/suppliers', { title: 'Else' })]
  const [each, all] = [await send(client, 'each', reused), await send(client, 'all', reused)]
  t.deepEqual(statuses(t, each), [409, 201])
  t.is(each.body.results[0].body.error, 'conflict')
  t.deepEqual(statuses(t, all), [409, 201], 'the second was recorded before')
  t.true(all.body.results[1].replayed)
})

test('twenty orders on a stock of ten: ten of each, none of all', async t => {
  const client = await service.tenant()
  const { order } = await tenInStock(client)
  const twenty = () => Array.from({ length: 20 }, () => post('/sales-orders', order))
  const before = (await eventsOf(client)).length
  const all = await send(client, 'all', twenty())
  t.deepEqual(statuses(t, all), [...Array(10).fill(424), 409, ...Array(9).fill(424)])
  t.is(all.body.results[10].body.error, 'insufficient_stock')
  for (const { body } of all.body.results.toSpliced(10, 1)) {
    t.is(body.error, 'not_applied')
    t.true(body.message.startsWith('requests[10]: '), body.message)
    t.is(body.request_id, all.headers.get('x-request-id'))
  }
  t.is((await eventsOf(client)).length, before)
  t.deepEqual((await client.get('/sales-orders')).body.data, [])
  const each = await send(client, undefined, twenty())
  t.is(each.body.mode, 'each')
  t.deepEqual(statuses(t, each), [...Array(10).fill(201), ...Array(10).fill(409)])
  t.is(each.body.results[9].body.number, 'SO-00010', 'what was refused used no number up')
})

test('an entry that needs what one before it made runs in the same transaction, however often, or goes with all of it', async t => {
  const client = await service.tenant()
  await client.post('/storage-places', { title: 'Hall' })
  // Each of these commands depends on the tenant's other subscriptions, products and recipes.
  const subscription = (n: number) =>
    post('/webhook-subscriptions', { url: `https://example.com/${n}`, events: ['product.created'] })
  const requests = (last: Entry) => [
    subscription(1),
    subscription(2),
    post('/products', { title: 'A', sku: 'A' }),
    subscription(3),
    post('/products', { title: 'B', sku: 'B' }),
    last,
  ]
  const refused = await send(client, 'all', requests(post('/products', { title: 'C', sku: 'B' })))
  t.deepEqual(statuses(t, refused), [424, 424, 424, 424, 424, 400])
  t.deepEqual((await client.get('/products')).body.data, [])
  t.deepEqual((await client.get('/webhook-subscriptions')).body.data, [])
  const done = await send(client, 'all', requests(post('/products', { title: 'C', sku: 'C' })))
  t.deepEqual(statuses(t, done), [201, 201, 201, 201, 201, 201])
  // A secret is shown once, in either form.
  for (const at of [0, 1, 3]) t.regex(done.body.results[at].body.secret, /^whsec_/)
  const each = await send(client, 'each', [subscription(4)])
  t.regex(each.body.results[0].body.secret, /^whsec_/)
  t.deepEqual(column(await eventsOf(client), 'sequence'), [1, 2, 3, 4], 'the place and three products, without a gap')
})

test('an entry that is no write is refused as it would be alone; of each the others run', async t => {
  const client = await service.tenant()
  const { client: narrow } = await service.key(client.tenantId, { scopes: ['write:purchase.supplier.create'] })
  const fine = () => post('/suppliers', { title: 'Fine' })
  const bad: readonly (readonly [Entry, number, RegExp])[] = [
    [post('/nowhere', {}), 404, /^no such path$/],
    [post('/api/external/v1/products', {}), 404, /^no such path: \/api\/external\/v1 stands in it twice$/],
    [post('/products/', {}), 404, /no such path/],
    [post('products', {}), 404, /no such path/],
    [post('/bulk', { requests: [] }), 404, /no such path/],
    [entry('PATCH', '/products/x', {}), 404, /^no such path: "x" is no id \(an int64\)$/],
    [entry('DELETE', '/products'), 405, /DELETE is not allowed here; allowed: GET, HEAD, POST/],
    [post('/stock', {}), 405, /allowed: GET, HEAD$/],
    [post('/products', { title: 'P' }), 403, /write:catalog\.product\.create/],
    [post('/suppliers?x=1', { title: 'S' }), 400, /^path: /],
    [post('/suppliers', { title: '' }), 400, /^title: must not be empty/],
    [post('/suppliers', { title: 'S', nope: 1 }), 400, /^nope: is not a known field/],
    [entry('POST', '/suppliers'), 400, /^body: is required/],
    [post('/suppliers', []), 400, /^body: must be a JSON object/],
    [entry('POST', '/suppliers', { title: 'S' }, { if_match: '*' }), 400, /^if_match: is not taken/],
  ]
  const reply = await send(narrow, 'each', [fine(), ...bad.map(([each]) => each), fine()])
  const answers = results(t, reply)
  t.deepEqual(column(answers, 'status'), [201, ...bad.map(([, status]) => status), 201])
  for (const [at, [{ idempotency_key }, , message]] of bad.entries()) {
    const { body, replayed, etag, ...rest } = answers[at + 1]
    t.deepEqual([replayed, etag, rest.idempotency_key], [false, null, idempotency_key])
    t.deepEqual(Object.keys(body), ['error', 'message', 'request_id'])
    t.regex(body.message, message)
  }
  const recorded = fine()
  results(t, await send(narrow, 'each', [recorded]))
  const all = await send(narrow, 'all', [recorded, fine(), bad[0]?.[0], bad[1]?.[0]])
  t.deepEqual(statuses(t, all), [201, 424, 404, 424])
  t.true(all.body.results[0].replayed, 'what was recorded before counts as done')
  t.true(all.body.results[1].body.message.startsWith('requests[2]: '))
})

test('a whole that is malformed is 400, names the entry and its field, and does nothing', async t => {
  const client = await service.tenant()
  const fine = (key: string = randomUUID()) => post('/suppliers', { title: 'Fine' }, key)
  const many = (count: number) => Array.from({ length: count }, () => fine())
  const bad: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /^requests: is required/],
    [[], /^requests: must have at least 1 entry/],
    [many(101), /^requests: must have at most 100 entries/],
    [[fine(), { ...fine(), note: 'x' }], /^requests\[1\]\.note: is not a known field/],
    [[fine(), fine('')], /^requests\[1\]\.idempotency_key: must not be empty/],
    [[fine('k'.repeat(201))], /^requests\[0\]\.idempotency_key: must have at most 200/],
    [[{ ...fine(), idempotency_key: undefined }], /^requests\[0\]\.idempotency_key: is required/],
    [[fine('twice'), fine(), fine('twice')], /^requests\[2\]\.idempotency_key: is that of requests\[0\] too/],
    [[{ ...fine(), method: 'HEAD' }], /^requests\[0\]\.method: must be one of POST, PUT, PATCH, DELETE/],
    [[{ ...fine(), method: 'GET' }], /^requests\[0\]\.method: /],
    [[{ ...fine(), path: 1 }], /^requests\[0\]\.path: must be a string/],
  ]
  for (const [requests, message] of bad) {
    const reply = await send(client, 'each', requests)
    t.is(reply.status, 400, reply.text)
    t.regex(reply.body.message, message)
  }
  const conditional = { key: null, body: { requests: [fine()] }, headers: { 'if-match': '*' } }
  t.is((await client.request('POST', '/bulk', conditional)).body.message, 'If-Match: is not taken by this endpoint')
  // A proxy that adds a new key to every request would make a repeated bulk look like a new one.
  for (const key of ['k', '']) {
    const keyed = { key: null, body: { requests: [fine()] }, headers: { 'idempotency-key': key } }
    const reply = await client.request('POST', '/bulk', keyed)
    t.like(reply.body, {
      error: 'validation_failed',
      message: 'Idempotency-Key: is not taken here: each entry has its own idempotency_key',
    })
  }
  t.regex((await send(client, 'some', [fine()])).body.message, /^mode: must be one of each, all/)
  t.regex(
    (await client.request('POST', '/bulk?x=1', { key: null, body: { requests: [fine()] } })).body.message,
    /^x: is not a known/,
  )
  t.deepEqual((await client.get('/suppliers')).body.data, [])
})

test('a bulk takes as many requests of the rate as it has entries, all or none, and never more than the burst', async t => {
  const { client } = await service.key((await service.tenant()).tenantId, { ratePerMinute: 1, burst: 10 })
  const bulk = (count: number) =>
    send(
      client,
      'each',
      Array.from({ length: count }, () => post('/suppliers', { title: 'S' })),
    )
  const left = (reply: Reply) => Number(reply.headers.get('ratelimit-remaining'))
  const tooMany = await bulk(11)
  t.is(tooMany.status, 400)
  t.regex(tooMany.body.message, /^requests: must have at most 10 entries, the burst of the API key/)
  t.is(left(tooMany), 9, 'it cost a request')
  const over = await bulk(10)
  t.is(over.status, 429)
  t.is(over.body.error, 'rate_limited')
  const retryAfter = Number(over.headers.get('retry-after'))
  t.true(retryAfter > 0 && retryAfter <= 60, String(retryAfter))
  t.is(left(over), 9, 'it cost nothing')
  const fits = await bulk(9)
  t.is(fits.status, 200)
  t.is(left(fits), 0)
  t.is((await bulk(1)).status, 429)
})

test('a bulk takes as many requests as it has entries or as its bytes ask for, whichever are more', async t => {
  const tenant = await service.tenant()
  const { client } = await service.key(tenant.tenantId, { ratePerMinute: 1, burst: 100 })
  const bulk = async (count: number, bytes: number) => {
    const requests = Array.from({ length: count }, () => post('/suppliers', { title: 'S' }))
    const rawBody = JSON.stringify({ requests }).padEnd(bytes, ' ')
    const { status, headers } = await client.request('POST', '/bulk', { key: null, rawBody })
    return [status, Number(headers.get('ratelimit-remaining'))]
  }
  t.deepEqual(await bulk(2, 2 ** 20), [200, 84])
  t.deepEqual(await bulk(20, 2 ** 20), [200, 64])
  t.deepEqual(await bulk(65, 2 ** 20), [429, 48], 'its bytes were parsed')
  t.deepEqual(await bulk(49, 2), [429, 48], 'a short one costs nothing')
  t.deepEqual(await bulk(48, 2), [200, 0])
})

test('bulks that are long and hard to read are refused as short ones are, and an entry as it would be alone', async t => {
  const client = await service.tenant()
  const filled = (before: string, piece: (n: number) => string, after: string) =>
    client.request('POST', '/bulk', {
      key: null,
      rawBody: `${before}${Array.from({ length: 20_000 }, (_, n) => piece(n)).join(',')}${after}`,
    })
  const refusal = async (reply: Promise<Reply>) => [(await reply).status, (await reply).body.message]
  const unknown = Array.from({ length: 10 }, (_, n) => `${n}: is not a known field`).join('; ')
  t.deepEqual(await refusal(filled('{', n => `"${n}":0`, ',"requests":[]}')), [400, unknown])
  t.deepEqual(await refusal(filled('{"requests":[', () => '0', ']}')), [400, 'requests: must have at most 100 entries'])
  t.deepEqual(await refusal(filled('{"requests":[', () => '{}', ']}')), [
    400,
    'requests: must have at most 100 entries',
  ])
  const entry = '{"method":"POST","path":"/suppliers","idempotency_key":'
  const [junk, lines, fine] = results(
    t,
    await filled(
      `{"requests":[${entry}"a","body":{`,
      n => `"${n}":[0,0,0]`,
      `}},${entry.replace('suppliers', 'sales-orders')}"b","body":{"customer_id":1,"items":[${'0,'.repeat(20_000)}0]}},${entry}"c","body":{"title":"S"}}]}`,
    ),
  )
  t.deepEqual([junk.status, junk.body.message], [400, unknown])
  t.deepEqual([lines.status, lines.body.message], [400, 'items: must have at most 500 entries'])
  t.is(fine.status, 201)
})

test('the quota is spent by entry: what is over is refused in each, and takes all of all back', async t => {
  const client = await service.tenant({ key: { dailyDocuments: 3 } })
  const products = (count: number) => Array.from({ length: count }, (_, n) => post('/products', { title: `P${n}` }))
  t.deepEqual(statuses(t, await send(client, 'all', products(4))), [424, 424, 424, 429])
  t.deepEqual(
    statuses(t, await send(client, 'each', [...products(2), post('/suppliers', { title: 'S' })])),
    [201, 201, 201],
  )
  const each = await send(client, 'each', [...products(2), post('/suppliers', { title: 'S' })])
  t.deepEqual(statuses(t, each), [201, 429, 201])
  const [done, over] = results(t, each)
  t.is(over.body.error, 'document_quota_exceeded')
  t.true(over.retry_after > 0 && over.retry_after <= 86_400, `${over.retry_after} s to midnight`)
  t.is(done.retry_after, null)
  t.is((await client.post('/products', { title: 'P' })).status, 429)
})

test('If-Match of an entry is compared with what the entries before it left', async t => {
  const client = await service.tenant()
  const made = await client.post('/products', { title: 'Chair' })
  const tag = made.headers.get('etag')
  const edit = (title: string, if_match: unknown) =>
    entry('PATCH', `/products/${made.body.id}`, { title }, { if_match })
  const all = await send(client, 'all', [edit('Stool', tag), edit('Bench', tag)])
  t.deepEqual(statuses(t, all), [424, 412])
  const each = await send(client, 'each', [edit('Stool', tag), edit('Bench', tag), edit('Table', 'W/"x"')])
  t.deepEqual(statuses(t, each), [200, 412, 400])
  t.is(
    (await client.get(`/products/${made.body.id}`)).headers.get('etag') ?? each.body.results[0].etag,
    each.body.results[0].etag,
  )
})

test('the same bulk from eight callers at once happens once', async t => {
  for (const mode of ['each', 'all']) {
    const client = await service.tenant()
    const requests = Array.from({ length: 30 }, (_, n) => post('/suppliers', { title: `S${n}` }))
    const replies = await Promise.all(Array.from({ length: 8 }, () => send(client, mode, requests)))
    const [first, ...others] = replies.map(reply => results(t, reply).map(({ body }) => body))
    for (const other of others) t.deepEqual(other, first)
    t.is((await client.get('/suppliers?limit=200')).body.data.length, 30)
    const first30 = replies.flatMap(reply => reply.body.results).filter(({ replayed }: Loose) => !replayed)
    t.is(first30.length, 30, 'each was answered as new once')
  }
})

test('a body of 4 MiB is taken, and one of garbage refused after it was parsed', async t => {
  const client = await service.tenant()
  const notes = 'x'.repeat(9_000)
  const lines = Array.from({ length: 4 }, () => ({ item_variant_id: '1', quantity: 1 }))
  const fill = Array.from({ length: 100 }, () => post('/sales-orders', { customer_id: '1', notes, items: lines }))
  const text = JSON.stringify({ requests: fill }).padEnd(4 * 2 ** 20, ' ')
  const full = await client.request('POST', '/bulk', { key: null, rawBody: text })
  t.deepEqual(statuses(t, full), Array(100).fill(400))
  const over = await client.request('POST', '/bulk', { key: null, rawBody: `${text} ` })
  t.is(over.status, 413)
  t.regex(over.body.message, /4194304 bytes \(4 MiB\)/)
  const long = [post('/suppliers', { title: 'S', notes: 'x'.repeat(2 ** 20) }), post('/suppliers', { title: 'S' })]
  t.deepEqual(statuses(t, await send(client, 'each', long)), [413, 201], 'an entry alone may be too long')
  const deep = await client.request('POST', '/bulk', { key: null, rawBody: `{"requests":${'['.repeat(2 ** 21)}` })
  t.is(deep.status, 400)
})

for (const mode of ['each', 'all'])
  test(`${mode}: records and events of an entry name the user of the key, and the entry's own request`, async t => {
    const client = await service.tenant({ key: { userName: 'Ada' } })
    const reply = await send(client, mode, [post('/suppliers', { title: 'One' }), post('/customers', { title: 'Two' })])
    t.deepEqual(
      results(t, reply).map(({ body }) => [body.created_by_user_name, body.updated_by_user_name]),
      [
        ['Ada', 'Ada'],
        ['Ada', 'Ada'],
      ],
    )
    const { data } = (await client.get('/events')).body
    const id = reply.headers.get('X-Request-Id')
    t.deepEqual(
      column(data, 'actor'),
      ['000', '001'].map(at => ({ key_id: client.keyId, user_name: 'Ada', request_id: `${id}.${at}` })),
    )
  })
