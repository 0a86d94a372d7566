/** Commands whose tenant is not marked as ready are found without reading the other keys of Redis. */

import { Claims } from '../../lib/pipeline/claims.ts'
import { queueNameOf, shardTag } from '../../lib/pipeline/redis-keys.ts'
import { CommandQueues } from '../../lib/pipeline/tenant-queues.ts'
import { createPool, type Pool, statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { startSweeper, sweep } from '../../workers/commands/queue-sweep.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { createNotesTenant, noteCommand } from '../support/pipeline.ts'
import { column } from '../support/records.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'
import { within } from '../support/within.ts'

const test = testsOf(import.meta, { isSerial: true })

const SHARDS = 4
/** Services of its own, since the test sweeps all tenants. */
const services = ofTests(test, testServices)
const log = createLog({ level: 'silent', processName: 'test' })
let pool: Pool
let redis: ReturnType<typeof connectRedis>
let queues: CommandQueues
let claims: Claims
test.before(async () => {
  pool = await createPool(services.databaseUrl, { size: 2, ...within(30_000), checkRows: true })
  redis = connectRedis(services.redisUrl, 'worker', 'test worker')
})
test.beforeEach(async () => {
  await redis.flushdb()
  queues = new CommandQueues(redis, SHARDS)
  claims = new Claims(redis, tenantId => queues.tagOf(tenantId))
})
test.after.always(async () => {
  await closeRedis(redis)
  await pool.end()
})

/** Claims a command, and then removes the mark that its tenant is ready. */
async function forget(tenantId: string): Promise<void> {
  const command = noteCommand(tenantId, 'nobody', 'forgotten')
  await claims.claim(command, { dailyDocuments: 500, runningTtlMs: 60_000 })
  await takeReady()
}

/** The same, and removes every mention of the tenant. */
async function forgetUnnamed(tenantId: string): Promise<void> {
  const command = noteCommand(tenantId, 'nobody', 'forgotten')
  await queues
    .queue(queueNameOf(tenantId), queues.tagOf(tenantId))
    .add('addNote', command, { jobId: command.requestId })
}

const quietTenants = () =>
  pool.query(statement`
    insert into tenants (name, owner_email, plan) select 'Quiet', 'owner@test.example', 'free' from generate_series(1, 1300)`)

/** The calls that one sweep sends to Redis, by name. A holder of the turn loses it. */
async function sweepOnce(): Promise<Record<string, number>> {
  await redis.del(`${shardTag(0)}:chore:sweep-tenants`)
  const sent: Record<string, number> = {}
  const send = redis.sendCommand
  redis.sendCommand = (...given: Parameters<typeof send>) => {
    sent[given[0].name] = (sent[given[0].name] ?? 0) + 1
    return send.apply(redis, given)
  }
  await sweep({ pool, queues, log })
  redis.sendCommand = send
  return sent
}

async function ready(): Promise<string[]> {
  const found: string[] = []
  for (let shard = 0; shard < SHARDS; shard++)
    for (const { data } of await queues.readyQueue(shardTag(shard)).getWaiting()) found.push(data.tenantId)
  return found.sort()
}

/** Takes all ready tenants, so that none is ready. */
async function takeReady(): Promise<string[]> {
  const found = await ready()
  for (let shard = 0; shard < SHARDS; shard++) {
    const queue = queues.readyQueue(shardTag(shard))
    await queue.obliterate()
    await queue.resume()
  }
  return found
}

test('forgotten commands are found in every sweep, waiting or left active, however many tenants there are', async t => {
  const first = await createNotesTenant(pool)
  await quietTenants()
  const left = await createNotesTenant(pool)
  const last = await createNotesTenant(pool)
  for (const tenantId of [first, left, last]) await forget(tenantId)
  t.is((await queues.tenantQueue(left).take(1)).queued.length, 1)
  t.deepEqual(await takeReady(), [])
  for (let n = 0; n < 2; n++) {
    await sweepOnce()
    t.deepEqual(await takeReady(), [first, left, last].sort())
  }
  for (const tenantId of [first, left, last]) {
    const queue = queues.tenantQueue(tenantId)
    await queue.end({ jobIds: (await queue.resume(9)).queued.map(({ jobId }) => jobId) })
  }
  await sweepOnce()
  t.deepEqual(await takeReady(), [])
  // Taken out of the set and back into it.
  await forget(left)
  await sweepOnce()
  t.deepEqual(await takeReady(), [left])
  await queues
    .tenantQueue(left)
    .end({ jobIds: (await queues.tenantQueue(left).resume(9)).queued.map(({ jobId }) => jobId) })
})

test('a command that was lost is found like any other when it was queued again', async t => {
  const tenantId = await createNotesTenant(pool)
  await quietTenants()
  const lost = noteCommand(tenantId, 'nobody', 'lost')
  for (let n = 0; n < 2; n++) await queues.enqueue(lost, lost.requestId)
  t.deepEqual(await takeReady(), [tenantId])
  await sweepOnce()
  t.deepEqual(await takeReady(), [tenantId])
  const queue = queues.tenantQueue(tenantId)
  const { queued } = await queue.take(9)
  t.deepEqual(column(queued, 'command'), [lost], 'queued twice, it is there once')
  await queue.end({ jobIds: queued.map(({ jobId }) => jobId) })
})

test('a sweep asks the same few questions whatever else Redis holds, and comes by everybody in a while', async t => {
  await quietTenants()
  const tenantId = await createNotesTenant(pool)
  await forgetUnnamed(tenantId)
  await redis.del(`${shardTag(0)}:sweep:passed`)
  let sweeps = 0
  do {
    const { set, get, sscan, ...others } = await sweepOnce()
    t.deepEqual([set, get, sscan], [2, 1, SHARDS])
    t.true(Object.values(others).reduce((sum, count) => sum + count, 0) <= 3 * SHARDS, JSON.stringify(others))
    sweeps++
  } while (!(await takeReady()).includes(tenantId) && sweeps < 10)
  t.true(sweeps > 1 && sweeps < 10, `${sweeps} sweeps`)
  await sweepOnce()
  t.deepEqual(await takeReady(), [tenantId], 'it was found once, and not noted')
})

test('the first sweep comes with the start, and one process of the fleet has the turn', async t => {
  const tenantId = await createNotesTenant(pool)
  await forget(tenantId)
  await redis.del(`${shardTag(0)}:chore:sweep-tenants`)
  const started = startSweeper({ pool, queues, log })
  t.true(await eventually(async () => (await ready()).includes(tenantId)))
  await started.close()
  await takeReady()
  await sweep({ pool, queues, log })
  t.deepEqual(await takeReady(), [])
})
