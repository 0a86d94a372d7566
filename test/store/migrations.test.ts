/** Migrations beside a version that serves: they give way to whoever holds a table, and are tried again. */
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
import { linesOf, locksOf, workOf } from '../../lib/platform/postgres/migrations/work.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { progressLine } from '../../lib/tools/cli/progress.ts'
import { bareEnvironment } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

const services = await testServices()
test.after.always(() => services.close())

/** A schema of its own with these tables, and what migrates it further. */
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
  /** @returns what writes the file anew. */
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

test('what a migration locks is read from its statements', t => {
  const locks = (text: string) =>
    linesOf(text).flatMap(line => locksOf(line).map(({ by, name, mode }) => `${by} ${name}: ${mode}`))
  const cases: [string, ...string[]][] = [
    ['alter table one\n  add column a int', 'table one: access exclusive'],
    ['alter table one drop constraint one_b_fkey', 'table one: access exclusive', 'key one_b_fkey: access exclusive'],
    ['alter table one alter column a set (n_distinct = 20)', 'table one: share update exclusive'],
    ['alter table one validate constraint positive', 'table one: share update exclusive'],
    ['create table two (a int references one)', 'table one: share row exclusive'],
    ['create unique index if not exists one_by_a on one (a)', 'table one: share'],
    ['create index concurrently one_by_a on one (a)', 'table one: share update exclusive'],
    ['drop index one_by_a, one_by_b', 'index one_by_a: access exclusive', 'index one_by_b: access exclusive'],
    [
      'create trigger noted before update of a, b on one for each row execute function f()',
      'table one: share row exclusive',
    ],
    ['drop trigger noted on one', 'table one: access exclusive'],
    [
      `do $$ begin execute 'lock one'; end $$`,
      ...['do', 'begin', 'execute', 'lock', 'one', 'end'].map(word => `table ${word}: access exclusive`),
    ],
    ['create function f() returns int language sql as $$ select a from one $$'],
    ['update one set a = 1'],
  ]
  for (const [text, ...expected] of cases) t.deepEqual(locks(text), expected, text)
})

test('what of a migration is done while requests go on is told from what its statements need', t => {
  const work = (text: string) =>
    workOf(text).map(({ does, table, beside }) => `${does} ${table}${beside ? `, ${beside.when}` : ''}`)
  const columns =
    'create index i on one (a); alter table one add column b int; create index j on one (b); create index k on two (b);'
  t.deepEqual(work(columns), [
    'builds an index of one, ahead',
    'builds an index of one, later',
    'builds an index of two, ahead',
  ])
  const functions = 'create function f(int) returns int language sql as $$ select 1 $$; create index i on one (f(a));'
  t.deepEqual(work(functions), ['builds an index of one, later'])
  t.deepEqual(work('drop index i; create index i on one (a, b);'), ['builds an index of one, later'])
  const unique = 'create unique index i on one (a); alter table one add column b int; create unique index j on one (b);'
  t.deepEqual(work(unique), ['builds an index of one, ahead', 'builds an index of one'])
  t.deepEqual(work('alter table one validate constraint c;'), ['reads one, ahead'])
  t.deepEqual(work('alter table one add constraint c check (a > 0);'), ['reads one'])
  t.deepEqual(
    work('alter table one add constraint c check (a > 0) not valid; alter table one validate constraint c;'),
    ['reads one'],
  )
  t.deepEqual(work('alter table one alter column a type bigint; update two set a = 1;'), [
    'rewrites one',
    'changes rows of two',
  ])
  t.deepEqual(work('insert into three select a from one join two using (a);'), ['reads one', 'reads two'])
})

