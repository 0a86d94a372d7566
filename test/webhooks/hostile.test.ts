/**
 * Receivers and owners that do everything at the wrong moment: no delivery is lost, counted as the wrong side's failure, or sent for ever.
 */
import type { ServerResponse } from 'node:http'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { READ_TRUSTED_MS } from '../../workers/webhooks/read-ahead.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { deliveriesOf, delivery, makePlace, subscribe, subscriptionOf, webhookBench } from './bench.ts'
import { type Receiver, receiver, status } from './receiver.ts'

const test = testsOf(import.meta, { isSerial: true })

const clock = { aheadMs: 0 }
const now = () => Date.now() + clock.aheadMs
const service = ofTests(test, () => webhookBench({ now, chance: () => 0.5 }))

/** Moves the clock forward, and lets the sweep find what is due then. */
async function later(ms: number): Promise<void> {
  clock.aheadMs += ms
  await service.webhooks.sweep()
}

/** A receiver that keeps its answers back until the test sends them. */
async function holding(): Promise<{ hook: Receiver; held: ServerResponse[] }> {
  const held: ServerResponse[] = []
  return { hook: await receiver(response => void held.push(response)), held }
}

const change = (client: Client, id: string, body: object) => client.patch(`/webhook-subscriptions/${id}`, body)
const recover = async (client: Client, id: string, since = '2020-01-01'): Promise<number> =>
  (await client.post(`/webhook-subscriptions/${id}/recover`, { since })).body.count
const mailsTo = async (client: Client): Promise<number> =>
  (
    await service.pool.any(
      rows(v.object({ kind: v.string() }))`select kind from mails where tenant_id = ${client.tenantId}`,
    )
  ).length

test('two subscriptions of one URL each get every event, signed with their own secrets', async t => {
  clock.aheadMs = 0 // signatures count from the real time
  const [client, hook] = [await service.tenant(), await receiver()]
  const kinds = [['*'], ['storage_place.created']]
  const secrets = await Promise.all(kinds.map(async events => (await subscribe(client, hook.url, { events })).secret))
  await makePlace(client)
  await eventually(() => hook.arrivals.length === 2)
  const [first, second] = hook.arrivals
  t.is(first?.text, second?.text)
  for (const secret of secrets) {
    const isOf = ({ text, headers }: { text: string; headers: Readonly<Record<string, string>> }) => {
      try {
        return new Webhook(secret).verify(text, { ...headers }) !== null
      } catch {
        return false
      }
    }
    t.is(hook.arrivals.filter(isOf).length, 1)
  }
  await hook.close()
})

test('a rotated secret signs until its overlap is over, also where a second rotation would end it later', async t => {
  clock.aheadMs = 0 // overlaps count from the real time
  const [client, hook] = [await service.tenant(), await receiver()]
  const { id } = await subscribe(client, hook.url)
  const signatures = async () => {
    const before = hook.arrivals.length
    await client.post(`/webhook-subscriptions/${id}/test`, {})
    const arrival = await eventually(() => hook.arrivals[before])
    return arrival.headers['webhook-signature']?.split(' ').length
  }
  const rotate = (overlap: number) =>
    client.post(`/webhook-subscriptions/${id}/rotate-secret`, { overlap_seconds: overlap })
  t.is((await rotate(60)).status, 200)
  t.is((await rotate(3_600)).status, 200)
  t.is(await signatures(), 3)
  clock.aheadMs += 61_000
  t.is(await signatures(), 2)
  clock.aheadMs += 3_600_000
  t.is(await signatures(), 1)
  await hook.close()
})

test('what was sent before a switch off and on fails without harm, and what was recovered meanwhile is sent', async t => {
  for (const code of [500, 410]) {
    const [client, { hook, held }] = [await service.tenant(), await holding()]
    const { id } = await subscribe(client, hook.url)
    await makePlace(client)
    await eventually(() => held.length === 1)
    await change(client, id, { enabled: false })
    await change(client, id, { enabled: true })
    t.is(await recover(client, id), 1)
    hook.answer(status(204))
    held[0]?.writeHead(code).end()
    const done = await delivery(client, id, ({ status }) => status !== 'pending')
    t.is(done.status, 'succeeded', String(code))
    t.is(done.attempts, 2)
    t.is(hook.arrivals[1]?.text, hook.arrivals[0]?.text)
    t.like(await subscriptionOf(client, id), {
      status: 'active',
      enabled: true,
      consecutive_failures: 0,
      last_failure_at: null,
    })
    t.is(await mailsTo(client), 0)
    await hook.close()
  }
})

