/**
 * Events reach real receivers: signed, byte for byte, in order, and only those of the subscription's tenant and kinds. Every kind of answer
 * has its effect.
 */
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { deliveriesOf, delivery, makePlace, subscribe, subscriptionOf, webhookBench } from './bench.ts'
import { type Arrival, receiver, status } from './receiver.ts'

const test = testsOf(import.meta)

const service = ofTests(test, () => webhookBench({ sender: { totalTimeoutMs: 5_000, connectTimeoutMs: 5_000 } }))

/** Standard Webhooks by hand: base64 HMAC-SHA256 of `id.timestamp.body` with the bytes after `whsec_` as the key. */
function plainSignature(secret: string, { headers, text }: Arrival): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

test("an event arrives signed, as receivers' libraries verify it, with the bytes of the feed", async t => {
  const [client, hook] = [await service.tenant(), await receiver()]
  const { secret, id } = await subscribe(client, hook.url)
  const place = await makePlace(client)
  const arrival = await eventually(() => hook.arrivals[0])
  t.regex(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.deepEqual(new Webhook(secret).verify(arrival.text, arrival.headers), arrival.body)
  t.is(arrival.headers['webhook-signature'], plainSignature(secret, arrival))
  t.is(arrival.method, 'POST')
  t.is(arrival.headers['content-type'], 'application/json')
  t.is(arrival.headers['webhook-id'], arrival.body.id)
  t.deepEqual(Object.keys(arrival.body), [
    'id',
    'type',
    'timestamp',
    'sequence',
    'api_version',
    'actor',
    'data',
    'previous',
  ])
  t.is(arrival.body.type, 'storage_place.created')
  t.is(arrival.body.sequence, 1)
  t.is(arrival.body.api_version, '1.0.0')
  t.deepEqual(arrival.body.data, place)
  t.is(arrival.body.previous, null)
  const feed = await client.get('/events')
  t.is(feed.text, `{"data":[${arrival.text}],"next_cursor":""}`)
  const done = await delivery(client, id, ({ status }) => status === 'succeeded')
  t.is(done.event_id, arrival.body.id)
  t.is(done.event_type, 'storage_place.created')
  t.is(done.sequence, 1)
  t.is(done.attempts, 1)
  t.is(done.response_status, 200)
  t.is(done.error, null)
  t.is(done.next_attempt_at, null)
  t.truthy(done.completed_at)
  t.is((await subscriptionOf(client, id)).last_delivery_at, done.completed_at)
  await hook.close()
})

test('a subscription gets the kinds it asked for, of its own tenant, from its creation on', async t => {
  const [client, stranger, hook] = [await service.tenant(), await service.tenant(), await receiver()]
  await makePlace(client, 'before')
  await subscribe(client, hook.url, { events: ['product.created', 'webhook.test'] })
  await makePlace(client, 'other kind')
  await makePlace(stranger, 'other tenant')
  await stranger.post('/products', { title: 'Other tenant' })
  await client.post('/products', { title: 'Mine' })
  await client.post('/products', { title: 'Mine too' })
  const titles = await eventually(() => hook.arrivals.length >= 2 && hook.arrivals.map(({ body }) => body.data.title))
  t.deepEqual(titles, ['Mine', 'Mine too'])
  await hook.close()
})

test('a test event comes to the tested subscription only, without sequence, and not in the feed', async t => {
  const [client, hook, other] = [await service.tenant(), await receiver(), await receiver()]
  const { id } = await subscribe(client, hook.url)
  await subscribe(client, other.url)
  const answer = await client.post(`/webhook-subscriptions/${id}/test`, {})
  t.is(answer.status, 201)
  t.is(answer.body.event_type, 'webhook.test')
  t.is(answer.body.sequence, null)
  t.is(answer.body.status, 'pending')
  const arrival = await eventually(() => hook.arrivals[0])
  t.deepEqual(arrival.body.data, { subscription_id: id })
  t.is(arrival.body.sequence, null)
  t.is(arrival.body.id, answer.body.event_id)
  await makePlace(client)
  await eventually(() => other.arrivals.length === 1)
  t.is(other.arrivals[0]?.body.type, 'storage_place.created')
  t.is((await client.get('/events')).body.data.length, 1)
  await Promise.all([hook.close(), other.close()])
})

test('a rotated secret signs beside the new one until its overlap ends', async t => {
  const [client, hook] = [await service.tenant(), await receiver()]
  const { id, secret: first } = await subscribe(client, hook.url)
  const second = (await client.post(`/webhook-subscriptions/${id}/rotate-secret`, {})).body.secret
  await client.post(`/webhook-subscriptions/${id}/test`, {})
  const both = await eventually(() => hook.arrivals[0])
  t.is(both.headers['webhook-signature'], [second, first].map(secret => plainSignature(secret, both)).join(' '))
  for (const secret of [first, second]) t.notThrows(() => new Webhook(secret).verify(both.text, both.headers))
  const third = (await client.post(`/webhook-subscriptions/${id}/rotate-secret`, { overlap_seconds: 0 })).body.secret
  await client.post(`/webhook-subscriptions/${id}/test`, {})
  const one = await eventually(() => hook.arrivals[1])
  t.is(one.headers['webhook-signature'], plainSignature(third, one))
  t.throws(() => new Webhook(first).verify(one.text, one.headers))
  await hook.close()
})

const failures: readonly [name: string, behave: Parameters<typeof receiver>[0], error: RegExp, code: number | null][] =
  [
    ['500', status(500), /^HTTP 500$/, 500],
    ['404', status(404), /^HTTP 404$/, 404],
    ['silence', () => {}, /^no answer within 5 s$/, null],
    ['a reset', response => void response.socket?.resetAndDestroy(), /^the connection broke off$/, null],
    [
      'headers that never end',
      response => void response.socket?.write('HTTP/1.1 200 OK\r\nX-Drip: 1\r\n'),
      /^no answer/,
      null,
    ],
    ['no HTTP', response => void response.socket?.end('hello\r\n\r\n'), /^the answer is not valid HTTP$/, null],
  ]
for (const [name, behave, error, code] of failures) {
  test(`${name} is a failure in words for people, and tried again`, async t => {
    const [client, hook] = [await service.tenant(), await receiver(behave)]
    const { id } = await subscribe(client, hook.url)
    await makePlace(client)
    const failed = await delivery(client, id, ({ attempts }) => attempts === 1)
    t.regex(failed.error, error)
    t.is(failed.response_status, code)
    t.is(failed.status, 'pending')
    t.is(failed.completed_at, null)
    const { status, consecutive_failures, last_failure_at, last_failure_reason, last_delivery_at } =
      await subscriptionOf(client, id)
    t.is(status, 'active')
    t.is(consecutive_failures, 1)
    const wait = Date.parse(failed.next_attempt_at) - Date.parse(last_failure_at)
    t.true(wait >= 4_000 && wait <= 6_000, `${wait} ms`)
    t.regex(last_failure_reason, error)
    t.is(last_delivery_at, null)
    await hook.close()
  })
}

test('a redirect is a failure and is not followed', async t => {
  const trap = await receiver()
  const [client, hook] = [await service.tenant(), await receiver(status(302, { location: trap.url }))]
  const { id } = await subscribe(client, hook.url)
  await makePlace(client)
  const failed = await delivery(client, id, ({ attempts }) => attempts === 1)
  t.is(failed.error, 'HTTP 302: redirects are not followed')
  t.is(failed.response_status, 302)
  t.is(trap.arrivals.length, 0)
  await Promise.all([hook.close(), trap.close()])
})

test('nobody listening is a failure', async t => {
  const [client, hook] = [await service.tenant(), await receiver()]
  await hook.close()
  const { id } = await subscribe(client, hook.url)
  await makePlace(client)
  t.is((await delivery(client, id, ({ attempts }) => attempts === 1)).error, 'the connection was refused')
})

test('of an endless answer little is read, and its status decides', async t => {
  let written = 0
  const hook = await receiver(response => {
    response.writeHead(200)
    const chunk = Buffer.alloc(64 * 1024)
    const more = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length
      written += chunk.length
    }
    response.on('drain', more)
    more()
  })
  const client = await service.tenant()
  const { id } = await subscribe(client, hook.url)
  await makePlace(client)
  t.is((await delivery(client, id, ({ attempts }) => attempts === 1)).status, 'succeeded')
  // Bytes in the sockets' buffers count as written. A reader without a limit would have taken far more in this time.
  t.true(written < 16 * 1024 * 1024, `${written} bytes`)
  await hook.close()
})

