import type { ExecutionContext } from 'ava'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { CommandQueues } from '../../lib/pipeline/tenant-queues.ts'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { duration, judgeSkew, judgeVersion } from '../../lib/tools/doctor/finding.ts'
import { judgePostgres } from '../../lib/tools/doctor/postgres.ts'
import { checkQueues } from '../../lib/tools/doctor/queues.ts'
import { judgeRedis, readInfo } from '../../lib/tools/doctor/redis.ts'
import { noteCommand } from '../support/pipeline.ts'
import { column } from '../support/records.ts'
import { type PrivateServer, privatePostgres, privateRedis } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

// Durable servers, as in production.
let postgres: PrivateServer
let redis: PrivateServer
test.before(async () => {
  ;[postgres, redis] = await Promise.all([privatePostgres(), privateRedis()])
  await migrate(postgres.url)
  healthy.DATABASE_URL = postgres.url
  healthy.REDIS_URL = redis.url
})
test.after.always(() => Promise.all([postgres.close(), redis.close()]))

const healthy = {
  DATABASE_URL: '',
  REDIS_URL: '',
  SMTP_URL: 'smtp://mail.example',
  WEBHOOK_SECRET_KEY: Buffer.alloc(32).toString('base64'),
  ADMIN_PORT: '9100',
}

type Finding = { check: string; status: string; found: string; advice?: string }
type Report = { ok: boolean; checks: Finding[] }

async function run(env: NodeJS.ProcessEnv, ...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const terminal = {
    env,
    root: '/nonexistent',
    out: (text: string) => out.push(text),
    err: (text: string) => err.push(text),
  }
  const status = await runCommandLine(['doctor', ...args], terminal)
  return { status, out: out.join('\n'), err: err.join('\n') }
}

async function examine(env: NodeJS.ProcessEnv): Promise<Report & { status: number }> {
  const { status, out } = await run(env, '--json')
  return { status, ...(JSON.parse(out) as Report) }
}

function finds(t: ExecutionContext, report: Report & { status: number }, check: string, found: RegExp): void {
  t.is(report.status, 1)
  t.false(report.ok)
  const finding = report.checks.find(one => one.check === check && one.status === 'fault')
  t.regex(finding?.found ?? JSON.stringify(report.checks), found)
  t.regex(finding?.advice ?? '', /\w/)
}

