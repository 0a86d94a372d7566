import fc from 'fast-check'
import { Client } from 'pg'
import * as v from 'valibot'
import { connectionString } from '../../lib/platform/postgres/address.ts'
import { createPool, type Pool, rows, sql, statement } from '../../lib/platform/postgres/postgres.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { batchesOf } from '../../lib/security/batch.ts'
import { codeOf } from '../../lib/security/counted.ts'
import { type AnsweredRequest, SecurityCounts } from '../../lib/security/counts.ts'
import { addUpHours } from '../../lib/security/hours.ts'
import { securityReport } from '../../lib/security/report.ts'
import { addBatch, forgetNetworkKeys, networkKeys, tidySecurityTelemetry } from '../../lib/security/store.ts'
import { Tally } from '../../lib/security/tally.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { column, columns } from '../support/records.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'
import { within } from '../support/within.ts'

const test = testsOf(import.meta)

const DAY = 86_400_000
const timeouts = { statementTimeoutMs: 10_000, idleInTransactionTimeoutMs: 10_000 }
const log = createLog({ level: 'silent', processName: 'test' })
// A Monday that neither the clock, the retention nor the partitions of the migration reach.
const MONDAY = Date.parse('2131-03-05T00:00:00Z')
let pool: Pool
const services = ofTests(test, async () => {
  const own = await testServices()
  pool = await createPool(own.databaseUrl, { ...timeouts, size: 6, checkRows: true })
  await pool.query(statement`
    with t as (
      insert into tenants (tenant_id, name, owner_email, plan, currency)
      select id, 'Test', 'o@test.example', 'pro', 'EUR' from generate_series(1, 1000) id returning tenant_id
    )
    insert into tenant_streams (tenant_id) select tenant_id from t`)
  await pool.query(statement`select from make_security_partitions('2131-02-19'::date, 8)`)
  return {
    ...own,
    close: async () => {
      await pool.end()
      await own.close()
    },
  }
})
/** Adds up all hours of that time. */
const addUp = async () => {
  while ((await addUpHours(pool, MONDAY + 30 * DAY)) > 0);
}
let lastTenant = 0
const newTenant = () => String(++lastTenant)
const text = (ms: number) => new Date(ms).toISOString()

/** Counts for a test, which flush only when the test calls `flush`. */
const counting = (on: Pool = pool) => new SecurityCounts({ pool: on, log, flushEveryMs: 3_600_000 })

const answered = (tenantId: string, receivedAt: number, given: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  tenantId,
  keyId: '7',
  method: 'GET',
  route: '/products/{id}',
  address: '198.51.100.7',
  receivedAt,
  status: 200,
  refusal: undefined,
  replayed: false,
  ...given,
})

async function reportOf(tenantId: string, start: number) {
  const asked = { tenantId, windowStart: text(start), windowEnd: text(start + DAY), now: text(start + DAY) }
  const report = await securityReport(pool, asked)
  return { ...report, metric: (name: string) => report.metrics.find(metric => metric.name === name) }
}

test('a window begins and ends at its second', async t => {
  const tenant = newTenant()
  const start = MONDAY + 17_017_000 // 04:43:37
  const counts = counting()
  for (const at of [start - 1, start, start + 999, start + DAY - 1, start + DAY]) counts.request(answered(tenant, at))
  await counts.close()
  const report = await reportOf(tenant, start)
  t.like(report.metric('requests'), { count: 3, baseline_daily_max: 1, baseline_daily_mean: 1 / 7, ratio: 21 })
  t.deepEqual(report.by_key, [{ key_id: '7', requests: 3, denied: 0, distinct_networks: null }])
  t.deepEqual(report.by_route, [{ method: 'GET', route: '/products/{id}', requests: 3, errors: 0 }])
  t.is((await reportOf(tenant, start + DAY)).metric('requests')?.count, 1)
})

