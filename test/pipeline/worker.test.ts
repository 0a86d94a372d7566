/** The pipeline below HTTP: queues, batches, the command log, the outbox, replies. */

import * as v from 'valibot'
import { Claims } from '../../lib/pipeline/claims.ts'
import type { Command, Outcome } from '../../lib/pipeline/command.ts'
import { ReplyReader } from '../../lib/pipeline/replies.ts'
import type { Taken } from '../../lib/pipeline/taken.ts'
import { CommandQueues } from '../../lib/pipeline/tenant-queues.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { configuredSecretBox } from '../../lib/platform/secret-box.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOfFile } from '../support/of-file.ts'
import {
  createNotesTable,
  createNotesTenant,
  noteCommand,
  notesOf,
  settler,
  testConfig,
  testEndpoints,
} from '../support/pipeline.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile({ endpoints: testEndpoints })
const config = testConfig(service)
const { pool } = service
await createNotesTable(pool)
const redis = connectRedis(service.redisUrl, 'worker', 'test server')
const replies = new ReplyReader(connectRedis(service.redisUrl, 'worker', 'test replies'), 'test-server', {
  secrets: configuredSecretBox(config),
  onFault: error => {
    throw error
  },
})
replies.start()
const queues = new CommandQueues(redis, config.queueShards)
// The commands are in shards that the worker of the service does not serve, so that claimed commands are not run.
const stray = new CommandQueues(redis, 64)
const strayTagOf = (tenantId: string) => `stray-${stray.tagOf(tenantId)}`
const claims = new Claims(redis, strayTagOf)
const settle = settler(redis, strayTagOf)
test.after.always(async () => {
  await replies.close()
  await closeRedis(redis)
})

const send = async (command: Command): Promise<Outcome> => {
  const waiting = replies.expect(command.requestId)
  await queues.enqueue(command, command.requestId)
  return waiting.outcome
}

test('a command runs, is logged, and answers', async t => {
  const tenant = await createNotesTenant(pool)
  const outcome = await send(noteCommand(tenant, 'test-server', 'hello'))
  t.like(outcome, { kind: 'done', status: 201, replayed: false })
  t.deepEqual(await notesOf(pool, tenant), ['hello'])
})

test('tenants that were slow are slow no more once a command that ran alone was quick', async t => {
  const tenants = await Promise.all(Array.from({ length: 6 }, () => createNotesTenant(pool)))
  const marks = tenants.map(tenant => `${queues.tagOf(tenant)}:t${tenant}:slow`)
  // The marks never expire.
  await Promise.all(marks.map(mark => redis.set(mark, '1')))
  await eventually(async () => {
    await Promise.all(tenants.map(tenant => send(noteCommand(tenant, 'test-server', 'quick'))))
    return (await redis.exists(...marks)) === 0
  })
  t.pass()
})

test('a tenant’s commands run in the order in which they were queued, each once', async t => {
  const tenant = await createNotesTenant(pool)
  const texts = Array.from({ length: 200 }, (_, n) => `note ${n}`)
  const outcomes = await Promise.all(texts.map(text => send(noteCommand(tenant, 'test-server', text))))
  t.true(outcomes.every(outcome => outcome.kind === 'done' && !outcome.replayed))
  t.deepEqual(await notesOf(pool, tenant), texts)
})

test('the same command queued many times has one effect; the rest are replays', async t => {
  const tenant = await createNotesTenant(pool)
  const first = noteCommand(tenant, 'test-server', 'once')
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send({ ...first, requestId: `${first.requestId}x${n}` })),
  )
  t.deepEqual(await notesOf(pool, tenant), ['once'])
  const done = outcomes.filter(outcome => outcome.kind === 'done')
  t.is(done.length, 20)
  t.is(done.filter(outcome => !outcome.replayed).length, 1)
  t.is(new Set(done.map(outcome => outcome.body)).size, 1)
})

test('one key with another body is a conflict, in the same batch as well', async t => {
  const tenant = await createNotesTenant(pool)
  const first = noteCommand(tenant, 'test-server', 'one')
  const second = noteCommand(tenant, 'test-server', 'two', { idempotencyKey: first.idempotencyKey })
  const [, outcome] = await Promise.all([send(first), send(second)])
  t.like(outcome, { kind: 'refused', refusal: { refusal: 'conflict' } })
  t.deepEqual(await notesOf(pool, tenant), ['one'])
})

