/** The guarantees of manufacturing over real HTTP and through the real queue: a command has one effect, however often it is sent. */

import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile({ workers: 2 })

/** A tenant with 100 SHEETs, and a BOX that takes 2 of them. */
async function boxes(): Promise<{
  client: Client
  box: string
  sheet: string
  order: (quantity: number) => Promise<Loose>
}> {
  const client = await service.tenant()
  const { made } = client
  await made('/storage-places', { title: 'Home' })
  const box = (await made('/products', { title: 'Box', sku: 'BOX' })).variants[0].id
  const sheet = (await made('/products', { title: 'Sheet', sku: 'SHEET' })).variants[0].id
  await made('/stock-adjustments', { items: [{ item_variant_id: sheet, quantity: 100, unit_cost: 1 }] })
  await made('/recipes', { item_variant_id: box, materials: [{ item_variant_id: sheet, quantity: 2 }] })
  return { client, box, sheet, order: quantity => made('/manufacturing-orders', { item_variant_id: box, quantity }) }
}

const statuses = (replies: readonly { status: number }[]) => replies.map(reply => reply.status).sort()
const movements = async (client: Client) => (await client.get('/stock-movements?limit=200')).body.data.length

test('of 30 starts at once one is 200 and 29 are refused; materials leave once', async t => {
  const { client, order } = await boxes()
  const { id } = await order(3)
  const path = `/manufacturing-orders/${id}/start`
  const replies = await Promise.all(Array.from({ length: 30 }, () => client.post(path, {})))
  t.deepEqual(statuses(replies), [200, ...Array(29).fill(422)])
  for (const { status, body } of replies) t.true(status === 200 || body.error === 'manufacturing_order_invalid_status')
  t.is(await movements(client), 2)
  t.deepEqual(await service.faults(client.tenantId), [])
})

test('30 starts and completions under one key each have one effect and one answer', async t => {
  const { client, order } = await boxes()
  const { id } = await order(4)
  for (const [move, body] of [
    ['start', {}],
    ['complete', { quantity: 1 }],
  ] as const) {
    const path = `/manufacturing-orders/${id}/${move}`
    const replies = await Promise.all(Array.from({ length: 30 }, () => client.post(path, body, `${move}-once`)))
    t.deepEqual(new Set(statuses(replies)), new Set([200]))
    t.is(new Set(replies.map(reply => reply.text)).size, 1)
    t.is(replies.filter(reply => reply.headers.get('idempotent-replayed') === null).length, 1)
  }
  t.is((await client.get(`/manufacturing-orders/${id}`)).body.released_quantity, 1)
  t.is(await movements(client), 3)
})

test('20 orders that need more than there is: as many start as the stock suffices for', async t => {
  const { client, order } = await boxes()
  const orders = await Promise.all(Array.from({ length: 20 }, () => order(4)))
  const replies = await Promise.all(orders.map(({ id }) => client.post(`/manufacturing-orders/${id}/start`, {})))
  // There are 100 sheets, and each order takes 8.
  t.deepEqual(statuses(replies), [...Array(12).fill(200), ...Array(8).fill(422)])
  t.true(replies.every(({ status, body }) => status === 200 || body.error === 'unprocessable'))
  t.deepEqual(await service.faults(client.tenantId), [])
})

test('a deletion is 204 once more under its key, 404 under another, and its key deletes no other order', async t => {
  const { client, order } = await boxes()
  const [{ id }, other] = [await order(1), await order(1)]
  const remove = async (key: string, which = id) =>
    (await client.request('DELETE', `/manufacturing-orders/${which}`, { key })).status
  t.deepEqual([await remove('a'), await remove('a'), await remove('b')], [204, 204, 404])
  t.deepEqual([await remove('a', other.id), (await client.get(`/manufacturing-orders/${other.id}`)).status], [409, 200])
})

