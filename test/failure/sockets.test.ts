/** Slow, broken and huge requests on the socket: each is ended in time, and the others are served meanwhile. */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { registry } from '../../lib/platform/telemetry/metrics.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

const services = await testServices()
const service = await startService(services)
const { hostname, port } = new URL(service.url)
const [caller, reader, slow] = [
  await service.tenant(),
  await service.tenant({ key: { scopes: ['read:catalog', 'read:stock'] } }),
  await service.tenant({ key: { burst: 1, ratePerMinute: 1 } }),
]
await slow.get('/me')
test.after.always(async () => {
  await service.close()
  await services.close()
})

/** A raw connection, the text that came back on it, and whether it has ended. */
function open(to = { hostname, port }): { socket: Socket; received: () => string; ended: () => boolean } {
  let text = ''
  let over = false
  const socket = connect(Number(to.port), to.hostname)
  socket.on('data', chunk => {
    text += chunk.toString('latin1')
  })
  socket.on('close', () => {
    over = true
  })
  socket.on('error', () => {})
  return { socket, received: () => text, ended: () => over }
}

/** The text of a request that makes a storage place. */
function placeOf(token: string, title: string): string {
  const body = JSON.stringify({ title })
  return `POST /api/external/v1/storage-places HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nIdempotency-Key: ${title}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

test('bytes that are no HTTP get a JSON error and the end of the connection', async t => {
  const { socket, received, ended } = open()
  socket.write('NONSENSE\r\n\r\n')
  await eventually(ended)
  t.regex(received(), /^HTTP\/1\.1 400 /)
  const body = JSON.parse(received().split('\r\n\r\n')[1] ?? '') as Record<string, string>
  t.deepEqual(Object.keys(body), ['error', 'message', 'request_id'])
  t.true(received().includes(`X-Request-Id: ${body['request_id']}`))
})

test('headers without end are cut off', async t => {
  const { socket, received, ended } = open()
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(200_000)}`)
  await eventually(ended)
  t.regex(received(), /^HTTP\/1\.1 (?:400|431) /)
})

test('a connection that sends nothing, or headers without end, is over soon after the ten seconds for headers', async t => {
  const [silent, slow] = [open(), open()]
  slow.socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  // Both connections end sooner than the default interval of Node's own check.
  await eventually(() => silent.ended() && slow.ended())
  t.regex(slow.received(), /^HTTP\/1\.1 408 /)
  t.is(silent.received(), '', 'words would be taken for the answer to a request that was sent meanwhile')
})

test('what follows a request that did not arrive in time is not run', async t => {
  const client = await service.tenant()
  const { socket, received, ended } = open()
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  await eventually(() => received().startsWith('HTTP/1.1 408 '))
  socket.write(`a\r\n\r\n${placeOf(client.token, 'too late')}`)
  await eventually(ended)
  t.is((received().match(/HTTP\/1\.1 /g) ?? []).length, 1)
  t.deepEqual((await client.get('/storage-places')).body.data, [])
})

test('a request before bytes that are no HTTP is run, and gets its own answer', async t => {
  const client = await service.tenant()
  const { socket, received, ended } = open()
  socket.write(`${placeOf(client.token, 'first')}NONSENSE\r\n\r\n`)
  await eventually(ended)
  t.regex(received(), /^HTTP\/1\.1 201 /)
  t.is((received().match(/HTTP\/1\.1 /g) ?? []).length, 1)
})

test('a body larger than it may be is refused before it has arrived', async t => {
  const client = await service.tenant()
  const { socket, received } = open()
  socket.write(
    `POST /api/external/v1/storage-places HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: 104857600\r\n\r\n{`,
  )
  await eventually(() => received().includes('payload_too_large'))
  socket.destroy()
  t.regex(received(), /^HTTP\/1\.1 413 /)
})

test('a hundred requests that never end do not keep the others waiting', async t => {
  const [client, calm] = [await service.tenant(), await service.tenant()]
  // Beside a tenant with few requests, one with many may run only some at a time. Requests that never end must not count among them.
  t.is((await calm.post('/storage-places', { title: 'calm' })).status, 201)
  const slow = Array.from({ length: 100 }, () => open())
  for (const { socket } of slow) {
    socket.write(
      `POST /api/external/v1/storage-places HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\nIdempotency-Key: slow\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"ti`,
    )
  }
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) => client.post('/storage-places', { title: `quick ${n}` })),
  )
  t.true(replies.every(reply => reply.status === 201))
  t.true(slow.every(({ ended }) => !ended()))
  for (const { socket } of slow) socket.destroy()
})

