/**
 * Connections that become silent are closed one by one: in pools of both kinds, during long statements, in Redis by its roles, and in the
 * command line.
 */

import * as v from 'valibot'
import { openClient } from '../../lib/platform/postgres/client.ts'
import { isDependencyFailure } from '../../lib/platform/postgres/failures.ts'
import { createPool, rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { eventually } from '../support/eventually.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { wayTo } from '../support/way.ts'

const test = testsOf(import.meta)

const services = await benchOfFile()

const one = { text: 'select 1 as one', values: [] }
const timeouts = (ms: number) => ({ statementTimeoutMs: ms, idleInTransactionTimeoutMs: 60_000 })
const Pid = v.object({ pid: v.number() })

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('it did not fail'),
    (reason: Error) => reason,
  )
}

test('round trips: the silent connection is lost, those idle beside it are closed, and new ones are opened', async t => {
  const way = await wayTo(services.databaseUrl)
  const pool = new RoundTripPool(way.url, { size: 3, ...timeouts(500) })
  const select = () => pool.use(connection => connection.send([one]))
  await Promise.all([select(), select(), select()])
  t.deepEqual(pool.state, { active: 0, idle: 3, waiting: 0 })
  way.silence()
  const error = await failureOf(select())
  t.true(isDependencyFailure(error), error.message)
  t.is(error.name, 'SilentConnection')
  t.deepEqual(pool.state, { active: 0, idle: 0, waiting: 0 })
  t.deepEqual(await select(), [[{ one: '1' }]])
  t.is(way.opened, 4)
  await pool.end()
  await way.close()
})

test('round trips: each statement has the limit anew, and a slow network is not taken for silence', async t => {
  const way = await wayTo(services.databaseUrl)
  const pool = new RoundTripPool(way.url, { size: 1, ...timeouts(3_000) })
  const pid = { text: 'select pg_backend_pid() as pid', values: [] }
  const slow = { text: 'select pg_sleep(1)', values: [] }
  const before = await pool.use(connection => connection.send([pid]))
  way.slow(200)
  await pool.use(connection => connection.send([slow, slow, slow, slow]))
  t.deepEqual(await pool.use(connection => connection.send([pid])), before)
  await pool.end()
  await way.close()
})

test("Slonik's pools: a statement, a transaction and those idle beside it, on silent connections", async t => {
  const way = await wayTo(services.databaseUrl)
  const pool = await createPool(way.url, { size: 3, ...timeouts(500) })
  const select = () => pool.one(rows(v.object({ one: v.number() }))`select 1 as one`)
  await Promise.all([select(), select(), select()])
  const opened = way.opened
  way.silence()
  const error = await failureOf(select())
  t.true(isDependencyFailure(error), error.message)
  t.regex(error.message, /fell silent: no answer, though/)
  t.deepEqual(await select(), { one: 1 })
  t.is(way.opened, opened + 1)
  const inTransaction = pool.transaction(async transaction => {
    await transaction.query(statement`select 1`)
    way.silence()
    await transaction.query(statement`select 1`)
  })
  t.true(isDependencyFailure(await failureOf(inTransaction)))
  t.deepEqual(await select(), { one: 1 })
  await pool.end()
  await way.close()
})

test('a long statement is not given up while PostgreSQL works on it', async t => {
  const pool = await createPool(services.databaseUrl, { size: 1, ...timeouts(30_000) })
  const { pid } = await pool.one(rows(Pid)`select pg_backend_pid() as pid, pg_sleep(8)::text as slept`)
  t.is((await pool.one(rows(Pid)`select pg_backend_pid() as pid`)).pid, pid)
  await pool.end()
})

test('the answer to a long statement that PostgreSQL has ended is not awaited for as long', async t => {
  const way = await wayTo(services.databaseUrl)
  const pool = await createPool(way.url, { size: 1, ...timeouts(60_000) })
  const { client, end } = await openClient(way.url)
  const asked = [pool.query(statement`select pg_sleep(3)`), client.query('select pg_sleep(3)')]
  const failures = Promise.all(asked.map(failureOf))
  await eventually(async () => (await working('select pg_sleep(3)')) === 2)
  way.silence()
  for (const error of await failures) t.regex(error.message, /fell silent: PostgreSQL has no statement to work on/)
  await end()
  await pool.end()
  await way.close()
})

