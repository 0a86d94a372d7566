/** A refusal is final: whatever happens to the command's job, lease, queue and answer, it is not run again. */
import type { ExecutionContext } from 'ava'
import { Redis } from 'ioredis'
import * as v from 'valibot'
import { invalid } from '../../lib/kit/api/errors.ts'
import { BULK, type Command, internalError, type Outcome } from '../../lib/pipeline/command.ts'
import { ReplyReader } from '../../lib/pipeline/replies.ts'
import { CommandQueues } from '../../lib/pipeline/tenant-queues.ts'
import { rows, statement } from '../../lib/platform/postgres/postgres.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { configuredSecretBox } from '../../lib/platform/secret-box.ts'
import { createLog } from '../../lib/platform/telemetry/log.ts'
import { startCommandWorker } from '../../workers/commands/command-worker.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests, ownService } from '../support/of-file.ts'
import {
  createNotesTable,
  noteCommand,
  noteEndpointThat,
  notesOf,
  testConfig,
  unitRunner,
} from '../support/pipeline.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

/** How often each note was tried. */
const tries = new Map<string, number>()
/** Refuses a note at its first try, and accepts it at the second. The note `bug` throws at its first two tries: beside others and alone. */
const endpoint = noteEndpointThat({
  first: text => {
    const tried = (tries.get(text) ?? 0) + 1
    tries.set(text, tried)
    if (text === 'bug' && tried <= 2) throw new Error('a bug, on purpose')
    return tried === 1 ? invalid('text', `is refused at try ${tried}`) : undefined
  },
})

const log = createLog({ level: 'silent', processName: 'test' })
/** There are no workers but those that a test starts. */
const service = ofTests(test, () => ownService({ endpoints: [endpoint], workers: 0 }))
/** Runs commands that a test has taken, at a later time. */
const units = ofTests(test, async () => unitRunner(service.databaseUrl, [endpoint]))
let redis: ReturnType<typeof connectRedis>
let queues: CommandQueues
let replies: ReplyReader
test.before(async () => {
  await createNotesTable(service.pool)
  const config = testConfig(service)
  redis = connectRedis(service.redisUrl, 'worker', 'test')
  queues = new CommandQueues(redis, config.queueShards)
  replies = new ReplyReader(connectRedis(service.redisUrl, 'worker', 'test replies'), 'test-server', {
    secrets: configuredSecretBox(config),
    onFault: error => {
      throw error
    },
  })
  replies.start()
})
test.after.always(async () => {
  await replies.close()
  await closeRedis(redis)
})

function startWorker(t: ExecutionContext): void {
  const worker = startCommandWorker({
    config: testConfig(service),
    cells: [{ name: 'main', databaseUrl: service.databaseUrl, pool: service.pool }],
    redis,
    log,
    endpoints: [endpoint],
  })
  t.teardown(() => worker.close())
}
const messageOf = (outcome: Outcome | undefined) => (outcome?.kind === 'refused' ? outcome.refusal.message : 'done')

for (const { text, message } of [
  { text: 'refused', message: 'text: is refused at try 1' },
  { text: 'bug', message: 'An unexpected fault; nothing was changed. The request_id helps support to find it.' },
])
  test(`a copy of a command whose caller heard a refusal (${text}) hears the same, and has no effect`, async t => {
    const { tenantId } = await service.tenant()
    const command = noteCommand(tenantId, 'test-server', text)
    const send = async (jobId: string) => {
      const waiting = replies.expect(command.requestId)
      await queues.enqueue(command, jobId)
      return messageOf(await waiting.outcome)
    }
    startWorker(t)
    t.is(await send(command.requestId), message)
    t.is(await send(`${command.requestId}-again`), message)
    t.deepEqual(await notesOf(service.pool, tenantId), [])
    const retry = noteCommand(tenantId, 'test-server', text, { idempotencyKey: command.idempotencyKey })
    const waiting = replies.expect(retry.requestId)
    await queues.enqueue(retry, retry.requestId)
    t.is((await waiting.outcome).kind, 'done', 'a request of its own may try again')
  })

