/**
 * The guarantees of the client's calls: a write has one effect whatever the network does, a call ends within the caller's time, and
 * programs can read why it was refused.
 */

import {
  ApiError,
  ConnectionError,
  Millrace,
  MillraceError,
  responseOf,
  type SalesOrder,
  TimeoutError,
  writes,
} from '../../client/src/index.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { column, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { faultyProxy } from './faulty-proxy.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()
const tenant = await service.tenant()
const proxy = await faultyProxy(service.url)
test.after.always(() => proxy.close())

const millrace = new Millrace({ baseUrl: `${proxy.url}/`, token: async () => tenant.token })
const thrown = async (call: PromiseLike<unknown>): Promise<unknown> => {
  try {
    return { answered: await call }
  } catch (error) {
    return error
  }
}
const apiError = async (call: PromiseLike<unknown>): Promise<ApiError> => {
  const error = await thrown(call)
  if (error instanceof ApiError) return error
  throw new Error('no ApiError', { cause: error })
}
/** The requests since the last call of this function. */
const seen = () => proxy.seen.splice(0)

test.beforeEach(() => {
  seen()
  proxy.faults.length = 0
})

test('a write whose answers are lost is repeated with its key, and happens once', async t => {
  proxy.faults.push('lose', 'break')
  const supplier = await millrace.suppliers.create({ title: 'Lost and found' })
  const keys = seen().map(({ headers }) => headers['idempotency-key'])
  t.is(keys.length, 3)
  t.is(new Set(keys).size, 1)
  t.is(responseOf(supplier)?.replayed, true)
  t.deepEqual(await millrace.suppliers.list({ q: 'lost found' }).toArray(), [supplier])
  // A second call is a second write, unless the caller gives both the same key.
  const again = await millrace.suppliers.create({ title: 'Lost and found' })
  t.not(again.id, supplier.id)
  const own = { idempotencyKey: 'supplier of order 17' }
  const [first, second] = [
    await millrace.suppliers.create({ title: 'Named' }, own),
    await millrace.suppliers.create({ title: 'Named' }, own),
  ]
  t.is(second.id, first.id)
  t.deepEqual(
    seen()
      .flatMap(({ method, headers }) => (method === 'POST' ? [headers['idempotency-key']] : []))
      .slice(1),
    ['supplier of order 17', 'supplier of order 17'],
  )
})

test('what passes by itself is repeated twice, what was refused is not', async t => {
  for (const status of [408, 429, 500, 503]) {
    proxy.faults.push({ status })
    await millrace.products.list()
    t.is(seen().length, 2)
  }
  proxy.faults.push({ status: 502 }, 'break', { status: 502 })
  const given = await apiError(millrace.products.list())
  t.is(given.status, 502)
  t.is(given.code, 'unexpected_answer')
  t.is(seen().length, 3)
  for (const status of [400, 402, 404, 409, 412, 422]) {
    proxy.faults.push({ status })
    t.is((await apiError(millrace.customers.create({ title: 'Refused' }))).status, status)
    t.is(seen().length, 1)
  }
  proxy.faults.push('break')
  const error = await thrown(millrace.suppliers.create({ title: 'Once' }, { maxRetries: 0, idempotencyKey: 'once' }))
  t.true(
    error instanceof ConnectionError &&
      error.idempotencyKey === 'once' &&
      error.message.startsWith('POST /suppliers: '),
  )
  t.is(seen().length, 1)
})

test('Retry-After is waited for, in seconds and as a date, and an answer that asks for too long is thrown', async t => {
  let until = 0
  const headers = () => {
    until = Date.now() + 1000
    return { 'retry-after': '1' }
  }
  const dateHeaders = () => {
    until = Math.ceil(Date.now() / 1000 + 1) * 1000
    return { 'retry-after': new Date(until).toUTCString() }
  }
  for (const asked of [headers, dateHeaders]) {
    proxy.faults.push({ status: 429, headers: asked })
    await millrace.me()
    // A timer may be a hair early.
    t.true((seen()[1]?.at ?? 0) >= until - 5)
  }
  proxy.faults.push({ status: 429, headers: () => ({ 'retry-after': '3600' }) })
  t.is((await apiError(millrace.me())).retryAfterMs, 3_600_000)
  t.is(seen().length, 1)
})

test('a call ends when its caller says so, and an attempt that takes too long', async t => {
  const controller = new AbortController()
  const reason = new Error('closing time')
  proxy.faults.push({ status: 503, headers: () => ({ 'retry-after': '30' }) })
  const endedWhileItWaits = new Millrace({
    baseUrl: proxy.url,
    token: tenant.token,
    fetch: async (...request) => {
      setTimeout(() => controller.abort(reason), 100)
      return fetch(...request)
    },
  })
  let ended: unknown
  void thrown(endedWhileItWaits.me({ signal: controller.signal })).then(error => {
    ended = error
  })
  await eventually(() => ended !== undefined, { what: 'the end of the call' })
  t.is(ended, reason)
  t.is(await thrown(millrace.me({ signal: controller.signal })), reason)
  seen()
  proxy.faults.push('hang', 'hang')
  const error = await thrown(millrace.customers.create({ title: 'Slow' }, { timeoutMs: 1_000, maxRetries: 1 }))
  t.true(error instanceof TimeoutError && error instanceof MillraceError)
  const [first, second, ...more] = seen()
  t.deepEqual(more, [])
  t.is(second?.headers['idempotency-key'], first?.headers['idempotency-key'])
  t.is((error as TimeoutError).idempotencyKey, first?.headers['idempotency-key'] as string)
})

