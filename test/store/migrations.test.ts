/** Migrations beside a version that serves: they stop for sessions that have locked a table, and are tried again. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import pg from 'pg'
import { connectionString } from '../../lib/platform/postgres/address.ts'
import { listMigrations, type MigrateOptions, migrate } from '../../lib/platform/postgres/migrate.ts'
import { LocksNotHad } from '../../lib/platform/postgres/migrations/holders.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { progressLine } from '../../lib/tools/cli/progress.ts'
import { bareEnvironment } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const services = ofTests(test, testServices)

/** A schema of its own with these tables, and functions to migrate it further. */
async function schema(t: ExecutionContext, name: string, tables: string) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-migrations-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const url = new URL(services.databaseUrl)
  url.searchParams.set('schema', name)
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  const run = (options: MigrateOptions = {}) =>
    migrate(url.href, { folder, progress: { show: say, end: say }, ...options })
  let count = 0
  /** @returns a function that writes the file again. */
  const add = async (text: string) => {
    const file = join(folder, `00000${++count}_${name}.sql`)
    await writeFile(file, text)
    return (changed: string) => writeFile(file, changed)
  }
  await add(tables)
  await run()
  said.length = 0
  return {
    said,
    add,
    run,
    /** A session in that schema. */
    connect: async (application = 'test') => {
      const client = new pg.Client({ connectionString: connectionString(url.href), application_name: application })
      client.on('error', () => {})
      await client.connect()
      t.teardown(() => client.end())
      return client
    },
  }
}

const until = (said: readonly string[], what: RegExp) => eventually(async () => said.some(text => what.test(text)))

// One after another: they share a database, which one run migrates at a time.
test('while a reader holds a table of a migration, its tables are free for others, and it is applied after', async t => {
  const { said, add, run, connect } = await schema(t, 'held', 'create table one (); create table two ();')
  await add('alter table one add a int; alter table two add b int;')
  const [reader, request] = [await connect('pg_dump'), await connect()]
  await reader.query('begin; select from two')
  const migrated = run()
  await until(said, /^000002_held.sql: try 1 waits: pid \d+ \(pg_dump, in a transaction for \d+ s\) holds two$/)
  await request.query(`set statement_timeout = '1s'`)
  for (const table of ['one', 'two']) await t.notThrowsAsync(request.query(`select from ${table}`))
  await reader.query('commit')
  t.deepEqual(await migrated, ['000002_held.sql'])
})

test('a request waits a moment behind a migration, though readers take turns', async t => {
  const { said, add, run, connect } = await schema(t, 'turns', 'create table one (); create table two ();')
  await add('alter table one add a int; alter table two add b int;')
  const readers = [await connect(), await connect()]
  let [isOver, longestMs] = [false, 0]
  t.teardown(() => {
    isOver = true
  })
  await readers[1]?.query('begin; select from two')
  // There is always a reader, in a transaction that is too young for the migration to wait for it.
  const reading = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const began = performance.now()
      await readers[turn % 2]?.query('begin; select from two')
      longestMs = Math.max(longestMs, performance.now() - began)
      await readers[(turn + 1) % 2]?.query('commit')
      await sleep(100)
    }
    await Promise.all(readers.map(reader => reader.query('commit')))
  })()
  const migrated = run()
  await until(said, /try 3/)
  isOver = true
  await reading
  t.deepEqual(await migrated, ['000002_turns.sql'])
  t.true(longestMs < 60_000, `${longestMs} ms`)
})

test('a migration that never has its locks ends and names migration, table and sessions', async t => {
  const { add, run, connect } = await schema(t, 'never', 'create table one ();')
  await add('alter table one add a int;')
  const reader = await connect('a report')
  const { rows } = await reader
    .query('begin; select pg_backend_pid() as pid, count(*) from one')
    .then(results => (results as unknown as pg.QueryResult[])[1] ?? { rows: [] })
  const error = await t.throwsAsync(run({ patienceMs: 500 }), { instanceOf: LocksNotHad })
  t.regex(
    error?.message ?? '',
    new RegExp(
      `^migration 000002_never.sql had not all its locks in \\d tries: pid ${rows[0]?.pid} \\(a report, in a transaction for \\d+ s\\) holds one. Run it again: it goes on from there$`,
    ),
  )
  await reader.query('commit')
  t.deepEqual(await run(), ['000002_never.sql'])
})