test('who hangs up before the body was read is no fault of the service', async t => {
  const client = await service.tenant()
  const answered = async (status: RegExp) =>
    (await registry.metrics())
      .split('\n')
      .filter(line => line.startsWith('millrace_http_request_duration_seconds_count') && status.test(line))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  const [faults, refusals] = [await answered(/status="500"/), await answered(/status="400"/)]
  for (let n = 0; n < 60; n++) {
    const { socket } = open()
    socket.write(
      `POST /api/external/v1/storage-places HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\nIdempotency-Key: gone-${n}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n`,
      () => socket.resetAndDestroy(),
    )
  }
  await eventually(async () => (await answered(/status="400"/)) >= refusals + 30, { what: 'half of them' })
  t.is(await answered(/status="500"/), faults)
})

test('callers that hang up in the middle of their body or before the answer harm nobody', async t => {
  const client = await service.tenant()
  for (let n = 0; n < 50; n++) {
    const { socket } = open()
    const body = JSON.stringify({ title: `hung up ${n}` })
    const cut = n % 2 === 0 ? body.slice(0, 5) : body
    socket.write(
      `POST /api/external/v1/storage-places HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\nIdempotency-Key: hang-${n}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${cut}`,
      () => socket.destroy(),
    )
  }
  t.is((await client.post('/storage-places', { title: 'after' })).status, 201)
  // A caller that repeats a request with the same key finds one place, whether the first request ran or not.
  for (let n = 1; n < 50; n += 2) {
    const reply = await client.post('/storage-places', { title: `hung up ${n}` }, `hang-${n}`)
    t.is(reply.status, 201)
  }
  const places = (await client.get('/storage-places?limit=200')).body.data as { title: string }[]
  t.is(places.length, new Set(places.map(place => place.title)).size)
})

test('many requests on one connection, some refused with an unread body, are answered in order', async t => {
  const client = await service.tenant()
  const { socket, received } = open()
  const big = 'x'.repeat(300_000)
  socket.write(
    `POST /api/external/v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${big.length}\r\n\r\n${big}` +
      `GET /api/external/v1/storage-places HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\n\r\n`,
  )
  await eventually(() => (received().match(/HTTP\/1\.1 /g) ?? []).length === 2)
  socket.destroy()
  t.regex(received(), /^HTTP\/1\.1 404 [\s\S]*HTTP\/1\.1 200 /)
})

/** A body as it goes over the wire, with the headers that describe it. */
type Wire = { readonly headers: string; readonly bytes: Buffer }

const plain = (bytes: Buffer): Wire => ({ headers: `Content-Length: ${bytes.length}\r\n`, bytes })
const coded = (coding: string, bytes: Buffer): Wire => ({
  headers: `Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n`,
  bytes,
})
function chunked(bytes: Buffer): Wire {
  const chunks = Array.from({ length: Math.ceil(bytes.length / 10_000) }, (_, n) => {
    const chunk = bytes.subarray(n * 10_000, (n + 1) * 10_000)
    return Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')])
  })
  return { headers: 'Transfer-Encoding: chunked\r\n', bytes: Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]) }
}

const small = Buffer.from('{"title":')
// Longer than the body of a write may be, and than that of a bulk. Their ends cannot be compressed much, so that many bytes are left when
// the limit is reached.
const [large, bulky] = [1, 4].map(MiB =>
  Buffer.concat([Buffer.alloc((MiB + 0.1) * 1024 * 1024, ' '), randomBytes(300_000)]),
) as [Buffer, Buffer]
const wires: Readonly<Record<string, Wire>> = {
  'a short one': plain(small),
  'a long one': plain(large),
  'a short one in chunks': chunked(small),
  'a long one in chunks': chunked(large),
  'a short one in gzip': coded('gzip', gzipSync(small)),
  'a long one in gzip': coded('gzip', gzipSync(bulky)),
  'a long one in deflate': coded('deflate', deflateSync(bulky)),
  'a long one in br': coded('br', brotliCompressSync(bulky)),
  'one that is not in its coding': coded('gzip', bulky.subarray(-300_000)),
}

const API = '/api/external/v1'
const JSON_BODY = 'Content-Type: application/json\r\nIdempotency-Key: k\r\n'
const by = ({ token }: { readonly token: string }) => `Authorization: Bearer ${token}\r\n`

/** Requests that are answered without their body, or before its end: their line and headers. */
const unread: Readonly<Record<string, readonly [line: string, headers: string, status: RegExp]>> = {
  'no key': [`POST ${API}/storage-places`, JSON_BODY, /401/],
  'a key without the scope': [`POST ${API}/products`, JSON_BODY + by(reader), /403/],
  'an unknown path': [`POST ${API}/nothing`, JSON_BODY, /404/],
  'another method': [`DELETE ${API}/products`, JSON_BODY, /405/],
  'too many requests': [`POST ${API}/storage-places`, JSON_BODY + by(slow), /429/],
  'another media type': [`POST ${API}/storage-places`, `Content-Type: text/plain\r\n${by(caller)}`, /415/],
  'a strange Dry-Run': [`POST ${API}/storage-places`, `${JSON_BODY}Dry-Run: maybe\r\n${by(caller)}`, /400/],
  'what is no JSON or too long': [`POST ${API}/storage-places`, JSON_BODY + by(caller), /400|413/],
  'a bulk that is no JSON or too long': [
    `POST ${API}/bulk`,
    `Content-Type: application/json\r\n${by(caller)}`,
    /400|413/,
  ],
  'a DELETE with a body': [`DELETE ${API}/webhook-subscriptions/4611686018427387904`, JSON_BODY + by(caller), /404/],
  'a read with a body': [`GET ${API}/products`, by(caller), /200/],
  'a revocation with a body': [`POST ${API}/api-keys/4611686018427387904/revoke`, by(caller), /404/],
  'the portal': ['POST /portal', '', /405/],
  'the reference page': ['GET /docs', '', /200/],
  health: ['POST /livez', '', /405/],
}