test('any window counts what a naive list counts', async t => {
  const second = fc.integer({ min: 0, max: 9 * 86_400 - 1 })
  const request = fc.record({
    second,
    keyId: fc.constantFrom('1', '2', '3'),
    route: fc.constantFrom('/stock', '/products', '/products/{id}'),
    status: fc.constantFrom(200, 201, 404, 403, 503),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { maxLength: 60 }),
      fc.integer({ min: 0, max: 86_400 }),
      fc.constantFrom('neither', 'first', 'both'),
      async (list, offset, addedUp) => {
        const tenant = newTenant()
        // Several processes, so that two of them add to the same minutes.
        const processes = [counting(), counting()]
        for (const [n, { second, ...given }] of list.entries()) {
          const refusal = given.status === 403 ? ({ refusal: 'forbidden' } as const) : undefined
          processes[n % 2]?.request(answered(tenant, MONDAY + second * 1000, { ...given, refusal }))
        }
        await processes[0]?.close()
        if (addedUp !== 'neither') await addUp()
        await processes[1]?.close()
        if (addedUp === 'both') await addUp()
        const start = MONDAY + 7 * DAY + offset * 1000
        const dayOf = (at: number) => Math.floor((MONDAY + at * 1000 - (start - 7 * DAY)) / DAY)
        const inWindow = list.filter(({ second }) => dayOf(second) === 7)
        const baseline = Array.from(
          { length: 7 },
          (_, day) => list.filter(({ second }) => dayOf(second) === day).length,
        )
        const report = await reportOf(tenant, start)
        const requests = report.metric('requests')
        const forbidden = inWindow.filter(({ status }) => status === 403).length
        t.is(requests?.count, inWindow.length)
        t.is(requests?.baseline_daily_max, Math.max(...baseline))
        t.is(requests?.baseline_daily_mean, baseline.reduce((a, b) => a + b) / 7)
        t.is(report.metric('forbidden')?.count, forbidden)
        const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
        t.is(sum(report.by_key.map(key => key.denied)), forbidden)
        t.deepEqual(
          Object.fromEntries(report.by_key.map(key => [key.key_id, key.requests])),
          countBy(inWindow.map(({ keyId }) => keyId)),
        )
        t.deepEqual(
          Object.fromEntries(report.by_route.map(({ route, requests }) => [route, requests])),
          countBy(inWindow.map(({ route }) => route)),
        )
        t.is(sum(report.by_route.map(({ errors }) => errors)), inWindow.filter(({ status }) => status >= 400).length)
      },
    ),
    { numRuns: 25 },
  )
})

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

test('a batch that is sent again counts once, also at the same time', async t => {
  const tenant = newTenant()
  const tally = new Tally()
  const second = MONDAY / 1000
  const counted = { tenantId: tenant, keyId: '7', method: 'GET', route: '/stock', second }
  tally.request({ ...counted, classCode: codeOf.responses_2xx, causeCodes: [], network: undefined })
  const [batch] = batchesOf(tally, () => Buffer.alloc(32))
  if (!batch) return t.fail()
  const writer = { id: `writer of ${tenant}`, batchNumber: 1 }
  const added = await Promise.all(Array.from({ length: 5 }, () => addBatch(pool, writer, batch)))
  t.is(added.filter(({ isNew }) => isNew).length, 1)
  t.false((await addBatch(pool, writer, batch)).isNew)
  t.true((await addBatch(pool, { ...writer, batchNumber: 2 }, batch)).isNew)
  t.is((await reportOf(tenant, MONDAY)).metric('requests')?.count, 2)
})

/** The pool, but the answers of the next `lost` additions never arrive. */
function losingAnswers(lost: number): Pool {
  let left = lost
  return new Proxy(pool, {
    get: (target, name, receiver) => {
      if (name !== 'one') return Reflect.get(target, name, receiver)
      return async (query: Parameters<Pool['one']>[0]) => {
        const row = await target.one(query)
        if (left-- > 0) throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
        return row
      }
    },
  })
}

test('a flush whose answer is lost counts once, with what came meanwhile', async t => {
  const tenant = newTenant()
  const counts = counting(losingAnswers(2))
  counts.request(answered(tenant, MONDAY))
  t.false(await counts.flush())
  counts.request(answered(tenant, MONDAY))
  t.false(await counts.flush())
  t.true(await counts.flush())
  await counts.close()
  t.is((await reportOf(tenant, MONDAY)).metric('requests')?.count, 2)
})

test('processes that add to the same minutes at once lose nothing', async t => {
  const tenants = Array.from({ length: 20 }, newTenant)
  const processes = Array.from({ length: 6 }, () => counting())
  for (let round = 0; round < 5; round++) {
    for (const [n, counts] of processes.entries()) {
      const order = n % 2 === 0 ? tenants : tenants.toReversed()
      for (const tenant of order) counts.request(answered(tenant, MONDAY + round * 1000, { address: `10.0.${n}.1` }))
    }
    t.deepEqual(new Set(await Promise.all(processes.map(counts => counts.flush()))), new Set([true]))
  }
  await Promise.all(processes.map(counts => counts.close()))
  for (const tenant of tenants) {
    const report = await reportOf(tenant, MONDAY)
    t.is(report.metric('requests')?.count, 30)
    t.is(report.by_key[0]?.distinct_networks, 6)
  }
})

