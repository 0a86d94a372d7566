/** A dry run of a bulk in one transaction: its entries see those before them, and all are rolled back. */
import { randomUUID } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { column, columns } from '../support/records.ts'
import type { Client } from '../support/service.ts'
import { snapshotOf } from '../support/snapshot.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile({ workers: 2 })

const entry = (method: string, path: string, body: Loose, more: Loose = {}) => ({ method, path, body, ...more })
const keyed = (requests: readonly Loose[]) => requests.map(each => ({ ...each, idempotency_key: randomUUID() }))
const send = (client: Client, requests: readonly Loose[], headers: Record<string, string> = {}) =>
  client.request('POST', '/bulk', { key: null, body: { mode: 'all', requests }, headers })
const DRY = { 'dry-run': 'true' }

/** Runs the bulk dry. Checks that it leaves nothing, and returns its results. */
async function sendDry(t: ExecutionContext, client: Client, requests: readonly Loose[]): Promise<Loose[]> {
  const before = await snapshotOf(service.pool, client.tenantId)
  const reply = await send(client, requests, DRY)
  t.is(reply.status, 200, reply.text)
  t.is(reply.headers.get('dry-run'), 'true')
  t.is(reply.body.mode, 'all')
  for (const { replayed, etag } of reply.body.results) t.deepEqual([replayed, etag], [false, null])
  t.deepEqual(await snapshotOf(service.pool, client.tenantId), before)
  return reply.body.results
}

async function chairs(client: Client, quantity: number) {
  const product = (await client.post('/products', { title: 'Chair', sku: 'CHAIR' })).body
  const item_variant_id = product.variants[0].id
  await client.post('/stock-adjustments', { items: [{ item_variant_id, quantity, unit_cost: 1 }] })
  return { product, item_variant_id }
}

const shown = ({ status, body }: Loose) => ({
  status,
  number: body.number,
  title: body.title,
  customer: body.customer?.title,
  total: body.total_amount,
})

test('entries find what those before them made, and the real bulk answers the same', async t => {
  const client = await service.tenant()
  const { product, item_variant_id } = await chairs(client, 10)
  const order = (quantity: number, more: Loose) =>
    entry('POST', '/sales-orders', {
      allow_backorder: false,
      items: [{ item_variant_id, quantity, price: 3 }],
      ...more,
    })
  const requests = [
    entry('POST', '/customers', { title: 'Shop', external_ref: 'shop' }),
    order(4, { customer: { title: 'Another shop' } }),
    entry('PATCH', `/products/${product.id}`, { title: 'Stool', variants: [{ id: item_variant_id, sku: 'STOOL' }] }),
    // The entry names the sku that the entry before gave. Only the next round of the transaction can see it.
    entry('POST', '/sales-orders', {
      customer: { title: 'Third' },
      allow_backorder: false,
      items: [{ sku: 'STOOL', quantity: 6 }],
    }),
    entry('POST', '/stock-adjustments', { items: [{ sku: 'STOOL', quantity: 1 }] }),
  ]
  const dry = await sendDry(t, client, requests)
  t.deepEqual(column(dry, 'status'), [201, 201, 200, 201, 201])
  t.deepEqual(dry[0].idempotency_key, null, 'it needs none')
  const real = (await send(client, keyed(requests))).body.results
  t.deepEqual(dry.map(shown), real.map(shown))
  t.is(real[1].body.number, 'SO-00001', 'no number was used up')
  t.is((await client.get('/sales-orders')).body.data.length, 2)
})

test('the refused entry tells why, and the others that nothing was done', async t => {
  const client = await service.tenant()
  const { item_variant_id } = await chairs(client, 3)
  const two = entry('POST', '/sales-orders', {
    customer: { title: 'Shop' },
    allow_backorder: false,
    items: [{ item_variant_id, quantity: 2 }],
  })
  const results = await sendDry(t, client, [two, two, two])
  t.deepEqual(
    results.map(({ status, body }) => [status, body.error]),
    [
      [424, 'not_applied'],
      [409, 'insufficient_stock'],
      [424, 'not_applied'],
    ],
  )
  const malformed = await sendDry(t, client, [two, entry('POST', '/suppliers', {}), entry('POST', '/nowhere', {})])
  t.deepEqual(column(malformed, 'status'), [424, 400, 424])
  const real = (await send(client, keyed([two, two, two]))).body.results
  t.deepEqual(
    real.map(({ status, body }: Loose) => [status, body.message]),
    results.map(({ status, body }) => [status, body.message]),
  )
})

test('a hundred entries', async t => {
  const client = await service.tenant()
  const { item_variant_id } = await chairs(client, 100)
  const one = { customer: { title: 'Shop' }, allow_backorder: false, items: [{ item_variant_id, quantity: 1 }] }
  const results = await sendDry(t, client, Array(100).fill(entry('POST', '/sales-orders', one)))
  t.deepEqual(
    results.map(({ status, body }) => [status, body.number]),
    results.map((_, at) => [201, `SO-${String(at + 1).padStart(5, '0')}`]),
  )
  const { headers } = await client.post('/sales-orders', { ...one, items: [{ item_variant_id, quantity: 100 }] })
  t.truthy(headers.get('etag'), 'all hundred are there')
})

test('keys are ignored: those of the log, the same one twice, and the header', async t => {
  const client = await service.tenant()
  const supplier = entry('POST', '/suppliers', { title: 'Once' }, { idempotency_key: 'once' })
  t.is((await client.post('/suppliers', { title: 'Once' }, 'once')).status, 201)
  const results = await sendDry(t, client, [supplier, supplier, { ...supplier, body: { title: 'Another' } }])
  t.deepEqual(columns(results, 'status', 'idempotency_key'), Array(3).fill([201, 'once']))
  const withHeader = await send(client, [supplier], { ...DRY, 'idempotency-key': 'whole' })
  t.is(withHeader.status, 200, withHeader.text)
  t.is((await client.get('/suppliers')).body.data.length, 1)
  t.is((await client.post('/suppliers', { title: 'Once' }, 'once')).headers.get('idempotent-replayed'), 'true')
})

test('secrets stay out', async t => {
  const client = await service.tenant()
  const [made] = await sendDry(t, client, [
    entry('POST', '/webhook-subscriptions', { url: 'https://example.com/hook', events: ['*'] }),
  ])
  t.deepEqual([made.status, made.body.secret], [201, null])
})
