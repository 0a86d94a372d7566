/** A 400 names its fields in a header, and an empty cursor is refused with a message of its own. */
import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { fieldsOf, invalid, refuse } from '../../lib/kit/api/errors.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { column, columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

const errorFields = ({ headers }: { readonly headers: Headers }) => headers.get('error-fields')

test('every validation_failed names its fields in Error-Fields: of a body, a query, a head, and what is taken', async t => {
  const client = await service.tenant()
  const body = { items: [itemLine('1', 0), itemLine('x', 1)], nonsense: 1 }
  const faulty = await client.post('/sales-orders', body)
  t.is(errorFields(faulty), 'items[0].quantity, items[1].item_variant_id, nonsense')
  t.deepEqual(
    faulty.body.message
      .split('; ')
      .map((fault: string) => fault.split(': ')[0])
      .join(', '),
    errorFields(faulty),
  )
  t.is(errorFields(await client.get('/products?limit=0&what=1')), 'limit, what')
  t.is(errorFields(await client.request('POST', '/customers', { key: null, body: { title: 'C' } })), 'Idempotency-Key')
  t.is(
    errorFields(
      await client.request('POST', '/customers', { rawBody: '{', headers: { 'content-type': 'application/json' } }),
    ),
    'body',
  )
  await client.post('/products', { title: 'One', sku: 'SKU', external_ref: 'ref' })
  const taken = await client.post('/products', { title: 'Two', sku: 'SKU' })
  t.is(errorFields(taken), 'sku')
  t.is(errorFields(await client.post('/products', { title: 'Two', external_ref: 'ref' })), 'external_ref')
  t.is(
    errorFields(await client.post('/stock-adjustments', { items: [{ sku: 'SKU', quantity: -1 }] })),
    'items[0].quantity',
  )
  // A dry run has the same header. Other refusals and successes have none.
  const dry = await client.request('POST', '/products', {
    body: { title: 'Two', sku: 'SKU' },
    headers: { 'dry-run': 'true' },
  })
  t.is(errorFields(dry), 'sku')
  t.is(errorFields(await client.get('/products/1')), null)
  t.is(errorFields(await client.get('/products')), null)
})

test('names of the caller are percent-encoded in the header, and at most ten are named', async t => {
  const client = await service.tenant()
  const odd = await client.post('/customers', { title: 'C', 'größe, 5%': 1, 'plain name': 2 })
  t.is(errorFields(odd), 'gr%C3%B6%C3%9Fe%2C 5%25, plain name')
  t.deepEqual((errorFields(odd) ?? '').split(', ').map(decodeURIComponent), ['größe, 5%', 'plain name'])
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`field_${at}`, 1]))
  t.is((errorFields(await client.post('/customers', many)) ?? '').split(', ').length, 10)
  t.deepEqual(fieldsOf(invalid('a;b"c', 'is; wrong')), ['a;b"c'])
  t.deepEqual(fieldsOf(refuse('conflict', 'sku: is taken')), [])
})

test('a pre-parsed fault names the request', async t => {
  const { createConnection } = await import('node:net')
  const { hostname, port } = new URL(service.url)
  const socket = createConnection({ host: hostname, port: Number(port) })
  socket.write('NONSENSE\r\n\r\n')
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  const answer = Buffer.concat(chunks).toString()
  t.regex(answer, /^HTTP\/1\.1 400 /)
  t.regex(answer, /\r\nError-Fields: request\r\n/)
})

test('refused entries of a bulk show error_fields, others null', async t => {
  const client = await service.tenant()
  const entry = (path: string, body: unknown, method = 'POST') => ({
    method,
    path,
    idempotency_key: randomUUID(),
    body,
  })
  const requests = [
    entry('/customers', { title: 'C' }),
    entry('/customers', { title: '', phone: 5 }),
    entry('/nowhere', {}),
  ]
  const { body } = await client.request('POST', '/bulk', { key: null, body: { requests } })
  t.deepEqual(column(body.results, 'error_fields'), [null, ['title', 'phone'], null])
  const again = [entry('/customers', { title: 'C' }), entry('/customers', { title: '', phone: 5 })]
  const all = await client.request('POST', '/bulk', { key: null, body: { mode: 'all', requests: again } })
  t.deepEqual(columns(all.body.results, 'status', 'error_fields'), [
    [424, null],
    [400, ['title', 'phone']],
  ])
})

test('an empty cursor is refused, and told what an empty next_cursor means', async t => {
  const client = await service.tenant()
  const reply = await client.get('/products?cursor=')
  t.is(reply.status, 400)
  t.is(errorFields(reply), 'cursor')
  t.regex(reply.body.message, /^cursor: must not be empty: an empty next_cursor says that this was the last page/)
})
