/** An erased tenant leaves no row anywhere, its callers get no success for what is gone, and other tenants are not affected. */

import pg from 'pg'
import * as v from 'valibot'
import { connectionString } from '../../lib/platform/postgres/address.ts'
import { createPool, type Pool, rows } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../../lib/platform/redis/redis.ts'
import { sendOver } from '../../lib/tools/demo/client.ts'
import { fillDemo } from '../../lib/tools/demo/data.ts'
import { eraseTenant, type Step, steps } from '../../lib/tools/erase/erase.ts'
import { lockKeyOf, MOVING_LOCK } from '../../lib/tools/moves/mover.ts'
import type { Loose } from '../support/command-context.ts'
import { eventually } from '../support/eventually.ts'
import { holdTenant } from '../support/held-tenant.ts'
import { typedJson } from '../support/millrace.ts'
import { testConfig } from '../support/pipeline.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { everyList } from './every-list.ts'
import { serviceOfTwoCells } from './two-cells.ts'

const test = testsOf(import.meta, { isSerial: true })

const timeouts = { statementTimeoutMs: 10_000, idleInTransactionTimeoutMs: 10_000 }
let service: Awaited<ReturnType<typeof serviceOfTwoCells>>
let redis: Redis
let sessions: pg.Client[]
let eastPool: Pool
test.before(async () => {
  service = await serviceOfTwoCells()
  redis = connectRedis(service.redisUrl, 'producer', 'test erase')
  sessions = await Promise.all(
    [service.databaseUrl, service.eastUrl].map(async url => {
      const client = new pg.Client({ connectionString: connectionString(url) })
      await client.connect()
      return client
    }),
  )
  eastPool = await createPool(service.eastUrl, { ...timeouts, size: 1 })
})
test.after.always(async () => {
  await eastPool.end()
  await Promise.all(sessions.map(client => client.end()))
  await closeRedis(redis)
})

const millrace = (...args: string[]) => typedJson(args, service.env)

type Tenant = { readonly client: Client; readonly name: string }

async function tenant(name: string, cell: 'main' | 'east'): Promise<Tenant> {
  const made = await millrace(
    'tenant',
    'create',
    '--name',
    name,
    '--owner-email',
    'o@acme.example',
    '--plan',
    'pro',
    '--cell',
    cell,
  )
  const id = String(made.json.tenant_id)
  const limits = ['--rate-per-minute', '1000000', '--burst', '100000', '--daily-documents', '100000']
  const { json } = await millrace('key', 'issue', '--tenant', id, ...limits)
  return { client: service.client(id, { keyId: json.key_id, token: json.token }), name }
}

async function fill({ client }: Tenant): Promise<void> {
  const hook = { url: 'http://127.0.0.1:9/', events: ['*'] }
  for (const [path, body] of [
    ['/webhook-subscriptions', hook],
    ['/storage-places', { title: 'Dock 2' }],
    ['/products', { title: 'Cup', variants: [{ sku: 'CUP' }] }],
  ] as const)
    if ((await client.post(path, body)).status !== 201) throw new Error(`no ${path}`)
}

const erase = ({ client, name }: Tenant) => millrace('tenant', 'erase', '--tenant', client.tenantId, '--name', name)

