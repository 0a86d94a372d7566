/** Slow, broken and huge requests on the socket: each is ended in time, and the others are served meanwhile. */
import { connect, type Socket } from 'node:net'
import test from 'ava'
import { registry } from '../../lib/platform/telemetry/metrics.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
const service = await startService(services)
const { hostname, port } = new URL(service.url)
test.after.always(async () => {
  await service.close()
  await services.close()
})

/** A raw connection, what came back on it, and whether it is over. */
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

/** A whole request that makes a storage place. */
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
  // Less than Node waits between two looks by itself.
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
  // Beside a calm tenant, a busy one has only so much under way: what never ends must not count.
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
  // Who repeats with the same key finds one place, whether the first one ran or not.
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
  // Now nobody is asking: whoever comes has the first of them make room.
  await eventually(async () => (await fetch(`${small.url}/livez`)).status === 200)
  await eventually(() => asking.every(({ ended }) => ended()))
  t.regex(await registry.metrics(), /millrace_http_connections_refused_total(?:\{[^}]*\})? [1-9]/)
})
