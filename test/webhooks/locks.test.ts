/** Statements that write subscriptions and deliveries at the same time: none waits in a circle, and none for long. */

import pg from 'pg'
import * as v from 'valibot'
import { connectionString, withOptions } from '../../lib/platform/postgres/address.ts'
import { createPool, type Pool, rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { type Outcome, storeOutcomes } from '../../lib/webhooks/outcomes.ts'
import { continueRecovery } from '../../lib/webhooks/recovery-queries.ts'
import { Recorder, WAITING_MAX } from '../../workers/webhooks/recorder.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import { type Client, startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const SUBSCRIPTIONS = 6
const EVENTS = 30
const ROUNDS = 40

const timeouts = { statementTimeoutMs: 20_000, idleInTransactionTimeoutMs: 20_000 }
let pool: Pool
const service = ofTests(test, async () => {
  const services = await testServices()
  const { databaseUrl } = services
  // The first session that checks for a deadlock is its victim. Here that is a session of the tests, so that each deadlock fails a test.
  // The service never checks.
  const service = await startService({ ...services, databaseUrl: withOptions(databaseUrl, 'deadlock_timeout=1min') })
  pool = await createPool(withOptions(databaseUrl, 'deadlock_timeout=10ms'), { ...timeouts, size: 8 })
  return {
    ...service,
    databaseUrl,
    close: async () => {
      await pool.end()
      await service.close()
      await services.close()
    },
  }
})

type Delivery = { readonly id: string; readonly subscriptionId: string }

async function begun(): Promise<{
  client: Client
  subscriptions: string[]
  deliveries: () => Promise<readonly Delivery[]>
}> {
  const client = await service.tenant()
  const subscriptions: string[] = []
  for (let at = 0; at < SUBSCRIPTIONS; at++) {
    const made = await client.post('/webhook-subscriptions', { url: `https://r${at}.example.com/`, events: ['*'] })
    subscriptions.push(made.body.id)
    await client.post(`/webhook-subscriptions/${made.body.id}/test`, {})
  }
  const deliveries = () =>
    pool.any(rows(v.object({ id: v.string(), subscriptionId: v.string() }))`
      select id::text as id, subscription_id::text as "subscriptionId" from webhook_deliveries
      where tenant_id = ${client.tenantId}::bigint`)
  return { client, subscriptions, deliveries }
}

const failure = { isSuccess: false, responseStatus: 500, durationMs: 1, reason: 'HTTP 500', retryAfterMs: 0 }
const outcomeOf = ({ tenantId }: Client, { id, subscriptionId }: Delivery): Outcome => ({
  ...{ tenantId, subscriptionId, deliveryId: id, generation: 1, roundAttempts: 0, chance: 0.5 },
  attempt: failure,
  at: Date.now(),
})
const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map(value => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)

test('outcomes, redeliveries, changes and recoveries at once never wait for each other in a circle', async t => {
  const { client, subscriptions, deliveries } = await begun()
  for (let n = 0; n < EVENTS; n++) await client.post('/suppliers', { title: `S-${n}` })
  for (const id of subscriptions)
    await client.post(`/webhook-subscriptions/${id}/recover`, { since: new Date(Date.now() - 3_600_000).toISOString() })
  const errors: string[] = []
  let isOver = false
  const again = async (work: () => Promise<unknown>) => {
    while (!isOver) await work().catch(error => errors.push(String(error.cause ?? error)))
  }
  const storing = () =>
    again(async () =>
      storeOutcomes(
        pool,
        shuffled(await deliveries())
          .slice(0, 40)
          .map(each => outcomeOf(client, each)),
      ),
    )
  const recovering = again(async () => {
    await pool.query(statement`
      insert into webhook_recoveries (tenant_id, subscription_id, generation, next_sequence, last_sequence, due_at)
      select ${client.tenantId}::bigint, ${shuffled(subscriptions)[0] ?? ''}::bigint, 1, 1, ${EVENTS}, now()
      on conflict do nothing`)
    await continueRecovery(pool, client.tenantId, EVENTS)
  })
  const others = [storing(), storing(), recovering]
  const known = await deliveries()
  for (let round = 0; round < ROUNDS; round++) {
    const requests = shuffled(subscriptions)
      .slice(0, 3)
      .flatMap(id => [
        {
          method: 'POST',
          path: `/webhook-deliveries/${shuffled(known)[0]?.id}/redeliver`,
          idempotency_key: `d-${round}-${id}`,
        },
        {
          method: 'PATCH',
          path: `/webhook-subscriptions/${id}`,
          idempotency_key: `s-${round}-${id}`,
          body: { description: `${round}` },
        },
      ])
    const reply = await client.post('/bulk', { mode: round % 2 === 0 ? 'all' : 'each', requests: shuffled(requests) })
    t.is(reply.status, 200, reply.text)
  }
  isOver = true
  await Promise.all(others)
  t.deepEqual(errors, [])
})

/** Locks the row while the work is done. */
async function whileHeld(subscriptionId: string, work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: connectionString(service.databaseUrl) })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select from webhook_subscriptions where id = $1 for update', [subscriptionId])
    await work()
  } finally {
    await holder.end()
  }
}

