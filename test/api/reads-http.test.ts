/** The headers of answers to reads, and how the answers are sent. */
import { get as httpGet } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { type Client, type Reply, startService } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

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
  // One product that was read already, one that was not, and a new one.
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

type Raw = {
  readonly status: number
  readonly coding: string
  readonly vary: string
  readonly bytes: Buffer
  readonly etag: string
}

/** The bytes of the answer as they come: `fetch` would decompress them. */
function raw(url: string, { token }: Client, path: string, headers: Record<string, string> = {}): Promise<Raw> {
  const { promise, resolve, reject } = Promise.withResolvers<Raw>()
  const options = { headers: { authorization: `Bearer ${token}`, ...headers } }
  httpGet(`${url}/api/external/v1${path}`, options, async answer => {
    const bytes = Buffer.concat(await answer.toArray())
    const { 'content-encoding': coding = '', vary = '', etag = '', 'content-length': length } = answer.headers
    if (answer.statusCode === 200 && length !== String(bytes.length)) reject(new Error(`a length of ${length}`))
    resolve({ status: answer.statusCode ?? 0, coding, vary, bytes, etag })
  }).once('error', reject)
  return promise
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  '': bytes => bytes,
  br: brotliDecompressSync,
  gzip: gunzipSync,
}

test('answers over 2 KiB come in the coding that the caller likes best, and are the same text', async t => {
  const client = await service.tenant()
  const variants = Array.from({ length: 30 }, (_, n) => ({ title: `Größe ${n}`, sku: `S-${n}` }))
  const { body: product } = await client.post('/products', { title: 'Shirt', variants })
  const { body: supplier } = await client.post('/suppliers', { title: 'Short' })
  const path = `/products/${product.id}`
  const plain = await raw(service.url, client, path)
  t.deepEqual([plain.coding, JSON.parse(plain.bytes.toString())], ['', product])
  const liked = {
    br: 'br',
    gzip: 'gzip',
    'gzip;q=0.5, br;q=0.9': 'br',
    'br;q=0.1,gzip': 'gzip',
    '*': 'br',
    GZIP: 'gzip',
  }
  const none = ['', 'identity', 'deflate, zstd', 'gzip;q=0, br;q=0', 'identity, gzip;q=0.5', '*;q=0', ';;,']
  for (const [accepted, coding] of [...Object.entries(liked), ...none.map(accepted => [accepted, ''] as const)]) {
    const reply = await raw(service.url, client, path, { 'accept-encoding': accepted })
    t.deepEqual(
      [reply.status, reply.coding, reply.vary, reply.etag],
      [200, coding, 'Accept-Encoding', plain.etag],
      accepted,
    )
    t.deepEqual(decoders[coding]?.(reply.bytes), plain.bytes, accepted)
    if (coding !== '') t.true(reply.bytes.length < plain.bytes.length / 4)
  }
  const accept = { 'accept-encoding': 'gzip, br' }
  const short = await raw(service.url, client, `/suppliers/${supplier.id}`, accept)
  t.deepEqual([short.coding, short.vary], ['', ''], 'the same for everybody')
  t.deepEqual(JSON.parse(gunzipSync((await raw(service.url, client, '/products', accept)).bytes).toString()).data, [
    product,
  ])
  const known = await raw(service.url, client, path, { ...accept, 'if-none-match': plain.etag })
  t.deepEqual([known.status, known.coding, known.vary, known.bytes.length], [304, '', 'Accept-Encoding', 0])

  const off = await startService(service, { env: { HTTP_COMPRESSION: 'off' }, workers: 0 })
  const reply = await raw(off.url, client, path, accept)
  await off.close()
  t.deepEqual([reply.coding, reply.vary, reply.bytes], ['', '', plain.bytes])
})