test('a broken command harms no other of its batch and leaves nothing behind', async t => {
  const tenant = await createNotesTenant(pool)
  const outcomes = await Promise.all(
    ['a', 'b', 'boom', 'c', 'no', 'd'].map(text =>
      send(
        noteCommand(
          tenant,
          'test-server',
          text,
          text === 'boom' ? { behave: 'throw' } : text === 'no' ? { behave: 'refuse' } : {},
        ),
      ),
    ),
  )
  t.deepEqual(
    outcomes.map(outcome => (outcome.kind === 'done' ? 'done' : outcome.refusal.refusal)),
    ['done', 'done', 'internal_error', 'done', 'validation_failed', 'done'],
  )
  t.deepEqual(await notesOf(pool, tenant), ['a', 'b', 'c', 'd'])
  const outcome = outcomes[2]
  t.false(outcome?.kind === 'refused' && outcome.refusal.message.includes('on purpose'))
})

test('events count up without gaps, over refusals and faults', async t => {
  const tenant = await createNotesTenant(pool)
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      send(
        noteCommand(
          tenant,
          'test-server',
          `n${n}`,
          n % 7 === 3 ? { behave: 'refuse' } : n === 30 ? { behave: 'throw' } : {},
        ),
      ),
    ),
  )
  const noted = await notesOf(pool, tenant)
  const events = await pool.any(
    rows(
      v.object({ sequence: v.string(), body: v.string() }),
    )`select sequence, body from events where tenant_id = ${tenant} order by sequence`,
  )
  t.deepEqual(
    events.map(event => event.sequence),
    noted.map((_, at) => String(at + 1)),
  )
  t.deepEqual(
    events.map(event => (JSON.parse(event.body) as { data: { text: string } }).data.text),
    noted,
  )
  const again = await send(noteCommand(tenant, 'test-server', 'last'))
  t.is(again.kind === 'done' && JSON.parse(again.body ?? '').after, String(noted.length))
})

test('a refusal frees its key: the same key may try again', async t => {
  const tenant = await createNotesTenant(pool)
  const refused = noteCommand(tenant, 'test-server', 'x', { behave: 'refuse' })
  t.is((await send(refused)).kind, 'refused')
  t.is((await send(noteCommand(tenant, 'test-server', 'y', { idempotencyKey: refused.idempotencyKey }))).kind, 'done')
})

