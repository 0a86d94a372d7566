/**
 * What every endpoint refuses by its declaration alone, over real HTTP: keys, methods, bodies, headers, parameters, ids. None of these
 * requests may change a record.
 */
import { gzipSync } from 'node:zlib'
import type { ExecutionContext } from 'ava'
import { bytesInWords } from '../../lib/kit/api/body-limit.ts'
import { bodyOf, type Endpoint } from '../../lib/kit/api/endpoint.ts'
import { type ErrorCode, meaningOf } from '../../lib/kit/api/errors.ts'
import { jsonSchemaOf, plainJson } from '../../lib/kit/api/json-schema.ts'
import { endpoints, scopes } from '../../lib/nouns.ts'
import { Slots } from '../../lib/platform/limits/slots.ts'
import { serviceOfFile } from '../support/of-file.ts'
import type { Reply, RequestOptions } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { isByRef, searchOf } from './world.ts'

const declared = testsOf(import.meta)

/** A few at a time: a thousand together would keep this process, which is also the server, from answering in time. */
const fewAtOnce = new Slots({ size: 24 })
const test = (title: string, run: (t: ExecutionContext) => Promise<void>) =>
  declared(title, t => fewAtOnce.in(() => run(t)))

const ABSENT_ID = '4611686018427387904'
const MALFORMED_IDS = ['abc', '1.5', '01', '9223372036854775808', '-9223372036854775809', '1%200', '%00']
const MALFORMED_REFERENCES = ['%00', '%20', '%zz', 'x'.repeat(256)]

const service = await serviceOfFile({ env: { TRUST_PROXY: 'true' } })
const tenant = await service.tenant()
const pathWith = (endpoint: Endpoint, id: string) => endpoint.path.replaceAll(/\{\w+\}/g, id)
const send = (endpoint: Endpoint, options: RequestOptions = {}, search = '') =>
  tenant.request(endpoint.method, `${pathWith(endpoint, ABSENT_ID)}${search}`, options)

/**
 * One endpoint of each method and kind is tested with all faults that one piece of code handles for all endpoints, such as broken JSON. The
 * others are tested with one fault of each group, which shows that the same code reads them.
 */
const thorough = new Set(
  [...Map.groupBy(endpoints, ({ method, kind }) => `${method} ${kind}`).values()].map(([first]) => first),
)
const some = <T>(endpoint: Endpoint, wrongs: readonly T[]): readonly T[] =>
  thorough.has(endpoint) ? wrongs : wrongs.slice(0, 1)

const exampleOf = (endpoint: Endpoint) => ('example' in endpoint ? endpoint.example : undefined)
/** The query parameters that the endpoint requires, to follow another parameter. */
const asked = (endpoint: Endpoint) => searchOf(endpoint).replace('?', '&')

/** Checks the exact error shape and what the message must say. */
function refused(t: ExecutionContext, reply: Reply, code: ErrorCode, message: RegExp | string = /\S/): void {
  t.is(reply.status, meaningOf(code).status, reply.text)
  t.is(reply.body.error, code)
  t.deepEqual(Object.keys(reply.body), ['error', 'message', 'request_id'])
  for (const value of Object.values(reply.body)) t.is(typeof value, 'string')
  t.regex(reply.body.request_id, /^req_\w+$/)
  t.is(reply.headers.get('x-request-id'), reply.body.request_id)
  t.regex(reply.headers.get('content-type') ?? '', /^application\/json\b/)
  if (typeof message === 'string') t.true(reply.body.message.startsWith(message), reply.text)
  else t.regex(reply.body.message, message)
}

const tokens = new Map<string, Promise<string>>()
/** The token of a key that has all scopes but this one. */
function tokenWithout(scope: string): Promise<string> {
  const others = { scopes: scopes.filter(other => other !== scope) }
  const token = tokens.get(scope) ?? service.key(tenant.tenantId, others).then(key => key.token)
  tokens.set(scope, token)
  return token
}

for (const [path, own] of Map.groupBy(endpoints, endpoint => endpoint.path)) {
  test(`${path} is 405 with Allow for methods other than its own, key or not`, async t => {
    const declared: string[] = own.map(({ method }) => method)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(method => !declared.includes(method))) {
      const reply = await tenant.request(method, path.replaceAll(/\{\w+\}/g, ABSENT_ID), { token: null })
      refused(t, reply, 'method_not_allowed')
      const allowed = reply.headers.get('allow')?.split(', ') ?? []
      t.deepEqual(allowed.filter(method => method !== 'HEAD').sort(), [...declared].sort())
    }
  })
}