test('a migration that a service would block for ever, and it the service, is done again', async t => {
  const { add, run, connect } = await schema(
    t,
    'deadlock',
    `create table one (); create table other ();
     create function widen(name text) returns void language plpgsql as $$
     begin execute format('alter table %I add a int', name); end $$;`,
  )
  // No statement names the tables.
  await add(`select widen('o' || 'ne'); select widen('oth' || 'er');`)
  const service = await connect()
  await service.query(`begin; set local deadlock_timeout = '1h'; lock table other in access share mode`)
  const migrated = run()
  await eventually(async () => {
    const { rows } = await service.query(`select from pg_locks where relation = 'other'::regclass and not granted`)
    return rows.length > 0
  })
  await service.query('lock table one in access share mode') // the migration stops for it
  await service.query('commit')
  t.deepEqual(await migrated, ['000002_deadlock.sql'])
})

const validIndexes = `select relname as name from pg_index join pg_class on oid = indexrelid
  where relnamespace = current_schema()::regnamespace and indisvalid and relname like 'one%' order by 1`

test('an index that is made concurrently lets writers go on, and who holds it up is told', async t => {
  const { said, add, run, connect } = await schema(t, 'large', 'create table one (a int); insert into one values (1);')
  await add(`-- no transaction: the index of a large table
    create index concurrently if not exists one_by_a on one (a);`)
  const [writer, other] = [await connect('import'), await connect()]
  await writer.query('begin; insert into one values (2)')
  const migrated = run()
  await until(said, /create index concurrently .*: waits for pid \d+ \(import, in a transaction for \d+ s\)$/)
  await other.query(`set statement_timeout = '1s'`)
  await t.notThrowsAsync(other.query('insert into one values (3)'))
  await writer.query('commit')
  t.deepEqual(await migrated, ['000002_large.sql'])
  t.deepEqual((await other.query(validIndexes)).rows, [{ name: 'one_by_a' }])
})

test('an index that an interrupted run left unfinished is made anew', async t => {
  const { add, run, connect } = await schema(t, 'unfinished', 'create table one (a int); insert into one values (1);')
  const [writer, maker] = [await connect(), await connect()]
  await writer.query('begin; insert into one values (2)')
  await maker.query(`set lock_timeout = '10ms'`)
  await t.throwsAsync(maker.query('create index concurrently one_by_a on one (a)'))
  await writer.query('commit')
  t.deepEqual((await maker.query(validIndexes)).rows, [])
  await add('-- no transaction\ncreate index concurrently if not exists one_by_a on one (a);')
  await run()
  t.deepEqual((await maker.query(validIndexes)).rows, [{ name: 'one_by_a' }])
})

test('a file without a transaction runs statement by statement, and again from its beginning', async t => {
  const { add, run, connect } = await schema(t, 'single', 'create table one (a int);')
  const text = (last: string) => `-- no transaction: the index of a large table
    create index concurrently if not exists one_by_a on one (a);
    alter table one add column if not exists b int;
    ${last};`
  const rewrite = await add(text('select 1 / 0'))
  await t.throwsAsync(run(), { message: 'migration 000002_single.sql failed' })
  const client = await connect()
  t.deepEqual((await client.query(validIndexes)).rows, [{ name: 'one_by_a' }])
  await rewrite(text('select 1'))
  t.deepEqual(await run(), ['000002_single.sql'])
  t.deepEqual((await client.query('select a, b from one')).rows, [])
})

