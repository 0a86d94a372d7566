/** A dry run that no worker takes in time: its caller is answered that nothing was done, whatever became of the queue. */

import { Redis } from 'ioredis'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { snapshotOf } from '../support/snapshot.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const DRY = { 'dry-run': 'true' }
const service = await serviceOfFile({ workers: 0, env: { COMMAND_DEADLINE_MS: '10000' } })

const keysOf = (redis: Redis, tenantId: string) => redis.keys(`*:tenant:${tenantId}:key:*`)

test('taken back from the queue, it leaves no claim', async t => {
  const client = await service.tenant()
  const redis = new Redis(service.redisUrl)
  t.teardown(() => redis.disconnect())
  const before = await snapshotOf(service.pool, client.tenantId)
  const asked = client.request('POST', '/suppliers', { body: { title: 'Nobody' }, key: null, headers: DRY })
  await eventually(async () => (await keysOf(redis, client.tenantId)).length === 1, { what: 'the claim' })
  const reply = await asked
  t.deepEqual([reply.status, reply.body.error, reply.headers.get('dry-run')], [503, 'service_unavailable', 'true'])
  t.regex(reply.body.message, /did nothing/)
  t.deepEqual(await keysOf(redis, client.tenantId), [])
  t.deepEqual(await snapshotOf(service.pool, client.tenantId), before)
})

test('lost with the queue, its outcome is not open: it is queued again, and nothing was done', async t => {
  const client = await service.tenant()
  const redis = new Redis(service.redisUrl)
  t.teardown(() => redis.disconnect())
  const body = { mode: 'all', requests: [{ method: 'POST', path: '/suppliers', body: { title: 'Nobody' } }] }
  const asked = [
    client.request('POST', '/suppliers', { body: { title: 'Nobody' }, key: null, headers: DRY }),
    client.request('POST', '/bulk', { body, headers: DRY }),
  ]
  await eventually(
    async () => (await redis.llen((await redis.keys(`*:t${client.tenantId}:wait`))[0] ?? 'none')) === 2,
    { what: 'both in the queue' },
  )
  await redis.flushdb()
  for (const reply of await Promise.all(asked)) {
    t.deepEqual([reply.status, reply.headers.get('dry-run')], [503, 'true'])
    t.is(reply.body.message, 'No answer in time. It was a dry run, so nothing was done.')
  }
})
