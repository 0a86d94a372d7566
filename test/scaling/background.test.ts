/** Background work reads active rows only: neither all tenants, subscriptions and deliveries, nor their history. */

import { Client } from 'pg'
import { changedKeys } from '../../lib/access/changed-keys.ts'
import { tenantsWithDueHolds } from '../../lib/domain/sales/reservations/queries.ts'
import { createPool, type Pool, statement } from '../../lib/platform/postgres/postgres.ts'
import { recentlyBehind, tenantsBehind } from '../../lib/webhooks/behind.ts'
import { countDue } from '../../lib/webhooks/due-deliveries.ts'
import { overdueSubscriptions } from '../../lib/webhooks/pending.ts'
import { pastBalances } from '../../workers/housekeeping/past-balances.ts'
import * as retention from '../../workers/housekeeping/retention.ts'
import { webhookChores } from '../../workers/housekeeping/webhook-retention.ts'
import { ofTests } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'
import { fillIdle, IDLE_BASE } from './idle-tenants.ts'
import { type Scan, scansOf, tellPlans } from './plans.ts'

const test = testsOf(import.meta, { isSerial: true })

const TENANTS = 4_000
const services = ofTests(test, testServices)
const scans: Scan[] = []
let pool: Pool
/** The most rows that one of these kinds of work may read: the active ones, and the few subscriptions with dropped deliveries. */
const ROWS_MAX = 100

/** The result of the work, and the rows that any scan of it read. */
async function read<T>(work: () => Promise<T>): Promise<{ answer: T; rows: number; scans: string }> {
  scans.length = 0
  const answer = await work()
  return {
    answer,
    rows: Math.max(0, ...scans.map(({ rows }) => rows)),
    scans: scans.map(({ table, index, rows }) => `${table} ${index} ${rows}`).join('\n'),
  }
}

/** An event that was not relayed, and a delivery that is due, of two tenants. */
const [behind, due] = [String(IDLE_BASE + 1_002), String(IDLE_BASE + 2_004)]
/** Holds that have ended and holds that last, of all tenants. One is due. */
const HOLDS = 20_000

const now = () => new Date().toISOString()

test.before(async () => {
  const client = new Client({ connectionString: services.databaseUrl })
  await client.connect()
  try {
    await fillIdle(client, TENANTS)
    await tellPlans(client)
  } finally {
    await client.end()
  }
  pool = await createPool(services.databaseUrl, {
    size: 1,
    statementTimeoutMs: 30_000,
    idleInTransactionTimeoutMs: 30_000,
    checkRows: true,
    onNotice: message => scans.push(...scansOf(message)),
  })
  await pool.query(statement`
    insert into events (tenant_id, sequence, type, body) values (${behind}::bigint, 4, 'product.created', '{}')`)
  await pool.query(statement`update tenant_streams set event_sequence = 4 where tenant_id = ${behind}::bigint`)
  await pool.query(statement`
    update webhook_deliveries set status = 'pending', next_attempt_at = now() - interval '1 minute', completed_at = null
    where tenant_id = ${due}::bigint and sequence = 2`)
  await pool.query(statement`
    insert into reservations (tenant_id, id, number, status, expires_at, created_at, updated_at)
    select ${IDLE_BASE}::bigint + n % ${TENANTS}::int, n, 'RV-' || n, case when n % 4 = 0 then 'HELD' else 'EXPIRED' end,
      now() + interval '1 minute' * case when n % 4 = 0 then n else -n end, now(), now()
    from generate_series(1, ${HOLDS}::int) n`)
  await pool.query(statement`update reservations set expires_at = now() where id = 8`)
  await pool.query(statement`analyze reservations`)
})
test.after.always(() => pool.end())

test('the sweep of what is due reads the holds whose time is over', async t => {
  const { answer, rows, scans } = await read(() => tenantsWithDueHolds(pool))
  t.deepEqual(answer, [String(IDLE_BASE + 8)])
  t.true(rows <= ROWS_MAX, scans)
})

test('the sweep of webhooks finds who is behind and what is overdue', async t => {
  const recent = await read(() => recentlyBehind(pool, { since: now(), named: [] }))
  t.deepEqual(recent.answer.behind, [behind])
  t.true(recent.rows <= ROWS_MAX, recent.scans)
  const overdue = await read(() => Array.fromAsync(overdueSubscriptions(pool, now())))
  t.deepEqual(column(overdue.answer.flat(), 'tenantId'), [due])
  t.true(overdue.rows <= ROWS_MAX, overdue.scans)
})

test('who is behind for longer is remembered by name, and found by the pass over all', async t => {
  const later = new Date(Date.now() + 3_600_000).toISOString()
  await pool.query(statement`
    update events set created_at = now() - interval '1 hour' where tenant_id = ${behind}::bigint and sequence = 4`)
  const found = async (since: string, ...named: string[]) => (await recentlyBehind(pool, { since, named })).behind
  t.deepEqual(await found(now()), [])
  t.deepEqual(await found(now(), behind, due), [behind])
  const pass = await read(() => Array.fromAsync(tenantsBehind(pool)))
  t.deepEqual(pass.answer.flat(), [behind])
  t.true(pass.answer.length >= TENANTS / 2 / 500 && pass.rows <= 500, pass.scans)
  await pool.query(statement`
    update events set created_at = now() where tenant_id = ${behind}::bigint and sequence = 4`)
  t.deepEqual(await found(later), [behind], 'after the clock was set back')
})

test('the metric of what is due counts it, without what was dropped', async t => {
  const counted = await read(() => countDue(pool, { now: now(), max: 100_000 }))
  t.is(counted.answer, 1)
  t.true(counted.rows <= ROWS_MAX, counted.scans)
})

test('server processes ask for changed keys of all tenants at once', async t => {
  const { mark } = await changedKeys(pool, null)
  const asked = await read(() => changedKeys(pool, mark))
  t.true(asked.rows <= ROWS_MAX, asked.scans)
})

test('chores of housekeeping that have nothing to do read little', async t => {
  const { oldRefusals, oldQuotaCounts, oldKeyChanges, endedKeys } = retention
  for (const chore of [oldRefusals, oldQuotaCounts, oldKeyChanges, endedKeys, ...webhookChores]) {
    const done = await read(() => chore.doBatch(pool, 2_000))
    t.is(done.answer, 0, chore.name)
    t.true(done.rows <= ROWS_MAX, `${chore.name}:\n${done.scans}`)
  }
  // The chore reads the next movement of each tenant, of 20,000 tenants at a time.
  t.is(await pastBalances.doBatch(pool, 2_000), 0)
})