test('a change needs the order as If-Match knows it, is once under its key, runs in a bulk, and is found by updated_after', async t => {
  const { client, order } = await boxes()
  const { id, updated_at: madeAt } = await order(3)
  const path = `/manufacturing-orders/${id}`
  const etag = (await client.get(path)).headers.get('etag') ?? ''
  const patch = (body: unknown, headers: Record<string, string>, key?: string) =>
    client.request('PATCH', path, { body, headers, ...(key === undefined ? {} : { key }) })
  const changed = await patch({ quantity: 5 }, { 'if-match': etag }, 'five')
  t.deepEqual([changed.status, changed.body.items[0].quantity], [200, 10])
  t.is(changed.headers.get('etag'), (await client.get(path)).headers.get('etag'))
  t.is((await patch({ quantity: 6 }, { 'if-match': etag })).status, 412)
  const again = await patch({ quantity: 5 }, { 'if-match': etag }, 'five')
  t.deepEqual([again.text, again.headers.get('idempotent-replayed')], [changed.text, 'true'])
  const requests = [
    { method: 'PATCH', path, idempotency_key: 'a', body: { quantity: 7 } },
    { method: 'POST', path: `${path}/start`, idempotency_key: 'b', body: {} },
    { method: 'PATCH', path, idempotency_key: 'c', body: { priority: 2 } },
  ]
  const { results } = (await client.request('POST', '/bulk', { key: null, body: { mode: 'all', requests } })).body
  t.deepEqual(column(results, 'status'), [200, 200, 200])
  t.is(results[2].body.actual_cost.materials_cost, 14)
  const found = (await client.get(`/manufacturing-orders?updated_after=${changed.body.updated_at}`)).body.data
  t.deepEqual(
    found.map((each: Loose) => [each.id, each.priority, each.updated_at > madeAt]),
    [[id, 2, true]],
  )
  const { client: reader } = await service.key(client.tenantId, { scopes: ['read:manufacturing'] })
  t.is((await reader.request('PATCH', path, { body: { notes: 'x' } })).status, 403)
  t.deepEqual(await service.faults(client.tenantId), [])
})

test('of 16 returns of the same goods at once as many are done as went out, and 16 under one key are one', async t => {
  const { client, order, sheet } = await boxes()
  const { id } = await order(5)
  await client.post(`/manufacturing-orders/${id}/start`, {})
  const path = `/manufacturing-orders/${id}/materials`
  const back = { items: [{ item_variant_id: sheet, quantity: -2 }] }
  const once = await Promise.all(Array.from({ length: 16 }, () => client.post(path, back, 'once')))
  t.deepEqual(statuses(once), Array(16).fill(200))
  t.is(new Set(once.map(({ text }) => text)).size, 1)
  // 10 were issued, and 2 are returned.
  const replies = await Promise.all(Array.from({ length: 16 }, () => client.post(path, back)))
  t.deepEqual(statuses(replies), [...Array(4).fill(200), ...Array(12).fill(400)])
  const { body } = await client.get(`/manufacturing-orders/${id}`)
  t.deepEqual([body.items[0].actual_quantity, body.actual_cost.materials_cost], [0, 0])
  t.is((await client.get(`/stock?item_variant_id=${sheet}`)).body.data[0].quantity, 100)
  t.deepEqual(await service.faults(client.tenantId), [])
})

test('materials need the order as If-Match knows it, run in a bulk, need the scope, and spend one document when they succeed', async t => {
  const { client, order, sheet } = await boxes()
  const { id } = await order(5)
  await client.post(`/manufacturing-orders/${id}/start`, {})
  const [path, of] = [`/manufacturing-orders/${id}/materials`, `/manufacturing-orders/${id}`]
  const line = (quantity: number) => ({ items: [{ sku: 'SHEET', quantity }] })
  const etag = (await client.get(of)).headers.get('etag') ?? ''
  const send = (quantity: number) =>
    client.request('POST', path, { body: line(quantity), headers: { 'if-match': etag } })
  const more = await send(1)
  t.deepEqual([more.status, more.body.items[0].actual_quantity], [200, 11])
  t.is(more.headers.get('etag'), (await client.get(of)).headers.get('etag'))
  t.is((await send(1)).status, 412)
  const requests = [
    { method: 'POST', path, idempotency_key: 'a', body: line(-3) },
    { method: 'POST', path, idempotency_key: 'b', body: { items: [{ item_variant_id: sheet, quantity: 1 }] } },
    { method: 'POST', path: `${of}/complete`, idempotency_key: 'c', body: { quantity: 0, is_final: true } },
  ]
  const { results } = (await client.request('POST', '/bulk', { key: null, body: { mode: 'all', requests } })).body
  t.deepEqual(column(results, 'status'), [200, 200, 200])
  t.like(results[2].body.actual_cost, { materials_cost: 9, posted_cost: 9, wip_cost: 0, unit_cost: null })
  const { client: reader } = await service.key(client.tenantId, { scopes: ['write:manufacturing.order.start'] })
  t.is((await reader.post(path, line(1))).status, 403)
  const other = await order(1)
  const { client: limited } = await service.key(client.tenantId, { dailyDocuments: 2 })
  const post = async (name: string, body: unknown) =>
    (await limited.post(`/manufacturing-orders/${other.id}/${name}`, body)).status
  t.is(await post('start', {}), 200)
  t.is(await post('materials', line(-9)), 400)
  t.is(await post('materials', line(-1)), 200)
  t.is(await post('materials', line(-1)), 429)
  t.deepEqual(await service.faults(client.tenantId), [])
})