// One after another: they share a database, which one run migrates at a time.
test.serial(
  'while a reader holds a table of a migration, other tables of it are free, and it is applied after',
  async t => {
    const { said, add, run, connect } = await schema(t, 'held', 'create table one (); create table two ();')
    await add('alter table one add a int; alter table two add b int;')
    const [reader, request] = [await connect('pg_dump'), await connect()]
    await reader.query('begin; select from two')
    const migrated = run()
    await until(said, /^000002_held.sql: try 3 waits: pid \d+ \(pg_dump, in a transaction for \d+ s\) holds two$/)
    await request.query(`set statement_timeout = '1s'`)
    for (const table of ['one', 'two']) await t.notThrowsAsync(request.query(`select from ${table}`))
    await reader.query('commit')
    t.deepEqual(await migrated, { applied: ['000002_held.sql'], waiting: [] })
  },
)

test.serial(
  'a request waits a moment behind a migration, though readers take turns and the file would wait for an hour',
  async t => {
    const { said, add, run, connect } = await schema(t, 'turns', 'create table one (); create table two ();')
    await add(`alter table one add a int;
    do $$ begin set local lock_timeout = '1h'; execute format('alter table %I add b int', 'two'); end $$;`)
    const readers = [await connect(), await connect()]
    let [isOver, longestMs] = [false, 0]
    t.teardown(() => {
      isOver = true
    })
    await readers[1]?.query('begin; select from two')
    // Somebody always reads, in a transaction that is too young to be waited for.
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
    await until(said, /try 3 waits/)
    isOver = true
    await reading
    t.deepEqual(await migrated, { applied: ['000002_turns.sql'], waiting: [] })
    t.true(longestMs < 60_000, `${longestMs} ms`)
  },
)

test.serial('a migration that never has its locks ends and names migration, table and sessions', async t => {
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
  t.deepEqual(await run(), { applied: ['000002_never.sql'], waiting: [] })
})

test.serial('a migration that a service would block for ever, and it the service, is done again', async t => {
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
  await service.query('lock table one in access share mode') // the migration gives way
  await service.query('commit')
  t.deepEqual(await migrated, { applied: ['000002_deadlock.sql'], waiting: [] })
})

const validIndexes = `select relname as name from pg_index join pg_class on oid = indexrelid
  where relnamespace = current_schema()::regnamespace and indisvalid and relname like 'one%' order by 1`

test.serial('the index of a large table is told, and made while writers go on', async t => {
  const { said, add, run, connect } = await schema(t, 'large', 'create table one (a int); insert into one values (1);')
  await add(`create index one_by_a on one (a); alter table one add b int; update one set b = 1;
    create index one_by_b on one (b);`)
  const [writer, other] = [await connect('import'), await connect()]
  await writer.query('begin; insert into one values (2)')
  const migrated = run({ largeBytes: 1 })
  await until(said, /create index concurrently .*: waits for pid \d+ \(import, in a transaction for \d+ s\)$/)
  await other.query(`set statement_timeout = '1s'`)
  await t.notThrowsAsync(other.query('insert into one values (3)'))
  await writer.query('commit')
  t.deepEqual(await migrated, { applied: ['000002_large.sql'], waiting: [] })
  t.deepEqual((await other.query(validIndexes)).rows, [{ name: 'one_by_a' }, { name: 'one_by_b' }])
  t.deepEqual(said.slice(0, 2), [
    '000002_large.sql builds an index of one (0.0 MB): requests go on meanwhile',
    '000002_large.sql changes rows of one (0.0 MB): requests that need these tables wait meanwhile',
  ])
})

test.serial('an index that an interrupted run left unfinished is made anew', async t => {
  const { add, run, connect } = await schema(t, 'unfinished', 'create table one (a int); insert into one values (1);')
  const [writer, maker] = [await connect(), await connect()]
  await writer.query('begin; insert into one values (2)')
  await maker.query(`set lock_timeout = '10ms'`)
  await t.throwsAsync(maker.query('create index concurrently one_by_a on one (a)'))
  await writer.query('commit')
  t.deepEqual((await maker.query(validIndexes)).rows, [])
  await add('create index one_by_a on one (a);')
  await run({ largeBytes: 1 })
  t.deepEqual((await maker.query(validIndexes)).rows, [{ name: 'one_by_a' }])
})