/** Resolves as soon as a statement waits for a row of the table that `whileHeld` has locked. */
const isWaitedFor = () =>
  eventually(
    async () => {
      const { count } = await pool.one(rows(v.object({ count: v.number() }))`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%webhook_subscriptions%'`)
      return count > 0
    },
    { what: 'somebody waits for the subscription' },
  )

/** @throws if another session has locked one of them. */
const lockAll = (of: { readonly tenantId: string }) =>
  pool.transaction(async connection => {
    await connection.query(statement`
      select from webhook_deliveries where tenant_id = ${of.tenantId}::bigint for update nowait`)
    await connection.query(statement`
      select from webhook_recoveries where tenant_id = ${of.tenantId}::bigint for update nowait`)
  })

test('a redelivery, and a step of a recovery, lock the subscription before a delivery', async t => {
  const { client, deliveries, subscriptions } = await begun()
  const [first] = await deliveries()
  const { id = '', subscriptionId = '' } = first ?? {}
  await whileHeld(subscriptionId, async () => {
    const reply = client.post(`/webhook-deliveries/${id}/redeliver`, {})
    reply.catch(() => {})
    await isWaitedFor()
    await t.notThrowsAsync(lockAll(client))
  })
  t.is((await client.post(`/webhook-deliveries/${id}/redeliver`, {})).status, 200)

  const [recovered = ''] = subscriptions
  await client.post('/suppliers', { title: 'recovered' })
  await pool.query(statement`
    insert into webhook_recoveries (tenant_id, subscription_id, generation, next_sequence, last_sequence, due_at)
    values (${client.tenantId}::bigint, ${recovered}::bigint, 1, 1, 1, now())`)
  let going: Promise<void> = Promise.resolve()
  await whileHeld(recovered, async () => {
    going = continueRecovery(pool, client.tenantId, EVENTS)
    going.catch(() => {})
    await isWaitedFor()
    await t.notThrowsAsync(lockAll(client))
  })
  await going
  const made = (await deliveries()).filter(delivery => delivery.subscriptionId === recovered)
  t.is(made.length, 2, 'the test event, and the one that was recovered')
})

test('an outcome waits for its own subscription alone, and is stored once that is free', async t => {
  const { client, deliveries } = await begun()
  const [held, free] = await deliveries()
  if (!held || !free) throw new Error('two deliveries')
  const recorder = new Recorder({ pool, log: createLog({ level: 'silent', processName: 'test' }) })
  let isStored = false
  let storing: Promise<unknown> = Promise.resolve()
  await whileHeld(held.subscriptionId, async () => {
    storing = recorder.record(outcomeOf(client, held)).finally(() => {
      isStored = true
    })
    t.like(await recorder.record(outcomeOf(client, free)), { status: 'pending' })
    t.deepEqual(await storeOutcomes(pool, [outcomeOf(client, held)]), ['locked'])
    t.false(isStored)
  })
  await storing
  const { body } = await client.get(`/webhook-subscriptions/${held.subscriptionId}/deliveries`)
  t.deepEqual(column(body.data, 'attempts'), [1])
})

test('no request begins while as many outcomes wait as may be sent twice after a kill', async t => {
  const { client, subscriptions } = await begun()
  const recorder = new Recorder({ pool, log: createLog({ level: 'silent', processName: 'test' }) })
  const record = (n: number) =>
    recorder.record(outcomeOf(client, { id: String(2n ** 62n + BigInt(n)), subscriptionId: subscriptions[0] ?? '' }))
  const storing: Promise<unknown>[] = []
  let mayBegin = false
  let begins: Promise<unknown> = Promise.resolve()
  await pool.transaction(async holder => {
    await holder.query(statement`lock table webhook_deliveries in access exclusive mode`)
    for (let n = 0; n < WAITING_MAX - 1; n++) storing.push(record(n))
    await recorder.room()
    storing.push(record(WAITING_MAX))
    begins = recorder.room().then(() => {
      mayBegin = true
    })
    // The statement that stores the first ones waits for the table.
    await eventually(async () => {
      const { count } = await holder.one(rows(v.object({ count: v.number() }))`
        select count(*)::int as count from pg_locks where relation = 'webhook_deliveries'::regclass and not granted`)
      return count > 0
    })
    t.false(mayBegin)
  })
  await begins
  t.true(mayBegin)
  await Promise.all(storing)
})