test('a refusal tells its code, its request and the fields at fault', async t => {
  const error = await apiError(
    millrace.salesOrders.create({
      customer_id: '1',
      // @ts-expect-error: no text is a quantity.
      items: [{ item_variant_id: '1', quantity: 'two' }],
      colour: 'red',
    }),
  )
  t.is(error.status, 400)
  t.is(error.code, 'validation_failed')
  t.regex(error.request_id ?? '', /^req_/)
  t.deepEqual(error.fields.map(({ field }) => field).sort(), ['colour', 'items[0].quantity'])
  t.is((await apiError(millrace.products.get('999999999'))).code, 'not_found')
  t.is((await apiError(new Millrace({ baseUrl: proxy.url, token: 'mrk_no' }).me())).code, 'unauthorized')
  for (const id of ['', '..', 'a/b', '1?x=1'])
    t.true((await thrown((async () => millrace.products.get(id))())) instanceof TypeError)
})

test('the fields of a refusal are exact, whatever texts its message repeats', async t => {
  const odd = 'a; items[0].price: "no"'
  const named = ['note; quantity: 3', 'colour: red', '"quoted"', 'two words', 'semi;', 'é\n;; x']
  const unknown = Object.fromEntries(named.map(name => [name, 1]))
  const { fields } = await apiError(
    millrace.products.create({ title: 'Odd names', ...unknown, type: 'NONE' as 'PRODUCT' }),
  )
  t.deepEqual(column(fields, 'field'), [...named, 'type'])
  t.true(fields.slice(0, -1).every(({ reason }) => reason === 'is not a known field'))
  await millrace.products.create({ title: 'Taken', sku: odd })
  const taken = await apiError(millrace.products.create({ title: 'Takes', sku: odd }))
  t.deepEqual(column(taken.fields, 'field'), ['sku'])
  t.regex(taken.fields[0]?.reason ?? '', /^"a;items\[0\]\.price: "no"" is taken by \d+/)
  const odd_id = (await millrace.products.list({ sku: odd })).data[0]?.variants[0]?.id ?? ''
  const short = await apiError(millrace.stockAdjustments.create({ items: [itemLine(odd_id, -1)] }))
  t.deepEqual(column(short.fields, 'field'), ['items[0].quantity'])
  const service = await millrace.products.create({ title: 'Care; price: free', type: 'SERVICE' })
  const item_variant_id = service.variants[0]?.id ?? ''
  const items = [itemLine(item_variant_id, 1), itemLine('1', 1)]
  const held = await apiError(millrace.stockAdjustments.create({ items }))
  t.deepEqual(column(held.fields, 'field'), ['items[0].item_variant_id', 'items[1].item_variant_id'])
  t.is(held.message, held.fields.map(({ field, reason }) => `${field}: ${reason}`).join('; '))
})

test('a list is read to its end, page by page, or its first page', async t => {
  for (const title of ['Tube A', 'Tube B', 'Tube C', 'Rod', 'Tube D']) await millrace.products.create({ title })
  seen()
  const titles: string[] = []
  const tubes = millrace.products.list({ q: 'tube', limit: 3 })
  t.is(seen().length, 0, 'nothing is asked before it is read')
  for await (const { title } of tubes) titles.push(title)
  t.deepEqual(titles, ['Tube A', 'Tube B', 'Tube C', 'Tube D'])
  t.is(seen().length, 2)
  const page = await tubes
  t.is(page.data.length, 3)
  t.true((responseOf(page)?.event_sequence ?? 0) > 0)
  t.deepEqual(
    (await Array.fromAsync(tubes.pages())).map(({ data }) => data.length),
    [3, 1],
  )
  await t.throwsAsync(millrace.products.list().toArray({ max: 2 }), { instanceOf: RangeError })
  const none: SalesOrder[] = await millrace.salesOrders
    .list({ status: ['OPEN', 'DONE'], delivery_status: 'SHIPPED' })
    .toArray()
  t.deepEqual(none, [])
  t.true(seen().at(-1)?.path.includes('status=OPEN%2CDONE'))
})

test('a record that was read guards a change of it, and shows no sign of it', async t => {
  const made = await millrace.customers.create({ title: 'Old name' })
  const read = await millrace.customers.get(made.id)
  t.deepEqual(Object.keys(read), Object.keys(made))
  const changed = await millrace.customers.update(made.id, { title: 'New name' }, { ifMatch: read })
  t.is(
    (await apiError(millrace.customers.update(made.id, { title: 'Lost update' }, { ifMatch: read }))).code,
    'precondition_failed',
  )
  t.is((await millrace.customers.update(made.id, { title: 'Newest' }, { ifMatch: changed })).title, 'Newest')
  for await (const row of millrace.customers.list({ q: 'newest' }))
    await t.throwsAsync(millrace.customers.update(row.id, {}, { ifMatch: row }), { instanceOf: TypeError })
})

