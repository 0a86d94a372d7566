/** The service while PostgreSQL's clock is a year ahead, or all clocks are 45 days ahead, and after that. */

import * as v from 'valibot'
import { afterLook } from '../../lib/platform/postgres/clock-leap.ts'
import { createPool, rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { registry } from '../../lib/platform/telemetry/metrics.ts'
import { checkClockLeap, checkTenantTimes } from '../../lib/tools/doctor/clocks.ts'
import { startClockWatch } from '../../workers/clock-watch.ts'
import { choresOfWebhook, choresOfWorker } from '../../workers/housekeeping/chores.ts'
import type { Chore } from '../../workers/housekeeping/deletion.ts'
import { runChore } from '../../workers/housekeeping/housekeeping.ts'
import { commandPeriods, eventPeriods, oldRefusals } from '../../workers/housekeeping/retention.ts'
import { databaseClock, hasDatabaseClock } from '../support/database-clock.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta, { isOneStory: true })

const services = await testServices()
const service = await startService(services, { workers: 0, env: { COMMAND_DEADLINE_MS: '2000' } })
const redis = connectRedis(services.redisUrl, 'worker', 'test clocks')
const timeouts = { statementTimeoutMs: 10_000, idleInTransactionTimeoutMs: 10_000 }
test.after.always(async () => {
  await closeRedis(redis)
  await service.close()
  await services.close()
})

const hasClock = hasDatabaseClock(services.databaseUrl)
const withClock = hasClock ? test.serial : test.skip
let clock: Awaited<ReturnType<typeof databaseClock>>
test.before(async () => {
  if (hasClock) clock = await databaseClock(services.databaseUrl, service.pool)
})
const allChores = [...choresOfWorker, ...choresOfWebhook]

withClock('a wrong clock of PostgreSQL stops writes and housekeeping, and leaves nothing wrong behind', async t => {
  const client = await service.tenant()
  const pool = await createPool(clock.url, { ...timeouts, size: 1 })
  t.teardown(() => pool.end())
  await clock.set('1 year')
  const worker = await startService({ ...services, databaseUrl: clock.url })
  t.teardown(() => worker.close())
  const lines: string[] = []
  const note = (_of: unknown, line?: string) => void lines.push(line ?? '')
  const watch = startClockWatch(
    { cells: [{ name: 'main', pool }], redis, log: { warn: note, error: note } },
    { everyMs: 20 },
  )
  t.teardown(() => watch.close())
  const body = { title: 'Bolt & Sons' }
  const write = () => client.request('POST', '/customers', { body, key: 'k' })
  const refused = await write()
  t.is(refused.status, 503, refused.text)
  await eventually(() => lines.length === 1)
  t.regex(lines[0] ?? '', /the clocks of PostgreSQL and this process are apart/)
  const ahead = /^millrace_database_clock_ahead_seconds\{cell="main".*\} (\d+)/m.exec(await registry.metrics())
  t.true(Number(ahead?.[1]) > 31_000_000)
  for (const chore of allChores) t.is(await runChore(pool, chore), 0, chore.name)

  await clock.set('0')
  const made = await eventually(async () => {
    const answer = await write()
    return answer.status === 201 && answer
  })
  t.deepEqual((await client.get('/customers')).body.data, [made.body], 'the refused write was not done')
  t.true(Math.abs(Date.parse(made.body.created_at) - Date.now()) < 60_000)
  t.deepEqual(await checkTenantTimes(service.pool), [])
  await eventually(() => lines.length === 2)
  await clock.set('-1 day')
  await eventually(() => lines.length === 3)
  await clock.set('0')
  await eventually(() => lines.length === 4)
  t.regex(lines.join(), /are apart.*agree again.*are apart.*agree again/)
  await watch.close()

  let batches = 0
  const jumps: Chore = {
    name: 'jumps',
    doBatch: async (_pool, rowsMax) => {
      if (++batches === 2) await clock.set('1 year')
      return rowsMax
    },
  }
  await runChore(pool, jumps)
  t.is(batches, 2, 'a run that has begun ends')
})

/** Moves the clock of this process too. */
const rightNow = Date.now
async function setAll(minutes: number): Promise<void> {
  await clock.set(`${minutes} minutes`)
  Date.now = () => rightNow() + minutes * 60_000
}
const MINUTES_45_DAYS = 45 * 24 * 60

withClock('clocks that are all 45 days ahead remove nothing, and all goes on once they are right', async t => {
  const client = await service.tenant()
  const pool = await createPool(clock.url, { ...timeouts, size: 1 })
  t.teardown(() => pool.end())
  t.teardown(() => setAll(0))
  const worker = await startService(services)
  t.is((await client.post('/customers', { title: 'Bolt' })).status, 201)
  await worker.close()
  const kept = async () => {
    const { stored } = await pool.one(rows(v.object({ stored: v.string() }))`
      select json_build_array((select count(*) from commands), (select count(*) from events),
        (select array_agg(inhrelid::regclass::text order by 1) from pg_inherits where inhparent = 'events'::regclass))::text as stored`)
    return JSON.parse(stored) as [number, number, string[]]
  }
  const told: string[] = []
  const note = (_of: unknown, line?: string) => void told.push(line ?? '')
  const watch = startClockWatch(
    { cells: [{ name: 'main', pool }], redis, log: { warn: note, error: note } },
    { everyMs: 20 },
  )
  t.teardown(() => watch.close())
  const before = await kept()
  t.true(before[0] > 0 && before[1] > 0)

  await setAll(MINUTES_45_DAYS)
  // The clocks are set one after another, so that the warning about PostgreSQL's clock is logged too.
  const isTold = (line: RegExp) => eventually(() => told.some(each => line.test(each)))
  await isTold(/more than a day ahead of the last time that is known/)
  await isTold(/clocks of Redis and this process are apart/)
  const leap = /^millrace_database_clock_leap_seconds\{cell="main".*\} (\d+)/m.exec(await registry.metrics())
  t.true(Number(leap?.[1]) > 44 * 86_400)
  t.like(await checkClockLeap(pool), [{ status: 'fault', found: '45 d ahead of the last time that is known' }])
  for (const chore of allChores) {
    await runChore(pool, chore, { redis })
    t.is(chore.name.endsWith('_periods') ? 0 : await runChore(pool, chore), 0, chore.name)
  }
  await Promise.all([commandPeriods, eventPeriods].map(chore => runChore(pool, chore)))
  const [commands, events, periods] = await kept()
  t.deepEqual([commands, events], before.slice(0, 2))
  t.true(before[2].every(name => periods.includes(name)))
  t.true(periods.length > before[2].length, 'periods to come are made')

  await setAll(0)
  await isTold(/is believed again/)
  await isTold(/clocks of Redis and this process agree again/)
  t.deepEqual(await checkClockLeap(pool), [])
  t.deepEqual((await kept()).slice(0, 2), before.slice(0, 2))
})

withClock('after 45 days without a process old rows are removed once the clock was seen to run for a day', async t => {
  const { tenantId: id } = await service.tenant()
  const pool = await createPool(clock.url, { ...timeouts, size: 1 })
  t.teardown(() => pool.end())
  t.teardown(() => setAll(0))
  await pool.query(statement`
    insert into refused_commands (tenant_id, claim_id, idempotency_key, refusal, created_at)
    select ${id}::bigint, n::text, 'k', '{}', now() - interval '2 hours' from generate_series(1, 3) n`)
  await pool.query(statement`update known_time set known_at = now() - interval '45 days'`)
  t.like(await checkClockLeap(pool), [{ status: 'warning', found: 'no process has looked at it for 45 d' }])
  let looks = 0
  for (let removed = 0; removed === 0; looks++) {
    await setAll(10 * looks)
    removed = await runChore(pool, oldRefusals)
    if (removed > 0) t.is(removed, 3)
  }
  t.is(looks, 24 * 6 + 1)
  t.deepEqual(await checkClockLeap(pool), [])
})

test('a clock that leaps again is watched anew, and one that stood still or was not looked at was not seen to run', t => {
  const at = (now: number) => ({ known_at: 0, looked_at: now, watched_s: 80_000 })
  const day = 86_400
  const leapt = 45 * day
  t.is(afterLook({ known_at: 0, looked_at: null, watched_s: 0 }, day).leap_s, 0)
  t.is(afterLook({ known_at: leapt, looked_at: null, watched_s: 0 }, 0).known_at, 0, 'a clock that is set back')
  t.like(afterLook({ known_at: 0, looked_at: null, watched_s: 0 }, leapt), { leap_s: leapt, watched_s: 0 })
  t.like(afterLook(at(leapt), leapt + 600), { leap_s: leapt + 600, watched_s: 80_600, known_at: 0 })
  t.like(afterLook(at(leapt), leapt + 3_600), { watched_s: 80_000 })
  t.like(afterLook(at(leapt), leapt - 5), { watched_s: 80_000 })
  t.like(afterLook(at(leapt), 2 * leapt), { watched_s: 0, leap_s: 2 * leapt })
  t.like(afterLook({ ...at(leapt), watched_s: day - 10 }, leapt + 10), { leap_s: 0, known_at: leapt + 10 })
})