for (const [what, [line, headers, status]] of Object.entries(unread)) {
  test(`after the answer to ${what} a connection goes on or ends, whatever the body`, async t => {
    const next = `GET /livez HTTP/1.1\r\nHost: x\r\nX-Next: 1\r\n\r\n`
    for (const [name, wire] of Object.entries(wires)) {
      const { socket, received, ended } = open()
      socket.write(
        Buffer.concat([
          Buffer.from(`${line} HTTP/1.1\r\nHost: x\r\n${headers}${wire.headers}\r\n`),
          wire.bytes,
          Buffer.from(next),
        ]),
      )
      const answers = () => received().match(/HTTP\/1\.1 \d+/g) ?? []
      await eventually(() => answers().length === 2 || ended(), { what: name })
      socket.destroy()
      const [first, second] = answers()
      t.regex(first ?? '', status, name)
      if (second === undefined) t.regex(received(), /\r\nConnection: close\r\n/, name)
      else t.is(second, 'HTTP/1.1 200', name)
    }
  })
}

for (const [what, header] of Object.entries({
  'without end': 'Transfer-Encoding: chunked',
  'of a gigabyte': 'Content-Length: 1073741824',
})) {
  test(`of a refused body ${what} little is read after the answer, which says that the connection ends`, async t => {
    const { socket, received, ended } = open()
    socket.write(`POST ${API}/nothing HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`)
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
    let sent = 0
    const send = () => {
      do sent += chunk.length
      while (!ended() && socket.write(chunk))
    }
    socket.on('drain', send)
    send()
    await eventually(ended)
    t.regex(received(), /^HTTP\/1\.1 404 [\s\S]*\r\nConnection: close\r\n[\s\S]*request_id/)
    // The kernel takes as many bytes more as its buffers hold.
    t.true(sent < 64 * 1024 * 1024, String(sent))
  })
}

test('a request without Host and one with a strange Expect are answered in the error shape', async t => {
  for (const head of ['GET /nothing HTTP/1.1', 'GET /nothing HTTP/1.1\r\nHost: x\r\nExpect: something']) {
    const { socket, received } = open()
    socket.write(`${head}\r\n\r\n`)
    await eventually(() => received().includes('request_id'))
    socket.destroy()
    t.regex(received(), /^HTTP\/1\.1 40[04] /)
  }
})

test('a body that is not what its Content-Encoding says is 400, whatever the coding and its spelling', async t => {
  const client = await service.tenant()
  for (const coding of ['gzip', 'GZIP', 'x-gzip', 'deflate', 'br']) {
    const reply = await client.request('POST', '/storage-places', {
      rawBody: '{"title":"x"}',
      headers: { 'content-encoding': coding },
    })
    t.is(reply.status, 400, coding)
  }
})

test('health paths can only be read', async t => {
  for (const path of ['/livez', '/readyz', '/docs']) {
    const reply = await fetch(service.url + path, { method: 'POST' })
    t.is(reply.status, 405)
    t.is(reply.headers.get('allow'), 'GET, HEAD')
  }
})

test('beyond the limit a connection is closed at once, and those who are asking are served on', async t => {
  const small = await startService(services, { workers: 0, env: { HTTP_CONNECTIONS_MAX: '10' } })
  t.teardown(() => small.close())
  const { token } = await small.tenant()
  const to = new URL(small.url)
  const asking = Array.from({ length: 10 }, () => open(to))
  for (const { socket } of asking)
    socket.write(
      `POST /api/external/v1/storage-places HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
    )
  await eventually(() => asking.every(({ received }) => received().startsWith('HTTP/1.1 100 ')))
  const oneMore = open(to)
  await eventually(oneMore.ended)
  t.is(oneMore.received(), '')
  for (const { socket } of asking) socket.write('{}')
  await eventually(() => asking.every(({ received }) => received().includes('HTTP/1.1 400 ')))
  // No request is being read now, so a new connection replaces the oldest one.
  await eventually(async () => (await fetch(`${small.url}/livez`)).status === 200)
  await eventually(() => asking.every(({ ended }) => ended()))
  t.regex(await registry.metrics(), /millrace_http_connections_refused_total(?:\{[^}]*\})? [1-9]/)
})
