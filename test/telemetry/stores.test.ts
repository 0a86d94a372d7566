/** Metrics of how full the stores are and how old the last checked backup is, with a database and a Redis of the test's own. */

import { createPool, type Pool, statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis, type Redis } from '../../lib/platform/redis/redis.ts'
import { registry } from '../../lib/platform/telemetry/metrics.ts'
import { noteCheck } from '../../lib/tools/backup/noted.ts'
import { startStoreWatch } from '../../workers/commands/store-watch.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { type PrivateServer, privateRedis } from '../support/servers.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const limits = { size: 2, statementTimeoutMs: 60_000, idleInTransactionTimeoutMs: 60_000 }
let owner: Pool
let server: PrivateServer
let redis: Redis
ofTests(test, async () => {
  const services = await testServices()
  server = await privateRedis({ durable: false })
  owner = await createPool(services.databaseUrl, limits)
  await owner.query(statement`create role stores_reader login password 'reader'`)
  await owner.query(statement`grant select on backup_checks, migrations to stores_reader`)
  const url = new URL(services.databaseUrl)
  url.username = 'stores_reader'
  url.password = 'reader'
  const pool = await createPool(url.href, limits)
  redis = connectRedis(server.url, 'worker', 'test stores')
  const watch = startStoreWatch({ cells: [{ name: 'main', databaseUrl: url.href, pool }], redis }, { everyMs: 50 })
  return {
    close: async () => {
      await watch.close()
      await closeRedis(redis)
      await pool.end()
      await owner.query(statement`drop owned by stores_reader`)
      await owner.query(statement`drop role stores_reader`)
      await owner.end()
      await Promise.all([services.close(), server.close()])
    },
  }
})

/** The values of a metric by its labels, as Prometheus reads them. */
async function values(name: string): Promise<Readonly<Record<string, number>>> {
  const found = (await registry.metrics()).matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))
  return Object.fromEntries([...found].map(([, labels = '', value]) => [labels, Number(value)]))
}
const one = async (name: string) => Object.values(await values(name))[0]

test('memory of Redis is given by node, and a maximum only where there is one', async t => {
  await eventually(async () => ((await one('millrace_redis_memory_bytes')) ?? 0) > 100_000)
  t.deepEqual(Object.keys(await values('millrace_redis_memory_bytes')), [`node="${new URL(server.url).host}"`])
  await redis.config('SET', 'maxmemory', '0')
  await eventually(async () => (await one('millrace_redis_memory_max_bytes')) === undefined)
  await redis.config('SET', 'maxmemory', '100mb')
  await eventually(async () => (await one('millrace_redis_memory_max_bytes')) === 104_857_600)
  t.pass()
})

test('the size of the log is left out, not failed, for a user who may not see it', async t => {
  await eventually(async () => ((await one('millrace_postgres_database_bytes')) ?? 0) > 1_000_000)
  t.true(((await one('millrace_postgres_wal_expected_bytes')) ?? 0) > 1_000_000)
  t.deepEqual(await values('millrace_postgres_wal_bytes'), {})
  await owner.query(statement`grant pg_monitor to stores_reader`)
  await eventually(async () => ((await one('millrace_postgres_wal_bytes')) ?? 0) > 1_000_000)
})

test('the age of a backup is that of the last good check, else of the installation', async t => {
  await eventually(async () => (await one('millrace_backup_age_seconds')) !== undefined)
  const never = await values('millrace_backup_age_seconds')
  t.deepEqual(Object.keys(never), ['cell="main",of="check"'], 'since the first migration')
  await owner.query(statement`
    update migrations set applied_at = applied_at - interval '36 days' where name = '000001_tenants.sql'`)
  await eventually(async () => ((await one('millrace_backup_age_seconds')) ?? 0) > 36 * 86_400)
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  await noteCheck(owner, { cell: 'main', reaches: hoursAgo(5), ok: true })
  await noteCheck(owner, { cell: 'main', reaches: hoursAgo(1), ok: false })
  await noteCheck(owner, { cell: 'east', reaches: null, ok: true })
  await eventually(async () => Object.keys(await values('millrace_backup_age_seconds')).length === 3)
  const ages = await values('millrace_backup_age_seconds')
  t.true(Number(ages['cell="main",of="data"']) >= 5 * 3_600)
  t.true(Number(ages['cell="main",of="check"']) < 3_600)
  t.true(Number(ages['cell="east",of="check"']) < 3_600)
})

test('a Redis that is away has no values, and the other values are given', async t => {
  await server.kill()
  await eventually(async () => Object.keys(await values('millrace_redis_memory_bytes')).length === 0)
  await eventually(async () => ((await one('millrace_postgres_database_bytes')) ?? 0) > 1_000_000)
  await server.start()
  t.pass()
})