test('what is being read while 410 comes is not sent', async t => {
  const { hook, held } = await holding()
  const client = await service.tenant()
  const { id } = await subscribe(client, hook.url)
  for (let n = 0; n < 8; n++) await makePlace(client)
  await eventually(() => held.length === 5 && Date.now() - Number(hook.arrivals.at(-1)?.at) > READ_TRUSTED_MS)
  const [secrets, subscription] = [new pg.Client(service.databaseUrl), new pg.Client(service.databaseUrl)]
  for (const holder of [secrets, subscription]) {
    await holder.connect()
    t.teardown(() => holder.end())
    await holder.query('begin')
  }
  const isWaited = (lock: string) =>
    service.pool.exists(statement`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = ${lock}`)
  // Only the reader of due deliveries needs this table.
  await secrets.query('lock table webhook_secrets in access exclusive mode')
  held.shift()?.writeHead(204).end()
  await eventually(() => isWaited('relation'))
  await eventually(async () => (await deliveriesOf(client, id)).some(({ status }) => status === 'succeeded'))
  // Only the statement that stores an outcome needs this row, so the sender has the answer by now.
  await subscription.query('select from webhook_subscriptions where id = $1 for update', [id])
  const { now } = await service.pool.one(rows(v.object({ now: v.string() }))`select clock_timestamp()::text as now`)
  held.shift()?.writeHead(410).end()
  await eventually(() =>
    service.pool.exists(statement`
      select from pg_stat_activity
      where datname = current_database() and query like '%for no key update' || ' skip locked%' and query_start > ${now}::timestamptz`),
  )
  await secrets.query('rollback')
  await eventually(async () => !(await isWaited('relation')))
  await subscription.query('rollback')
  for (const response of held) response.writeHead(204).end()
  await eventually(async () => (await deliveriesOf(client, id)).every(({ status }) => status !== 'pending'))
  t.is(hook.arrivals.length, 5)
  await hook.close()
})

test('410 ends a recovery of a disabled subscription too, and its owner is told once', async t => {
  const [client, hook] = [await service.tenant(), await receiver(status(410))]
  const { id } = await subscribe(client, hook.url)
  await makePlace(client)
  await eventually(async () => (await subscriptionOf(client, id)).status === 'disabled')
  await Promise.all(Array.from({ length: 30 }, () => makePlace(client)))
  t.is(await recover(client, id), 31)
  await eventually(async () => (await deliveriesOf(client, id)).every(({ status }) => status === 'failed'))
  const sent = hook.arrivals.length
  t.true(sent <= 1 + 5, `${sent} requests`)
  await later(3_600_000)
  await eventually(async () => (await deliveriesOf(client, id)).every(({ status }) => status === 'failed'))
  t.is(hook.arrivals.length, sent)
  t.is(await mailsTo(client), 1)
  await hook.close()
})

test('a test event reaches a disabled subscription and does not enable it', async t => {
  const [client, hook] = [await service.tenant(), await receiver()]
  const { id } = await subscribe(client, hook.url, { enabled: false })
  await makePlace(client)
  await client.post(`/webhook-subscriptions/${id}/test`, {})
  t.is((await delivery(client, id, ({ status }) => status === 'succeeded')).event_type, 'webhook.test')
  t.like(await subscriptionOf(client, id), { status: 'disabled', enabled: false })
  t.is(hook.arrivals.length, 1)
  await hook.close()
})

test('a subscription deleted while a request is in flight stays away, whatever that request answers', async t => {
  for (const code of [204, 500, 410]) {
    const [client, { hook, held }] = [await service.tenant(), await holding()]
    const { id } = await subscribe(client, hook.url)
    await makePlace(client)
    await eventually(() => held.length === 1)
    t.is((await client.request('DELETE', `/webhook-subscriptions/${id}`)).status, 204)
    held[0]?.writeHead(code).end()
    const other = await receiver()
    await subscribe(client, other.url)
    await makePlace(client)
    await eventually(() => other.arrivals.length === 1)
    await later(60_000)
    t.is((await client.get('/webhook-subscriptions')).body.data.length, 1)
    t.is((await client.get(`/webhook-subscriptions/${id}`)).status, 404)
    t.is(hook.arrivals.length, 1)
    t.is(await mailsTo(client), 0)
    await Promise.all([hook.close(), other.close()])
  }
})

test('the next attempt goes where the URL leads by then: the same id and bytes', async t => {
  const [client, old, hook] = [await service.tenant(), await receiver(status(500)), await receiver()]
  const { id } = await subscribe(client, old.url)
  await makePlace(client)
  await delivery(client, id, ({ attempts }) => attempts === 1)
  t.is((await change(client, id, { url: hook.url })).status, 200)
  await later(7_000)
  t.is((await delivery(client, id, ({ status }) => status === 'succeeded')).attempts, 2)
  t.is(hook.arrivals[0]?.text, old.arrivals[0]?.text)
  t.is(hook.arrivals[0]?.headers['webhook-id'], old.arrivals[0]?.headers['webhook-id'])
  t.is(old.arrivals.length, 1)
  await Promise.all([old.close(), hook.close()])
})

test('other kinds hold from the change on', async t => {
  const [client, hook, other] = [await service.tenant(), await receiver(), await receiver()]
  await subscribe(client, other.url, { events: ['storage_place.created'] })
  const { id } = await subscribe(client, hook.url, { events: ['product.created', 'product.created'] })
  t.deepEqual((await subscriptionOf(client, id)).events, ['product.created'])
  await makePlace(client, 'before')
  // The deliveries of an event are made for all subscriptions together, a moment after its write.
  await eventually(() => other.arrivals.length > 0)
  t.is((await change(client, id, { events: ['storage_place.created'] })).status, 200)
  await client.post('/products', { title: 'Product' })
  await makePlace(client, 'after')
  await eventually(() => hook.arrivals.length > 0)
  t.deepEqual(
    hook.arrivals.map(({ body }) => body.data.title),
    ['after'],
  )
  await Promise.all([hook.close(), other.close()])
})
