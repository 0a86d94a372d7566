/** Many tenants with receivers that hang, and one tenant that sends too much: a receiver that answers gets everything without delay. */
import type { ServerResponse } from 'node:http'
import * as v from 'valibot'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests, ownService } from '../support/of-file.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { deliveriesOf, makePlace, startWebhookProcess, subscribe } from './bench.ts'
import { type Arrival, type Behaviour, receiver, status } from './receiver.ts'

const test = testsOf(import.meta, { isSerial: true })

const env = { WEBHOOK_ALLOWED_NETWORKS: 'loopback' }
const service = ofTests(test, () => ownService({ env }))

/** Makes this many subscriptions of the client, to URLs of one receiver. */
async function subscribeOften(client: Client, url: string, times: number): Promise<string> {
  const { id } = await subscribe(client, url)
  await service.pool.query(statement`
    insert into webhook_subscriptions (tenant_id, url, events, enabled, status, from_sequence, good_since, created_at)
    select tenant_id, url || '/' || n, events, enabled, status, from_sequence, good_since, created_at
    from webhook_subscriptions, generate_series(2, ${times}) n where tenant_id = ${client.tenantId}::bigint`)
  return id
}

const countDeliveries = async ({ tenantId }: Client, is: 'tried' | 'succeeded'): Promise<number> => {
  const { count } = await service.pool.one(rows(v.object({ count: v.number() }))`
    select count(*)::int as count from webhook_deliveries
    where tenant_id = ${tenantId}::bigint and (status = 'succeeded' or attempts > 0 and ${is === 'tried'})`)
  return count
}

/** Keeps requests unanswered, and counts those that are open at the same time. */
function hang() {
  const held: ServerResponse[] = []
  const open = new Set<Arrival>()
  let openMax = 0
  const behaviour: Behaviour = (response, arrival) => {
    held.push(response)
    open.add(arrival)
    openMax = Math.max(openMax, open.size)
    response.once('close', () => open.delete(arrival))
  }
  return { behaviour, held, open, openMax: () => openMax }
}

/** Counts requests for different deliveries: a process that a busy machine delayed for longer than its lease sends some of them twice. */
const countDifferent = (arrivals: readonly Arrival[]): number =>
  new Set(arrivals.map(({ path, headers }) => `${path} ${headers['webhook-id']}`)).size

test('while ten tenants with fifty hanging receivers each hang, all others get theirs', async t => {
  const process = await startWebhookProcess(service, env, { sender: { totalTimeoutMs: 600_000 } })
  t.teardown(() => process.close())
  const { behaviour, held, open } = hang()
  const [hanging, healthy] = [await receiver(behaviour), await receiver()]
  t.teardown(() => Promise.all([hanging.close(), healthy.close()]))
  const blocked = await Promise.all(Array.from({ length: 10 }, () => service.tenant()))
  for (const client of blocked) await subscribeOften(client, hanging.url, 50)
  for (const client of blocked) await makePlace(client)
  await eventually(() => open.size === 500)
  const others = await Promise.all(Array.from({ length: 5 }, () => service.tenant()))
  for (const client of others) await subscribe(client, healthy.url)
  for (let n = 1; n <= 3; n++) {
    for (const client of others) await makePlace(client)
    await eventually(() => healthy.arrivals.length === 5 * n)
  }
  t.is(open.size, 500, 'they hang still')
  for (const client of blocked) t.is(await countDeliveries(client, 'tried'), 0)
  hanging.answer(status(204))
  for (const response of held) response.writeHead(204).end()
  for (const client of blocked) await eventually(async () => (await countDeliveries(client, 'succeeded')) === 50)
  t.is(countDifferent(hanging.arrivals), 500)
})

test('who lets requests end without an answer shares few places, until the next answer', async t => {
  const clock = { aheadMs: 0 }
  const process = await startWebhookProcess(service, env, {
    sender: { totalTimeoutMs: 1_500 },
    now: () => Date.now() + clock.aheadMs,
  })
  t.teardown(() => process.close())
  const [first, second, third] = [hang(), hang(), hang()]
  const [client, hook] = [await service.tenant(), await receiver(first.behaviour)]
  t.teardown(() => hook.close())
  await subscribeOften(client, hook.url, 20)
  await makePlace(client)
  await eventually(async () => (await countDeliveries(client, 'tried')) === 20)
  t.true(first.openMax() > 5, `${first.openMax()} at once, before they were known`)
  hook.answer(second.behaviour)
  await makePlace(client)
  await eventually(() => second.held.length >= 20)
  t.true(second.openMax() <= 5, `${second.openMax()} at once`)
  hook.answer(status(204))
  await eventually(() => second.held.every(({ closed }) => closed))
  clock.aheadMs = 3_600_000
  await eventually(async () => (await countDeliveries(client, 'succeeded')) === 40)
  hook.answer(third.behaviour)
  await makePlace(client)
  await eventually(() => third.openMax() > 5)
  hook.answer(status(204))
  await eventually(() => third.held.every(({ closed }) => closed))
  clock.aheadMs *= 2
  await eventually(async () => (await countDeliveries(client, 'succeeded')) === 60)
})

test('of one tenant so many deliveries begin in a second; the others wait, are not lost, and delay nobody', async t => {
  const clock = { ms: Date.now() }
  const slow = { ...env, WEBHOOK_DELIVERIES_PER_SECOND: '5' }
  const process = await startWebhookProcess(service, slow, { now: () => clock.ms })
  t.teardown(() => process.close())
  const [client, other] = [await service.tenant(), await service.tenant()]
  const [hook, quick] = [await receiver(), await receiver()]
  t.teardown(() => Promise.all([hook.close(), quick.close()]))
  const ids = [(await subscribe(client, hook.url)).id, (await subscribe(client, `${hook.url}/other`)).id]
  await subscribe(other, quick.url)
  for (let n = 0; n < 6; n++) await makePlace(client)
  await eventually(() => hook.arrivals.length === 5)
  for (const begun of [10, 12]) {
    // What another tenant is sent meanwhile shows that more of this one could have been.
    const before = quick.arrivals.length
    for (let n = 0; n < 3; n++) {
      await makePlace(other)
      await eventually(() => quick.arrivals.length === before + n + 1)
    }
    t.is(hook.arrivals.length, begun === 10 ? 5 : 10)
    clock.ms += 1_000
    await eventually(() => hook.arrivals.length === begun)
  }
  for (const id of ids)
    await eventually(async () => (await deliveriesOf(client, id)).every(({ status }) => status === 'succeeded'))
  t.is(new Set(hook.arrivals.map(({ path, headers }) => `${path} ${headers['webhook-id']}`)).size, 12)
})
