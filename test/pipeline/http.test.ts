/** The write path over HTTP: idempotency, duplicates, deadlines, order of the checks. */

import { Redis } from 'ioredis'
import { ofTests, ownService, serviceOfFile } from '../support/of-file.ts'
import { createNotesTable, notesOf, testEndpoints } from '../support/pipeline.ts'
import { column } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile({ endpoints: testEndpoints })
await createNotesTable(service.pool)
/** A service without workers: its commands only wait. */
const idle = ofTests(test, () =>
  ownService({ endpoints: testEndpoints, workers: 0, env: { COMMAND_DEADLINE_MS: '400' } }),
)

test('a write answers 201 with a request id, and its repeat is the same answer as a replay', async t => {
  const client = await service.tenant()
  const first = await client.post('/notes', { text: 'hello' }, 'key-1')
  t.is(first.status, 201)
  t.regex(first.headers.get('x-request-id') ?? '', /^req_[0-9a-f]{32}$/)
  t.is(first.headers.get('idempotent-replayed'), null)
  const again = await client.post('/notes', { text: 'hello' }, 'key-1')
  t.is(again.status, 201)
  t.is(again.text, first.text)
  t.is(again.headers.get('idempotent-replayed'), 'true')
  t.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
  t.deepEqual(await notesOf(service.pool, client.tenantId), ['hello'])
})

test('key order and spelling of numbers do not matter to a replay; other values and types do', async t => {
  const client = await service.tenant()
  t.is((await client.request('POST', '/notes', { key: 'k', rawBody: '{"text":"a","behave":"b"}' })).status, 201)
  const reordered = await client.request('POST', '/notes', {
    key: 'k',
    rawBody: ' { "behave" : "b", "text":"\\u0061" }',
  })
  t.is(reordered.headers.get('idempotent-replayed'), 'true')
  const other = await client.request('POST', '/notes', { key: 'k', rawBody: '{"text":"a"}' })
  t.is(other.status, 409)
  t.is(other.body.error, 'conflict')
  t.is((await client.request('POST', '/notes', { key: 'k', rawBody: '{"text":"a","behave":null}' })).status, 400)
})

test('a replay survives an emptied Redis, and so does the conflict', async t => {
  const client = await service.tenant()
  const first = await client.post('/notes', { text: 'kept' }, 'k')
  const redis = new Redis(service.redisUrl)
  // Only this tenant's claims: other tests of this file run at the same time.
  const keys = (await redis.keys(`*tenant:${client.tenantId}:*`)).filter(key => !key.includes('rate'))
  await redis.del(...keys)
  redis.disconnect()
  const again = await client.post('/notes', { text: 'kept' }, 'k')
  t.is(again.text, first.text)
  t.is(again.headers.get('idempotent-replayed'), 'true')
  t.is((await client.post('/notes', { text: 'other' }, 'k')).status, 409)
  t.deepEqual(await notesOf(service.pool, client.tenantId), ['kept'])
})

test('what is recorded is replayed also while another request holds the claim of its key', async t => {
  const client = await service.tenant()
  const { text } = await client.post('/notes', { text: 'kept' }, 'k')
  const redis = new Redis(service.redisUrl)
  const [answer = ''] = await redis.keys(`*tenant:${client.tenantId}:key:*:answer`)
  await redis.del(answer)
  const other = { fingerprint: 'f'.repeat(64), state: 'running', request: 'req_other', job: 'req_other' }
  await redis.hset(answer.replace(':answer', ''), other)
  await redis.quit()
  const again = await client.post('/notes', { text: 'kept' }, 'k')
  t.is(again.text, text)
  t.is(again.headers.get('idempotent-replayed'), 'true')
  t.is((await client.post('/notes', { text: 'other' }, 'k')).status, 409)
  t.is((await client.post('/notes', { text: 'kept' }, 'unused')).status, 201)
})

test('two hundred identical requests at once have one effect and one answer', async t => {
  const client = await service.tenant()
  const replies = await Promise.all(Array.from({ length: 200 }, () => client.post('/notes', { text: 'once' }, 'same')))
  t.true(replies.every(reply => reply.status === 201))
  t.is(new Set(replies.map(reply => reply.text)).size, 1)
  t.is(replies.filter(reply => reply.headers.get('idempotent-replayed') === null).length, 1)
  t.deepEqual(await notesOf(service.pool, client.tenantId), ['once'])
})

test('a refusal is not recorded: the same key may try again', async t => {
  const client = await service.tenant()
  t.is((await client.post('/notes', { text: 'x', behave: 'refuse' }, 'k')).status, 400)
  t.is((await client.post('/notes', { text: 'x' }, 'k')).status, 201)
})

test('an unexpected fault is 500 without a word about its cause', async t => {
  const client = await service.tenant()
  const reply = await client.post('/notes', { text: 'x', behave: 'throw' })
  t.is(reply.status, 500)
  t.deepEqual(Object.keys(reply.body).sort(), ['error', 'message', 'request_id'])
  t.is(reply.body.error, 'internal_error')
  t.notRegex(reply.text, /purpose|Error|at /)
  t.deepEqual(await notesOf(service.pool, client.tenantId), [])
})

