/** The flood of one tenant does not keep the others waiting, and two web processes share the same state. */

import type { ExecutionContext } from 'ava'
import { Redis } from 'ioredis'
import * as v from 'valibot'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests, ownService } from '../support/of-file.ts'
import { createNotesTable, notesOf, testEndpoints } from '../support/pipeline.ts'
import { startService, type TestService } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isOneStory: true })

const options = { endpoints: testEndpoints, env: { WORKER_CONCURRENCY: '1', COMMAND_DEADLINE_MS: '60000' } }
/** A web process alone. Each test starts another one on the same PostgreSQL and Redis, with a worker. */
const service = ofTests(test, () => ownService({ ...options, workers: 0 }))
let redis: Redis

test.before(async () => {
  redis = new Redis(service.redisUrl)
  await createNotesTable(service.pool)
  // However fast the machine is, the quantum of a drain (250 ms) ends before a hundred and fifty notes are taken.
  await service.pool.query(statement`
    create function take_time() returns trigger language plpgsql as 'begin perform pg_sleep(0.002); return new; end'`)
  await service.pool.query(
    statement`create trigger take_time before insert on notes for each row execute function take_time()`,
  )
})
test.after.always(() => redis.disconnect())

async function startOther(t: ExecutionContext): Promise<TestService> {
  const other = await startService(service, options)
  t.teardown(() => other.close())
  return other
}

test('what comes after the flood of one tenant is done before the flood is over', async t => {
  const FLOOD = 500
  const [flooder, calm] = [await service.tenant(), await service.tenant()]
  const queued = async (tenantId: string, commands: number) => (await redis.llen(`{s0}:t${tenantId}:wait`)) === commands
  const flood = Array.from({ length: FLOOD }, (_, n) => flooder.post('/notes', { text: `flood ${n}` }))
  await eventually(() => queued(flooder.tenantId, FLOOD), { what: 'the flood' })
  const last = calm.post('/notes', { text: 'calm' })
  await eventually(() => queued(calm.tenantId, 1), { what: 'the calm one' })
  await startOther(t)
  t.true([await last, ...(await Promise.all(flood))].every(({ status }) => status === 201))
  // Ids are taken in the order in which the units of work run.
  const { before } = await service.pool.one(rows(v.object({ before: v.number() }))`
    select count(*)::int as before from notes where tenant_id = ${flooder.tenantId}
      and id < (select id from notes where tenant_id = ${calm.tenantId})`)
  t.true(before < FLOOD / 2, `${before} of the flood were done before it`)
  t.log(`${before} of ${FLOOD} were done before it`)
})

test('two hundred identical requests over two web processes have one effect and one answer', async t => {
  const client = await service.tenant()
  const twin = (await (await startOther(t)).key(client.tenantId)).client
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? client : twin).post('/notes', { text: 'once' }, 'same')),
  )
  t.true(replies.every(reply => reply.status === 201))
  t.is(new Set(replies.map(reply => reply.text)).size, 1)
  t.deepEqual(await notesOf(service.pool, client.tenantId), ['once'])
})

test('twenty bodies under one key at once: one wins, the others are conflicts', async t => {
  const client = await service.tenant()
  const twin = (await (await startOther(t)).key(client.tenantId)).client
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      (n % 2 === 0 ? client : twin).post('/notes', { text: `body ${n}` }, 'one key'),
    ),
  )
  t.is(replies.filter(reply => reply.status === 201).length, 1)
  t.is(replies.filter(reply => reply.status === 409 && reply.body.error === 'conflict').length, 19)
  t.is((await notesOf(service.pool, client.tenantId)).length, 1)
})