test.serial('an index that could not be made after its migration is made by the next run', async t => {
  const { add, run, connect } = await schema(t, 'later', 'create table one (a int); insert into one values (1);')
  await add('alter table one add b int; create index one_by_b on one (b);')
  const reader = await connect('pg_dump')
  // A snapshot, and no table.
  await reader.query('begin isolation level repeatable read; select 1')
  await t.throwsAsync(run({ largeBytes: 1, patienceMs: 500 }), { instanceOf: LocksNotHad, message: /\(pg_dump, / })
  await reader.query('commit')
  t.deepEqual((await reader.query(validIndexes)).rows, [])
  t.deepEqual(await run(), { applied: [], waiting: [] })
  t.deepEqual((await reader.query(validIndexes)).rows, [{ name: 'one_by_b' }])
})

test.serial('a file without a transaction runs statement by statement, and again from its beginning', async t => {
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
  t.deepEqual(await run(), { applied: ['000002_single.sql'], waiting: [] })
  t.deepEqual((await client.query('select a, b from one')).rows, [])
})

test.serial(
  'a migration that was changed after it was applied is refused, and what it says now is not done',
  async t => {
    const { add, run, connect } = await schema(t, 'changed', 'create table one (a int);')
    const rewrite = await add('alter table one add b int;')
    await run()
    await rewrite('alter table one add b int, add c int;')
    await add('alter table one add d int;')
    await t.throwsAsync(run(), { message: 'migration 000002_changed.sql was changed after it was applied' })
    await t.notThrowsAsync((await connect()).query('select a, b from one'))
    await t.throwsAsync((await connect()).query('select d from one'), { message: /"d" does not exist/ })
  },
)

/** A schema without the last migrations, where a session called pg_dump holds a table that they need. */
async function held(t: ExecutionContext, name: string) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-sql-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const last = '000041_partitions_and_batch_numbers.sql'
  const before = (await listMigrations()).filter(migration => migration.name < last)
  for (const migration of before) await writeFile(join(folder, migration.name), migration.text)
  const url = new URL(services.databaseUrl)
  url.searchParams.set('schema', name)
  await migrate(url.href, { folder })
  const reader = new pg.Client({ connectionString: connectionString(url.href), application_name: 'pg_dump' })
  await reader.connect()
  t.teardown(() => reader.end())
  await reader.query('begin; select from batches')
  const told = `${last}: try \\d+ waits: pid \\d+ \\(pg_dump, .*\\) holds batches`
  return { url, folder, last, told, letGo: () => reader.query('commit') }
}

test.serial('`migrate` says on standard error who holds a table, and with --json prints one object', async t => {
  const { url, folder, last, told, letGo } = await held(t, 'commanded')
  const [out, shown]: string[][] = [[], []]
  const done = runCommandLine(['migrate', '--json'], {
    env: { DATABASE_URL: url.href },
    root: folder,
    out: text => out?.push(text),
    err: text => t.fail(text),
    // As where standard error is a log.
    progress: progressLine({ write: text => void shown?.push(text) }),
  })
  await until(shown ?? [], new RegExp(`^${told}\n$`))
  await letGo()
  t.is(await done, 0)
  const { applied } = JSON.parse(out?.join('\n') ?? '')
  t.is(applied[0], last)
  t.is(shown?.at(-1), `${applied.length} migrations applied\n`)
})

const onLinux = process.platform === 'linux' ? test.serial : test.serial.skip

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
  // Behind it the next try draws over all of its rows.
  await eventually(() => new RegExp(`${told}\u001b\\[\\d+A\r\u001b\\[J\\d+_`).test(shown), {
    what: 'who holds the table',
  })
  await letGo()
  t.deepEqual(await ended, [0, null])
  t.regex(shown, / migrations applied\r\n/)
})
