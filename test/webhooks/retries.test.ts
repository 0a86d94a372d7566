/** The retry queue: one entry for each subscription however much waits, each retry at its time, and deliveries do not depend on it. */

import { noteRetries, RETRIES_KEY, retryTaker } from '../../lib/webhooks/retries.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { deliveriesOf, makePlace, subscribe, webhookBench } from './bench.ts'
import { receiver, status } from './receiver.ts'

const test = testsOf(import.meta, { isSerial: true })

const clock = { ms: Date.now() }
const service = ofTests(test, () => webhookBench({ now: () => clock.ms, chance: () => 0.5 }))

/** Members and times, one after the other. */
const noted = () => service.redis.zrangebyscore(RETRIES_KEY, '-inf', '+inf', 'WITHSCORES')

test('retries of one subscription take one entry, and each comes in its time without the sweep', async t => {
  const [client, hook] = [await service.tenant(), await receiver(status(500))]
  const { id } = await subscribe(client, hook.url)
  const begun = clock.ms
  const failed = (count: number) =>
    eventually(async () => {
      const found = await deliveriesOf(client, id)
      return found.filter(({ attempts }) => attempts === 1).length === count
    })
  const succeeded = async () => (await deliveriesOf(client, id)).filter(({ status }) => status === 'succeeded').length
  const entry = (at: number) => [`${client.tenantId}:${id}`, String(at)]

  for (let n = 0; n < 4; n++) await makePlace(client)
  await failed(4)
  clock.ms = begun + 600
  await makePlace(client)
  await failed(5)
  await eventually(async () => (await noted()).length === 2)
  t.deepEqual(await noted(), entry(begun + 5_000))

  hook.answer(status(204))
  // The sweep looks for deliveries that have been due for a second, so it finds none of these.
  clock.ms = begun + 5_000
  await eventually(async () => (await succeeded()) === 4)
  await eventually(async () => (await noted()).length === 2)
  t.deepEqual(await noted(), entry(begun + 5_600))
  clock.ms = begun + 5_600
  await eventually(async () => (await succeeded()) === 5)
  await eventually(async () => (await noted()).length === 0)
  t.is(hook.arrivals.length, 10)
  await hook.close()
})

test('retries that Redis forgot are made when they are due', async t => {
  const [client, hook] = [await service.tenant(), await receiver(status(500))]
  const { id } = await subscribe(client, hook.url)
  await makePlace(client)
  await eventually(async () => (await noted()).length === 2)
  await service.redis.flushdb()
  hook.answer(status(204))
  clock.ms += 6_001
  await eventually(async () => (await deliveriesOf(client, id)).every(({ status }) => status === 'succeeded'))
  t.is(hook.arrivals.length, 2)
  await hook.close()
})

test('the earliest time of a subscription stays, and is taken once', async t => {
  const subscription = { tenantId: '1', subscriptionId: '2' }
  const at = clock.ms + 3_600_000
  for (const laterMs of [5_000, 300_000, 4_000, 9_000])
    await noteRetries(service.redis, [{ ...subscription, at: at + laterMs }])
  const take = retryTaker(service.redis)
  t.deepEqual(await take(at + 3_999, 10), [])
  const taken = await Promise.all(Array.from({ length: 20 }, () => take(at + 4_000, 10)))
  t.deepEqual(taken.flat(), [subscription])
})