test('fifty tenants at once: each in its own order', async t => {
  const tenants = await Promise.all(Array.from({ length: 50 }, () => createNotesTenant(pool)))
  await Promise.all(
    tenants.flatMap(tenant =>
      Array.from({ length: 10 }, (_, n) => send(noteCommand(tenant, 'test-server', String(n)))),
    ),
  )
  for (const tenant of tenants)
    t.deepEqual(await notesOf(pool, tenant), ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
})

test('what a dead worker left active is run by the next drain, first', async t => {
  const tenant = await createNotesTenant(pool)
  const stray = new CommandQueues(redis, config.queueShards)
  const left = noteCommand(tenant, 'test-server', 'left behind')
  const waiting = replies.expect(left.requestId)
  const queue = stray.tenantQueue(tenant)
  // The same as after a worker that dies between taking and running: the job is active, and no worker has the tenant.
  await stray
    .queue(`t${tenant}`, stray.tagOf(tenant))
    .add('addNote', left, { jobId: left.requestId, removeOnComplete: true })
  t.is((await queue.take(1)).queued.length, 1)
  const next = await send(noteCommand(tenant, 'test-server', 'next'))
  t.is(next.kind, 'done')
  t.is((await waiting.outcome).kind, 'done')
  t.deepEqual(await notesOf(pool, tenant), ['left behind', 'next'])
})

test('commands are taken oldest first and leave nothing behind; what a dead holder left comes first, one by one, and counts', async t => {
  // The command is in a shard that the worker of the service does not serve, so that no other worker takes it.
  const tenant = '1'
  t.not(stray.tagOf(tenant), '{s0}')
  const queue = stray.tenantQueue(tenant)
  const bullmq = stray.queue(`t${tenant}`, stray.tagOf(tenant))
  const texts = ({ queued }: Taken) => queued.map(({ command }) => (command.body as { text: string }).text)
  for (let n = 0; n < 5; n++) {
    const command = noteCommand(tenant, 'test-server', `${n}`)
    await bullmq.add('addNote', command, { jobId: command.requestId, removeOnComplete: true })
  }
  const first = await queue.resume(2)
  t.deepEqual([texts(first), first.waiting], [['0', '1'], 3])
  t.deepEqual(await queue.take(0), { queued: [], waiting: 3, isSlow: false })
  await bullmq.pause()
  t.deepEqual(await queue.take(9), { queued: [], waiting: 0, isSlow: false })
  await bullmq.resume()
  const attempts = ({ queued }: Taken) => queued.map(({ attempt }) => attempt)
  const finish = ({ queued }: Taken) => queue.end({ jobIds: queued.map(({ jobId }) => jobId) })
  const left = await queue.resume(4)
  t.deepEqual([texts(left), attempts(left), left.waiting], [['0'], [2], 4])
  const again = await queue.resume(4)
  t.deepEqual([texts(again), attempts(again)], [['0'], [3]], 'its holder died again')
  await finish(again)
  await finish(again)
  t.deepEqual(await queue.resume(0), { queued: [], waiting: 4, isSlow: false })
  const next = await queue.resume(4)
  t.deepEqual([texts(next), attempts(next), next.waiting], [['1'], [2], 3], 'those beside it were not tried again')
  await finish(next)
  const last = await queue.resume(9)
  t.deepEqual([texts(last), attempts(last), last.waiting], [['2', '3', '4'], [1, 1, 1], 0])
  await finish(last)
  t.deepEqual(await bullmq.getJobCounts('wait', 'active', 'completed', 'failed'), {
    wait: 0,
    active: 0,
    completed: 0,
    failed: 0,
  })
  for (const { jobId } of [...first.queued, ...last.queued]) t.false(await stray.holds(tenant, jobId))
})

test('commands that are put back stand before what waits, in their order; those of a slow tenant come one by one', async t => {
  const tenant = '2'
  const queue = stray.tenantQueue(tenant)
  const texts = ({ queued }: Taken) => queued.map(({ command }) => (command.body as { text: string }).text)
  const jobIds = ({ queued }: Taken) => queued.map(({ jobId }) => jobId)
  for (let n = 0; n < 5; n++) {
    const command = noteCommand(tenant, 'test-server', `${n}`)
    await stray.enqueue(command, command.requestId)
  }
  const first = await queue.resume(4)
  await queue.end({ jobIds: jobIds(first).slice(2, 3) })
  await queue.putBack(jobIds(first))
  const again = await queue.resume(9)
  t.deepEqual([texts(again), again.isSlow], [['0', '1', '3', '4'], false], 'but for what was finished')
  t.true(again.queued.every(({ attempt }) => attempt === 1))
  await queue.putBack(jobIds(again), 60_000)
  for (const [at, text] of ['0', '1', '3', '4'].entries()) {
    const alone = await (at === 0 ? queue.resume(9) : queue.take(9))
    t.deepEqual([texts(alone), alone.waiting, alone.isSlow], [[text], 3 - at, true])
    await queue.end({ jobIds: jobIds(alone) })
  }
})

test('a claim: fresh, running, finished, mismatch', async t => {
  const tenant = await createNotesTenant(pool)
  const command = noteCommand(tenant, 'test-server', 'claimed')
  const options = { dailyDocuments: 10, runningTtlMs: 600_000 }
  t.deepEqual(await claims.claim(command, options), { kind: 'fresh', isUnready: false })
  t.deepEqual(await claims.claim(command, options), { kind: 'fresh', isUnready: true }, 'sent again')
  const next = noteCommand(tenant, 'test-server', 'next')
  t.deepEqual(await claims.claim(next, options), { kind: 'fresh', isUnready: false })
  const duplicate = { ...command, requestId: 'req_other' }
  t.deepEqual(await claims.claim(duplicate, options), { kind: 'running', jobId: command.requestId })
  t.deepEqual(await claims.claim({ ...duplicate, fingerprint: 'f'.repeat(64) }, options), { kind: 'mismatch' })
  t.deepEqual(await settle(command, { outcome: 'done', status: 201, body: '{"a":1}' }), [
    { replyTo: 'test-server', requestId: 'req_other' },
  ])
  t.deepEqual(await claims.claim(duplicate, options), { kind: 'finished', status: 201, body: '{"a":1}' })
})

test('many claims in one step: each as it would be alone, queued in their order, none in the quota', async t => {
  const tenant = await createNotesTenant(pool)
  const quota = { group: '77', day: '2026-11-21' }
  const command = (text: string) => noteCommand(tenant, 'test-server', text, { quota })
  const [ended, held, first, second] = [command('ended'), command('held'), command('first'), command('second')]
  const again = (of: Command, more: Partial<Command> = {}): Command => ({
    ...of,
    requestId: `again-${of.requestId}`,
    ...more,
  })
  await claims.claimAll([ended, held], { runningTtlMs: 600_000 })
  await settle(ended, { outcome: 'done', status: 204, body: null })
  const many = [first, again(ended), again(held), again(ended, { fingerprint: 'f'.repeat(64) }), second, first]
  t.deepEqual(await claims.claimAll(many, { runningTtlMs: 600_000 }), [
    { kind: 'fresh', isUnready: false },
    { kind: 'finished', status: 204, body: null },
    { kind: 'running', jobId: held.requestId },
    { kind: 'mismatch' },
    { kind: 'fresh', isUnready: false },
    { kind: 'fresh', isUnready: true },
  ])
  const [wait = ''] = await redis.keys(`*:t${tenant}:wait`)
  const inOrder = [ended, held, first, second].map(({ requestId }) => requestId)
  t.deepEqual((await redis.lrange(wait, 0, -1)).toReversed(), inOrder)
  t.deepEqual(await claims.claimAll([], { runningTtlMs: 600_000 }), [])
  t.is((await claims.claim(command('alone'), { dailyDocuments: 1, runningTtlMs: 600_000 })).kind, 'fresh')
})

test('the end of an older command reaches none of those that wait with a newer claim of its key', async t => {
  const tenant = await createNotesTenant(pool)
  const options = { dailyDocuments: 10, runningTtlMs: 600_000 }
  const claim = async (requestId: string, text: string) => {
    const command = noteCommand(tenant, 'test-server', text, { requestId, idempotencyKey: 'one key' })
    return { command, kind: (await claims.claim(command, options)).kind }
  }
  const older = await claim('older', 'one body')
  const forgotten = await claim('forgotten', 'one body')
  t.deepEqual([older.kind, forgotten.kind], ['fresh', 'running'])
  // The claim expires last. The request that waits with it came later.
  const keys = await redis.keys(`*:tenant:${tenant}:key:*`)
  await redis.del(...keys.filter(key => !key.endsWith(':waiters')))
  const newer = await claim('newer', 'another body')
  t.is(newer.kind, 'fresh')
  t.is((await claim('waits', 'another body')).kind, 'running')
  t.deepEqual(await settle(older.command, { outcome: 'refused' }), [])
  t.is((await claim('waits', 'another body')).kind, 'running', 'the newer claim stands')
  const done = { outcome: 'done', status: 201, body: '{"text":"one body"}' } as const
  t.deepEqual(await settle(older.command, done), [], 'whoever sent another body asks Postgres')
  t.deepEqual(await settle(older.command, { ...done, outcome: 'replayed' }), [])
  t.deepEqual(await settle(newer.command, { outcome: 'refused' }), [])
  t.is((await claim('later', 'another body')).kind, 'mismatch')
  t.is((await claim('replay', 'one body')).kind, 'finished')
})

test('a command is taken back with all who wait with it, however many', async t => {
  // The command is in a shard that the worker of the service does not serve.
  const tenant = '1'
  const command = noteCommand(tenant, 'test-server', 'taken back')
  const options = { dailyDocuments: 10, runningTtlMs: 600_000 }
  t.is((await claims.claim(command, options)).kind, 'fresh')
  const waiters = Array.from({ length: 9_000 }, (_, n) => ({ replyTo: 'test-server', requestId: `waits-${n}` }))
  await Promise.all(waiters.map(({ requestId }) => claims.claim({ ...command, requestId }, options)))
  t.deepEqual(await claims.cancel(command, command.requestId), waiters)
  t.is(await claims.cancel(command, command.requestId), null)
})

test('a quota that Redis knows to be spent is refused before it is queued; what is in flight is the business of its worker', async t => {
  const tenant = await createNotesTenant(pool)
  const quota = { group: '77', day: '2026-11-21' }
  const options = { dailyDocuments: 2, runningTtlMs: 600_000 }
  const commands = Array.from({ length: 4 }, (_, n) => noteCommand(tenant, 'test-server', `q${n}`, { quota }))
  const [one, two, three, four] = commands as [Command, Command, Command, Command]
  const kinds = []
  for (const command of [one, one, two, three]) kinds.push((await claims.claim(command, options)).kind)
  t.deepEqual(kinds, ['fresh', 'fresh', 'fresh', 'fresh'])
  await settle(two, { outcome: 'refused', spent: 0 })
  await settle(three, { outcome: 'done', status: 201, body: null, spent: 1 })
  t.is((await claims.claim({ ...two, requestId: 'again' }, options)).kind, 'fresh')
  await settle(one, { outcome: 'done', status: 201, body: null, spent: 2 })
  t.is((await claims.claim(four, options)).kind, 'quota_exceeded')
  t.is((await claims.claim(four, { ...options, dailyDocuments: 3 })).kind, 'fresh', 'a higher limit')
})

test('what Redis is told of a quota only ever raises its count', async t => {
  const tenant = await createNotesTenant(pool)
  const quota = { group: '77', day: '2026-11-21' }
  const command = (n: number) => noteCommand(tenant, 'test-server', `q${n}`, { quota })
  const claim = async (n: number) =>
    (await claims.claim(command(n), { dailyDocuments: 2_500, runningTtlMs: 600_000 })).kind
  t.deepEqual([await claim(1), await claim(2)], ['fresh', 'fresh'])
  await settle(command(1), { outcome: 'done', status: 201, body: null, spent: 2_500 })
  await settle(command(2), { outcome: 'done', status: 201, body: null, spent: 2_499 })
  t.is(await claim(3), 'quota_exceeded')
})