async function onPostgres(text: string, database?: string): Promise<void> {
  const url = new URL(postgres.url)
  if (database) url.pathname = `/${database}`
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

/** A database of its own on the durable server. */
async function database(name: string): Promise<string> {
  await onPostgres(`create database ${name}`)
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return url.href
}

test.serial('a healthy set-up is 0, without a fault or a warning', async t => {
  const report = await examine(healthy)
  t.deepEqual(
    report.checks.filter(({ status }) => status !== 'ok'),
    [],
  )
  t.is(report.status, 0)
  t.true(report.ok)
  for (const check of [
    'settings',
    'postgres version',
    'migrations',
    'redis policy',
    'clock of redis',
    'command queues',
  ])
    t.true(
      report.checks.some(one => one.check === check),
      check,
    )
  const { out } = await run(healthy)
  t.regex(out, /^CHECK +STATE +FOUND\n/)
  t.regex(out, /\n0 faults, 0 warnings$/)
})

test.serial('what housekeeping left undone is a warning', async t => {
  await onPostgres(`
    insert into security_network_keys (day, key) values ('2026-01-01', '');
    insert into security_recent (tenant_id, hour, batch, place, second, key_id, metric, method, route, count)
    values (1, 490000, 1, 1, 0, 1, 0, '', '', 1)`)
  const { checks } = await examine(healthy)
  t.like(
    checks.find(({ check }) => check === 'housekeeping'),
    { status: 'warning', found: 'network keys older than 8 days, telemetry of hours ago that is not added up' },
  )
  await onPostgres("delete from security_network_keys where key = ''; delete from security_recent")
})

test.serial('batches that have expired and were not told for long are a warning', async t => {
  const stored = (days: number, zone = 'UTC') => `
    with t as (
      insert into tenants (tenant_id, name, owner_email, plan, currency, time_zone)
      values (nextval('ids'), 'Dairy', 'a@b.example', 'pro', 'EUR', '${zone}') returning tenant_id
    )
    insert into batches (tenant_id, id, item_variant_id, number, expiry_date, created_at, updated_at)
    select tenant_id, nextval('ids'), 1, 'B', local_day('${zone}', now()) - ${days}, now(), now() from t`
  const found = async () => (await examine(healthy)).checks.find(({ check }) => check === 'expired batches')
  await onPostgres(`set session_replication_role = replica; ${stored(0)}; ${stored(0, 'Pacific/Niue')}`)
  t.like(await found(), { status: 'ok' })
  await onPostgres(`set session_replication_role = replica; ${stored(2)}; ${stored(3, 'Asia/Tokyo')}`)
  t.like(await found(), { status: 'warning' })
  t.regex((await found())?.found ?? '', /^2 tenants have batches that expired more than 10 min ago/)
  await onPostgres("delete from batches; delete from tenants where name = 'Dairy'")
})

test.serial(
  'a user who may not write is a fault that names tables, one who may not make periods is a warning',
  async t => {
    await onPostgres(`
    create role clerk login password 'clerk';
    grant select on all tables in schema public to clerk`)
    const url = Object.assign(new URL(postgres.url), { username: 'clerk', password: 'clerk' }).href
    const writesOf = async () => {
      const { checks } = await examine({ ...healthy, DATABASE_URL: url })
      return checks.find(({ check }) => check === 'postgres writes')
    }
    const reading = await writesOf()
    t.is(reading?.status, 'fault')
    t.regex(reading?.found ?? '', /^its user may not write: tables \w+(, \w+){4} and \d+ more; sequences ids$/)
    t.regex(reading?.advice ?? '', /grant/)
    await onPostgres(`
    grant insert, update, delete on all tables in schema public to clerk;
    revoke update on tenant_streams from clerk`)
    t.like(await writesOf(), { status: 'fault', found: 'its user may not write: tables tenant_streams; sequences ids' })
    await onPostgres('grant update on tenant_streams to clerk; grant usage on all sequences in schema public to clerk')
    const working = await writesOf()
    t.is(working?.status, 'warning')
    t.regex(working?.found ?? '', /^its user may not make and drop periods of commands, events, /)
    await onPostgres(`grant ${new URL(postgres.url).username} to clerk`)
    t.like(await writesOf(), { status: 'ok' })
    await onPostgres('alter role clerk set default_transaction_read_only = on')
    t.like(await writesOf(), {
      status: 'fault',
      found: 'it is read-only: reads are served, writes are answered with 503',
    })
    await onPostgres('drop owned by clerk; drop role clerk')
  },
)

test.serial('a chore that failed twice in a row is a fault that names it, one failure is none', async t => {
  await onPostgres(`
    insert into chores (name, begun_at, failures, failing_since, error)
    values ('security', now(), 2, now() - interval '40 minutes', '55P03'), ('mails', now(), 1, now(), '57014'),
      ('of a version before', now() - interval '2 days', 9, now() - interval '2 days', '22007')`)
  const report = await examine(healthy)
  finds(t, report, 'housekeeping', /^security has failed 2 times in a row, for 40 min \(55P03\)$/)
  t.is(report.checks.filter(({ status }) => status !== 'ok').length, 1)
  await onPostgres('delete from chores')
})

test.serial(
  'books that were not proven for eight days are a warning, differences are a fault until a run finds none',
  async t => {
    const books = async () => (await examine(healthy)).checks.find(({ check }) => check === 'books')
    t.like(await books(), { status: 'ok', found: 'never proven' })
    const note = (ended: string, faults: number) =>
      onPostgres(`update reconciliations set whole_ended_at = now() - interval '${ended}', whole_faults = ${faults}`)
    await note('7 days', 0)
    t.like(await books(), { status: 'ok', found: 'proven 7 d ago' })
    await note('9 days', 0)
    t.like(await books(), { status: 'warning', found: 'proven 9 d ago' })
    await note('3 hours', 2)
    finds(t, await examine(healthy), 'books', /^2 differences were found 3 h ago$/)
    await onPostgres('update reconciliations set whole_ended_at = null, whole_faults = null')
  },
)

test.serial('tenants whose time a wrong clock put ahead are a warning that names them', async t => {
  await onPostgres(`
    insert into tenants (tenant_id, name, owner_email) select n, 'T', 'o' from generate_series(1, 7) n;
    insert into tenant_streams (tenant_id, last_command_at)
    select n, '2100-01-01 00:00+00'::timestamptz - n * interval '1 day' from generate_series(1, 6) n
    union all select 7, now()`)
  const report = await examine(healthy)
  t.like(
    report.checks.find(({ check }) => check === 'times of tenants'),
    {
      status: 'warning',
      found: `ahead of postgres: ${[1, 2, 3, 4, 5].map(n => `${n} (2099-12-${32 - n}T00:00:00.000Z)`).join(', ')}, and 1 more`,
    },
  )
  t.is(report.checks.filter(({ status }) => status !== 'ok').length, 1)
  await onPostgres('delete from tenant_streams; delete from tenants')
})

test.serial('a Redis that drops keys is a fault, and the advice says what to set', async t => {
  const connection = new Redis(redis.url)
  await connection.config('SET', 'maxmemory-policy', 'allkeys-lru')
  finds(t, await examine(healthy), 'redis policy', /allkeys-lru/)
  const { out } = await run(healthy)
  t.regex(out, /What to do:\n- redis policy: set maxmemory-policy noeviction/)
  await connection.config('SET', 'maxmemory-policy', 'noeviction')
  await connection.config('SET', 'appendonly', 'no')
  const report = await examine(healthy)
  t.is(report.checks.find(({ check }) => check === 'redis persistence')?.status, 'warning')
  t.is(report.status, 0, 'a warning is no fault')
  await connection.config('SET', 'appendonly', 'yes')
  connection.disconnect()
})

test.serial('commands that nobody takes are a fault, with their number and age', async t => {
  const connection = connectRedis(redis.url, 'producer', 'test')
  const queues = new CommandQueues(connection, 1)
  for (const n of [1, 2, 3]) await queues.enqueue(noteCommand(n === 3 ? '8' : '7', 'nobody', 'x'), `job-${n}`)
  const soon = await checkQueues(connection, 1, new Date())
  t.like(soon, { status: 'ok' })
  t.regex(soon.found, /^3 commands wait/)
  const later = await checkQueues(connection, 1, new Date(Date.now() + 3_600_000))
  t.like(later, { status: 'fault', found: '3 commands of 2 tenants wait, the oldest for 60 min' })
  await connection.flushall()
  t.like(await checkQueues(connection, 1, new Date()), { status: 'ok', found: 'empty' })
  await closeRedis(connection)
})

test('a database without migrations, or with later ones, is a fault', async t => {
  const fresh = await database('fresh')
  finds(t, await examine({ ...healthy, DATABASE_URL: fresh }), 'migrations', /missing/)
  await migrate(fresh)
  await onPostgres("insert into migrations (name, checksum) values ('999999_future.sql', 'x')", 'fresh')
  finds(t, await examine({ ...healthy, DATABASE_URL: fresh }), 'migrations', /ahead by 1/)
  await onPostgres(
    "delete from migrations where name > '9'; update migrations set checksum = 'x' where name < '000002'",
    'fresh',
  )
  finds(t, await examine({ ...healthy, DATABASE_URL: fresh }), 'migrations', /000001_\S+ was changed/)
})

test('a database that breaks the promises is a fault', async t => {
  const strict = await database('strict')
  await migrate(strict)
  await onPostgres("alter database strict set default_transaction_isolation = 'serializable'", 'strict')
  await onPostgres('alter database strict set synchronous_commit = off', 'strict')
  const report = await examine({ ...healthy, DATABASE_URL: strict })
  finds(t, report, 'postgres isolation', /serializable/)
  finds(t, report, 'postgres durability', /synchronous_commit off/)
})

test('a service that is away is a fault, and the rest is examined all the same', async t => {
  const withoutRedis = await examine({ ...healthy, REDIS_URL: 'redis://127.0.0.1:1' })
  finds(t, withoutRedis, 'redis', /./)
  t.true(withoutRedis.checks.some(({ check, status }) => check === 'migrations' && status === 'ok'))
  const withoutPostgres = await examine({ ...healthy, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  finds(t, withoutPostgres, 'postgres', /./)
  t.true(withoutPostgres.checks.some(({ check, status }) => check === 'redis policy' && status === 'ok'))
  const nowhere = await examine({})
  finds(t, nowhere, 'postgres', /set DATABASE_URL, or start the service/)
  finds(t, nowhere, 'redis', /set REDIS_URL, or start the service/)
  t.regex(
    (await run({})).out,
    /What to do:\n- postgres, redis: nothing runs here: npm start[^\n]*\n\n2 faults, 0 warnings$/,
  )
  for (const { advice } of nowhere.checks.filter(({ status }) => status === 'fault'))
    t.regex(advice ?? '', /^nothing runs here: npm start/)
  const readUrl = { DATABASE_READ_URL: 'postgres://nobody@127.0.0.1:1/none' }
  finds(t, await examine({ ...healthy, ...readUrl }), 'replica', /./)
})

test('an unknown host, a wrong password and a closed port are told in words that name them, and no password', async t => {
  const wrongHost = await examine({
    ...healthy,
    DATABASE_URL: 'postgres://millrace:hidden@postgres.invalid/millrace',
    REDIS_URL: 'redis://:hidden@redis.invalid:6379',
  })
  finds(t, wrongHost, 'postgres', /^a service does not answer: no host is known by the name postgres\.invalid$/)
  finds(t, wrongHost, 'redis', /^a service does not answer: no host is known by the name redis\.invalid$/)
  const nodes = { REDIS_URL: 'redis://:hidden@redis.invalid:1,redis.invalid:2' }
  finds(t, await examine({ ...healthy, ...nodes }), 'redis', /^Redis gave no answer in time$|redis\.invalid/)
  const closed = await examine({ ...healthy, REDIS_URL: 'redis://:hidden@127.0.0.1:1' })
  finds(t, closed, 'redis', /^a service does not answer: connect ECONNREFUSED 127\.0\.0\.1:1$/)
  const password = (url: string) => Object.assign(new URL(url), { password: 'hidden' }).href
  const refused = await examine({ ...healthy, DATABASE_URL: password(postgres.url), REDIS_URL: password(redis.url) })
  finds(t, refused, 'postgres', /^the database refuses the user or password$/)
  finds(t, refused, 'redis', /^Redis refuses the user or password$/)
  for (const report of [wrongHost, closed, refused]) t.notRegex(JSON.stringify(report), /hidden|max.?retries/i)
})

test('each wrong setting is one line and 1, and with --json a fault among the checks', async t => {
  const wrong = { ...healthy, PORT: 'eighty', TRUST_PROXY: 'yes' }
  t.deepEqual(await run(wrong), {
    status: 1,
    out: '',
    err: 'millrace doctor: PORT must be a port number, not "eighty"\nmillrace doctor: TRUST_PROXY must be true or false, not "yes"',
  })
  const { err } = await run(wrong, '--json')
  t.is(err, '')
  const report = await examine(wrong)
  finds(t, report, 'settings', /^PORT must be a port number, not "eighty"$/)
  t.deepEqual(
    report.checks.map(({ found }) => found.split(' ')[0]),
    ['PORT', 'TRUST_PROXY'],
  )
})

test('settings that are missing in operation are warnings, the one without which no process starts is a fault', async t => {
  const report = await examine({ DATABASE_URL: postgres.url, REDIS_URL: redis.url })
  finds(t, report, 'settings', /^WEBHOOK_SECRET_KEY is not set$/)
  t.deepEqual(
    column(
      report.checks.filter(({ status }) => status === 'warning'),
      'found',
    ),
    ['SMTP_URL is not set'],
  )
})

test('a clock that is off is a warning from a second on and a fault from five, less what is not known', t => {
  t.is(judgeSkew('x', 900, 1).status, 'ok')
  t.is(judgeSkew('x', -1_200, 1).status, 'warning')
  t.is(judgeSkew('x', -1_200, 500).status, 'ok')
  t.is(judgeSkew('x', 6_000, 10).status, 'fault')
  t.regex(judgeSkew('x', -6_000, 10).found, /behind this machine by 6.00 s/)
})

test('old versions are told from those that lack something', t => {
  const bounds = { needed: 16, tested: 18 }
  t.deepEqual(
    ['18.4 (Debian)', '17.2', '15.1'].map(version => judgeVersion('x', version, bounds).status),
    ['ok', 'warning', 'fault'],
  )
  const postgres = (version: string, hasCollation: boolean, isDistributed: boolean) =>
    judgePostgres(version, { hasCollation, isDistributed }).status
  t.deepEqual(
    [postgres('18.1', true, false), postgres('17.2', true, false), postgres('15.20', true, false)],
    ['ok', 'warning', 'warning'],
  )
  t.is(postgres('15.20', true, true), 'ok', 'a cell of Citus')
  t.is(postgres('15.20', false, true), 'fault', 'the collation is missing')
  t.is(postgres('14.9', true, false), 'fault')
})

test('a Redis that is full, loading or cannot write is told', t => {
  const info = readInfo(
    '# Memory\r\nused_memory:90\r\nmaxmemory:100\r\nmaxmemory_policy:noeviction\r\nredis_version:5.0\r\naof_enabled:1\r\naof_last_write_status:err\r\n',
  )
  t.deepEqual(column(judgeRedis(info), 'status'), ['fault', 'ok', 'fault', 'warning'])
  t.regex(judgeRedis({ ...info, loading: '1' })[2]?.found ?? '', /loading/)
  t.deepEqual([500, 119_000, 120_000, 8_000_000, 200_000_000].map(duration), ['1 s', '119 s', '2 min', '2 h', '2 d'])
})