for (const { what, between } of [
  { what: 'another refused it', between: async () => {} },
  { what: 'another refused it and Redis was emptied', between: () => redis.flushdb() },
])
  test(`who took a command and was frozen does not run it after ${what}`, async t => {
    const { tenantId } = await service.tenant()
    const command = noteCommand(tenantId, 'test-server', `frozen until ${what}`)
    const waiting = replies.expect(command.requestId)
    await queues.enqueue(command, command.requestId)
    const frozen = queues.tenantQueue(tenantId)
    const { queued } = await frozen.resume(9)
    t.is(queued.length, 1)
    startWorker(t)
    t.is(messageOf(await waiting.outcome), 'text: is refused at try 1')
    await between()
    const commands = queued.map(({ command: taken }) => taken)
    const [ended] = await units.run({ tenantId, commands })
    t.is(messageOf(ended?.outcome), 'text: is refused at try 1')
    await frozen.end({ jobIds: queued.map(({ jobId }) => jobId) })
    t.deepEqual(await notesOf(service.pool, tenantId), [])
  })

/** A note that is refused at its first try, as a worker takes and answers it. */
const run = async (...commands: readonly Command[]) => {
  const ended = await units.run({ tenantId: commands[0]?.tenantId ?? '', commands })
  return ended.map(({ outcome }) => messageOf(outcome))
}
const listedOf = async (tenantId: string) =>
  (
    await service.pool.any(rows(v.object({ request: v.string() }))`
      select request_id || ' refused' as request from refused_requests where tenant_id = ${tenantId}
      union all select request_id || ' done' from commands where tenant_id = ${tenantId} order by request`)
  ).map(({ request }) => request)
const REFUSED = 'text: is refused at try 1'
const TOO_LATE =
  'The request came too late to be run, and nothing was done; a retry with the same Idempotency-Key is safe.'
const MINUTE_MS = 60_000

for (const { how, minutes } of [
  { how: 'was accepted six minutes ago', minutes: -6 },
  { how: 'is of a server whose clock is six minutes ahead', minutes: 6 },
])
  test(`a command that ${how} is not run, and that is no refusal of it: its key may try again`, async t => {
    const { tenantId } = await service.tenant()
    const text = `frozen: ${how}`
    tries.set(text, 1) // the second try would succeed
    const late = noteCommand(tenantId, 'test-server', text, { acceptedAt: Date.now() + minutes * MINUTE_MS })
    t.deepEqual(await run(late), [TOO_LATE])
    const forced = await units.run({ tenantId, commands: [late], forcedRefusal: internalError })
    t.is(messageOf(forced[0]?.outcome), TOO_LATE, 'nor is a forced refusal remembered')
    t.deepEqual(await listedOf(tenantId), [])
    const again = noteCommand(tenantId, 'test-server', text, { idempotencyKey: late.idempotencyKey })
    t.deepEqual(await run(again), ['done'])
    t.deepEqual(await run(late), ['done'], 'what is done is done, however late one asks')
    t.deepEqual(await notesOf(service.pool, tenantId), [text])
  })

test('a copy of a key that was accepted before the key was refused is not run; one of after that is', async t => {
  const { tenantId } = await service.tenant()
  const [text, idempotencyKey] = ['frozen copy of a key', 'one-key']
  const send = () => noteCommand(tenantId, 'test-server', text, { idempotencyKey })
  const [frozen, alsoFrozen, refused] = [send(), send(), send()]
  t.deepEqual(await run(refused, alsoFrozen), [REFUSED, TOO_LATE], 'also in one unit of work')
  t.deepEqual(await run(frozen), [TOO_LATE])
  t.deepEqual(await notesOf(service.pool, tenantId), [])
  const again = send()
  t.deepEqual(await run(again), ['done'])
  t.deepEqual(await listedOf(tenantId), [`${again.requestId} done`, `${refused.requestId} refused`].sort())
})