test('410 disables the subscription at once, tells its owner, and sends nothing more', async t => {
  const [client, hook] = [await service.tenant(), await receiver(status(410))]
  const { id } = await subscribe(client, hook.url)
  await makePlace(client)
  const gone = await eventually(async () => {
    const found = await subscriptionOf(client, id)
    return found.status === 'disabled' && found
  })
  t.false(gone.enabled)
  t.is(gone.last_failure_reason, 'HTTP 410: the receiver is gone for good')
  t.is((await delivery(client, id, ({ status }) => status === 'failed')).attempts, 1)
  const mails = await service.pool.any(
    rows(v.object({ kind: v.string() }))`select kind from mails where tenant_id = ${client.tenantId}`,
  )
  t.deepEqual([...mails], [{ kind: 'webhook_disabled' }])
  hook.answer(status(200))
  await makePlace(client, 'while disabled')
  // After the subscription is enabled it gets new events. It gets missed events only by a recovery.
  const back = await client.patch(`/webhook-subscriptions/${id}`, { enabled: true })
  t.is(back.body.status, 'active')
  t.is(back.body.consecutive_failures, 0)
  await makePlace(client, 'after')
  await eventually(() => hook.arrivals.length === 2)
  t.is(hook.arrivals[1]?.body.data.title, 'after')
  await eventually(async () => (await deliveriesOf(client, id)).some(({ status }) => status === 'succeeded'))
  const since = hook.arrivals[0]?.body.timestamp
  t.deepEqual((await client.post(`/webhook-subscriptions/${id}/recover`, { since })).body, { count: 2 })
  await eventually(() => hook.arrivals.length === 4)
  t.deepEqual(
    hook.arrivals
      .slice(2)
      .map(({ body }) => body.sequence)
      .sort(),
    [1, 2],
  )
  const all = await eventually(async () => {
    const found = await deliveriesOf(client, id)
    return found.every(({ status }) => status === 'succeeded') && found
  })
  t.is(all.length, 3)
  t.deepEqual((await client.post(`/webhook-subscriptions/${id}/recover`, { since })).body, { count: 0 })
  await hook.close()
})