test('a batch is changed as If-Match knows it, once under its key, in a bulk, with its scope, and spends no document', async t => {
  const { client } = await boxes()
  const { body: milk } = await client.post('/products', { title: 'Milk', sku: 'MILK', batch_tracked: true })
  const line = { item_variant_id: milk.variants[0].id, quantity: 3, batch_number: 'B-1' }
  await client.post('/stock-adjustments', { items: [line] })
  const [{ id }] = (await client.get('/batches')).body.data
  const path = `/batches/${id}`
  const read = await client.get(path)
  const patch = (body: unknown, headers: Record<string, string> = {}, key?: string) =>
    client.request('PATCH', path, { body, headers, ...(key === undefined ? {} : { key }) })
  const seen = { 'if-match': read.headers.get('etag') ?? '' }
  const changed = await patch({ number: 'B-2', expiry_date: '2099-01-31' }, seen, 'once')
  t.deepEqual([changed.status, changed.body.number, changed.body.quantity], [200, 'B-2', 3])
  t.is(changed.headers.get('etag'), (await client.get(path)).headers.get('etag'))
  t.is((await patch({ number: 'B-3' }, seen)).status, 412)
  const again = await patch({ number: 'B-2', expiry_date: '2099-01-31' }, seen, 'once')
  t.deepEqual([again.text, again.headers.get('idempotent-replayed')], [changed.text, 'true'])
  // The ETag of a batch includes its stock.
  await client.post('/stock-adjustments', { items: [{ ...line, batch_number: 'B-2', quantity: 1 }] })
  t.is((await patch({ number: 'B-3' }, { 'if-match': changed.headers.get('etag') ?? '' })).status, 412)
  const requests = ['B-4', 'B-5'].map(number => ({ method: 'PATCH', path, idempotency_key: number, body: { number } }))
  const { results } = (await client.request('POST', '/bulk', { key: null, body: { mode: 'all', requests } })).body
  t.deepEqual(
    results.map(({ body }: Loose) => [body.number, body.quantity]),
    [
      ['B-4', 4],
      ['B-5', 4],
    ],
  )
  const { client: reader } = await service.key(client.tenantId, { scopes: ['read:stock'] })
  t.is((await reader.request('PATCH', path, { body: { number: 'x' } })).status, 403)
  const scopes = ['write:stock.batch.update']
  const { client: limited } = await service.key(client.tenantId, { scopes, dailyDocuments: 1 })
  for (const number of ['B-6', 'B-7']) t.is((await limited.request('PATCH', path, { body: { number } })).status, 200)
  const events = (await client.get('/events?type=batch.updated')).body.data
  t.deepEqual(
    events.map(({ data }: Loose) => data.number),
    ['B-2', 'B-4', 'B-5', 'B-6', 'B-7'],
  )
  t.deepEqual(await service.faults(client.tenantId), [])
})

test('start and completion take a JSON object only, and an empty one is enough', async t => {
  const { client, order } = await boxes()
  const { id } = await order(1)
  for (const move of ['start', 'complete']) {
    const path = `/manufacturing-orders/${id}/${move}`
    for (const rawBody of ['[]', 'null', '1', '']) {
      const reply = await client.request('POST', path, { rawBody, headers: { 'content-type': 'application/json' } })
      t.is(reply.status, 400, `${move} ${rawBody}`)
    }
    t.is((await client.post(path, {})).status, 200)
  }
})

test('creations, starts and completions spend the document quota; blocking and deleting do not', async t => {
  const { client, order, box } = await boxes()
  const { id } = await order(1)
  const other = await order(1)
  const { client: limited } = await service.key(client.tenantId, { dailyDocuments: 3 })
  const post = async (path: string, body: unknown = {}) =>
    (await limited.post(`/manufacturing-orders${path}`, body)).status
  t.is(await post(`/${id}/block`), 200)
  t.is(await post(`/${id}/unblock`), 200)
  t.is(await post('', { item_variant_id: box, quantity: 1 }), 201)
  t.is(await post(`/${id}/start`), 200)
  t.is(await post(`/${id}/start`), 422)
  t.is(await post(`/${id}/complete`), 200)
  t.is(await post(`/${other.id}/start`), 429)
  t.is((await limited.request('DELETE', `/manufacturing-orders/${other.id}`)).status, 204)
})
