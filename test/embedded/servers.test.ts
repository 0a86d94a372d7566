/** The embedded PostgreSQL and Redis: they start again after any end, with their data and address. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { startPostgres } from '../../lib/tools/embedded/postgres.ts'
import { isAlive } from '../../lib/tools/embedded/process-table.ts'
import { startRedis } from '../../lib/tools/embedded/redis.ts'
import { eventually } from '../support/eventually.ts'
import { copyOfCluster, privatePostgres, privateRedis, temporaryFolder } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function redisCommand(url: string, ...[command, ...args]: [string, ...string[]]): Promise<unknown> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 })
  try {
    return await redis.call(command, ...args)
  } finally {
    redis.disconnect()
  }
}

async function appendedFile(url: string): Promise<string> {
  const [, folder] = (await redisCommand(url, 'CONFIG', 'GET', 'dir')) as [string, string]
  return readFile(join(folder, 'appendonlydir', 'appendonly.aof.1.incr.aof'), 'utf8')
}

test('PostgreSQL that is killed hard comes back at the same address with every committed row', async t => {
  const postgres = await privatePostgres()
  await query(postgres.url, 'CREATE TABLE kept AS SELECT 1 AS one')
  const before = postgres.pid
  await postgres.kill()
  await postgres.start()
  t.not(postgres.pid, before)
  t.deepEqual(await query(postgres.url, 'SELECT one FROM kept'), [{ one: 1 }])
  await postgres.close()
})

test('Redis that is killed hard comes back at the same address with what the file holds', async t => {
  const redis = await privateRedis()
  await redisCommand(redis.url, 'SET', 'kept', 'yes')
  // Redis appends to the file after it has answered, as soon as no earlier write is running.
  await eventually(async () => (await appendedFile(redis.url)).includes('kept'))
  await redis.kill()
  await redis.start()
  t.is(await redisCommand(redis.url, 'GET', 'kept'), 'yes')
  await redis.close()
})

test('the service’s PostgreSQL is durable, on the loopback address only, and asks for the password', async t => {
  const postgres = await privatePostgres()
  const shown = await query(
    postgres.url,
    `SELECT name, setting FROM pg_settings
     WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'max_connections') ORDER BY name`,
  )
  t.deepEqual(shown, [
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'listen_addresses', setting: '127.0.0.1' },
    { name: 'max_connections', setting: '200' },
    { name: 'synchronous_commit', setting: 'on' },
  ])
  const wrong = new URL(postgres.url)
  wrong.password = 'wrong'
  await t.throwsAsync(query(wrong.href, 'SELECT 1'), { message: /password authentication failed/ })
  await postgres.close()
})

test('the service’s Redis never evicts, keeps a file, and asks for the password', async t => {
  const redis = await privateRedis()
  t.deepEqual(await redisCommand(redis.url, 'CONFIG', 'GET', 'maxmemory-policy'), ['maxmemory-policy', 'noeviction'])
  t.deepEqual(await redisCommand(redis.url, 'CONFIG', 'GET', 'appendonly'), ['appendonly', 'yes'])
  t.deepEqual(await redisCommand(redis.url, 'CONFIG', 'GET', 'appendfsync'), ['appendfsync', 'everysec'])
  const open = new Redis(redis.url.replace(/:[^:@]+@/, ''), { maxRetriesPerRequest: 0, retryStrategy: () => null })
  open.on('error', () => {})
  await t.throwsAsync(open.set('a', '1'), { message: /NOAUTH|closed/ })
  open.disconnect()
  await redis.close()
})

test('passwords lie in files that only their owner reads', async t => {
  const folder = await temporaryFolder()
  const redis = await startRedis({ dataDir: join(folder, 'redis'), durable: true })
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false })
  for (const file of ['redis/password', 'redis/redis.conf', 'postgres/password']) {
    t.is((await stat(join(folder, file))).mode & 0o777, 0o600, file)
  }
  await Promise.all([redis.stop(), postgres.stop()])
})

test('a lock file that names a process of somebody else does not keep PostgreSQL from starting', async t => {
  const dataDir = join(await temporaryFolder(), 'postgres')
  await copyOfCluster(dataDir)
  const first = await startPostgres({ dataDir, durable: false })
  const lockFile = join(dataDir, 'cluster', 'postmaster.pid')
  const lock = await readFile(lockFile, 'utf8')
  await first.stop()
  // The same as after a restart of the machine: this process has the id that the server had.
  await writeFile(lockFile, lock.replace(/^\d+/, String(process.pid)))
  const second = await startPostgres({ dataDir, durable: false })
  t.deepEqual(await query(second.url, 'SELECT 1 AS one'), [{ one: 1 }])
  await second.stop()
})

test('when their owner is killed hard, PostgreSQL and Redis stop by themselves', async t => {
  const folder = await temporaryFolder()
  await copyOfCluster(join(folder, 'postgres'))
  const owner = spawn(process.execPath, [fileURLToPath(new URL('./owner.ts', import.meta.url)), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(owner.stdout, 'data')
  const pids: number[] = JSON.parse(String(line))
  t.true(pids.every(isAlive))
  owner.kill('SIGKILL')
  await eventually(() => !pids.some(isAlive))
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false })
  t.deepEqual(await query(postgres.url, 'SELECT 1 AS one'), [{ one: 1 }])
  await postgres.stop()
})

test('servers of an earlier run that nobody stopped are stopped before a new start', async t => {
  const dataDir = join(await temporaryFolder(), 'redis')
  const forgotten = await startRedis({ dataDir, durable: true })
  const next = await startRedis({ dataDir, durable: true })
  await forgotten.ended
  t.is(await redisCommand(next.url, 'PING'), 'PONG')
  await next.stop()
})
