/** The guarantees of products over HTTP: statuses, replays, quota, cursors, concurrent writes of one sku, and events of the outbox. */
import * as v from 'valibot'
import { endpoints } from '../../lib/nouns.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

const events = (client: Client) =>
  service.pool.any(rows(v.object({ sequence: v.string(), type: v.string() }))`
    select sequence::text as sequence, type from events where tenant_id = ${client.tenantId}::bigint order by sequence
  `)

test('a product is made with 201, replayed with 200, read and changed', async t => {
  const client = await service.tenant()
  const made = await client.post('/products', { title: 'Oak table', sku: 'OAK', price: 249.9 }, 'k')
  t.is(made.status, 201)
  const again = await client.post('/products', { price: 249.9, sku: 'OAK', title: 'Oak table' }, 'k')
  t.is(again.status, 200)
  t.is(again.text, made.text)
  const path = `/products/${made.body.id}`
  t.is((await client.get(path)).text, made.text)
  const changed = await client.patch(path, { price: null }, 'p')
  t.is(changed.status, 200)
  t.is(changed.body.variants[0].price, null)
  t.is((await client.patch(path, { price: null }, 'p')).text, changed.text)
  t.deepEqual(await events(client), [
    { sequence: '1', type: 'product.created' },
    { sequence: '2', type: 'product.updated' },
  ])
})

test('twenty at once that want one sku: one gets it, the others are refused, and nothing is half made', async t => {
  const client = await service.tenant()
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      client.post('/products', { title: `no ${at}`, unit_name: 'kg', variants: [{ sku: `own-${at}` }, { sku: 'A' }] }),
    ),
  )
  t.is(replies.filter(({ status }) => status === 201).length, 1)
  const refused = replies.filter(({ status }) => status === 400)
  t.is(refused.length, 19)
  const { data } = (await client.get('/products')).body
  const [{ id, variants }] = data
  const message = `variants[1].sku: "A" is taken by ${variants[1].id}, a variant of product ${id}`
  t.deepEqual(new Set(refused.map(({ body }) => body.message)), new Set([message]))
  t.is(data.length, 1)
  t.is((await events(client)).length, 1)
})

test('twenty at once on the free plan: exactly as many as fit', async t => {
  const client = await service.tenant({ plan: 'free' })
  t.is((await client.post('/products', { title: 'x', variants: Array(40).fill({}) })).status, 201)
  const replies = await Promise.all(Array.from({ length: 20 }, () => client.post('/products', { title: 'x' })))
  t.is(replies.filter(({ status }) => status === 201).length, 10)
  const refused = replies.filter(({ status }) => status === 402)
  t.is(refused.length, 10)
  t.true(refused.every(({ body }) => body.error === 'SUBSCRIPTION_LIMIT'))
})

test('creations spend documents; changes and refusals do not', async t => {
  const client = await service.tenant({ key: { dailyDocuments: 2 } })
  const made = await client.post('/products', { title: 'x', sku: 'A' })
  for (const title of ['a', 'b', 'c']) t.is((await client.patch(`/products/${made.body.id}`, { title })).status, 200)
  t.is((await client.post('/products', { title: 'x', sku: 'A' })).status, 400)
  t.is((await client.post('/storage-places', { title: 'no quota' })).status, 201)
  t.is((await client.post('/products', { title: 'y' })).status, 201)
  const over = await client.post('/products', { title: 'z' })
  t.is(over.status, 429)
  t.is(over.body.error, 'document_quota_exceeded')
})

