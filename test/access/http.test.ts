/** Access over HTTP: which requests are admitted, in which order the checks run, and which headers answers have. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { publishKeyChange } from '../../lib/access/key-changes.ts'
import { revokeKey, rotateKey } from '../../lib/access/keys.ts'
import { generateToken } from '../../lib/access/token.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests, serviceOfFile } from '../support/of-file.ts'
import { testEndpoints } from '../support/pipeline.ts'
import { revokeUnnoted } from '../support/revoke-unnoted.ts'
import { startService } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const on = await serviceOfFile()
const service = ofTests(test, () =>
  startService(on, { endpoints: testEndpoints, workers: 0, env: { TRUST_PROXY: 'true' } }),
)
const redis = connectRedis(on.redisUrl, 'worker', 'test')
test.after.always(() => closeRedis(redis))

const url = () => `${service.url}/api/external/v1/notes`
// The status of an admitted request: its body is refused, so it ends at once.
const admitted = 400
let addressCount = 0

/** A write from a new address, or from the given one. */
async function send(authorization: string | undefined, address = `2001:db8:0:${(++addressCount).toString(16)}::1`) {
  const answer = await fetch(url(), {
    method: 'POST',
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      'X-Forwarded-For': `203.0.113.9, ${address}`,
      'Content-Type': 'application/json',
    },
    body: '{}',
  })
  const body = (await answer.json()) as { error: string; message: string; request_id: string }
  return { status: answer.status, headers: answer.headers, body }
}