test('the keys of a bulk that was refused stop what was accepted before under any of them', async t => {
  const { tenantId } = await service.tenant()
  const bulkOf = (...entries: readonly Command[]): Command => ({
    ...noteCommand(tenantId, 'test-server', '', { endpoint: BULK, idempotencyKey: '', body: null }),
    entries,
  })
  const entry = (text: string, idempotencyKey: string) => {
    if (text !== 'refused in a bulk') tries.set(text, 1)
    return noteCommand(tenantId, 'test-server', text, { idempotencyKey })
  }
  const [frozen, frozenBulk] = [entry('a', 'key-a'), bulkOf(entry('b', 'key-b'), entry('c', 'key-c'))]
  const [bulk] = await units.run({
    tenantId,
    commands: [bulkOf(entry('a', 'key-a'), entry('b', 'key-b'), entry('refused in a bulk', 'key-r'))],
  })
  const told = bulk?.outcome.kind === 'done' ? bulk.outcome.entries?.map(messageOf) : []
  t.is(told?.[2], REFUSED)
  t.deepEqual(await run(frozen), [TOO_LATE])
  t.deepEqual(await run(frozenBulk), [TOO_LATE])
  t.deepEqual(await notesOf(service.pool, tenantId), [])
  t.deepEqual(await run(entry('a', 'key-a'), entry('c', 'key-c')), ['done', 'done'])
})

test('after the clocks were set back a refused key may try again', async t => {
  const { tenantId } = await service.tenant()
  const [text, idempotencyKey] = ['refused before the clocks were set back', 'clocks']
  t.deepEqual(await run(noteCommand(tenantId, 'test-server', text, { idempotencyKey })), [REFUSED])
  await service.pool.query(statement`
    update refused_commands set created_at = created_at + interval '10 minutes' where tenant_id = ${tenantId}`)
  t.deepEqual(await run(noteCommand(tenantId, 'test-server', text, { idempotencyKey })), ['done'])
})

test('a refusal that is lost on its way back is found: the caller hears it, and nothing is run again', async t => {
  const client = await service.tenant()
  const plain = new Redis(service.redisUrl)
  // Nothing can be appended to what is no stream; the server reads none of it.
  const sent = client.post('/notes', { text: 'lost answer' }, 'lost')
  const [waiting] = await eventually(async () => {
    const jobs = await queues.queue(`t${client.tenantId}`, queues.tagOf(client.tenantId)).getWaiting()
    return jobs.length > 0 && jobs
  })
  const stream = `replies:${waiting?.data.replyTo}`
  await plain.set(stream, 'no stream')
  startWorker(t)
  const reply = await sent
  t.deepEqual([reply.status, reply.body.message], [400, 'text: is refused at try 1'])
  t.is(tries.get('lost answer'), 1)
  await plain.del(stream)
  plain.disconnect()
  t.deepEqual(await notesOf(service.pool, client.tenantId), [])
})

test('a command and the duplicates that wait with it end alike when Redis is emptied before they run', async t => {
  const client = await service.tenant()
  const plain = new Redis(service.redisUrl)
  const first = client.post('/notes', { text: 'twins' }, 'twins')
  await eventually(async () => (await plain.keys(`*:t${client.tenantId}:wait`)).length === 1)
  const second = client.post('/notes', { text: 'twins' }, 'twins')
  await eventually(async () => (await plain.keys(`*tenant:${client.tenantId}:*:waiters`)).length === 1)
  await plain.flushdb()
  // Both servers' processes take theirs for lost and queue it again.
  await eventually(async () => (await plain.llen(`${queues.tagOf(client.tenantId)}:t${client.tenantId}:wait`)) === 2)
  startWorker(t)
  const answers = await Promise.all([first, second])
  t.deepEqual(
    answers.map(({ status, body }) => [status, body.message]),
    [
      [400, 'text: is refused at try 1'],
      [400, 'text: is refused at try 1'],
    ],
  )
  t.deepEqual(await notesOf(service.pool, client.tenantId), [])
  plain.disconnect()
})

test('a key that its worker refused and did not free is free again when a caller has heard it', async t => {
  const client = await service.tenant()
  const text = 'died before it settled'
  const plain = new Redis(service.redisUrl)
  const first = client.post('/notes', { text }, 'k')
  await eventually(async () => (await plain.keys(`*:t${client.tenantId}:wait`)).length === 1)
  // The queue is left as by a worker that dies after its commit and after its job is gone.
  const queue = queues.tenantQueue(client.tenantId)
  const { queued } = await queue.resume(9)
  const [ended] = await units.run({ tenantId: client.tenantId, commands: queued.map(({ command }) => command) })
  t.is(messageOf(ended?.outcome), 'text: is refused at try 1')
  await queue.end({ jobIds: queued.map(({ jobId }) => jobId) })
  t.is((await first).status, 400)
  startWorker(t)
  t.is((await client.post('/notes', { text }, 'k')).status, 201)
  plain.disconnect()
})