test('reading through by cursor sees every product once, while others change and are made', async t => {
  const client = await service.tenant()
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push((await client.post('/products', { title: `${n}` })).body.id)
  const seen: string[] = []
  let cursor = ''
  do {
    const { status, body } = await client.get(`/products?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    t.is(status, 200)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.next_cursor
    if (seen.length === 2) {
      await client.patch(`/products/${ids[0]}`, { title: 'changed' })
      ids.push((await client.post('/products', { title: 'late' })).body.id)
    }
  } while (cursor !== '')
  t.deepEqual(seen, ids)
})

test('filters work as query parameters, and a wrong one is 400 naming it', async t => {
  const client = await service.tenant()
  const { updated_at } = (await client.post('/products', { title: 'x', sku: 'A B', external_ref: 'é' })).body
  for (const query of [
    'sku=A%20B',
    'sku=A+B',
    'type=PRODUCT',
    'archived=false',
    'external_ref=%C3%A9',
    `updated_after=${updated_at}`,
  ]) {
    const { status, body } = await client.get(`/products?${query}`)
    t.is(status, 200, query)
    t.is(body.data.length, 1, query)
    t.is(body.next_cursor, '')
  }
  for (const query of [
    'sku=',
    'sku=A&sku=B',
    'type=product',
    'archived=1',
    'updated_after=x',
    'color=red',
    'limit=0',
    'cursor=x',
  ]) {
    const { status, body } = await client.get(`/products?${query}`)
    t.is(status, 400, query)
    t.true(body.message.startsWith(query.split('=')[0]), body.message)
  }
})

test('no list takes updated_after backwards: what changes while it is paged would be missed', async t => {
  const client = await service.tenant()
  const lists = endpoints.filter(
    endpoint =>
      endpoint.kind === 'list' && 'updated_after' in ((endpoint.filters as Loose | undefined)?.['entries'] ?? {}),
  )
  t.true(lists.length >= 19)
  for (const { path } of lists) {
    const { status, body } = await client.get(`${path}?order=desc&updated_after=2026-01-01`)
    t.is(status, 400, path)
    t.is(body.error, 'validation_failed', path)
    t.regex(body.message, /^order: must not be desc with updated_after: records that change while you page/, path)
    t.is((await client.get(`${path}?order=asc&updated_after=2026-01-01`)).status, 200, path)
  }
})

test('products of another tenant are 404 by path and 400 by reference, and never listed', async t => {
  const [one, other] = [await service.tenant(), await service.tenant()]
  const { id, variants } = (await one.post('/products', { title: 'x' })).body
  const own = (await other.post('/products', { title: 'own' })).body
  t.is((await other.get(`/products/${id}`)).status, 404)
  t.is((await other.patch(`/products/${id}`, { title: 'y' })).status, 404)
  const foreign = await other.patch(`/products/${own.id}`, { variants: [{ id: variants[0].id, price: 1 }] })
  t.is(foreign.status, 400)
  t.is(foreign.body.message, 'variants[0].id: no such variant of this product')
  t.deepEqual((await other.get('/products')).body.data, [own])
})

test('each endpoint wants its own scope', async t => {
  const { tenantId } = await service.tenant()
  const { client } = await service.key(tenantId, { scopes: ['read:catalog'] })
  t.is((await client.get('/products')).status, 200)
  for (const [scope, reply] of [
    ['write:catalog.product.create', await client.post('/products', { title: 'x' })],
    ['write:catalog.product.update', await client.patch('/products/1', { title: 'x' })],
    ['read:stock', await client.get('/storage-places')],
    ['write:stock.place.create', await client.post('/storage-places', { title: 'x' })],
  ] as const) {
    t.is(reply.status, 403)
    t.true(reply.body.message.includes(scope), reply.body.message)
  }
})

test('twenty storage places at once: exactly one is main', async t => {
  const client = await service.tenant()
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) => client.post('/storage-places', { title: `${at}`, external_ref: `${at}` })),
  )
  t.true(replies.every(({ status }) => status === 201))
  const { data } = (await client.get('/storage-places')).body
  t.is(data.length, 20)
  t.deepEqual(
    data.map(({ is_main }: { is_main: boolean }) => is_main),
    data.map((_: unknown, at: number) => at === 0),
  )
  const [first] = (await client.get('/storage-places?external_ref=7')).body.data
  t.is(first.title, '7')
})
