/**
 * 100,000 batches of a tenant expire at one midnight: each has one event, although a worker is killed and Redis is emptied, and the tenant
 * and others are served meanwhile.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import * as v from 'valibot'
import { updateTenant } from '../../lib/access/tenants.ts'
import { createPool, rows, sql, statement } from '../../lib/platform/postgres/postgres.ts'
import { client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess, type TestProcess } from '../support/processes.ts'
import { column } from '../support/records.ts'
import { privateRedis } from '../support/servers.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { within } from '../support/within.ts'

const test = apart(import.meta)

const [VARIANTS, BATCHES] = [100, 100_000]
/** In the second zone it is always a day later than in the first. So a change of the tenant's zone is a midnight. */
const [EVENING, MORNING] = ['Pacific/Niue', 'Pacific/Kiritimati']

const services = await testServices()
const redis = await privateRedis({ durable: false })
// For long statements.
const pool = await createPool(services.databaseUrl, { size: 1, ...within(120_000) })
const service = await startService({ databaseUrl: services.databaseUrl, redisUrl: redis.url }, { workers: 0 })
test.after.always(async () => {
  await Promise.all(started.map(each => each.end('SIGKILL')))
  await pool.end()
  await service.close()
  await redis.close()
  await services.close()
})

const started: TestProcess[] = []
async function start(kind: 'web' | 'worker'): Promise<TestProcess> {
  const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: redis.url }
  const process = await startProcess(kind, env)
  started.push(process)
  return process
}

/** Variants with batches of one piece each, whose last day is today in Niue. */
async function fill(tenantId: string, variantIds: readonly string[]): Promise<void> {
  await pool.query(statement`
    with made as (
      insert into batches (tenant_id, id, item_variant_id, number, expiry_date, created_at, updated_at)
      select ${tenantId}::bigint, nextval('ids'), (${sql.array(variantIds, 'int8')})[1 + n % ${VARIANTS}], 'B' || n,
        local_day(${EVENING}, now()), now(), now()
      from generate_series(1, ${BATCHES}) n
      returning tenant_id, id, item_variant_id, expiry_date
    ), level as (
      insert into stock_levels (
        tenant_id, item_variant_id, batch_id, quantity, quarantine_quantity, reserved_quantity, expected_quantity, updated_at, expires_on
      )
      select tenant_id, item_variant_id, id, 1, 0, 0, 0, now(), expiry_date from made
      returning tenant_id, item_variant_id, quantity, expires_on
    )
    insert into stock_balances (tenant_id, item_variant_id, quantity, quarantine_quantity, value, expired_before)
    select tenant_id, item_variant_id, sum(quantity), 0, 0, max(expires_on) from level group by 1, 2`)
}

const Told = v.object({ events: v.number(), batches: v.number(), positions: v.number(), stock: v.number() })

/** The events that the service wrote without a command of a caller. */
const toldOf = (tenantId: string) =>
  pool.one(rows(Told)`
    select count(*) filter (where type = 'batch.expired')::int as events,
      count(distinct body::jsonb -> 'data' ->> 'id') filter (where type = 'batch.expired')::int as batches,
      count(*) filter (where type = 'stock.changed')::int as stock,
      count(distinct body::jsonb -> 'data' ->> 'item_variant_id') filter (where type = 'stock.changed')::int as positions
    from events where tenant_id = ${tenantId}::bigint and body::jsonb -> 'actor' = 'null'`)

const expiredOf = async (tenantId: string): Promise<number> =>
  (
    await pool.one(
      rows(v.object({ n: v.number() }))`
        select count(*)::int as n from batches where tenant_id = ${tenantId}::bigint and expired`,
    )
  ).n

test('each batch of a midnight is told once, through kills and an emptied Redis, and tenants are served meanwhile', async t => {
  const web = await start('web')
  const workers = [await start('worker'), await start('worker')]
  const clientOf = async () => {
    const { tenantId, token, keyId } = await service.tenant()
    return client(web.url, tenantId, { token, keyId })
  }
  const [dairy, neighbour] = [await clientOf(), await clientOf()]
  const { tenantId } = dairy
  await updateTenant(service.pool, { tenantId, timeZone: EVENING })
  const make = async (sku: string) => {
    const made = await dairy.post('/products', { title: sku, sku, batch_tracked: true })
    t.is(made.status, 201, made.text)
    return made.body.variants[0].id as string
  }
  const variantIds = await Promise.all(Array.from({ length: VARIANTS }, (_, at) => make(`MILK-${at}`)))
  await fill(tenantId, variantIds)
  t.is((await neighbour.post('/products', { title: 'Oak', sku: 'OAK' })).status, 201)

  let isOver = false
  const slowest = { dairy: 0, neighbour: 0 }
  const served = { dairy: 0, neighbour: 0 }
  const sell = async (name: keyof typeof served, of: typeof dairy, sku: string) => {
    for (const order = { customer: { title: 'Inn' }, items: [{ sku, quantity: 1 }] }; !isOver; await delay(50)) {
      const began = performance.now()
      const { status } = await of.post('/sales-orders', order)
      slowest[name] = Math.max(slowest[name], performance.now() - began)
      // An emptied Redis loses commands that wait: their callers get a 503.
      t.true(status === 201 || status === 503, `${status}`)
      if (status === 201) served[name]++
    }
  }
  const began = performance.now()
  await updateTenant(service.pool, { tenantId, timeZone: MORNING })
  const selling = Promise.all([sell('dairy', dairy, 'MILK-0'), sell('neighbour', neighbour, 'OAK')])
  const strikes = [
    async () => {
      await workers[0]?.end('SIGKILL')
      workers[0] = await start('worker')
    },
    async () => {
      const all = new Redis(redis.url)
      await all.flushall()
      all.disconnect()
    },
    async () => {
      await workers[1]?.end('SIGKILL')
      workers[1] = await start('worker')
    },
  ]
  for (const [at, strike] of strikes.entries()) {
    await eventually(async () => (await expiredOf(tenantId)) > (BATCHES * (at + 1)) / 5)
    await strike()
  }
  await eventually(async () => (await expiredOf(tenantId)) === BATCHES)
  t.log(`told in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
  isOver = true
  await selling
  t.log('orders', served, 'slowest in ms', slowest)
  t.true(served.dairy > 0 && served.neighbour > 0)
  t.deepEqual(await toldOf(tenantId), { events: BATCHES, batches: BATCHES, positions: VARIANTS, stock: VARIANTS })
  const { body } = await dairy.get('/availability?limit=200')
  t.deepEqual(
    column(body.data, 'expired_quantity'),
    variantIds.map(() => BATCHES / VARIANTS),
  )
  for (const each of [web, ...workers]) {
    t.is(await each.end('SIGTERM'), 0)
    t.deepEqual(each.errors, [])
  }
})