test('a bulk answers each entry as its method would have', async t => {
  const customer = await millrace.customers.create({ title: 'Of the bulk' })
  proxy.faults.push('lose')
  const [product, change, missing, ...rest] = await millrace.bulk([
    writes.products.create({ title: 'Bulk box', sku: 'BULK-BOX' }),
    writes.customers.update(customer.id, { title: 'Changed' }, { ifMatch: customer, idempotencyKey: 'bulk change' }),
    writes.recipes.update('999999999', { materials: [] }),
  ])
  t.deepEqual(rest, [])
  t.true(product.ok && product.replayed && product.body.variants[0]?.sku === 'BULK-BOX')
  t.true(change.ok && change.idempotency_key === 'bulk change' && change.body.title === 'Changed')
  t.true(!missing.ok && missing.error instanceof ApiError && missing.error.code === 'not_found')
  if (change.ok) await millrace.customers.update(customer.id, { title: 'Once more' }, { ifMatch: change.body })
  const all = await millrace.bulk(
    [writes.suppliers.create({ title: 'None' }), writes.suppliers.create({ title: '' })],
    { mode: 'all' },
  )
  t.deepEqual(
    all.map(result => (result.ok ? 'done' : result.error.code)),
    ['not_applied', 'validation_failed'],
  )
})

/** A client whose key is also used by others: before each of its first `times` bulks they take all requests of its rate but `left`. */
async function crowded(
  limits: { readonly ratePerMinute: number; readonly burst: number },
  { left, times }: { readonly left: number; readonly times: number },
) {
  const key = await service.key(tenant.tenantId, limits)
  const sizes: number[] = []
  const millrace = new Millrace({
    baseUrl: service.url,
    token: key.token,
    maxRetryAfterMs: 5_000,
    fetch: async (url, init) => {
      if (String(url).endsWith('/bulk') && sizes.push(JSON.parse(String(init?.body)).requests.length) <= times)
        for (let remaining = limits.burst; remaining > left; )
          remaining = Number((await key.client.get('/me')).headers.get('ratelimit-remaining'))
      return fetch(url, init)
    },
  })
  return { millrace, sizes }
}
const suppliers = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => writes.suppliers.create({ title: `${name} ${n}` }))
const titles = (results: readonly { readonly ok: boolean; readonly body?: { readonly title: string } }[]) =>
  results.map(result => (result.ok ? result.body?.title : 'refused'))

test('a bulk that a busy key does not allow at once is sent in parts, in order, each entry once', async t => {
  const { millrace: busy, sizes } = await crowded({ ratePerMinute: 600, burst: 20 }, { left: 3, times: 6 })
  const results = await busy.bulk(suppliers(14, 'Part'))
  t.deepEqual(
    titles(results),
    Array.from({ length: 14 }, (_, n) => `Part ${n}`),
  )
  t.is((await millrace.suppliers.list({ q: 'part' })).data.length, 14)
  t.true(sizes.length > 2)
  // Without others the bulk is one request.
  const { millrace: alone, sizes: once } = await crowded({ ratePerMinute: 600, burst: 20 }, { left: 0, times: 0 })
  t.is((await alone.bulk(suppliers(20, 'Alone'))).length, 20)
  t.deepEqual(once, [20])
})

test('a bulk of more entries than the key may send at once is sent in parts, unless it is one transaction', async t => {
  const limits = { ratePerMinute: 6_000, burst: 5 }
  const { millrace: small, sizes } = await crowded(limits, { left: 0, times: 0 })
  t.deepEqual(
    titles(await small.bulk(suppliers(12, 'Small'))),
    Array.from({ length: 12 }, (_, n) => `Small ${n}`),
  )
  t.true(sizes.length >= 4 && sizes.slice(1).every(size => size <= 5))
  const refused = await apiError(small.bulk(suppliers(6, 'Whole'), { mode: 'all' }))
  t.regex(refused.message, /^requests: must have at most 5 entries/)
})

test('a bulk that is one transaction waits until the key allows all of it, or says that it waited in vain', async t => {
  const limits = { ratePerMinute: 600, burst: 10 }
  const { millrace: busy, sizes } = await crowded(limits, { left: 0, times: 3 })
  t.is((await busy.bulk(suppliers(8, 'Together'), { mode: 'all' })).length, 8)
  t.true(sizes.every(size => size === 8))
  const { millrace: never } = await crowded(limits, { left: 0, times: 100 })
  const error = await apiError(never.bulk(suppliers(8, 'Never'), { mode: 'all' }))
  t.is(error.code, 'rate_limited')
  const { millrace: hasty } = await crowded(limits, { left: 0, times: 1 })
  t.is((await apiError(hasty.bulk(suppliers(8, 'Hasty'), { maxRetries: 0 }))).code, 'rate_limited')
  t.deepEqual(await millrace.suppliers.list({ q: 'never' }).toArray(), [])
})
