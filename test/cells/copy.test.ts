/** A copy of rows from one database into another: no connection is left when one side fails. */
import pg from 'pg'
import { copyRows } from '../../lib/tools/moves/copy.ts'
import { testDatabase } from '../support/database.ts'
import { servers } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

/** More rows than the buffers between the databases hold. */
const ROWS = 100_000
const { databaseUrl, stop } = await servers()
const [here, there] = [await testDatabase(databaseUrl), await testDatabase(databaseUrl)]
const clients: pg.Client[] = []
const connect = async (connectionString: string) => {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  clients.push(client)
  return client
}
const source = await connect(here.url)
const keeper = await connect(there.url)
await keeper.query('create table copied (id int primary key, words text)')
test.after.always(async () => {
  for (const client of clients) await client.end()
  for (const database of [here, there]) await database.close()
  await stop()
})

const numbers = (id = 'n') => `select ${id}, repeat('word ', 20) from generate_series(1, ${ROWS}) n`
const into = 'copied (id, words)'
const answers = async (client: pg.Client) => (await client.query('select 1 as one')).rows[0]?.one === 1

test('all rows are copied and counted', async t => {
  const target = await connect(there.url)
  t.is(await copyRows({ client: source, select: numbers() }, { client: target, into }), ROWS)
  t.is((await keeper.query('select count(*)::int as count from copied')).rows[0]?.count, ROWS)
  t.is(await copyRows({ client: source, select: `${numbers()} where false` }, { client: target, into }), 0)
  await keeper.query('truncate copied')
})

test('a side that refuses is told of, and both connections are free again', async t => {
  const target = await connect(there.url)
  const copying = (select: string, table = into) =>
    copyRows({ client: source, select }, { client: target, into: table })
  await t.throwsAsync(copying(numbers('n % 1000')), { message: /duplicate key/ })
  await t.throwsAsync(copying(numbers('n + 0 / (n - 50000)')), { message: /division by zero/ })
  await t.throwsAsync(copying(numbers(), 'absent'), { message: /"absent" does not exist/ })
  await t.throwsAsync(copying('select * from absent'), { message: /"absent" does not exist/ })
  t.deepEqual(await Promise.all([source, target].map(answers)), [true, true])
  t.is((await keeper.query('select count(*)::int as count from copied')).rows[0]?.count, 0)
})

test('where a connection is lost the other one is free again', async t => {
  const target = await connect(there.url)
  const other = await connect(here.url)
  const pidOf = async (client: pg.Client) => (await client.query('select pg_backend_pid() as pid')).rows[0]?.pid
  for (const [lost, via] of [
    [target, keeper],
    [other, source],
  ] as const) {
    const pid = await pidOf(lost)
    const isOther = lost === other
    const ends = isOther ? [other, await connect(there.url)] : [other, target]
    const copying = copyRows(
      { client: ends[0] as pg.Client, select: numbers() },
      { client: ends[1] as pg.Client, into },
    )
    await via.query('select pg_terminate_backend($1)', [pid])
    await t.throwsAsync(copying)
    t.true(await answers(ends[isOther ? 1 : 0] as pg.Client))
  }
})
