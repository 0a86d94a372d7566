/** Many hanging receivers of one tenant: the other tenants notice nothing, and the tenant's own lanes take turns. */
import type { ServerResponse } from 'node:http'
import test from 'ava'
import * as v from 'valibot'
import { rows, statement } from '../../lib/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/redis/redis.ts'
import { WebhookQueue } from '../../lib/webhooks/queue.ts'
import { Places } from '../../workers/webhooks/sender-slots.ts'
import { eventually } from '../support/eventually.ts'
import type { Client } from '../support/service.ts'
import { makePlace, startWebhookProcess, subscribe, webhookBench } from './bench.ts'
import { receiver, status } from './receiver.ts'

const bench = await webhookBench()
const { service, pool } = bench
const redis = connectRedis(bench.services.redisUrl, 'worker', 'test places')
const queue = new WebhookQueue(redis)
test.after.always(async () => {
  await queue.close()
  await closeRedis(redis)
  await bench.close()
})

/** A subscription like the client's only one, so many times. */
const repeat = (client: Client, times: number) =>
  pool.query(statement`
    insert into webhook_subscriptions (tenant_id, url, events, enabled, status, from_sequence, good_since, created_at)
    select tenant_id, url, events, enabled, status, from_sequence, good_since, created_at
    from webhook_subscriptions, generate_series(1, ${times}) where tenant_id = ${client.tenantId}::bigint`)

test.serial(
  'a tenant with hundreds of hanging receivers delays nobody else, and gets all of its own in turn',
  async t => {
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
      const { delayed, active } = await queue.queue.getJobCounts('delayed', 'active')
      return delayed === 470 && active === 50
    })
    await bench.webhooks.sweep()
    t.like(await queue.queue.getJobCounts('wait', 'delayed', 'active'), { wait: 0, delayed: 470, active: 50 })

    hanging.answer(status(204))
    for (const response of held) response.writeHead(204).end()
    await eventually(
      async () => {
        const { count } = await pool.one(rows(v.object({ count: v.number() }))`
        select count(*)::int as count from webhook_deliveries
        where tenant_id = ${client.tenantId}::bigint and status = 'succeeded'`)
        return count === 520
      },
      { timeoutMs: 20_000 },
    )
    t.is(hanging.arrivals.length, 520)
    await Promise.all([hanging.close(), quick.close()])
  },
)

test.serial('a process that ends leaves the lanes that wait to the others', async t => {
  const held: ServerResponse[] = []
  const [client, hook] = [await service.tenant(), await receiver(response => void held.push(response))]
  await subscribe(client, hook.url)
  await repeat(client, 189)
  await makePlace(client)
  await eventually(async () => (await queue.queue.getJobCounts('delayed'))['delayed'] === 140)
  const ended = bench.webhooks.close()
  hook.answer(status(204))
  for (const response of held) response.writeHead(204).end()
  await ended
  t.like(await queue.queue.getJobCounts('wait', 'delayed', 'active'), { delayed: 0, active: 0 })
  const next = await startWebhookProcess(bench.services, bench.env)
  await eventually(() => hook.arrivals.length === 190)
  await next.close()
  await hook.close()
})

const placesOf = (perTenantMax: number, max = 100) => new Places({ max, perTenantMax })

test('a lane that waits is recalled when one of its tenant ends, and only then', t => {
  const [places, recalled] = [placesOf(2), [] as string[]]
  const wait = (tenantId: string, laneId: string) =>
    places.wait({ tenantId, laneId }, async () => void recalled.push(laneId))
  const [first, second, third, other] = ['1', '1', '1', '2'].map(tenantId => places.enter(tenantId))
  t.truthy(first && second && other)
  t.is(third, undefined)
  for (const laneId of ['a', 'b', 'a']) wait('1', laneId)
  other?.leave()
  t.deepEqual(recalled, [])
  first?.leave()
  t.deepEqual(recalled, ['a'])
})

test('a place that became free while a lane gave up its own is not missed', t => {
  const [places, recalled] = [placesOf(1), [] as string[]]
  const place = places.enter('1')
  t.is(places.enter('1'), undefined)
  place?.leave()
  places.wait({ tenantId: '1', laneId: 'a' }, async () => void recalled.push('a'))
  t.deepEqual(recalled, ['a'])
})

test('where a lane cannot be recalled the next one is', async t => {
  const [places, recalled] = [placesOf(1), [] as string[]]
  const place = places.enter('1')
  places.wait({ tenantId: '1', laneId: 'gone' }, async () => Promise.reject(new Error('gone')))
  places.wait({ tenantId: '1', laneId: 'b' }, async () => void recalled.push('b'))
  place?.leave()
  await eventually(() => recalled.length === 1)
  t.deepEqual(recalled, ['b'])
})

test('a process that ends recalls all that wait, for the others', async t => {
  const [places, recalled] = [placesOf(1), [] as string[]]
  places.enter('1')
  for (const laneId of ['a', 'b']) places.wait({ tenantId: '1', laneId }, async () => void recalled.push(laneId))
  await places.recallAll()
  t.deepEqual(recalled, ['a', 'b'])
})

test('where all places are taken the tenants get what becomes free in turn', t => {
  const [places, recalled] = [placesOf(10, 3), [] as string[]]
  const held = ['0', '0', '0'].map(tenantId => places.enter(tenantId))
  for (const laneId of ['1a', '1b', '2a', '1c', '2b'])
    places.wait({ tenantId: laneId[0] ?? '', laneId }, async () => {
      recalled.push(laneId)
      places.enter(laneId[0] ?? '')
    })
  for (const place of held) place?.leave()
  t.deepEqual(recalled, ['1a', '2a', '1b'])
})

test('a released place is free for others, once, while the lane still counts as one of its tenant', t => {
  const places = placesOf(1, 2)
  const [first, second] = [places.enter('1'), places.enter('2')]
  t.is(places.enter('3'), undefined)
  first?.release()
  first?.release()
  t.truthy(places.enter('3'))
  t.is(places.enter('4'), undefined)
  t.is(places.enter('1'), undefined)
  first?.leave()
  t.is(places.enter('1'), undefined, 'all are taken')
  second?.leave()
  t.truthy(places.enter('1'))
})