test('networks are counted once per key, also across midnight, and exactly to the second', async t => {
  const tenant = newTenant()
  const noon = MONDAY + DAY / 2
  const counts = counting()
  const see = (network: number, at: number, keyId = '7') =>
    counts.request(answered(tenant, at, { address: `203.0.${network}.9`, keyId }))
  for (let network = 1; network <= 6; network++) {
    see(network, noon + 1000)
    see(network, noon + DAY - 1000) // the next day: the same network under another day's key
  }
  see(7, noon - 1000) // before the window
  see(8, noon + DAY) // after it
  see(9, noon - 1000)
  see(9, noon) // seen again at its first second
  for (let network = 1; network <= 4; network++) see(network, noon, '8')
  counts.request(answered(tenant, noon, { address: '203.0.1.200', keyId: '8' })) // the same /24
  await counts.close()
  for (const _ of ['as they were sent', 'added up']) {
    const report = await reportOf(tenant, noon)
    t.deepEqual(columns(report.by_key, 'key_id', 'distinct_networks'), [
      ['7', 7],
      ['8', null],
    ])
    // A day later the window begins on the second day: networks 1 to 6 were there before, 8 is.
    t.is((await reportOf(tenant, noon + DAY)).by_key[0]?.distinct_networks, null)
    // A window from midnight to midnight has the networks 1 to 6, 7 and 9.
    t.is((await reportOf(tenant, MONDAY)).by_key.find(({ key_id }) => key_id === '7')?.distinct_networks, 8)
    await addUp()
  }
})

test.serial(
  'networks are still counted when their keys are gone after eight days, and the young keys stay',
  async t => {
    const tenant = newTenant()
    const counts = counting()
    for (let network = 1; network <= 5; network++)
      counts.request(answered(tenant, MONDAY, { address: `192.0.${network}.1` }))
    await counts.close()
    await addUp()
    const today = text(Date.now()).slice(0, 10)
    const daysAgo = (days: number) => text(Date.parse(today) - days * DAY).slice(0, 10)
    const young = [today, daysAgo(7)].map(day => ({ day, fresh: '00'.repeat(32) }))
    // Keys that other tests made.
    await forgetNetworkKeys(pool)
    await networkKeys(pool, [...young, { day: daysAgo(8), fresh: '00'.repeat(32) }])
    t.is(await forgetNetworkKeys(pool), 1)
    const left = await pool.any(rows(v.object({ day: v.string() }))`
    select day::text as day from security_network_keys where day < '2131-01-01' order by day desc`)
    const isLeft = (wanted: string) => left.some(({ day }) => day === wanted)
    t.deepEqual([today, daysAgo(7), daysAgo(8)].map(isLeft), [true, true, false])
    await pool.query(statement`delete from security_network_keys where day between '2131-03-04' and '2131-03-05'`)
    t.is((await reportOf(tenant, MONDAY)).by_key[0]?.distinct_networks, 5)
  },
)

test.serial('partitions are dropped after 90 days and made weeks ahead, also by a chore that finds none', async t => {
  const partitions = async (of: string) =>
    (
      await pool.any(rows(v.object({ name: v.string() }))`
        select inhrelid::regclass::text as name from pg_inherits
        where inhparent = ${of}::regclass and inhrelid::regclass::text < ${`${of}_2100`}
        order by 1`)
    ).map(({ name }) => name)
  const nameOf = (at: number, of = 'security_hours') => {
    const monday = at - ((new Date(at).getUTCDay() + 6) % 7) * DAY
    return `${of}_${text(monday).slice(0, 10).replaceAll('-', '')}`
  }
  const now = Date.now()
  // The database may have been made before the last midnight, and that in another week.
  for (const [from, weeks] of [
    [now - 100 * DAY, 3],
    [now, 5],
  ] as const)
    await pool.query(statement`select from make_security_partitions(${text(from)}::date, ${weeks})`)
  const reader = new Client(connectionString(services.databaseUrl))
  await reader.connect()
  await reader.query(`drop table ${nameOf(now + 28 * DAY, 'security_networks')}`)
  await reader.query('begin; select from security_hours limit 1')
  await t.throwsAsync(tidySecurityTelemetry(pool), { message: /lock timeout/ }, 'nothing is dropped while it is read')
  t.true((await partitions('security_networks')).includes(nameOf(now + 28 * DAY, 'security_networks')), 'yet made')
  await reader.end()
  await tidySecurityTelemetry(pool)
  const kept = await partitions('security_hours')
  t.false(kept.includes(nameOf(now - 100 * DAY)))
  t.true(kept.includes(nameOf(now - 90 * DAY)))
  t.true(kept.includes(nameOf(now + 28 * DAY)))
  t.is(await tidySecurityTelemetry(pool), 0)

  // The same as if housekeeping had not run for a month.
  for (const table of ['security_hours', 'security_networks'])
    await pool.query(statement`drop table ${sql.identifier([nameOf(now, table)])}`)
  const tenant = newTenant()
  const counts = counting()
  for (const at of [now - DAY / 6, now - 100 * DAY]) counts.request(answered(tenant, at))
  t.true(await counts.flush())
  await counts.close()
  for (const left of [2, 0]) {
    t.is(await addUpHours(pool, now), left)
    t.is((await reportOf(tenant, now - DAY / 2)).metric('requests')?.count, 1)
  }
})

