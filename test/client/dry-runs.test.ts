/** The guarantees of the client's dry runs: nothing is written, and the caller gets an error if a service writes in spite of that. */
import { ApiError, Millrace, RealWriteError, responseOf, writes } from '../../client/src/index.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

/** A service of an older version without dry runs, behind a proxy that adds these headers. */
const older =
  (added: Readonly<Record<string, string>>): typeof fetch =>
  (url, init) => {
    const headers = new Headers(init?.headers)
    headers.delete('dry-run')
    for (const [name, value] of Object.entries(added)) headers.set(name, value)
    return fetch(url, { ...init, headers })
  }

const dry = { dryRun: true } as const

test('a write is run dry: it answers the record, without an ETag, and nothing is there', async t => {
  const { url, token } = await service.tenant()
  const millrace = new Millrace({ baseUrl: url, token })
  const supplier = await millrace.suppliers.create({ title: 'Nobody' }, { ...dry, idempotencyKey: 'once' })
  t.is(supplier.title, 'Nobody')
  t.is(responseOf(supplier)?.etag, null)
  t.deepEqual(await millrace.suppliers.list().toArray(), [])
  const real = await millrace.suppliers.create({ title: 'Somebody' }, { idempotencyKey: 'once' })
  const changed = await millrace.suppliers.update(real.id, { title: 'Else' }, { ...dry, ifMatch: real })
  t.is(changed.title, 'Else')
  t.deepEqual(await millrace.suppliers.get(real.id), real)
  const error = await t.throwsAsync(millrace.suppliers.update('1', { title: 'Else' }, dry), { instanceOf: ApiError })
  t.is(error?.code, 'not_found')
})

test('a bulk in one transaction is run dry, each result typed by its entry', async t => {
  const { url, token } = await service.tenant()
  const millrace = new Millrace({ baseUrl: url, token })
  const entry = writes.suppliers.create({ title: 'Nobody' }, { idempotencyKey: 'entry' })
  const entries = [entry, writes.products.create({ title: 'Nothing' })] as const
  const [supplier, product] = await millrace.bulk(entries, { mode: 'all', ...dry })
  t.true(supplier.ok && supplier.body.title === 'Nobody' && supplier.idempotency_key === 'entry')
  t.true(product.ok && product.body.variants.length === 1)
  t.deepEqual(await millrace.suppliers.list().toArray(), [])
  const each = await t.throwsAsync(millrace.bulk(entries, dry), { instanceOf: ApiError })
  t.regex(each?.message ?? '', /^Dry-Run: /)
})

test('a service that knows no dry runs refuses, since no key is sent; where it writes all the same, that is thrown', async t => {
  const { url, token } = await service.tenant()
  const entry = writes.suppliers.create({ title: 'Written' })
  const refused = new Millrace({ baseUrl: url, token, fetch: older({}) })
  const first = await t.throwsAsync(refused.suppliers.create({ title: 'Written' }, dry), { instanceOf: ApiError })
  t.is(first?.message, 'Idempotency-Key: is required')
  const second = await t.throwsAsync(refused.bulk([entry], { mode: 'all', ...dry }), { instanceOf: ApiError })
  t.is(second?.message, 'requests[0].idempotency_key: is required')
  t.deepEqual(await refused.suppliers.list().toArray(), [])

  const written = new Millrace({ baseUrl: url, token, fetch: older({ 'idempotency-key': 'of a proxy' }) })
  const third = await t.throwsAsync(written.suppliers.create({ title: 'Written' }, dry), { instanceOf: RealWriteError })
  t.is(third?.message, 'POST /suppliers: the service does not know dry runs, so this was a real write')
  t.regex(third?.request_id ?? '', /^req_/)
  t.is((await written.suppliers.list().toArray()).length, 1)
})
