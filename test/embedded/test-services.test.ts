/** test/support: a test file has services of its own, and leaks are reported. */

import { Redis } from 'ioredis'
import { Client } from 'pg'
import { eventually } from '../support/eventually.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

test('a test file gets a migrated database and an empty Redis of its own', async t => {
  const [one, other] = await Promise.all([testServices(), testServices()])
  t.not(one.databaseUrl, other.databaseUrl)
  t.not(one.redisUrl, other.redisUrl)
  const client = new Client({ connectionString: one.databaseUrl })
  await client.connect()
  const tenants = await client.query('SELECT count(*)::int AS count FROM tenants')
  t.deepEqual(tenants.rows, [{ count: 0 }])
  await client.end()
  const redis = new Redis(one.redisUrl)
  t.is(await redis.dbsize(), 0)
  await redis.quit()
  await Promise.all([one.close(), other.close()])
})

test('a database connection that is left open fails the file', async t => {
  const services = await testServices()
  const client = new Client({ connectionString: services.databaseUrl, application_name: 'forgetful' })
  client.on('error', () => {})
  await client.connect()
  await client.query('SELECT 1')
  await t.throwsAsync(services.close({ patienceMs: 2_000 }), {
    message: /1 database connections were left open:\n {2}forgetful: SELECT 1/,
  })
})

test('a Redis connection that is left open fails the file', async t => {
  const services = await testServices()
  const redis = new Redis(services.redisUrl)
  await redis.ping()
  await t.throwsAsync(services.close({ patienceMs: 2_000 }), { message: /1 Redis connections were left open/ })
  redis.disconnect()
})

test('eventually gives up with the last reason', async t => {
  const failing = eventually(() => Promise.reject(new Error('not yet')), { timeoutMs: 50, what: 'peace' })
  const error = await t.throwsAsync(failing, { message: 'peace did not hold within 50 ms' })
  t.deepEqual(error?.cause, new Error('not yet'))
})