test("a week's partitions are made beside those who read and write, and hold up none of them", async t => {
  const [other, maker] = [0, 1].map(() => new Client(connectionString(services.databaseUrl))) as [Client, Client]
  t.teardown(() => Promise.all([other.end(), maker.end()]))
  await Promise.all([other.connect(), maker.connect()])
  const hour = (MONDAY + DAY) / 3_600_000
  const write = (keyId: number) =>
    other.query(`
      insert into security_hours values (${newTenant()}, ${keyId}, ${hour}, 1, 0, 'GET', '/stock', '{1}') on conflict do nothing`)
  await other.query('begin')
  await write(1)
  await other.query(`select from security_hours where hour = ${hour} for update`)
  await other.query('select from security_networks limit 1')
  await maker.query('begin')
  await maker.query(`select make_security_partitions('2132-06-02', 2)`)
  // Making them does not block others until the commit either.
  await other.query(`set local lock_timeout = '2s'`)
  await write(2)
  await other.query('select from security_networks limit 1')
  await maker.query('commit')
  await other.query('commit')
  const { rows: made } = await other.query<{ name: string; bound: string; options: string[]; keys: number }>(`
    select relname as name, pg_get_expr(relpartbound, oid) as bound, reloptions as options,
      (select count(*)::int from pg_index where indrelid = c.oid and indisprimary and indisvalid) as keys
    from pg_class c where relispartition and relname ~ '^security_.*_213206(02|09)$' order by 1`)
  const first = Date.parse('2132-06-02T00:00:00Z') / 3_600_000
  const at = (name: string, bound: string, fill: number) => ({ name, bound, options: [`fillfactor=${fill}`], keys: 1 })
  t.deepEqual(made, [
    at('security_hours_21320602', `FOR VALUES FROM (${first}) TO (${first + 168})`, 100),
    at('security_hours_21320609', `FOR VALUES FROM (${first + 168}) TO (${first + 336})`, 100),
    at('security_networks_21320602', `FOR VALUES FROM ('2132-06-02') TO ('2132-06-09')`, 70),
    at('security_networks_21320609', `FOR VALUES FROM ('2132-06-09') TO ('2132-06-16')`, 70),
  ])
})

test('an hour of a tenant that asks once a minute is kept in one row of a few hundred bytes', async t => {
  const tenant = newTenant()
  const counts = counting()
  for (let minute = 0; minute < 60; minute++) {
    counts.request(answered(tenant, MONDAY + minute * 60_000))
    await counts.flush()
  }
  await counts.close()
  await addUp()
  const kept = await pool.any(rows(v.object({ total: v.number(), bytes: v.number() }))`
    select total, pg_column_size(h) as bytes from security_hours h where tenant_id = ${tenant}`)
  t.deepEqual(column(kept, 'total'), [60])
  t.true((kept[0]?.bytes ?? 0) < 300, String(kept[0]?.bytes))
})

test('what comes late is added to its hour, to the second', async t => {
  const tenant = newTenant()
  const [early, late] = [MONDAY + 1_000, MONDAY + 3_000]
  const send = async (...times: readonly number[]) => {
    const counts = counting()
    for (const at of times) counts.request(answered(tenant, at))
    await counts.close()
    await addUp()
  }
  await send(early)
  await send(early, late)
  await send(late, late, late)
  await send(early)
  const requests = async (start: number) => (await reportOf(tenant, start)).metric('requests')?.count
  t.deepEqual([await requests(MONDAY), await requests(MONDAY + 2_000), await requests(MONDAY - DAY + 2_000)], [7, 4, 3])
})