/** The tables of both cells that have rows of the tenant, found in the catalogue. */
async function leftIn(tenantId: string): Promise<string[]> {
  const left: string[] = []
  for (const client of sessions) {
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and c.relname <> 'key_changes'`,
    )
    const parts = tables.map(
      ({ name }) => `select '${name}' as name where exists (select from ${name} where tenant_id = $1)`,
    )
    const found = await client.query<{ name: string }>(parts.join(' union all '), [tenantId])
    left.push(...found.rows.map(({ name }) => name))
  }
  return left
}

/** Keys of Redis, and members of its sets, that name the tenant. */
async function leftInRedis(tenantId: string): Promise<string[]> {
  const names = new RegExp(`(?:^|[:t])${tenantId}(?::|$)`)
  const keys = await redis.keys('*')
  const members = await Promise.all(
    keys.map(async key => {
      const type = await redis.type(key)
      if (type === 'set') return redis.smembers(key)
      return type === 'zset' ? redis.zrange(key, 0, '-1') : []
    }),
  )
  return [...keys, ...members.flat()].filter(key => names.test(key))
}

async function lists({ client }: Tenant, asOf: string): Promise<Loose> {
  const all = await everyList(client, asOf)
  // Leaves out the last use of the key that makes these reads.
  return { ...all, '/api-keys': all['/api-keys']?.map(({ last_used_at: _, ...key }: Loose) => key) }
}

const demo = ({ client }: Tenant) =>
  fillDemo(sendOver(service.url, client.token), line => {
    throw new Error(line)
  })

test('an erased tenant leaves nothing, and others have every list as before', async t => {
  const [beside, apart, victim] = [
    await tenant('Beside', 'east'),
    await tenant('Apart', 'main'),
    await tenant('Northwind "Bikes"', 'east'),
  ]
  for (const each of [beside, victim]) await demo(each)
  for (const each of [beside, apart, victim]) await fill(each)
  const asOf = new Date().toISOString()
  const before = [await lists(beside, asOf), await lists(apart, asOf)]
  t.true(before[0]['/stock-movements'].length > 10)

  const erased = await erase(victim)
  t.is(erased.status, 0, erased.err)
  t.true(erased.json.rows > 100)
  t.deepEqual(await leftIn(victim.client.tenantId), [])
  await eventually(async () => (await leftInRedis(victim.client.tenantId)).length === 0)
  await eventually(async () => (await victim.client.get('/products')).status === 401)
  t.deepEqual([await lists(beside, asOf), await lists(apart, asOf)], before)
  for (const each of [beside, apart]) t.is((await each.client.post('/suppliers', { title: 'After' })).status, 201)
  t.like(await millrace('reconcile'), { status: 0, err: '' })
  t.notRegex(JSON.stringify((await millrace('doctor')).json), new RegExp(`\\b${victim.client.tenantId}\\b`))

  const { json } = await millrace('audit', 'list')
  t.like(json.actions[0], {
    ...{ tenant_id: null, command: 'tenant erase', outcome: 'done' },
    after: { tenant_id: victim.client.tenantId, name: victim.name, rows: erased.json.rows },
  })
})

test('another name, another id and a tenant that is being moved are refused, and nothing happens', async t => {
  const victim = await tenant('Acme', 'main')
  await fill(victim)
  const { tenantId } = victim.client
  for (const name of ['acme', 'Acme ', '']) t.regex((await erase({ ...victim, name })).err, /has another name/)
  t.regex(
    (await millrace('tenant', 'erase', '--tenant', '999999999', '--name', 'Acme')).err,
    /there is no tenant 999999999/,
  )
  const [main] = sessions
  await main?.query('select pg_advisory_lock($1, $2)', [MOVING_LOCK, lockKeyOf(tenantId)])
  t.regex((await erase(victim)).err, /another is moving the tenant/)
  await main?.query('select pg_advisory_unlock($1, $2)', [MOVING_LOCK, lockKeyOf(tenantId)])
  await main?.query(
    `insert into tenant_moves (tenant_id, id, from_cell, to_cell) values ($1, gen_random_uuid(), 'main', 'east')`,
    [tenantId],
  )
  t.regex((await erase(victim)).err, /is being moved from main to east/)
  await main?.query('delete from tenant_moves where tenant_id = $1', [tenantId])
  t.is((await victim.client.post('/suppliers', { title: 'Still here' })).status, 201)
})

class Stopped extends Error {}

test('an erasure that broke off behind any step goes on with the same command', async t => {
  const config = testConfig(service, service.env)
  const cells = [
    { name: 'main', databaseUrl: service.databaseUrl, pool: async () => service.pool },
    { name: 'east', databaseUrl: service.eastUrl, pool: async () => eastPool },
  ]
  const at = [...steps.slice(0, -1), 'in the rows'] as const
  const brokenOff: { place: (typeof at)[number]; victim: Tenant }[] = []
  for (const [n, place] of at.entries()) {
    const victim = await tenant(`Acme ${n}`, n % 2 === 0 ? 'east' : 'main')
    await fill(victim)
    const { tenantId } = victim.client
    const stop = (step: Step | 'in the rows') => {
      if (step === place) throw new Stopped()
    }
    await t.throwsAsync(
      eraseTenant(
        { tenantId, name: victim.name },
        {
          ...{ cells, redis, queueShards: config.queueShards, commandDeadlineMs: config.commandDeadlineMs },
          onStep: stop,
          onRows: rows => rows > 0 && stop('in the rows'),
        },
      ),
      { instanceOf: Stopped },
      place,
    )
    brokenOff.push({ place, victim })
  }
  // One `doctor` for all of them, since it takes long.
  const told = JSON.stringify((await millrace('doctor')).json.checks)
  for (const { place, victim } of brokenOff) {
    const { tenantId } = victim.client
    t.regex((await erase({ ...victim, name: 'Other' })).err, /has another name/, place)
    if (!['suspended', 'erased'].includes(place))
      t.regex(told, new RegExp(`the erasure of tenant ${tenantId} is not over`), place)
    const again = await erase(victim)
    t.is(again.status, 0, `${place}: ${again.err}`)
    t.deepEqual(await leftIn(tenantId), [], place)
    await eventually(async () => (await leftInRedis(tenantId)).length === 0)
  }
  t.notRegex(JSON.stringify((await millrace('doctor')).json.checks), /erasure/)
})

const waiting = async () =>
  (
    await service.pool.any(
      rows(v.object({}))`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length

test('a write under way is answered before its rows are removed, and no later one succeeds', async t => {
  const victim = await tenant('Busy', 'main')
  const { tenantId } = victim.client
  const held = await holdTenant(t, { databaseUrl: service.databaseUrl, tenantId })
  const order: string[] = []
  const written = victim.client.post('/suppliers', { title: 'Accepted' }).then(({ status }) => {
    order.push('answered')
    return status
  })
  await held.waitFor(1)
  const erased = erase(victim).then(result => {
    order.push('erased')
    return result
  })
  await held.waitFor(2)
  await held.release()
  t.is((await erased).status, 0)
  await written
  t.deepEqual(order, ['answered', 'erased'])
  t.not((await victim.client.post('/suppliers', { title: 'Later' })).status, 201)
  t.deepEqual(await leftIn(tenantId), [])
})

test('what is being relayed to webhooks while its tenant is erased leaves nothing', async t => {
  const victim = await tenant('Relayed', 'main')
  await fill(victim)
  const { tenantId } = victim.client
  const [relay] = sessions
  await relay?.query('begin')
  await relay?.query('select from webhook_relays where tenant_id = $1 for update', [tenantId])
  await relay?.query(
    `insert into webhook_deliveries (tenant_id, subscription_id, generation, event_id, event_type, sequence, next_attempt_at, created_at)
     select tenant_id, id, generation, 'evt_1', 'product.created', 1, now(), now() from webhook_subscriptions where tenant_id = $1`,
    [tenantId],
  )
  const erased = erase(victim)
  await eventually(async () => (await waiting()) === 1)
  await relay?.query('commit')
  t.like(await erased, { status: 0, err: '' })
  t.deepEqual(await leftIn(tenantId), [])
})

test('what housekeeping notes of a tenant that it saw before the erasure leaves nothing', async t => {
  const victim = await tenant('Noted', 'main')
  await fill(victim)
  const { tenantId } = victim.client
  const [chore] = sessions
  // Only databases of tests have this constraint.
  await chore?.query(
    'alter table past_stock_balances_progress drop constraint past_stock_balances_progress_tenant_id_movement_id_fkey',
  )
  await chore?.query('begin')
  await chore?.query('insert into past_stock_balances_progress (tenant_id, movement_id) values ($1, 1)', [tenantId])
  let isErased = false
  const erased = erase(victim).finally(() => {
    isErased = true
  })
  await eventually(async () => isErased || (await waiting()) === 1)
  await chore?.query('commit')
  t.like(await erased, { status: 0, err: '' })
  t.deepEqual(await leftIn(tenantId), [])
})

test('callers that write while their tenant is erased hear no success once the erasure has ended', async t => {
  const victim = await tenant('Loaded', 'east')
  const { tenantId } = victim.client
  let isErased = false
  let isOver = false
  const [early, late]: number[][] = [[], []]
  const writers = Array.from({ length: 6 }, async (_, at) => {
    for (let n = 0; !isOver; n++) {
      const { status } = await victim.client.post('/suppliers', { title: `S-${at}-${n}` })
      ;(isErased ? late : early)?.push(status)
    }
  })
  await eventually(() => (early?.filter(status => status === 201).length ?? 0) > 20)
  t.like(await erase(victim), { status: 0, err: '' })
  isErased = true
  await eventually(() => (late?.length ?? 0) > 20)
  isOver = true
  await Promise.all(writers)
  t.false(late?.includes(201))
  t.deepEqual(await leftIn(tenantId), [])
})