test('without a worker a write is taken back at the deadline: 503, and it never runs later', async t => {
  const client = await idle.tenant()
  const reply = await client.post('/notes', { text: 'late' }, 'k')
  t.is(reply.status, 503)
  t.is(reply.body.error, 'service_unavailable')
  t.regex(reply.headers.get('retry-after') ?? '', /^\d+$/)
  t.regex(reply.body.message, /safe/)
  const redis = new Redis(idle.redisUrl)
  t.deepEqual(await redis.keys(`*:t${client.tenantId}:wait`), [])
  t.deepEqual(await redis.keys(`*tenant:${client.tenantId}:key:*`), [])
  redis.disconnect()
})

test('a duplicate that waits with a command that is taken back hears of it', async t => {
  const client = await idle.tenant()
  const replies = await Promise.all([
    client.post('/notes', { text: 'late' }, 'k'),
    client.post('/notes', { text: 'late' }, 'k'),
  ])
  t.deepEqual(column(replies, 'status'), [503, 503])
})

test('the document quota refuses the next one, but not a replay, and refusals spend nothing', async t => {
  const client = await service.tenant({ key: { dailyDocuments: 2 } })
  t.is((await client.post('/notes', { text: 'no', behave: 'refuse' })).status, 400)
  t.is((await client.post('/notes', { text: '1' }, 'one')).status, 201)
  t.is((await client.post('/notes', { text: '2' })).status, 201)
  const refused = await client.post('/notes', { text: '3' })
  t.is(refused.status, 429)
  t.is(refused.body.error, 'document_quota_exceeded')
  const wait = Number(refused.headers.get('retry-after'))
  t.true(Number.isInteger(wait) && wait > 0 && wait <= 86_400)
  const replay = await client.post('/notes', { text: '1' }, 'one')
  t.is(replay.headers.get('idempotent-replayed'), 'true')
  const redis = new Redis(service.redisUrl)
  await redis.del(...(await redis.keys(`*tenant:${client.tenantId}:*`)))
  redis.disconnect()
  t.is((await client.post('/notes', { text: '3' })).status, 429, 'rebuilt from the command log')
  t.is((await client.post('/notes', { text: '1' }, 'one')).headers.get('idempotent-replayed'), 'true')
})

test('ten at once on a quota of three: three succeed', async t => {
  const client = await service.tenant({ key: { dailyDocuments: 3 } })
  const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => client.post('/notes', { text: String(n) })))
  t.is(replies.filter(reply => reply.status === 201).length, 3)
  t.is(replies.filter(reply => reply.status === 429).length, 7)
})

test('commands in flight that are refused take nothing from those that come with them', async t => {
  for (let round = 0; round < 3; round++) {
    const client = await service.tenant({ key: { dailyDocuments: 3 } })
    const sent = Array.from({ length: 24 }, (_, n) =>
      client.post('/notes', n % 8 === 7 ? { text: `valid ${n}` } : { text: 'no', behave: 'refuse' }),
    )
    const replies = await Promise.all(sent)
    t.is(replies.filter(({ status }) => status === 201).length, 3)
    // A refused request may come after the quota is spent.
    t.true(replies.every(({ status }, n) => (n % 8 === 7 ? status === 201 : status === 400 || status === 429)))
    t.is((await notesOf(service.pool, client.tenantId)).length, 3)
  }
})

test('while a command in flight holds the last of the quota, the next waits for its end, or for its own deadline', async t => {
  const client = await idle.tenant({ key: { dailyDocuments: 1 } })
  const [first, second] = await Promise.all([
    client.post('/notes', { text: '1' }),
    client.post('/notes', { text: '2' }),
  ])
  t.deepEqual([first.body.error, second.body.error], ['service_unavailable', 'service_unavailable'])
})

test('the Idempotency-Key is required, not empty, given once, and at most 200 characters', async t => {
  const client = await service.tenant()
  for (const key of [null, '', ' ', 'x'.repeat(201)]) {
    const reply = await client.request('POST', '/notes', { body: { text: 'a' }, key })
    t.is(reply.status, 400)
    t.regex(reply.body.message, /^Idempotency-Key: /)
  }
  t.is((await client.post('/notes', { text: 'a' }, 'x'.repeat(200))).status, 201)
})

test('unknown paths are 404, other methods 405 with Allow, before the key is looked at', async t => {
  const client = await service.tenant()
  for (const path of ['/nothing', '/notes/', '/Notes'])
    t.is((await client.request('GET', path, { token: null })).status, 404)
  const reply = await client.request('DELETE', '/notes', { token: null })
  t.is(reply.status, 405)
  t.is(reply.headers.get('allow'), 'POST')
  t.is(reply.body.error, 'method_not_allowed')
})
