/** Reads of one tenant that hang in PostgreSQL, beside all other work of a server process. */
import type { ExecutionContext } from 'ava'
import { Client } from 'pg'
import * as v from 'valibot'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import type { Client as Caller } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile({ env: { DATABASE_POOL_SIZE: '10' } })

/** Makes every read of suppliers wait until it is released. */
async function lockSuppliers(t: ExecutionContext): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: service.databaseUrl })
  await client.connect()
  t.teardown(() => client.end())
  await client.query('begin')
  await client.query('lock table suppliers in access exclusive mode')
  return async () => void (await client.query('commit'))
}

async function hanging(): Promise<number> {
  const { count } = await service.pool.one(rows(v.object({ count: v.number() }))`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return count
}

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))
const statuses = async (caller: Caller, path: string, count: number) =>
  (await times(count, () => caller.get(path))).map(({ status }) => status)

test('reads of one tenant that hang take no place of others, nor of keys and writes', async t => {
  const [busy, calm] = [await service.tenant(), await service.tenant()]
  // Opens all connections for reads: on a busy machine opening one takes longer than a read may wait.
  await statuses(calm, '/storage-places', 40)
  const release = await lockSuppliers(t)
  const hung = Promise.all([statuses(busy, '/suppliers', 40), statuses(busy, '/suppliers/1', 40)])
  await eventually(async () => (await hanging()) >= 6)
  t.deepEqual(await statuses(calm, '/products/1', 3), [404, 404, 404])
  t.deepEqual(
    await statuses(calm, '/storage-places', 20),
    Array.from({ length: 20 }, () => 200),
  )
  const { client: unseen } = await service.key(calm.tenantId)
  t.is((await unseen.get('/storage-places')).status, 200)
  t.is((await busy.post('/storage-places', { title: 'meanwhile' })).status, 201)
  t.true(await eventually(async () => (await fetch(`${service.url}/readyz`)).status === 200))
  t.true((await hanging()) <= 6)
  await release()
  // On a busy machine some have waited too long by then.
  for (const [at, status] of [200, 404].entries()) t.true((await hung)[at]?.every(of => of === status || of === 503))
})

test('a read that waited too long for those of its tenant is 503 with Retry-After', async t => {
  const busy = await service.tenant()
  const release = await lockSuppliers(t)
  const replies = await times(20, () => busy.get('/suppliers'))
  await release()
  t.true(replies.every(({ status, body }) => status === 503 && body.error === 'service_unavailable'))
  t.true(replies.every(({ headers }) => Number(headers.get('retry-after')) >= 1))
  t.true(replies.filter(({ body }) => /reads are under way/.test(body.message)).length >= 10)
  t.is((await busy.get('/suppliers')).status, 200)
})
