/**
 * A standby takes over that lacks commits whose answers and webhooks were sent (docs/operations.md, "Failover"): with a real streaming
 * standby, while everything else keeps running.
 */

import * as v from 'valibot'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import { openStream } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import { column } from '../support/records.ts'
import { replicatedPostgres } from '../support/replicated-postgres.ts'
import { privateRedis } from '../support/servers.ts'
import { type Client, type Reply, startService } from '../support/service.ts'
import { apart } from '../support/suite.ts'
import { startWebhookProcess, subscribe } from '../webhooks/bench.ts'
import { receiver } from '../webhooks/receiver.ts'

const test = apart(import.meta)

const env = { WEBHOOK_ALLOWED_NETWORKS: 'loopback', LOG_LEVEL: 'silent' }
const [postgres, redis, hook] = await Promise.all([replicatedPostgres(), privateRedis({ durable: false }), receiver()])
const services = { databaseUrl: postgres.primaryUrl, redisUrl: redis.url }
const service = await startService(services, { env })
const webhooks = await startWebhookProcess(services, env)
test.after.always(async () => {
  await webhooks.close()
  await service.close()
  await hook.close()
  await redis.close()
  await postgres.close()
})

const make = (client: Client, title: string) => client.post('/products', { title, external_ref: title }, `key-${title}`)
const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true'
const named = async (client: Client, title: string): Promise<string[]> =>
  (await client.get(`/products?external_ref=${title}`)).body.data.map(({ id }: { id: string }) => id)
/** The number of the tenant's last event. */
const lastOf = async (client: Client) => Number((await client.get('/me')).headers.get('event-sequence'))
const sequences = async (client: Client): Promise<number[]> =>
  (await client.get('/events')).body.data.map(({ sequence }: { sequence: number }) => sequence)

/** Waits until the standby has all that was committed. */
const standbyFollows = () =>
  eventually(async () => {
    const Row = v.object({ follows: v.boolean() })
    const found = await service.pool.any(rows(Row)`
      select replay_lsn >= pg_current_wal_lsn() as follows from pg_stat_replication`)
    return found.length === 1 && found[0]?.follows === true
  })

test('what a standby lost is not replayed, is booked anew once, and no number is given twice', async t => {
  const client = await service.tenant()
  const idle = await service.tenant()
  await subscribe(client, hook.url)
  const since = new Date(Date.now() - 60_000).toISOString()
  const kept = await make(client, 'kept')
  const keptIdle = await make(idle, 'kept')
  await eventually(() => hook.arrivals.length === 1)
  const last = await lastOf(client)
  const [lastIdle, idleStream] = [await lastOf(idle), await openStream(idle, '/events/stream')]
  await standbyFollows()
  await postgres.stopStandby()

  const lost = [await make(client, 'lost'), await make(client, 'gone')]
  t.deepEqual(column(lost, 'status'), [201, 201])
  t.true(isReplay(await make(client, 'lost')), 'Redis answers a replay')
  await eventually(() => hook.arrivals.length === 3)
  const lastLost = await lastOf(client)
  t.true(lastLost > last)
  const stream = await openStream(client, '/events/stream', { 'last-event-id': String(last) })
  await stream.events(lastLost - last)

  await postgres.failOver()
  // The product is gone, and a follower that saw its event gets an error.
  await eventually(async () => (await client.get(`/products/${lost[0]?.body.id}`)).status === 404)
  await stream.ended()
  const again: Reply[] = []
  // For four seconds a server process may not know of the failover, and replays the lost answer.
  await eventually(async () => {
    again.push(await make(client, 'lost'))
    return again.at(-1)?.status === 201 && !isReplay(again.at(-1) as Reply)
  })
  const anew = again.at(-1)?.body
  t.true(isReplay(await make(client, 'lost')))
  t.deepEqual(await named(client, 'lost'), [anew.id], 'booked once')
  t.deepEqual(await named(client, 'gone'), [], 'nobody sent it again')
  const keptAgain = await make(client, 'kept')
  t.true(isReplay(keptAgain))
  t.is(keptAgain.text, kept.text)

  t.true(
    lost.every(({ body }) => BigInt(anew.id) > BigInt(body.variants[0].id)),
    'ids go on beyond the lost ones',
  )
  const numbers = await sequences(client)
  t.deepEqual(
    numbers.slice(0, last),
    Array.from({ length: last }, (_, at) => at + 1),
  )
  t.true(numbers.length > last && numbers.slice(last).every(number => number > lastLost), numbers.join())
  await eventually(() => hook.arrivals.some(({ body }) => body.sequence === numbers.at(-1)))
  const byNumber = Map.groupBy(hook.arrivals, ({ body }) => body.sequence as number)
  for (const [number, arrivals] of byNumber)
    t.is(new Set(arrivals.map(({ headers }) => headers['webhook-id'])).size, 1, `${number} names one event`)
  t.deepEqual(
    [...byNumber.keys()],
    [...byNumber.keys()].toSorted((a, b) => a - b),
  )

  // A follower that saw no lost event continues as before. One that did gets an error.
  const after = await openStream(client, '/events/stream', { 'last-event-id': String(last) })
  t.deepEqual(column(await after.events(numbers.length - last), 'id'), numbers.slice(last))
  after.close()
  await t.throwsAsync(openStream(client, '/events/stream', { 'last-event-id': String(lastLost) }))
  t.is((await client.get(`/events?after_sequence=${last}`)).body.data.length, numbers.length - last)
  const subscription = (await client.get('/webhook-subscriptions')).body.data[0]
  const recovered = await client.post(`/webhook-subscriptions/${subscription.id}/recover`, { since })
  t.deepEqual([recovered.status, recovered.body.count], [200, 0])

  // A tenant that lost nothing only has a higher next number.
  t.is(await lastOf(idle), lastIdle)
  t.is((await make(idle, 'kept')).text, keptIdle.text)
  t.is((await make(idle, 'next')).status, 201)
  const [next] = await idleStream.events(1)
  t.is(next?.data.type, 'product.created')
  t.true((next?.id ?? 0) > lastIdle + 1)
  t.false(idleStream.isClosed)
  idleStream.close()
  t.deepEqual((await reconcile(services.databaseUrl)).faults, [])

  const generations = await service.pool.any(
    rows(v.object({ timeline: v.nullable(v.string()) }))`select timeline from generations order by generation`,
  )
  t.deepEqual(column(generations, 'timeline'), ['00000001', '00000002'])
})
