/** The relay: no tenant delays another one, whatever is wrong with it, and no round is larger than a transaction may be. */

import * as v from 'valibot'
import { createPool, type Pool, rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../../lib/platform/redis/redis.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { WebhookQueue } from '../../lib/webhooks/queue.ts'
import { relayTenant } from '../../lib/webhooks/relay.ts'
import { signalTenant } from '../../lib/webhooks/tenant-signals.ts'
import { startRelay } from '../../workers/webhooks/relay-loop.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests, ownService } from '../support/of-file.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { makePlace, startWebhookProcess, subscribe } from './bench.ts'
import { receiver } from './receiver.ts'

const test = testsOf(import.meta, { isSerial: true })

const env = { WEBHOOK_ALLOWED_NETWORKS: 'loopback' }
const timeouts = { statementTimeoutMs: 20_000, idleInTransactionTimeoutMs: 20_000 }
let pool: Pool
let redis: Redis
const service = ofTests(test, async () => {
  const own = await ownService({ env })
  pool = await createPool(own.databaseUrl, { ...timeouts, size: 10, checkRows: true })
  redis = connectRedis(own.redisUrl, 'worker', 'test relay')
  return {
    ...own,
    close: async () => {
      await closeRedis(redis)
      await pool.end()
      await own.close()
    },
  }
})

const Count = v.object({ count: v.number() })
const deliveries = async ({ tenantId }: Client): Promise<number> =>
  (await pool.one(rows(Count)`select count(*)::int as count from webhook_deliveries where tenant_id = ${tenantId}`))
    .count

/** A subscription without a receiver, and this many events. */
async function tenantWith(events: number): Promise<Client> {
  const client = await service.tenant()
  await subscribe(client, 'http://127.0.0.1:1/hook')
  for (let n = 0; n < events; n++) await makePlace(client)
  return client
}

/** A relay alone, without a sweep. */
function relayAlone() {
  const queue = new WebhookQueue(redis)
  const log = createLog({ level: 'silent', processName: 'test' })
  const blocking = connectRedis(service.redisUrl, 'worker', 'test relay blocking')
  const relay = startRelay({ pool, redis, queue, log, now: Date.now, blocking })
  return {
    close: async () => {
      await relay.close()
      await queue.close()
    },
  }
}

test('a tenant that cannot be relayed keeps neither the sweep nor the relay from the others', async t => {
  const [broken, client, hook] = [await tenantWith(1), await service.tenant(), await receiver()]
  await subscribe(client, hook.url)
  await makePlace(client)
  await pool.query(statement`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'no room for this tenant'; end $$`)
  // The condition of a trigger takes no parameters.
  await pool.query(statement`
    create function is_broken(of_tenant bigint) returns boolean language sql as
    $$ select exists (select from tenants where tenant_id = of_tenant and name = 'broken') $$`)
  await pool.query(statement`update tenants set name = 'broken' where tenant_id = ${broken.tenantId}::bigint`)
  await pool.query(statement`
    create trigger refuse before insert on webhook_deliveries for each row when (is_broken(new.tenant_id)) execute function refuse()`)
  await redis.del('{webhooks}:tenants') // the list of named tenants is deleted: only the sweep finds the two
  const process = await startWebhookProcess(service, env)
  await eventually(() => hook.arrivals.length === 1)
  t.is(await deliveries(broken), 0)
  await pool.query(statement`drop trigger refuse on webhook_deliveries`)
  await eventually(async () => (await deliveries(broken)) === 1)
  await process.close()
  await hook.close()
})

test('while a tenant waits, however often it is named, the others are relayed', async t => {
  const [held, client] = [await tenantWith(1), await tenantWith(1)]
  const [isHeld, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = pool.transaction(async holder => {
    await holder.query(statement`select from webhook_relays where tenant_id = ${held.tenantId}::bigint for update`)
    isHeld.resolve()
    await release.promise
  })
  await isHeld.promise
  const relay = relayAlone()
  t.teardown(() => relay.close())
  for (let n = 0; n < 10; n++) {
    await signalTenant(redis, held.tenantId)
    await eventually(async () => (await redis.zcard('{webhooks}:tenants')) === 0)
  }
  await signalTenant(redis, client.tenantId)
  await eventually(async () => (await deliveries(client)) === 1)
  t.is(await deliveries(held), 0)
  release.resolve()
  await holding
  await eventually(async () => (await deliveries(held)) === 1)
})

test('a round makes at most 20,000 deliveries, and the rounds go on until all are made', async t => {
  const client = await tenantWith(22)
  await pool.query(statement`
    insert into webhook_subscriptions (tenant_id, url, events, enabled, status, from_sequence, good_since, created_at)
    select tenant_id, url, events, enabled, status, from_sequence, good_since, created_at
    from webhook_subscriptions, generate_series(2, 1000) where tenant_id = ${client.tenantId}::bigint`)
  const now = new Date().toISOString()
  const first = await relayTenant(pool, client.tenantId, now)
  t.is(await deliveries(client), 20_000)
  t.true(first.isBehind)
  t.is(first.due.length, 1_000)
  const relay = relayAlone()
  t.teardown(() => relay.close())
  await signalTenant(redis, client.tenantId)
  await eventually(async () => (await deliveries(client)) === 22_000)
  t.false((await relayTenant(pool, client.tenantId, now)).isBehind)
})
