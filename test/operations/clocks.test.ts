/** What becomes of a service while PostgreSQL's clock is a year ahead, and after that. */
import test from 'ava'
import { createPool } from '../../lib/platform/postgres/postgres.ts'
import { checkTenantTimes } from '../../lib/tools/doctor/clocks.ts'
import { startClockWatch } from '../../workers/clock-watch.ts'
import { choresOfWebhook, choresOfWorker } from '../../workers/housekeeping/chores.ts'
import type { Chore } from '../../workers/housekeeping/deletion.ts'
import { runChore } from '../../workers/housekeeping/housekeeping.ts'
import { ask, startFleet } from '../scaling/fleet.ts'
import { databaseClock, hasDatabaseClock } from '../support/database-clock.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess } from '../support/processes.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl, COMMAND_DEADLINE_MS: '2000' }
const fleet = await startFleet(env, { webs: 1, workers: 0 })
const [web] = fleet.webs
const timeouts = { statementTimeoutMs: 10_000, idleInTransactionTimeoutMs: 10_000 }
test.after.always(async () => {
  await fleet.close()
  await services.close()
})

const withClock = hasDatabaseClock(services.databaseUrl) ? test.serial : test.skip

withClock('a wrong clock of PostgreSQL stops writes and housekeeping, and leaves nothing wrong behind', async t => {
  const { token } = await fleet.tenant()
  const clock = await databaseClock(services.databaseUrl, fleet.pool)
  const pool = await createPool(clock.url, { ...timeouts, size: 1 })
  t.teardown(() => pool.end())
  await clock.set('1 year')
  const worker = await startProcess('worker', { ...env, DATABASE_URL: clock.url })
  t.teardown(() => void worker.end('SIGTERM'))
  const write = { body: { title: 'Bolt & Sons' }, key: 'k' }
  const refused = await ask(web, token, '/customers', write)
  t.is(refused.status, 503, refused.text)
  const metrics = await eventually(async () => {
    const text = await (await fetch(`${worker.adminUrl}/metrics`)).text()
    return text.match(/^millrace_database_clock_ahead_seconds\{cell="main".*\} (\d+)/m)
  })
  t.true(Number(metrics[1]) > 31_000_000)
  const told = await eventually(() => worker.errors.length > 0 && worker.errors)
  t.is(told.length, 1)
  t.regex(told[0] ?? '', /the clocks of PostgreSQL and this process are apart/)
  for (const chore of [...choresOfWorker, ...choresOfWebhook]) t.is(await runChore(pool, chore), 0, chore.name)

  await clock.set('0')
  const made = await eventually(async () => {
    const answer = await ask(web, token, '/customers', write)
    return answer.status === 201 && answer
  })
  t.deepEqual((await ask(web, token, '/customers')).body.data, [made.body], 'the refused write was not done')
  t.true(Math.abs(Date.parse(made.body.created_at) - Date.now()) < 60_000)
  t.deepEqual(await checkTenantTimes(fleet.pool), [])
  await worker.end('SIGTERM')

  const lines: string[] = []
  const note = (_of: unknown, line?: string) => void lines.push(line ?? '')
  const watch = startClockWatch({ cells: [{ name: 'main', pool }], log: { warn: note, error: note } }, { everyMs: 20 })
  t.teardown(() => watch.close())
  await clock.set('-1 day')
  await eventually(() => lines.length === 1)
  await clock.set('0')
  await eventually(() => lines.length === 2)
  t.regex(lines.join(), /are apart.*agree again/)
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
