/** The retry schedule of real deliveries on a clock that the test sets, so that no test waits for it. */
import * as v from 'valibot'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { deliveriesOf, delivery, makePlace, subscribe, subscriptionOf, webhookBench } from './bench.ts'
import { receiver, status } from './receiver.ts'

const test = testsOf(import.meta, { isSerial: true })

const clock = { ms: Date.now() }
const service = ofTests(test, () => webhookBench({ now: () => clock.ms, chance: () => 0.5 }))

/** Moves the clock to just after the delivery's next attempt and lets the sweep find it. */
async function untilNext(nextAttemptAt: string): Promise<void> {
  clock.ms = Date.parse(nextAttemptAt) + 1_001
  await service.webhooks.sweep()
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

test('a dead receiver gets ten attempts over three days, then its subscription is disabled and its owner told', async t => {
  const [client, hook] = [await service.tenant(), await receiver(status(500))]
  const { id } = await subscribe(client, hook.url)
  await makePlace(client)
  const gaps: number[] = []
  const statuses: string[] = []
  for (let attempts = 1; attempts < 10; attempts++) {
    const failed = await delivery(client, id, found => found.attempts === attempts)
    t.is(failed.status, 'pending')
    gaps.push(Date.parse(failed.next_attempt_at) - clock.ms)
    statuses.push((await subscriptionOf(client, id)).status)
    await untilNext(failed.next_attempt_at)
  }
  t.deepEqual(gaps, [5_000, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map(count => count * HOUR)])
  t.deepEqual(statuses, [...Array(4).fill('active'), ...Array(5).fill('failing')])
  const over = await delivery(client, id, found => found.attempts === 10)
  t.is(over.status, 'failed')
  t.is(over.next_attempt_at, null)
  t.truthy(over.completed_at)
  const gone = await subscriptionOf(client, id)
  t.is(gone.status, 'disabled')
  t.false(gone.enabled)
  t.is(gone.consecutive_failures, 10)
  const mails = await service.pool.any(rows(v.object({ kind: v.string(), recipient: v.string() }))`
    select kind, recipient from mails where tenant_id = ${client.tenantId}`)
  t.deepEqual([...mails], [{ kind: 'webhook_disabled', recipient: 'owner@test.example' }])
  t.is(hook.arrivals.length, 10)
  t.is(new Set(hook.arrivals.map(({ text }) => text)).size, 1, 'the same bytes each time')
  t.is(new Set(hook.arrivals.map(({ headers }) => headers['webhook-id'])).size, 1)
  t.true(
    new Set(hook.arrivals.map(({ headers }) => headers['webhook-timestamp'])).size > 5,
    'a fresh timestamp each time',
  )
  await hook.close()
})

test('a receiver that comes back gets it, and is active again', async t => {
  const [client, hook] = [await service.tenant(), await receiver(status(503))]
  const { id } = await subscribe(client, hook.url)
  for (let n = 0; n < 5; n++) await makePlace(client)
  await eventually(async () => (await subscriptionOf(client, id)).status === 'failing')
  hook.answer(status(204))
  const [first] = await deliveriesOf(client, id)
  await untilNext(first?.next_attempt_at)
  await eventually(async () => (await deliveriesOf(client, id)).every(({ status }) => status === 'succeeded'))
  t.like(await subscriptionOf(client, id), { status: 'active', consecutive_failures: 0, enabled: true })
  await hook.close()
})

test('429 and 503 with Retry-After wait as asked, up to twice the gap', async t => {
  for (const [header, code, wait] of [
    ['8', 429, 8_000],
    ['3600', 503, 10_000],
    ['8', 500, 5_000],
  ] as const) {
    const [client, hook] = [await service.tenant(), await receiver(status(code, { 'retry-after': header }))]
    const { id } = await subscribe(client, hook.url)
    await makePlace(client)
    const failed = await delivery(client, id, ({ attempts }) => attempts === 1)
    t.is(Date.parse(failed.next_attempt_at) - clock.ms, wait, `${code} ${header}`)
    await hook.close()
  }
})

test('Retry-After may be a date in each form that HTTP knows', async t => {
  clock.ms = Math.ceil(clock.ms / 1_000) * 1_000
  const at = new Date(clock.ms + 8_000)
  const [day = '', date = '', month = '', year = '', time = ''] = at.toUTCString().replace(',', '').split(' ')
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(at)
  for (const form of [
    `${day}, ${date} ${month} ${year} ${time} GMT`,
    `${weekday}, ${date}-${month}-${year.slice(2)} ${time} GMT`,
    `${day} ${month} ${date.replace(/^0/, ' ')} ${time} ${year}`,
  ]) {
    const [client, hook] = [await service.tenant(), await receiver(status(503, { 'retry-after': form }))]
    const { id } = await subscribe(client, hook.url)
    await makePlace(client)
    const failed = await delivery(client, id, ({ attempts }) => attempts === 1)
    t.is(Date.parse(failed.next_attempt_at), at.getTime(), form)
    await hook.close()
  }
})

test('a redelivery begins the schedule anew', async t => {
  const [client, hook] = [await service.tenant(), await receiver(status(500))]
  const { id } = await subscribe(client, hook.url)
  await makePlace(client)
  const first = await delivery(client, id, ({ attempts }) => attempts === 1)
  await untilNext(first.next_attempt_at)
  const second = await delivery(client, id, ({ attempts }) => attempts === 2)
  t.is(Date.parse(second.next_attempt_at) - clock.ms, 5 * MINUTE)
  // A busy machine may answer 503 first.
  const again = () => client.post(`/webhook-deliveries/${second.id}/redeliver`, {}, 'again')
  await eventually(async () => (await again()).status < 300)
  const third = await delivery(client, id, ({ attempts }) => attempts === 3)
  t.is(Date.parse(third.next_attempt_at) - clock.ms, 5_000)
  await hook.close()
})