for (const [n, endpoint] of endpoints.entries()) {
  const name = `${endpoint.method} ${endpoint.path}`
  const example = () => (bodyOf(endpoint) ? { body: plainJson(exampleOf(endpoint)) } : {})
  // Each endpoint fails from an address of its own, since more than 100 failures a minute from one address are answered with 429.
  const from = { 'x-forwarded-for': `192.0.2.${n % 250}` }

  test(`${name} is 401 without a key, with a malformed one and with an unknown one`, async t => {
    refused(t, await send(endpoint, { token: null, headers: from, ...example() }), 'unauthorized', /Authorization/)
    for (const token of some(endpoint, [`mrk_${'0'.repeat(38)}`, 'mrk_tooshort']))
      refused(t, await send(endpoint, { token, headers: from, ...example() }), 'unauthorized')
    if (!thorough.has(endpoint)) return
    const basic = { ...from, authorization: `Basic ${tenant.token}` }
    refused(t, await send(endpoint, { token: null, headers: basic, ...example() }), 'unauthorized')
  })

  const { scope } = endpoint
  if (scope === null)
    test(`${name} is served to a key without any scope`, async t => {
      const { token } = await service.key(tenant.tenantId, { scopes: [] })
      t.is((await send(endpoint, { token, ...example() })).status, 200)
    })
  else
    test(`${name} is 403 for a key without ${scope}, and names the scope`, async t => {
      const token = await tokenWithout(scope)
      // The scope is checked before the body is read, so a broken body makes no difference.
      const reply = await send(endpoint, { token, ...(endpoint.kind === 'command' ? { rawBody: '{', key: null } : {}) })
      refused(t, reply, 'forbidden')
      t.true(reply.body.message.includes(scope), reply.text)
    })

  test(`${name} refuses unknown, repeated and empty query parameters by name`, async t => {
    const known = endpoint.kind === 'list' ? 'limit=5' : 'x=5'
    const refusedQueries =
      endpoint.kind === 'command' || endpoint.kind === 'bulk'
        ? ['?no_such=1']
        : ['?no_such=1', `?${known}&${known}`, '?x=', '?x']
    for (const search of some(endpoint, refusedQueries)) {
      const field = /\w+/.exec(search)?.[0] ?? ''
      refused(t, await send(endpoint, example(), `${search}${asked(endpoint)}`), 'validation_failed', `${field}: `)
    }
  })

  if (endpoint.path.includes('{')) {
    test(`${name} is 404 for an id that is none, key or not, and for an absent one`, async t => {
      for (const id of some(endpoint, isByRef(endpoint) ? MALFORMED_REFERENCES : MALFORMED_IDS))
        refused(t, await tenant.request(endpoint.method, pathWith(endpoint, id), { token: null }), 'not_found')
      // A PUT makes a record that does not exist.
      if (!('mayMake' in endpoint)) refused(t, await send(endpoint, example(), searchOf(endpoint)), 'not_found')
    })
  }

  if (endpoint.kind === 'list') {
    test(`${name} refuses limits beyond 1 to 200 and cursors that it did not make`, async t => {
      for (const limit of some(endpoint, ['201', '0', '-1', 'x', '1.5', '1e2', '%2B5']))
        refused(t, await send(endpoint, {}, `?limit=${limit}${asked(endpoint)}`), 'validation_failed', 'limit: ')
      const garbage = [Buffer.from(`1.${'A'.repeat(16)}`).toString('base64url'), 'x', 'MTA0Mg', 'a'.repeat(2_000)]
      for (const cursor of some(endpoint, garbage))
        refused(t, await send(endpoint, {}, `?cursor=${cursor}${asked(endpoint)}`), 'validation_failed', 'cursor: ')
      if (thorough.has(endpoint))
        refused(t, await send(endpoint, {}, `?cursor=${asked(endpoint)}`), 'validation_failed', 'cursor: ')
    })
  }

  if (endpoint.kind === 'command') {
    test(`${name} needs an Idempotency-Key of 1 to 200 characters`, async t => {
      for (const key of some(endpoint, [null, '', ' ', 'k'.repeat(201)]))
        refused(t, await send(endpoint, { key, ...example() }), 'validation_failed', 'Idempotency-Key: ')
    })
  }
  const body = bodyOf(endpoint)
  if (body) testBody(name, endpoint, body)
}

