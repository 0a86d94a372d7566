/** What answers to reads tell beside their body. */
import test from 'ava'
import type { Loose } from '../support/command-context.ts'
import { type Client, type Reply, startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
const service = await startService(services)
test.after.always(async () => {
  await service.close()
  await services.close()
})

const sequenceOf = ({ headers }: Reply) => Number(headers.get('event-sequence'))
const eventsOf = async (client: Client): Promise<readonly Loose[]> => (await client.get('/events?limit=200')).body.data

test('what a read shows includes all events up to its Event-Sequence, while others write', async t => {
  const client = await service.tenant()
  const { body: product } = await client.post('/products', { title: 'Title 0' })
  const seen: { readonly title: string; readonly sequence: number }[] = []
  let isWriting = true
  const readOn = async (path: string) => {
    while (isWriting) {
      const reply = await client.get(path)
      const { title } = reply.body.data?.at(-1) ?? reply.body
      seen.push({ title, sequence: sequenceOf(reply) })
    }
  }
  const paths = [`/products/${product.id}`, '/products']
  const readers = Promise.all([...paths, ...paths].map(readOn))
  for (let n = 1; n <= 60; n++) {
    const { headers } = await client.patch(`/products/${product.id}`, { title: `Title ${n}` })
    t.truthy(headers.get('x-request-id'))
    t.is(sequenceOf(await client.get(paths[n % 2] ?? '')), n + 1, 'its own write is included')
  }
  isWriting = false
  await readers
  const sequences = new Map((await eventsOf(client)).map(event => [event.data.title, event.sequence]))
  for (const { title, sequence } of seen) t.true((sequences.get(title) ?? 0) >= sequence, `${title} of ${sequence}`)
  t.true(new Set(seen.map(({ sequence }) => sequence)).size > 10, 'they read meanwhile')
})

test('a reader who remembers the Event-Sequence of the first page and then follows the events misses nothing', async t => {
  const client = await service.tenant()
  for (let n = 0; n < 6; n++) await client.post('/suppliers', { title: `Supplier ${n}` })
  for (let n = 0; n < 6; n++) await client.post('/products', { title: `Product ${n}` })
  const first = await client.get('/products?limit=2')
  // One that was read already, one that was not, and one more.
  const [{ id: read }] = first.body.data
  const { body: all } = await client.get('/products')
  await client.patch(`/products/${read}`, { title: 'Changed' })
  await client.patch(`/products/${all.data[4].id}`, { title: 'Changed too' })
  await client.post('/products', { title: 'Another' })
  const shown = new Map(first.body.data.map((row: { id: string }) => [row.id, row]))
  for (let cursor = first.body.next_cursor; cursor !== ''; ) {
    const { body } = await client.get(`/products?limit=2&cursor=${cursor}`)
    for (const row of body.data) shown.set(row.id, row)
    cursor = body.next_cursor
  }
  const { body: news } = await client.get(`/events?after_sequence=${sequenceOf(first)}`)
  t.is(news.data.length, 3)
  for (const { data } of news.data) shown.set(data.id, data)
  t.deepEqual([...shown.values()], (await client.get('/products')).body.data)
})

test('an ETag changes with the body and stays while it stays, and If-None-Match with it is 304 without a body', async t => {
  const client = await service.tenant()
  const { body: supplier } = await client.post('/suppliers', { title: 'Oak & Sons' })
  const path = `/suppliers/${supplier.id}`
  const asked = (ifNoneMatch: string) => client.request('GET', path, { headers: { 'if-none-match': ifNoneMatch } })
  const first = await client.get(path)
  const etag = first.headers.get('etag') ?? ''
  t.regex(etag, /^"[\w-]{22}"$/)
  t.is((await client.get(path)).headers.get('etag'), etag)
  for (const named of [etag, `W/${etag}`, `"other", ${etag}`, `W/"a,b" ,${etag},`, '*', ' * ']) {
    const reply = await asked(named)
    t.deepEqual([reply.status, reply.text, reply.headers.get('content-type')], [304, '', null], named)
    t.is(reply.headers.get('etag'), etag)
    t.is(reply.headers.get('event-sequence'), first.headers.get('event-sequence'))
    t.regex(reply.headers.get('ratelimit-remaining') ?? '', /^\d+$/)
  }
  for (const other of ['', '"other"', etag.slice(1, -1), etag.slice(0, -1), `${etag.slice(0, -1)}-gzip"`, '"*"', 'W/'])
    t.is((await asked(other)).status, 200, other)
  t.is((await client.patch(path, { title: 'Oak & Daughters' })).status, 200)
  const changed = await asked(etag)
  t.deepEqual([changed.status, changed.body.title], [200, 'Oak & Daughters'])
  t.not(changed.headers.get('etag'), etag)
  await client.patch(path, { title: 'Oak & Sons' })
  t.not((await client.get(path)).headers.get('etag'), etag, 'updated_at is another')
  t.is((await client.request('GET', '/suppliers/1', { headers: { 'if-none-match': '*' } })).status, 404)
  t.is(
    (await client.request('GET', '/suppliers', { headers: { 'if-none-match': '*' } })).status,
    200,
    'a list has none',
  )
})
