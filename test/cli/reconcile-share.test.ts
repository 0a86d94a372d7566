/**
 * `reconcile` beside traffic: it finds the same faults as the plain one, can be interrupted and continued, and a worker runs it every
 * night.
 */
import { createPool, sql, statement } from '../../lib/platform/postgres/postgres.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { sendOver } from '../../lib/tools/demo/client.ts'
import { fillDemo } from '../../lib/tools/demo/data.ts'
import { createDemo } from '../../lib/tools/demo/tenant.ts'
import { isNightlyDue, lastWholeRun } from '../../lib/tools/reconcile/noted.ts'
import { reconcileInSlices, type SlicedRun } from '../../lib/tools/reconcile/slices.ts'
import { startNightlyReconcile } from '../../workers/commands/nightly-reconcile.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests, ownService } from '../support/of-file.ts'
import { testConfig } from '../support/pipeline.ts'
import { testsOf } from '../support/suite.ts'
import { within } from '../support/within.ts'

const test = testsOf(import.meta, { isOneStory: true })

const service = ofTests(test, ownService)
const SMALL_TENANTS = 70

async function run(line: string, env: NodeJS.ProcessEnv = {}) {
  const out: string[] = []
  const err: string[] = []
  const given = { DATABASE_URL: service.databaseUrl, ...env }
  const root = '/nonexistent'
  const status = await runCommandLine(line.split(' '), {
    env: given,
    root,
    out: text => out.push(text),
    err: text => err.push(text),
  })
  return { status, out: out.join('\n'), err: err.join('\n') }
}
const json = async (line: string, env?: NodeJS.ProcessEnv) => JSON.parse((await run(`${line} --json`, env)).out)

const inSlices = (options: Partial<Parameters<typeof reconcileInSlices>[0]>): Promise<SlicedRun | null> =>
  reconcileInSlices({ source: service.pool, primary: service.pool, share: 1, resume: false, ...options })

/** Stops after the first slice, before any check of the second. */
function firstSlice() {
  let tenants = 0
  return {
    isToStop: () => tenants > 0,
    onProgress: (progress: { tenants: number }) => {
      tenants = progress.tenants
    },
  }
}

let demo = ''
test.before(async () => {
  const { tenantId, token } = await createDemo(service.databaseUrl)
  demo = tenantId
  await fillDemo(sendOver(service.url, token), line => {
    throw new Error(line)
  })
})

test('of one tenant it finds what the plain run finds', async t => {
  const plain = await json('reconcile')
  const beside = await json('reconcile --share 1')
  t.deepEqual(beside, { ...plain, fault_count: 0 })
  t.is(plain.tenants, 1)
})

test('of many tenants too, and a fault is in the table with exit 1', async t => {
  for (let n = 0; n < SMALL_TENANTS; n++) await service.tenant()
  await service.pool.query(statement`
    update stock_levels set quantity = quantity + 1
    where (tenant_id, id) in (
      select tenant_id, id from stock_levels where tenant_id = ${demo}::bigint and quantity > 0 order by id limit 1)`)
  const plain = await json('reconcile')
  t.is(plain.tenants, SMALL_TENANTS + 1)
  t.true(plain.faults.length > 0)
  t.deepEqual(await json('reconcile --share 1'), { ...plain, fault_count: plain.faults.length })
  const { status, out } = await run('reconcile --share 0.9')
  t.is(status, 1)
  t.regex(out, /fault[\s\S]*TENANT +CHECK +SUBJECT +EXPECTED +FOUND/)
})

test('a run that broke off goes on behind the tenants that are done, and keeps the count of faults', async t => {
  const part = await inSlices(firstSlice())
  t.false(part?.isWhole)
  t.true((part?.tenants ?? 0) < SMALL_TENANTS + 1 && (part?.faultCount ?? 0) > 0)
  const { status, out } = await run('reconcile --share 1 --resume')
  t.is(status, 1)
  t.regex(out, /faults were found before the break/)
  const { faults } = await lastWholeRun(service.pool)
  t.is(faults, part?.faultCount ?? 0)
})

test('a run does not go on in a database of another generation', async t => {
  await inSlices(firstSlice())
  await service.pool.query(statement`select begin_generation(true)`)
  const whole = await inSlices({ resume: true })
  t.is(whole?.tenants, SMALL_TENANTS + 1)
  t.true((whole?.faults.length ?? 0) > 0)
})

test('one process at a time', async t => {
  let second: SlicedRun | null | undefined
  let asked: Promise<void> | undefined
  await inSlices({
    onProgress: () => {
      asked ??= inSlices({}).then(found => {
        second = found
      })
    },
  })
  await asked
  t.is(second, null)
})

test('the share is a pause behind each check, and the end is in sight', async t => {
  const seen: number[] = []
  await inSlices({ share: 0.5, onProgress: ({ done }) => seen.push(done) })
  t.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  )
  t.true((seen[0] ?? 1) < 0.5)
  t.is(seen.at(-1), 1)
})

test('the checks run on the replica where there is one, and their note is on the primary', async t => {
  const read = new URL(service.databaseUrl)
  read.searchParams.set('application_name', 'the replica')
  const onReplica = await createPool(read.href, { size: 1, ...within(60_000) })
  const whole = await inSlices({ source: onReplica })
  t.true(whole?.isWhole)
  await onReplica.end()
  const { status, err } = await run('reconcile --share 1', { DATABASE_READ_URL: 'postgres://nobody@127.0.0.1:1/none' })
  t.is(status, 1)
  t.regex(err, /refused|ECONNREFUSED|127\.0\.0\.1/)
  t.is((await run('reconcile --tenant 1 --share 1')).status, 2)
  t.is((await run('reconcile --resume')).status, 2)
  t.is((await run('reconcile --share 2')).status, 2)
})

test('every night a worker proves the books once, in the six hours behind its time', async t => {
  const at = async (hours: number) => {
    const { time } = (await service.pool.one(sql.unsafe`
      select to_char(now() at time zone 'UTC' + make_interval(hours => ${hours}), 'HH24:MI') as time`)) as {
      time: string
    }
    return time
  }
  const [past, longPast, ahead] = [await at(-1), await at(-8), await at(1)]
  await service.pool.query(statement`
    update reconciliations set begun_at = null, held_until = null, whole_begun_at = now() - interval '1 day'`)
  t.true(await isNightlyDue(service.pool, past))
  t.false(await isNightlyDue(service.pool, longPast))
  t.false(await isNightlyDue(service.pool, ahead))

  const config = { ...testConfig(service), reconcileAt: past, reconcileShare: 1 }
  const log = createLog({ level: 'silent', processName: 'test' })
  const cells = [{ name: 'main', databaseUrl: service.databaseUrl, pool: service.pool }] as const
  const nightly = startNightlyReconcile({ config, cells, log }, { everyMs: 50, firstMs: 0 })
  await eventually(
    async () => !(await isNightlyDue(service.pool, past)) && (await lastWholeRun(service.pool)).age_seconds < 60,
  )
  await nightly.close()
  t.true(((await lastWholeRun(service.pool)).faults ?? 0) > 0)
})
