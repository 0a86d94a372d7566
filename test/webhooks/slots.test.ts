/** Many hanging receivers of one tenant: the other tenants are not affected, and the tenant's own senders take turns. */
import type { ServerResponse } from 'node:http'
import * as v from 'valibot'
import { SenderSlots } from '../../lib/platform/limits/sender-slots.ts'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests, ownService } from '../support/of-file.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { makePlace, startWebhookProcess, subscribe } from './bench.ts'
import { receiver, status } from './receiver.ts'

const test = testsOf(import.meta)

const env = { WEBHOOK_ALLOWED_NETWORKS: 'loopback' }
const service = ofTests(test, () => ownService({ env }))

/** Copies the client's only subscription this many times. */
const repeat = (client: Client, times: number) =>
  service.pool.query(statement`
    insert into webhook_subscriptions (tenant_id, url, events, enabled, status, from_sequence, good_since, created_at)
    select tenant_id, url, events, enabled, status, from_sequence, good_since, created_at
    from webhook_subscriptions, generate_series(1, ${times}) where tenant_id = ${client.tenantId}::bigint`)

test.serial(
  'a tenant with hundreds of hanging receivers delays nobody else, and gets all of its own in turn',
  async t => {
    const { webhooks, queue, close } = await startWebhookProcess(service, env)
    t.teardown(close)
    const held: ServerResponse[] = []
    const [client, other] = [await service.tenant(), await service.tenant()]
    const [hanging, quick] = [await receiver(response => void held.push(response)), await receiver()]
    await subscribe(client, hanging.url)
    await subscribe(other, quick.url)
    await repeat(client, 519)
    await makePlace(client)
    await eventually(() => held.length === 50)
    await makePlace(other)
    await eventually(() => quick.arrivals.length === 1)
    t.is(held.length, 50)

    await eventually(async () => {
      const { delayed, active } = await queue.getJobCounts('delayed', 'active')
      return delayed === 470 && active === 50
    })
    await webhooks.sweep()
    t.like(await queue.getJobCounts('wait', 'delayed', 'active'), { wait: 0, delayed: 470, active: 50 })

    hanging.answer(status(204))
    for (const response of held) response.writeHead(204).end()
    await eventually(async () => {
      const { count } = await service.pool.one(rows(v.object({ count: v.number() }))`
        select count(*)::int as count from webhook_deliveries
        where tenant_id = ${client.tenantId}::bigint and status = 'succeeded'`)
      return count === 520
    })
    await Promise.all([hanging.close(), quick.close()])
  },
)

test.serial('a process that ends leaves the senders that wait to the others', async t => {
  const { webhooks, queue, close } = await startWebhookProcess(service, env)
  const held: ServerResponse[] = []
  const [client, hook] = [await service.tenant(), await receiver(response => void held.push(response))]
  await subscribe(client, hook.url)
  await repeat(client, 189)
  await makePlace(client)
  await eventually(async () => (await queue.getJobCounts('delayed'))['delayed'] === 140)
  const ended = webhooks.close()
  hook.answer(status(204))
  for (const response of held) response.writeHead(204).end()
  await ended
  t.like(await queue.getJobCounts('wait', 'delayed', 'active'), { delayed: 0, active: 0 })
  await close()
  const next = await startWebhookProcess(service, env)
  // A process that a busy machine delayed for longer than its lease sends some of them twice.
  await eventually(() => hook.arrivals.length >= 190)
  await next.close()
  await hook.close()
})

const slotsOf = (perTenantMax: number, max = 100) => new SenderSlots({ max, perTenantMax })

test('a sender that waits is recalled when one of its tenant ends, and only then', t => {
  const [slots, recalled] = [slotsOf(2), [] as string[]]
  const wait = (tenantId: string, subscriptionId: string) =>
    slots.wait({ tenantId, subscriptionId }, async () => void recalled.push(subscriptionId))
  const [first, second, third, other] = ['1', '1', '1', '2'].map(tenantId => slots.enter(tenantId))
  t.truthy(first && second && other)
  t.is(third, undefined)
  for (const subscriptionId of ['a', 'b', 'a']) wait('1', subscriptionId)
  other?.leave()
  t.deepEqual(recalled, [])
  first?.leave()
  t.deepEqual(recalled, ['a'])
})

test('a slot that became free while a sender gave up its own is not missed', t => {
  const [slots, recalled] = [slotsOf(1), [] as string[]]
  const slot = slots.enter('1')
  t.is(slots.enter('1'), undefined)
  slot?.leave()
  slots.wait({ tenantId: '1', subscriptionId: 'a' }, async () => void recalled.push('a'))
  t.deepEqual(recalled, ['a'])
})

test('where a sender cannot be recalled the next one is', async t => {
  const [slots, recalled] = [slotsOf(1), [] as string[]]
  const slot = slots.enter('1')
  slots.wait({ tenantId: '1', subscriptionId: 'gone' }, async () => Promise.reject(new Error('gone')))
  slots.wait({ tenantId: '1', subscriptionId: 'b' }, async () => void recalled.push('b'))
  slot?.leave()
  await eventually(() => recalled.length === 1)
  t.deepEqual(recalled, ['b'])
})

test('a process that ends recalls all that wait, for the others', async t => {
  const [slots, recalled] = [slotsOf(1), [] as string[]]
  slots.enter('1')
  for (const subscriptionId of ['a', 'b'])
    slots.wait({ tenantId: '1', subscriptionId }, async () => void recalled.push(subscriptionId))
  await slots.recallAll()
  t.deepEqual(recalled, ['a', 'b'])
})

test('where all slots are taken the tenants get what becomes free in turn', t => {
  const [slots, recalled] = [slotsOf(10, 3), [] as string[]]
  const held = ['0', '0', '0'].map(tenantId => slots.enter(tenantId))
  for (const subscriptionId of ['1a', '1b', '2a', '1c', '2b'])
    slots.wait({ tenantId: subscriptionId[0] ?? '', subscriptionId }, async () => {
      recalled.push(subscriptionId)
      slots.enter(subscriptionId[0] ?? '')
    })
  for (const slot of held) slot?.leave()
  t.deepEqual(recalled, ['1a', '2a', '1b'])
})

test('a released slot is free for others, once, while the sender still counts as one of its tenant', t => {
  const slots = slotsOf(1, 2)
  const [first, second] = [slots.enter('1'), slots.enter('2')]
  t.is(slots.enter('3'), undefined)
  first?.release()
  first?.release()
  t.truthy(slots.enter('3'))
  t.is(slots.enter('4'), undefined)
  t.is(slots.enter('1'), undefined)
  first?.leave()
  t.is(slots.enter('1'), undefined, 'all are taken')
  second?.leave()
  t.truthy(slots.enter('1'))
})
