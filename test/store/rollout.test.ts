/** Migrations in two phases: what the version before cannot serve beside comes once its processes are gone. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import pg from 'pg'
import { migrateCells } from '../../lib/access/cells/migrate-cells.ts'
import { connectionString } from '../../lib/platform/postgres/address.ts'
import { migrate } from '../../lib/platform/postgres/migrate.ts'
import { OlderProcesses } from '../../lib/platform/postgres/migrations/older.ts'
import { connectionName, isOlder, VERSION } from '../../lib/platform/version.ts'
import { typed } from '../support/millrace.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

const services = await testServices()
test.after.always(() => services.close())

/** The files of a version, below each other in one folder, and a schema that they migrate. */
async function versions(t: ExecutionContext, name: string) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-rollout-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const url = new URL(services.databaseUrl)
  url.searchParams.set('schema', name)
  return {
    url,
    add: (file: string, text: string) => writeFile(join(folder, `${file}.sql`), text),
    run: (options: { finishes?: boolean; version?: string } = {}) =>
      migrate(url.href, { folder, lookMs: 0, version: '7.2.0', ...options }),
  }
}

const before = 'create table one (a int)'
const after = '-- after the rollout of 7.2.0: 7.1 reads it\nalter table one drop column a'

/** A connection that is called so, for as long as the test runs. */
async function connect(t: ExecutionContext, url: URL, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: connectionString(url.href), application_name: name })
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end())
  return client
}

test('a new database has all at once', async t => {
  const { add, run } = await versions(t, 'fresh')
  await add('000001_one', before)
  await add('000002_less', after)
  t.deepEqual(await run(), { applied: ['000001_one.sql', '000002_less.sql'], waiting: [] })
})

test('what would break the version before waits, until it is asked for', async t => {
  const { add, run } = await versions(t, 'waiting')
  await add('000001_one', before)
  await run()
  await add('000002_two', 'create table two (a int)')
  await add('000003_less', after)
  await add('000004_three', 'create table three (a int)')
  t.deepEqual(await run(), { applied: ['000002_two.sql', '000004_three.sql'], waiting: ['000003_less.sql'] })
  t.deepEqual(await run(), { applied: [], waiting: ['000003_less.sql'] })
  t.deepEqual(await run({ finishes: true }), { applied: ['000003_less.sql'], waiting: [] })
  t.deepEqual(await run(), { applied: [], waiting: [] })
})

test('the end of a rollout that was forgotten comes before the next version', async t => {
  const { add, run } = await versions(t, 'forgotten')
  await add('000001_one', before)
  await run()
  await add('000002_less', after)
  await add('000003_two', 'create table two (a int)')
  // From 7.1 to a patch of 7.2 it waits as well.
  t.deepEqual((await run({ version: '7.2.1' })).waiting, ['000002_less.sql'])
  await add('000004_four', 'create table four (a int)')
  t.deepEqual(await run({ version: '7.3.0' }), { applied: ['000002_less.sql', '000004_four.sql'], waiting: [] })
})

test.serial('while a process of an older version is connected, nothing of the end is done', async t => {
  const { url, add, run } = await versions(t, 'connected')
  await add('000001_one', before)
  await run()
  await add('000002_less', after)
  await connect(t, url, 'web.1 reads 7.2.0')
  await connect(t, url, 'psql')
  for (const name of ['worker.1 units', 'web.7:east keys 7.1.9']) {
    const older = await connect(t, url, name)
    const error = await t.throwsAsync(run({ finishes: true }), { instanceOf: OlderProcesses })
    t.true(error?.message.includes(`(${name})`), error?.message)
    t.is((await older.query('select a from one')).rowCount, 0)
    await older.end()
  }
  t.deepEqual((await run({ finishes: true })).applied, ['000002_less.sql'])
})

test('the name of a connection tells the version of its process', t => {
  const name = connectionName('web.1:east', 'reads')
  t.is(name, `web.1:east reads ${VERSION}`)
  t.true(Buffer.byteLength(connectionName('x'.repeat(80), 'deliveries')) < 64)
  t.false(isOlder(name, VERSION))
  const [older, newer, others] = [
    ['web.1 reads', 'worker units', 'web.1 keys 1.9.9', 'web.1 keys 1.10.0', 'web.1 keys 0.99.99'],
    ['web.1 reads 1.10.1', 'web.1 reads 1.11.0', 'web.1 reads 2.0.0'],
    ['', 'psql', 'reads', 'millrace migrate', 'theirs'],
  ]
  for (const name of older ?? []) t.true(isOlder(name, '1.10.1'), name)
  for (const name of [...(newer ?? []), ...(others ?? [])]) t.false(isOlder(name, '1.10.1'), name)
})

test('further cells are finished where the main one is', async t => {
  const cell = (name: string) => {
    const url = new URL(services.databaseUrl)
    url.searchParams.set('schema', `cell_${name}`)
    return { name, databaseUrl: url.href }
  }
  const cells = [cell('main'), cell('east')]
  for (const { waiting } of await migrateCells(cells)) t.deepEqual(waiting, [])
  // As a database that was migrated, and not finished.
  const main = await connect(t, new URL(cells[0]?.databaseUrl ?? ''), 'test')
  const { rows } = await main.query("delete from migrations where name = '000063_write_texts_once.sql' returning name")
  t.is(rows.length, 1)
  // A new one too: processes of the version before may serve from it.
  const migrated = await migrateCells([...cells, cell('west')])
  t.deepEqual(Object.fromEntries(migrated.map(each => [each.cell, each.waiting])), {
    main: ['000063_write_texts_once.sql'],
    east: [],
    west: ['000063_write_texts_once.sql'],
  })
})

test('a tenant moves between cells of one rollout, finished or not, and not between both', async t => {
  const cells = ['main', 'east'].map(name => {
    const url = new URL(services.databaseUrl)
    url.searchParams.set('schema', `moving_${name}`)
    return { name, databaseUrl: url.href }
  })
  await migrateCells(cells)
  const env = {
    DATABASE_URL: cells[0]?.databaseUrl,
    CELL_EAST_URL: cells[1]?.databaseUrl,
    REDIS_URL: services.redisUrl,
  }
  t.like(await typed(['cell', 'add', 'east'], env), { status: 0, err: '' })
  const { out } = await typed(
    ['tenant', 'create', '--name', 'A', '--owner-email', 'a@a.example', '--cell', 'main', '--json'],
    env,
  )
  const { tenant_id: id } = JSON.parse(out)
  const move = (to: string) => typed(['tenant', 'move', '--tenant', id, '--cell', to], env)
  const takeBack = async (cell: (typeof cells)[number] | undefined) => {
    const client = await connect(t, new URL(cell?.databaseUrl ?? ''), 'test')
    await client.query("delete from migrations where name = '000063_write_texts_once.sql'")
  }
  t.is((await move('east')).status, 0)
  await takeBack(cells[0])
  t.regex((await move('main')).err, /is finished in one of east and main alone/)
  await takeBack(cells[1])
  t.like(await move('main'), { status: 0, err: '' })
})