test('a migration that was changed after it was applied is refused, and what it says now is not done', async t => {
  const { add, run, connect } = await schema(t, 'changed', 'create table one (a int);')
  const rewrite = await add('alter table one add b int;')
  await run()
  await rewrite('alter table one add b int, add c int;')
  await add('alter table one add d int;')
  await t.throwsAsync(run(), { message: 'migration 000002_changed.sql was changed after it was applied' })
  await t.notThrowsAsync((await connect()).query('select a, b from one'))
  await t.throwsAsync((await connect()).query('select d from one'), { message: /"d" does not exist/ })
})

test('a database of a pre-release is refused in one line and left as it is', async t => {
  const { run, connect } = await schema(t, 'early', 'create table one (a int);')
  const client = await connect()
  const all = async () => (await client.query('select name, checksum from migrations order by name')).rows
  const refused = async () => {
    const before = await all()
    await t.throwsAsync(run(), {
      message: 'the database is of a pre-release, which no release of Millrace reads: begin with an empty one',
    })
    t.deepEqual(await all(), before)
  }
  await client.query(`insert into migrations (name, checksum) values ('000000_first.sql', 'x')`)
  await refused()
  // A pre-release with the names of today, but with other texts and more files.
  await client.query(`update migrations set name = '900000_last.sql' where name = '000000_first.sql'`)
  await client.query(`update migrations set checksum = 'x' where name = '000001_early.sql'`)
  await refused()
})

/** A schema without the last migrations, where a session called import writes to a table that they need. */
async function held(t: ExecutionContext, name: string) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-sql-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const last = '000009_webhooks.sql'
  const before = (await listMigrations()).filter(migration => migration.name < last)
  for (const migration of before) await writeFile(join(folder, migration.name), migration.text)
  const url = new URL(services.databaseUrl)
  url.searchParams.set('schema', name)
  await migrate(url.href, { folder })
  const reader = new pg.Client({ connectionString: connectionString(url.href), application_name: 'import' })
  await reader.connect()
  t.teardown(() => reader.end())
  await reader.query('begin; lock table tenants in row exclusive mode')
  const told = `${last}: try \\d+ waits: pid \\d+ \\(import, .*\\) holds tenants`
  return { url, folder, last, told, letGo: () => reader.query('commit') }
}

test('`migrate` says on standard error who holds a table, and with --json prints one object', async t => {
  const { url, folder, last, told, letGo } = await held(t, 'commanded')
  const [out, shown]: string[][] = [[], []]
  const done = runCommandLine(['migrate', '--json'], {
    env: { DATABASE_URL: url.href },
    root: folder,
    out: text => out?.push(text),
    err: text => t.fail(text),
    // The same as when standard error is a log.
    progress: progressLine({ write: text => void shown?.push(text) }),
  })
  await until(shown ?? [], new RegExp(`^${told}\n$`))
  await letGo()
  t.is(await done, 0)
  const { applied } = JSON.parse(out?.join('\n') ?? '')
  t.is(applied[0], last)
  t.is(shown?.at(-1), `${applied.length} migrations applied\n`)
})

const onLinux = process.platform === 'linux' ? test : test.skip

onLinux('`migrate` shows on a terminal who holds a table', async t => {
  const { url, told, letGo } = await held(t, 'on_terminal')
  const command = `stty columns 60; exec "${process.execPath}" bin/millrace.ts migrate`
  const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...bareEnvironment(), SHELL: '/bin/sh', TERM: 'xterm', DATABASE_URL: url.href },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.teardown(() => terminal.kill('SIGKILL'))
  const ended = once(terminal, 'exit')
  let shown = ''
  terminal.stdout.setEncoding('utf8').on('data', text => {
    shown += text
  })
  // The next try draws over all rows of this message.
  await eventually(() => new RegExp(`${told}\u001b\\[\\d+A\r\u001b\\[J\\d+_`).test(shown), {
    what: 'who holds the table',
  })
  await letGo()
  t.deepEqual(await ended, [0, null])
  t.regex(shown, / migrations applied\r\n/)
})