test('after 410 nothing of a backlog is sent but what was in flight', async t => {
  const [client, hook] = [
    await service.tenant(),
    await receiver(response => void setTimeout(() => response.writeHead(410).end(), 50)),
  ]
  const { id } = await subscribe(client, hook.url)
  const products = Array.from({ length: 40 }, (_, n) => client.post('/products', { title: `Product ${n}` }))
  await Promise.all(products)
  await eventually(async () => (await subscriptionOf(client, id)).status === 'disabled')
  await eventually(async () => (await deliveriesOf(client, id)).every(({ status }) => status === 'failed'))
  t.true(hook.arrivals.length <= 5, `${hook.arrivals.length} requests`)
  await hook.close()
})

test('disabling by hand ends what waits, and five failures in a row make it failing before', async t => {
  const [client, hook] = [await service.tenant(), await receiver(status(500))]
  const { id } = await subscribe(client, hook.url)
  for (let n = 0; n < 4; n++) await makePlace(client)
  await eventually(async () => (await subscriptionOf(client, id)).consecutive_failures === 4)
  t.is((await subscriptionOf(client, id)).status, 'active')
  await makePlace(client)
  await eventually(async () => (await subscriptionOf(client, id)).status === 'failing')
  const off = await client.patch(`/webhook-subscriptions/${id}`, { enabled: false })
  t.is(off.body.status, 'disabled')
  t.false(off.body.enabled)
  const dropped = await deliveriesOf(client, id)
  t.is(dropped.length, 5)
  for (const { status, error, next_attempt_at, completed_at } of dropped) {
    t.deepEqual([status, error, next_attempt_at], ['failed', 'the subscription was disabled', null])
    t.truthy(completed_at)
  }
  await hook.close()
})

test('a delivery can be sent again, whatever became of it: the same id and bytes', async t => {
  const [client, hook] = [await service.tenant(), await receiver()]
  const { id } = await subscribe(client, hook.url)
  await makePlace(client)
  const done = await delivery(client, id, ({ status }) => status === 'succeeded')
  const again = await client.post(`/webhook-deliveries/${done.id}/redeliver`, {})
  t.is(again.status, 200)
  t.is(again.body.id, done.id)
  t.is(again.body.status, 'pending')
  await eventually(() => hook.arrivals.length === 2)
  const [first, second] = hook.arrivals
  t.is(second?.text, first?.text)
  t.is(second?.headers['webhook-id'], first?.headers['webhook-id'])
  t.is((await delivery(client, id, ({ status }) => status === 'succeeded')).attempts, 2)
  await hook.close()
})

test('a deleted subscription gets nothing more and is not there, nor are its deliveries', async t => {
  const [client, hook] = [await service.tenant(), await receiver()]
  const { id } = await subscribe(client, hook.url)
  await makePlace(client)
  const { id: deliveryId } = await delivery(client, id, ({ status }) => status === 'succeeded')
  t.is((await client.request('DELETE', `/webhook-subscriptions/${id}`)).status, 204)
  await makePlace(client)
  const later = await receiver()
  await subscribe(client, later.url)
  await makePlace(client)
  await eventually(() => later.arrivals.length === 1)
  t.is(hook.arrivals.length, 1)
  for (const path of [`/webhook-subscriptions/${id}`, `/webhook-subscriptions/${id}/deliveries`])
    t.is((await client.get(path)).status, 404)
  t.is((await client.post(`/webhook-deliveries/${deliveryId}/redeliver`, {})).status, 404)
  t.is((await client.request('DELETE', `/webhook-subscriptions/${id}`)).status, 404)
  await Promise.all([hook.close(), later.close()])
})