test('each way of not having a valid key is 401 in words, in the one error shape', async t => {
  const { token, tenantId, keyId } = await service.tenant()
  const expired = await service.key(tenantId, { expiresAt: '2020-01-01T00:00:00.000Z' })
  await revokeKey(service.pool, keyId)
  const cases: [string | undefined, RegExp][] = [
    [undefined, /header is missing/],
    [token, /must read "Bearer/],
    ['Basic YTpi', /must read "Bearer/],
    ['Bearer', /must read "Bearer/],
    ['Bearer mrk_1', /malformed/],
    [`Bearer ${token.slice(0, -1)}_`, /malformed/],
    [`Bearer ${generateToken()}`, /not valid/],
    [`Bearer ${token}`, /revoked/],
    [`Bearer ${expired.token}`, /expired/],
  ]
  for (const [authorization, message] of cases) {
    const answer = await send(authorization)
    t.is(answer.status, 401, authorization)
    t.deepEqual(Object.keys(answer.body), ['error', 'message', 'request_id'])
    t.is(answer.body.error, 'unauthorized')
    t.regex(answer.body.message, message)
    t.false(answer.body.message.includes('mrk_'))
    t.is(answer.body.request_id, answer.headers.get('x-request-id') ?? '')
    t.is(answer.headers.get('www-authenticate'), 'Bearer')
    t.is(answer.headers.get('ratelimit-limit'), null)
  }
})

test('the word Bearer may be spelled as one likes', async t => {
  const { token } = await service.tenant()
  for (const scheme of ['Bearer', 'bearer', 'BEARER ']) t.is((await send(`${scheme} ${token}`)).status, admitted)
})

test('a key without the scope is 403 and the message names the scope', async t => {
  const { token } = await service.tenant({ key: { scopes: ['read:stock'], ratePerMinute: 60, burst: 10 } })
  const answer = await send(`Bearer ${token}`)
  t.is(answer.status, 403)
  t.is(answer.body.error, 'forbidden')
  t.regex(answer.body.message, /write:test/)
  t.is(answer.headers.get('ratelimit-remaining'), '9')
})

const KiB = 1024

/** A write whose body is refused and then has this many blanks. `how`: sent with a content-length, in chunks, or compressed. */
async function sendLong(token: string, bytes: number, how: 'announced' | 'in chunks' | 'compressed' = 'announced') {
  const text = '{}'.padEnd(bytes, ' ')
  const answer = await fetch(url(), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      ...(how === 'compressed' ? { 'Content-Encoding': 'gzip' } : {}),
    },
    body: how === 'in chunks' ? new Blob([text]).stream() : how === 'compressed' ? gzipSync(text) : text,
    duplex: 'half',
  } as RequestInit)
  await answer.text()
  return [answer.status, Number(answer.headers.get('ratelimit-remaining'))]
}

test('a body takes one request of the rate for each 64 KiB, however it is sent', async t => {
  for (const how of ['announced', 'in chunks', 'compressed'] as const) {
    const { token } = await service.tenant({ key: { ratePerMinute: 1, burst: 100 } })
    t.deepEqual(await sendLong(token, 64 * KiB, how), [admitted, 99], how)
    t.deepEqual(await sendLong(token, 64 * KiB + 1, how), [admitted, 97], how)
    t.deepEqual(await sendLong(token, 1024 * KiB, how), [admitted, 81], how)
  }
})

test('a long body with too few requests left is 429 before it is parsed, and one that was not read costs nothing', async t => {
  const { token } = await service.tenant({ key: { ratePerMinute: 1, burst: 20 } })
  t.deepEqual(await sendLong(token, 640 * KiB), [admitted, 10])
  t.deepEqual(await sendLong(token, 704 * KiB), [429, 10])
  t.deepEqual(await sendLong(token, 704 * KiB, 'in chunks'), [429, 9], 'it was read')
  t.deepEqual(await sendLong(token, 704 * KiB, 'compressed'), [429, 8], 'it was read')
  t.deepEqual(await sendLong(token, 512 * KiB), [admitted, 0])
  t.deepEqual(await sendLong(token, 2), [429, 0])
})

test('a body never takes more than the burst, so that a key with a small one can send it', async t => {
  const { token } = await service.tenant({ key: { ratePerMinute: 1, burst: 3 } })
  t.deepEqual(await sendLong(token, 1024 * KiB), [admitted, 0])
})

test('every answer tells the rate, the one after the burst is 429 with Retry-After', async t => {
  const { token } = await service.tenant({ key: { ratePerMinute: 1, burst: 2 } })
  const answers = [await send(`Bearer ${token}`), await send(`Bearer ${token}`), await send(`Bearer ${token}`)]
  t.deepEqual(
    answers.map(({ status, headers }) => [
      status,
      ...['limit', 'remaining'].map(name => headers.get(`ratelimit-${name}`)),
    ]),
    [
      [admitted, '1', '1'],
      [admitted, '1', '0'],
      [429, '1', '0'],
    ],
  )
  // On a busy machine the test itself may take some of these seconds.
  const seconds = answers.flatMap(({ headers }) =>
    ['ratelimit-reset', 'retry-after'].map(name => headers.get(name) ?? ''),
  )
  t.deepEqual(
    seconds.map(text => (text === '' ? 0 : Math.ceil(Number(text) / 30) * 30)),
    [60, 0, 120, 0, 120, 60],
  )
  t.is(answers[2]?.body.error, 'rate_limited')
})

test('a missing scope comes before an exhausted rate', async t => {
  const { token } = await service.tenant({ key: { scopes: [], ratePerMinute: 1, burst: 1 } })
  t.is((await send(`Bearer ${token}`)).status, 403)
  t.is((await send(`Bearer ${token}`)).status, 403)
})

test('after a hundred failures an address gets 429 for further ones, and valid keys from there are served', async t => {
  const { token } = await service.tenant()
  const address = '198.51.100.77'
  const failures = await Promise.all(Array.from({ length: 100 }, () => send('Bearer nonsense', address)))
  t.true(failures.every(answer => answer.status === 401))
  const limited = await send(undefined, address)
  t.is(limited.status, 429)
  t.is(limited.body.error, 'rate_limited')
  t.true(Number(limited.headers.get('retry-after')) >= 1)
  t.is((await send(`Bearer ${generateToken()}`, address)).status, 429)
  t.is((await send(`Bearer ${token}`, address)).status, admitted)
  t.is((await send('Bearer nonsense', '198.51.100.78')).status, 401)
})

test('failures from one /64 of IPv6 are counted together, and those of its neighbour apart', async t => {
  const { token } = await service.tenant()
  const failures = await Promise.all(
    Array.from({ length: 100 }, (_, n) => send('Bearer nonsense', `2001:db8:1:2:${n.toString(16)}::7`)),
  )
  t.true(failures.every(answer => answer.status === 401))
  t.is((await send('Bearer nonsense', '2001:db8:1:2::8')).status, 429)
  t.is((await send(`Bearer ${token}`, '2001:db8:1:2::9')).status, admitted)
  t.is((await send('Bearer nonsense', '2001:db8:1:3::8')).status, 401)
})

test('a revoked key is refused where the message arrives, and nothing else tells of it', async t => {
  const { token, tenantId, keyId } = await service.tenant()
  t.is((await send(`Bearer ${token}`)).status, admitted)
  const change = await revokeUnnoted(service.pool, { tenantId, keyId })
  await publishKeyChange(redis, change)
  t.true(await eventually(async () => (await send(`Bearer ${token}`)).status === 401))
})

// key-cache.test.ts, with a clock of its own, shows that this takes at most five seconds.
test('a revoked key is refused where no message arrives', async t => {
  const { token, keyId } = await service.tenant()
  t.is((await send(`Bearer ${token}`)).status, admitted)
  await revokeKey(service.pool, keyId)
  t.true(await eventually(async () => (await send(`Bearer ${token}`)).status === 401))
})

test('a remembered key ends at the instant of its expiry', async t => {
  const { tenantId } = await service.tenant()
  // On a busy machine a key may expire before it was served once. The loop then tries a key that lives longer.
  for (let livesMs = 1_000, isRemembered = false; !isRemembered; livesMs *= 2) {
    const expiresAt = Date.now() + livesMs
    const { token } = await service.key(tenantId, { expiresAt: new Date(expiresAt).toISOString() })
    await eventually(async () => {
      const sentAt = Date.now()
      const { status } = await send(`Bearer ${token}`)
      if (status === admitted) isRemembered = t.true(sentAt < expiresAt)
      else t.deepEqual([status, Date.now() >= expiresAt], [401, true])
      return status === 401
    })
  }
})

test('after a rotation both keys work, and after an overlap of 0 only the new one', async t => {
  const { token, keyId } = await service.tenant()
  const second = await rotateKey(service.pool, { keyId, overlapSeconds: 60 })
  t.is((await send(`Bearer ${token}`)).status, admitted)
  t.is((await send(`Bearer ${second?.token}`)).status, admitted)
  const third = await rotateKey(service.pool, { keyId: second?.keyId ?? '', overlapSeconds: 0 })
  if (third) await publishKeyChange(redis, third)
  await eventually(async () => (await send(`Bearer ${second?.token}`)).status === 401)
  t.is((await send(`Bearer ${third?.token}`)).status, admitted)
})

test('a connection outlives refusals whose body was never read', async t => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sendOn = (token: string | null, bytes: number, chunked: boolean) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; reused: boolean }>()
    const out = request(url(), {
      agent,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Forwarded-For': `2001:db8:1::${++addressCount}`,
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(chunked ? {} : { 'Content-Length': bytes }),
      },
    })
    out.on('error', reject)
    out.on('response', (answer: IncomingMessage) => {
      answer.resume()
      // The connection is free for the next request only after the whole body is sent.
      out.on('close', () => resolve({ status: answer.statusCode, reused: out.reusedSocket }))
    })
    out.end('x'.repeat(bytes))
    return promise
  }
  const { token } = await service.tenant()
  t.deepEqual(await sendOn(null, 300_000, false), { status: 401, reused: false })
  t.deepEqual(await sendOn(null, 3_000_000, true), { status: 401, reused: true })
  t.deepEqual(await sendOn(token, 3_000_000, false), { status: 413, reused: true })
  t.deepEqual(await sendOn(token, 3_000_000, true), { status: 413, reused: true })
  t.deepEqual(await sendOn(token, 10, false), { status: 400, reused: true })
  agent.destroy()
})