/** How many sessions are running a statement. */
/** Sessions that try to migrate the database of this file. */
async function migratingSessions(): Promise<number> {
  const { client, end } = await openClient(services.databaseUrl)
  const { rowCount } = await client.query(
    "select from pg_stat_activity where datname = current_database() and query like 'select pg_try_advisory_lock%'",
  )
  await end()
  return rowCount ?? 0
}

async function working(text: string): Promise<number> {
  const { client, end } = await openClient(services.databaseUrl)
  const found = await client.query(`select from pg_stat_activity where query = $1 and state = 'active'`, [text])
  await end()
  return found.rowCount ?? 0
}

test('a silent connection is closed without waiting for its goodbye', async t => {
  const way = await wayTo(services.databaseUrl)
  const slonik = await createPool(way.url, { size: 1, ...timeouts(3_600_000) })
  const trips = new RoundTripPool(way.url, { size: 1, ...timeouts(3_600_000) })
  await slonik.query(statement`select 1`)
  await trips.use(connection => connection.send([one]))
  way.silence()
  await t.notThrowsAsync(Promise.all([slonik.end(), trips.end()]))
  await way.close()
})

test('Redis: whatever a connection is for, it is replaced when it falls silent', async t => {
  const way = await wayTo(services.redisUrl)
  const producer = connectRedis(way.url, 'producer', 'test')
  const worker = connectRedis(way.url, 'worker', 'test')
  const blocking = worker.duplicate() as typeof worker
  blocking.on('error', () => {})
  const subscriber = connectRedis(way.url, 'subscriber', 'test')
  const heard: string[] = []
  subscriber.on('message', (_, text) => heard.push(text))
  await subscriber.subscribe('test:silence')
  await Promise.all([producer.ping(), worker.ping(), blocking.ping()])
  way.silence()
  t.true(isDependencyFailure(await failureOf(producer.ping())))
  t.deepEqual(
    await Promise.all([worker.ping(), blocking.blpop('test:nothing', 1)]),
    ['PONG', null],
    'a command that waits is sent again',
  )
  await eventually(() => producer.ping())
  const tell = connectRedis(services.redisUrl, 'producer', 'test')
  await eventually(async () => {
    await tell.publish('test:silence', 'again')
    return heard.includes('again')
  })
  await Promise.all([producer, worker, blocking, subscriber, tell].map(closeRedis))
  await way.close()
})

test('Redis: a command that blocks for longer than silence may last is waited for', async t => {
  const redis = connectRedis(services.redisUrl, 'worker', 'test')
  const id = await redis.client('ID')
  t.is(await redis.blpop('test:nothing', 6), null)
  t.is(await redis.client('ID'), id)
  await closeRedis(redis)
})

async function run(line: string, databaseUrl: string) {
  const said: string[] = []
  const say = (text: string) => said.push(text)
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: services.redisUrl, WEBHOOK_SECRET_KEY: 'a'.repeat(64) }
  const status = await runCommandLine(line.split(' '), { env, root: '/nowhere', out: say, err: say })
  return { status, said: said.join('\n') }
}

test('commands say that PostgreSQL does not answer instead of waiting', async t => {
  const way = await wayTo(services.databaseUrl)
  way.silenceAll()
  for (const line of ['migrate', 'reconcile', 'tenant list', 'doctor']) {
    const { status, said } = await run(line, way.url)
    t.is(status, 1, line)
    t.regex(said, /PostgreSQL at 127\.0\.0\.1:\d+ gave no answer in time/, line)
  }
  await way.close()
})

test('migrate ends when the answer that it waits for was lost', async t => {
  const way = await wayTo(services.databaseUrl)
  const { client, end } = await openClient(services.databaseUrl)
  await client.query('select pg_advisory_lock(7236112)')
  const migrating = run('migrate', way.url)
  await eventually(async () => (await migratingSessions()) === 1)
  way.silence()
  await end()
  const { status, said } = await migrating
  t.is(status, 1)
  t.regex(said, /the connection to PostgreSQL at 127\.0\.0\.1:\d+ fell silent/)
  await way.close()
})
