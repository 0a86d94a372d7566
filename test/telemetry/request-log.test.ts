/** What a web process logs of each request: who sent it, what it was, how it ended and why, and no text of the caller. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { revokeKey } from '../../lib/access/keys.ts'
import { invalid, refuse } from '../../lib/kit/api/errors.ts'
import { faultyField, fieldNames } from '../../lib/kit/api/field-names.ts'
import { endpoints } from '../../lib/nouns.ts'
import { createLog, withoutSecrets } from '../../lib/platform/telemetry/log.ts'
import { startWeb } from '../../server/web.ts'
import type { Loose } from '../support/command-context.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testConfig } from '../support/pipeline.ts'
import { temporaryFolder } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

test('a log line says whose request it was, how it ended and why; nothing that the caller wrote is in it', async t => {
  // The worker of this service runs the commands. The requests go to another server, whose log is read.
  const file = join(await temporaryFolder(), 'log')
  const web = await startWeb(testConfig(service), createLog({ level: 'info', processName: 'web', file }), {})
  const lines = async () => (await readFile(file, 'utf8')).split('\n')
  const { tenantId, keyId, token } = await service.tenant()
  const narrow = await service.key(tenantId, { scopes: ['read:stock'] })
  const revoked = await service.key(tenantId)
  await revokeKey(service.pool, revoked.keyId)

  const send = async (method: string, path: string, options: { token?: string; key?: string; body?: unknown } = {}) => {
    const answer = await fetch(`${web.url}/api/external/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${options.token ?? token}`,
        'content-type': 'application/json',
        ...(options.key === undefined ? {} : { 'idempotency-key': options.key }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    await answer.arrayBuffer()
    const id = answer.headers.get('x-request-id')
    const line = await eventually(async () => (await lines()).slice(0, -1).find(one => one.includes(`"${id}"`)))
    const { level, time, process, request_id, ms, msg, ...rest }: Loose = JSON.parse(line)
    t.deepEqual(
      [level, msg, request_id, typeof time, typeof process, typeof ms],
      ['info', 'request', id, 'string', 'string', 'number'],
    )
    return rest
  }
  const whose = { tenant_id: tenantId, key_id: keyId }
  const products = { ...whose, method: 'POST', route: '/products' }
  const refused = { status: 400, error: 'validation_failed' }

  t.deepEqual(await send('GET', '/products?sku=sk_live_private'), {
    ...whose,
    method: 'GET',
    route: '/products',
    status: 200,
  })
  const body = { title: 'Private title' }
  const entry = { method: 'POST', path: '/suppliers', idempotency_key: 'private-key-of-an-entry', body }
  const bulk = { mode: 'each', requests: [entry, { ...entry, path: '/private', idempotency_key: 'other' }] }
  t.deepEqual(await send('POST', '/bulk', { body: bulk }), {
    ...whose,
    method: 'POST',
    route: '/bulk',
    status: 200,
    mode: 'each',
    entries: 2,
    refused: 1,
  })
  t.deepEqual(await send('POST', '/products', { key: 'private-key', body }), { ...products, status: 201 })
  t.deepEqual(await send('POST', '/products', { key: 'private-key', body }), {
    ...products,
    status: 200,
    replayed: true,
  })
  t.deepEqual(await send('POST', '/products', { key: 'private-key', body: { title: 'Private' } }), {
    ...products,
    status: 409,
    error: 'conflict',
  })
  t.deepEqual(await send('POST', '/products', { body }), { ...products, ...refused, field: 'Idempotency-Key' })
  t.deepEqual(await send('POST', '/products', { key: 'k', body: { ...body, variants: [{ price: 'private' }] } }), {
    ...products,
    ...refused,
    field: 'variants[].price',
  })
  t.deepEqual(await send('POST', '/products', { key: 'k', body: { ...body, 'private@person.example': 1 } }), {
    ...products,
    ...refused,
    field: '?.?',
  })
  t.deepEqual(await send('GET', '/products?mrk_private=1'), {
    ...whose,
    method: 'GET',
    route: '/products',
    ...refused,
    field: '?',
  })
  t.deepEqual(await send('GET', '/products/7'), {
    ...whose,
    method: 'GET',
    route: '/products/{id}',
    status: 404,
    error: 'not_found',
  })
  t.deepEqual(await send('GET', '/products', { token: narrow.token }), {
    tenant_id: tenantId,
    key_id: narrow.keyId,
    method: 'GET',
    route: '/products',
    status: 403,
    error: 'forbidden',
  })
  t.deepEqual(await send('GET', '/products', { token: revoked.token }), {
    tenant_id: tenantId,
    key_id: revoked.keyId,
    method: 'GET',
    route: '/products',
    status: 401,
    error: 'unauthorized',
  })
  t.deepEqual(await send('GET', '/products', { token: 'private' }), {
    method: 'GET',
    route: '/products',
    status: 401,
    error: 'unauthorized',
  })
  t.deepEqual(await send('GET', '/private'), { method: 'GET', route: 'other', status: 404, error: 'not_found' })

  await web.close()
  const all = await lines()
  t.notRegex(all.join('\n'), /private|mrk_/i)
  t.false(all.some(line => [token, narrow.token, revoked.token].some(secret => line.includes(secret))))
})

test('of a message only names that the endpoints declare are shown, without indexes', t => {
  const names = fieldNames(endpoints)
  const field = (name: string, reason = 'is wrong') => faultyField(invalid(name, reason), names)
  t.is(field('items[0].quantity'), 'items[].quantity')
  t.is(field('variants[12].attributes.Jane Doe'), 'variants[].attributes.?')
  t.is(field('customer.title', 'must have 1 to 255 characters; notes: is private'), 'customer.title')
  t.is(field('windowEnd'), 'windowEnd')
  t.is(field('cursor'), 'cursor')
  t.is(field('secret'), '?')
  t.is(field('title[secret]'), '?')
  t.is(field('title: secret'), '?')
  t.is(field('constructor'), '?')
  t.is(field('x'.repeat(1_000_000)), '?')
  t.is(faultyField(refuse('validation_failed', 'no field at all'), names), undefined)
  t.is(faultyField(refuse('insufficient_stock', 'title: 3 needed'), names), undefined)
})

test('fields whose name says that they are secret never get into a line, nor within an object', t => {
  const error = new Error('of its own')
  const fields = {
    tenant_id: '1',
    token: 'a',
    password: null,
    headers: { authorization: 'b', secret: 'c', host: 'd' },
    err: error,
  }
  t.deepEqual(withoutSecrets(fields), { tenant_id: '1', headers: { host: 'd' }, err: error })
})