test('an hour is added up two minutes after its end, one with thousands of rows before', async t => {
  const [calm, busy] = [newTenant(), newTenant()]
  const counts = counting()
  const hour = MONDAY + 50 * DAY
  const end = hour + DAY / 24
  await pool.query(statement`select from make_security_partitions(${text(hour).slice(0, 10)}::date, 1)`)
  counts.request(answered(calm, end - 1))
  for (let n = 0; n < 5_000; n++)
    counts.request(answered(busy, hour + n * 500, { route: n % 2 === 0 ? '/stock' : '/products' }))
  await counts.close()
  for (const { now, left } of [
    { now: end - 600_000, left: [calm] },
    { now: end + 119_000, left: [calm] },
    { now: end + 120_000, left: [] },
  ]) {
    await addUpHours(pool, now)
    const found = await pool.any(rows(v.object({ tenant_id: v.string() }))`
      select distinct tenant_id from security_recent where tenant_id in (${calm}, ${busy})`)
    t.deepEqual(column(found, 'tenant_id'), left)
  }
  t.is((await reportOf(busy, hour)).metric('requests')?.count, 5_000)
  t.is((await reportOf(calm, hour)).metric('requests')?.count, 1)
})

test.serial(
  'a chore that is killed while it adds up has done nothing; several at once, beside writers, count once',
  async t => {
    const tenants = Array.from({ length: 50 }, newTenant)
    const send = async (second: number) => {
      const counts = counting()
      for (const tenant of tenants)
        for (let hour = 0; hour < 4; hour++) counts.request(answered(tenant, MONDAY + hour * 3_600_000 + second * 1000))
      await counts.close()
    }
    const requests = () =>
      Promise.all(tenants.map(async tenant => (await reportOf(tenant, MONDAY)).metric('requests')?.count))
    const each = (count: number) => tenants.map(() => count)
    await send(1)
    const blocker = new Client({ connectionString: services.databaseUrl })
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('lock table security_networks in share mode')
    const killed = t.throwsAsync(addUp())
    await eventually(async () => {
      // The blocker cannot ask: a transaction sees the activity as it saw it first.
      const waiting = await pool.any(rows(v.object({ is_killed: v.boolean() }))`
        select pg_terminate_backend(pid) as is_killed from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from security_recent%'`)
      return waiting.length > 0
    })
    await killed
    await blocker.end()
    t.deepEqual(await requests(), each(4))
    await Promise.all([addUp(), addUp(), send(2), addUp(), send(1)])
    t.deepEqual(await requests(), each(12))
    await addUp()
    t.deepEqual(await requests(), each(12))
  },
)

test('two processes that begin a day agree on its key', async t => {
  const days = Array.from({ length: 8 }, (_, n) => [{ day: '2131-04-01', fresh: `0${n}`.repeat(32) }])
  const keys = await Promise.all(days.map(day => networkKeys(pool, day)))
  t.is(new Set(keys.map(found => found.get('2131-04-01'))).size, 1)
})

test('no address is stored, in full or in part', async t => {
  const tenant = newTenant()
  const counts = counting()
  counts.request(answered(tenant, MONDAY, { address: '198.51.100.77' }))
  counts.request(answered(tenant, MONDAY, { address: '2001:db8:77::1' }))
  await counts.close()
  for (const _ of ['as they were sent', 'added up']) {
    const stored = await pool.any(rows(v.object({ text: v.string() }))`
      select row_to_json(n)::text as text from security_networks n where tenant_id = ${tenant}
      union all select row_to_json(r)::text from security_recent r where tenant_id = ${tenant}
      union all select row_to_json(h)::text from security_hours h where tenant_id = ${tenant}`)
    t.true(stored.length >= 2)
    for (const { text } of stored) t.notRegex(text, /198\.51|2001:db8|3139382e35312e313030/)
    await addUp()
  }
})

test('counts that belong to no key are the tenant its own', async t => {
  const tenant = newTenant()
  const counts = counting()
  for (let n = 0; n < 3; n++) counts.webhookFailed(tenant, MONDAY)
  await counts.close()
  const report = await reportOf(tenant, MONDAY)
  t.like(report.metric('webhook_failures'), { count: 3 })
  t.like(report.metric('requests'), { count: 0 })
  t.deepEqual(report.by_key, [])
})

test('a report takes one connection, however many questions it asks', async t => {
  const ofItsOwn = await createPool(services.databaseUrl, { size: 6, ...within(10_000) })
  t.teardown(() => ofItsOwn.end())
  await securityReport(ofItsOwn, {
    tenantId: newTenant(),
    windowStart: text(MONDAY),
    windowEnd: text(MONDAY + DAY),
    now: text(MONDAY + DAY),
  })
  t.is(ofItsOwn.state().idleConnections, 1)
})