function testBody(
  name: string,
  endpoint: Endpoint,
  { schema, bytesMax }: NonNullable<ReturnType<typeof bodyOf>>,
): void {
  const sendRaw = (rawBody: string | Uint8Array, headers: Record<string, string> = {}) =>
    send(endpoint, { rawBody, headers })

  test(`${name} takes only application/json`, async t => {
    const body = JSON.stringify(plainJson(exampleOf(endpoint)))
    for (const type of some(endpoint, [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ]))
      refused(t, await sendRaw(body, { 'content-type': type }), 'unsupported_media_type', 'Content-Type: ')
    if (!thorough.has(endpoint)) return
    // No content type at all: fetch sets none for bytes.
    const bare = await fetch(`${service.url}/api/external/v1${pathWith(endpoint, ABSENT_ID)}`, {
      method: endpoint.method,
      headers: { authorization: `Bearer ${tenant.token}`, 'idempotency-key': 'bare' },
      body: new TextEncoder().encode(body),
    })
    t.is(bare.status, 415)
    await bare.text()
  })

  test(`${name} takes only one UTF-8 JSON object without duplicate keys`, async t => {
    for (const broken of some(endpoint, [
      '{',
      '',
      ' ',
      '{"a":1,}',
      '{} {}',
      "{'a':1}",
      '{"a":01}',
      '{"a":NaN}',
      '\u{feff}{}',
    ]))
      refused(t, await sendRaw(broken), 'validation_failed', 'body: ')
    for (const other of some(endpoint, ['[]', '[{}]', '"text"', '1', 'null', 'true']))
      refused(t, await sendRaw(other), 'validation_failed', 'body: must be a JSON object')
    refused(t, await sendRaw('{"same":1,"same":1}'), 'validation_failed', 'same: ')
    if (!thorough.has(endpoint)) return
    refused(t, await sendRaw('{"a":{"same":1,"\\u0073ame":1}}'), 'validation_failed', 'a.same: ')
    refused(t, await sendRaw(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)), 'validation_failed', 'body: ')
    refused(t, await sendRaw(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`), 'validation_failed', 'body: ')
  })

  test(`${name} refuses unknown fields and U+0000 by name`, async t => {
    const example = plainJson(exampleOf(endpoint)) as Record<string, unknown>
    for (const field of some(endpoint, ['no_such_field', '__proto__', 'constructor', 'toString']))
      refused(
        t,
        await sendRaw(JSON.stringify({ ...example, ['no_such']: 1 }).replace('no_such', field)),
        'validation_failed',
        `${field}: `,
      )
    const { properties = {} } = jsonSchemaOf(schema, 'request')
    const texts = Object.entries(properties).filter(([, { type, enum: values, format, pattern }]) => {
      return [type].flat().includes('string') && !values && !format && !pattern
    })
    for (const [field] of texts) {
      const reply = await sendRaw(JSON.stringify({ ...example, [field]: 'a\u0000b' }))
      refused(t, reply, 'validation_failed', `${field}: `)
    }
  })

  const text = JSON.stringify({ ...(plainJson(exampleOf(endpoint)) as object), no_such_field: 1 })
  const padded = (bytes: number) => text.padEnd(bytes, ' ')

  test(`${name} refuses a body larger than ${bytesInWords(bytesMax)}`, async t => {
    if (thorough.has(endpoint)) refused(t, await sendRaw(padded(bytesMax)), 'validation_failed', 'no_such_field: ')
    refused(t, await sendRaw(padded(bytesMax + 1)), 'payload_too_large', `body: must have at most ${bytesMax} bytes`)
  })

  // All endpoints read their bodies the same way, except for the limit.
  if (endpoint.method !== 'PATCH' && endpoint.path !== '/bulk') return
  test(`${name} refuses a larger body packed or streamed too`, async t => {
    const packed = (bytes: number) => sendRaw(gzipSync(padded(bytes)), { 'content-encoding': 'gzip' })
    refused(t, await packed(bytesMax), 'validation_failed', 'no_such_field: ')
    refused(t, await packed(bytesMax + 1), 'payload_too_large')
    const streamed = await fetch(`${service.url}/api/external/v1${pathWith(endpoint, ABSENT_ID)}`, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${tenant.token}`,
        ...(endpoint.kind === 'bulk' ? {} : { 'idempotency-key': 'streamed' }),
        'content-type': 'application/json',
      },
      body: new Blob([padded(bytesMax + 1)]).stream(),
      duplex: 'half',
    } as RequestInit)
    t.is(streamed.status, 413)
    await streamed.text()
  })
}

test('an unknown path is 404, key or not, below and beside the prefix', async t => {
  for (const path of ['/nothing-here', '/products/1/nothing', '/Products', '/products/'])
    refused(t, await tenant.request('GET', path, { token: null }), 'not_found')
  const words = async (path: string) => (await tenant.request('GET', path)).body.message
  t.is(await words('/nothing-here'), 'no such path')
  t.is(await words('/products/latest'), 'no such path: "latest" is no id (an int64)')
  t.is(await words('/sales-orders/SO-00001/shipments'), 'no such path: "SO-00001" is no id (an int64)')
  t.is(await words('/api/external/v1/products'), 'no such path: /api/external/v1 stands in it twice')
  const beside = await fetch(`${service.url}/nothing-here`)
  t.is(beside.status, 404)
  t.deepEqual(Object.keys((await beside.json()) as object), ['error', 'message', 'request_id'])
})
