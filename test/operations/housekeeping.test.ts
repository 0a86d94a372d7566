/** When a process does its chores, which process has the turn, and what happens to a chore that fails. */
import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createPool, statement } from '../../lib/platform/postgres/postgres.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { registry } from '../../lib/platform/telemetry/metrics.ts'
import { checkChores } from '../../lib/tools/doctor/postgres.ts'
import type { Chore } from '../../workers/housekeeping/deletion.ts'
import { runInTurn, startHousekeeping, watchChores } from '../../workers/housekeeping/housekeeping.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta, { isSerial: true })

const services = await testServices()
const timeouts = { statementTimeoutMs: 60_000, idleInTransactionTimeoutMs: 60_000 }
const pool = await createPool(services.databaseUrl, { ...timeouts, size: 4 })
const single = await createPool(services.databaseUrl, { ...timeouts, size: 1 })
const log = createLog({ level: 'silent', processName: 'test' })
const isClosing = () => false
test.after.always(async () => {
  await Promise.all([pool.end(), single.end()])
  await services.close()
})

/** The same as if every chore had been begun an hour earlier. */
const anHourLater = (on = pool) => on.query(statement`update chores set begun_at = begun_at - interval '1 hour'`)

test('chores are first done within a minute of the start, then every ten minutes, and not after the close', async t => {
  let runs = 0
  const chore = {
    name: 'count',
    doBatch: async () => {
      runs++
      return 0
    },
  }
  await anHourLater(single) // the connection is open before time stands still
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  t.teardown(() => mock.timers.reset())
  const housekeeping = startHousekeeping({ pool: single, log }, [chore])
  const runsAfter = async (ms: number, expected: number) => {
    mock.timers.tick(ms)
    let isLater = false
    const untilLater = async () => {
      while (runs < expected) await nextTurn()
      await anHourLater(single)
      isLater = true
    }
    void untilLater()
    // Slonik needs timers of a few ms too.
    while (!isLater) {
      mock.timers.tick(1)
      await nextTurn()
    }
    return runs
  }
  t.is(runs, 0, 'not in the way of the start')
  t.is(await runsAfter(60_000, 1), 1)
  t.is(await runsAfter(600_000, 2), 2)
  t.is(await runsAfter(600_000, 3), 3)
  await housekeeping.close()
  t.is(await runsAfter(6_000_000, 3), 3)
})

test('of many processes one does a chore, also when the clock of PostgreSQL was ahead', async t => {
  let runs = 0
  const chore: Chore = {
    name: 'once',
    doBatch: async () => {
      runs++
      return 0
    },
  }
  const all = () => Promise.all(Array.from({ length: 20 }, () => runInTurn({ pool, log }, chore, isClosing)))
  await all()
  t.is(runs, 1)
  await all()
  t.is(runs, 1)
  await anHourLater()
  await all()
  t.is(runs, 2)
  await pool.query(statement`update chores set begun_at = now() + interval '1 year'`)
  await all()
  t.is(runs, 3)
})

test('a chore that fails twice is a metric and a fault of doctor, until it is done again', async t => {
  let isBroken = true
  const chore: Chore = {
    name: 'broken',
    doBatch: async of => {
      if (isBroken) await of.query(statement`select to_date('secret', 'YYYYMMDD')`)
      return 0
    },
  }
  watchChores([{ name: 'main', pool }])
  const run = async () => {
    await anHourLater()
    await runInTurn({ pool, log }, chore, isClosing)
    const [line] = (await registry.getSingleMetricAsString('millrace_chore_failures')).match(/^.*"broken".*$/m) ?? []
    return { metric: line, doctor: await checkChores(pool) }
  }
  const metric = (failures: number) => `millrace_chore_failures{cell="main",chore="broken"} ${failures}`
  t.deepEqual(await run(), { metric: metric(1), doctor: [] })
  const { metric: shown, doctor } = await run()
  t.is(shown, metric(2))
  t.is(doctor.length, 1)
  t.like(doctor[0], { check: 'housekeeping', status: 'fault' })
  t.regex(doctor[0]?.found ?? '', /^broken has failed 2 times in a row, for \d+ s \(22007\)$/)
  t.regex(doctor[0]?.advice ?? '', /"housekeeping failed"/)
  isBroken = false
  t.deepEqual(await run(), { metric: metric(0), doctor: [] })
})
