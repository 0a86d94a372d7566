/**
 * What the scripts of the pipeline leave in Redis is what BullMQ's own calls leave there: every key with its type, fields and time to
 * live. What they leave out on purpose is named here and in docs/decisions/0001; nothing else may differ.
 */
import test, { type ExecutionContext } from 'ava'
import { type Job, Worker } from 'bullmq'
import { Claims } from '../../lib/pipeline/idempotency.ts'
import { CommandQueues, jobOptions, queueNameOf, readyWorker } from '../../lib/pipeline/tenant-queues.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { eventually } from '../support/eventually.ts'
import { noteCommand } from '../support/pipeline.ts'
import { testServices } from '../support/services.ts'

const TENANT = '1'
const TOKEN = 'token'
/** The counter numbers jobs that are given no id, which ours all are. The stream of events is to stay empty, and nobody reads it. */
const NEVER_OURS = ['id', 'events']

const services = await testServices()
const redis = connectRedis(services.redisUrl, 'worker', 'test')
const closing: (() => Promise<void>)[] = []
test.afterEach.always(async () => {
  for (const close of closing.splice(0)) await close()
  await redis.flushdb()
})
test.after.always(async () => {
  await closeRedis(redis)
  await services.close()
})

/** By key, without what all keys of the queue begin with. */
type Keys = Record<string, { readonly type: string; readonly expires: boolean; readonly value: unknown }>

async function contentOf(key: string, type: string): Promise<unknown> {
  if (type === 'string') return redis.get(key)
  if (type === 'list') return redis.lrange(key, 0, -1)
  if (type === 'zset') return redis.zrange(key, '0', '-1', 'WITHSCORES')
  if (type !== 'hash') return null
  const { opts, ...fields } = await redis.hgetall(key)
  return opts === undefined ? fields : { ...fields, opts: JSON.parse(opts) }
}

/** All keys of a queue; of `jobIds` the first is called JOB0, and each time TIME. */
async function keysOf(queue: string, jobIds: readonly string[]): Promise<Keys> {
  const names = (await redis.keys('*')).filter(name => name.startsWith(`${queue}:`))
  const keys: Keys = {}
  for (const name of names) {
    const type = await redis.type(name)
    const expires = (await redis.pttl(name)) >= 0
    keys[name.slice(queue.length + 1)] = { type, expires, value: await contentOf(name, type) }
  }
  const text = JSON.stringify(keys).replace(/(?<!\d)\d{13}(?!\d)/g, 'TIME')
  return JSON.parse(jobIds.reduce((all, id, at) => all.replaceAll(id, `JOB${at}`), text))
}

/** BullMQ's keys but for those named: `key`, or `key.value.field`. Each of them must be there, so that none is named for nothing. */
function without(t: ExecutionContext, keys: Keys, leftOut: readonly string[]): Keys {
  const left = structuredClone(keys)
  for (const path of leftOut) {
    const parts = path.split('.')
    const last = parts.pop() ?? ''
    const of = parts.reduce((at, part) => at?.[part] as Record<string, unknown>, left as Record<string, unknown>)
    t.true(of !== undefined && Object.hasOwn(of, last), `BullMQ leaves no ${path}`)
    delete of[last]
  }
  return left
}

type Side = { readonly tag: string; readonly queues: CommandQueues; readonly jobIds: string[] }

/** A shard that nobody works on. */
function sideOf(shards: number): Side {
  const queues = new CommandQueues(redis, shards)
  return { tag: queues.tagOf(TENANT), queues, jobIds: [] }
}

/** The same tenant in two shards: in one our scripts work, in the other BullMQ. */
function twoSides(): { readonly ours: Side; readonly theirs: Side } {
  const [ours, theirs] = [sideOf(1), sideOf(64)]
  if (ours.tag === theirs.tag) throw new Error('one shard')
  return { ours, theirs }
}

const command = (text: string) => noteCommand(TENANT, 'test-server', text)
const claim = async ({ tag }: Side, given = command('a note')) =>
  new Claims(redis, () => tag).claim(given, { dailyDocuments: 10, runningTtlMs: 600_000 })

// ── the ready queue

const readyKeys = (side: Side) => keysOf(`${side.tag}:ready`, side.jobIds)

/** As a worker prepares it. */
async function readyTaker({ tag, queues }: Side) {
  queues.readyQueue(tag)
  await eventually(() => redis.exists(`${tag}:ready:meta`))
  const worker = readyWorker({ redis, tag, concurrency: 1, name: 'test' }, async () => {})
  worker.on('error', () => {})
  closing.push(() => worker.close())
  return worker
}

/** Names the job that the tenant has now, or is to have next. */
async function nameJob(side: Side): Promise<void> {
  const ready = `${side.tag}:ready`
  const id = (await redis.hget(`${ready}:dn:${TENANT}`, 'jid')) ?? (await redis.get(`${ready}:de:${TENANT}`))
  if (id !== null && !side.jobIds.includes(id)) side.jobIds.push(id)
}

async function sameReadyKeys(t: ExecutionContext, ours: Side, theirs: Side): Promise<Keys> {
  const keys: Keys[] = []
  for (const side of [ours, theirs]) {
    await nameJob(side)
    const { id: _id, events: _events, ...rest } = await readyKeys(side)
    keys.push(rest)
  }
  const [mine = {}, bullmqs = {}] = keys
  t.deepEqual(mine, bullmqs)
  return mine
}

/** A claim finds the tenant's queue empty, may not make the tenant ready, and changes nothing in the ready queue. */
async function leavesItToBullMQ(t: ExecutionContext, side: Side): Promise<void> {
  const queue = side.queues.tenantQueue(TENANT)
  const { queued } = await queue.take(9)
  await queue.finish(queued.map(({ jobId }) => jobId))
  const before = await readyKeys(side)
  t.deepEqual(await claim(side), { kind: 'fresh', isUnready: true })
  t.deepEqual(await readyKeys(side), before)
}

test.serial(
  'a claim makes a tenant ready as BullMQ’s own add does, and its job lives and ends as BullMQ’s own',
  async t => {
    const { ours, theirs } = twoSides()
    const takers = await Promise.all([ours, theirs].map(readyTaker))
    t.deepEqual(await claim(ours), { kind: 'fresh', isUnready: false })
    await theirs.queues.makeReady(TENANT)
    const added = await sameReadyKeys(t, ours, theirs)
    t.deepEqual(Object.keys(added).sort(), ['JOB0', `de:${TENANT}`, 'marker', 'meta', 'wait'])
    const bullmqs = await readyKeys(theirs)
    t.deepEqual(without(t, bullmqs, NEVER_OURS), added)
    t.is(bullmqs['events']?.type, 'stream')

    await leavesItToBullMQ(t, ours)
    for (const { queues } of [ours, theirs]) await queues.makeReady(TENANT)
    t.deepEqual(await sameReadyKeys(t, ours, theirs), added, 'a tenant whose job waits has it already')

    const take = () => Promise.all(takers.map(taker => taker.getNextJob(TOKEN, { block: false })))
    const complete = async (jobs: readonly (Job | undefined)[]) => {
      for (const job of jobs) await job?.moveToCompleted(undefined, TOKEN, false)
    }
    const first = await take()
    await sameReadyKeys(t, ours, theirs)
    await leavesItToBullMQ(t, ours)
    for (const { queues } of [ours, theirs]) await queues.makeReady(TENANT)
    t.true(`dn:${TENANT}` in (await sameReadyKeys(t, ours, theirs)), 'it is ready once more when the drain ends')
    await complete(first)
    t.true('JOB1' in (await sameReadyKeys(t, ours, theirs)))
    await complete(await take())
    const { marker: _, ...left } = await sameReadyKeys(t, ours, theirs)
    t.deepEqual(
      Object.keys(left).filter(key => key !== 'stalled-check'),
      ['meta'],
    )
  },
)

test.serial('a claim makes a tenant ready behind those that wait', async t => {
  const { ours, theirs } = twoSides()
  for (const side of [ours, theirs]) {
    await readyTaker(side)
    await side.queues.readyQueue(side.tag).add('drain', { tenantId: '2' }, { ...jobOptions, jobId: 'before' })
  }
  await claim(ours)
  await theirs.queues.makeReady(TENANT)
  const { wait } = await sameReadyKeys(t, ours, theirs)
  t.deepEqual(wait?.value, ['JOB0', 'before'])
})

test.serial('a claim leaves a paused ready queue to BullMQ', async t => {
  const side = sideOf(1)
  await readyTaker(side)
  await side.queues.readyQueue(side.tag).pause()
  await leavesItToBullMQ(t, side)
})

// ── a tenant's queue of commands

const tenantKeys = (side: Side) => keysOf(`${side.tag}:${queueNameOf(TENANT)}`, side.jobIds)
/** Nobody blocks on a tenant's queue, so it needs no marker. Its settings are the same for all: only the board and a pause make them. */
const NOT_OF_TENANTS = [...NEVER_OURS, 'marker', 'meta']
/** A job's key has its id. */
const idsOf = (...jobs: readonly string[]) => jobs.map(job => `${job}.value.opts.jobId`)

/** Three commands in both queues. */
async function threeCommands(add: (side: Side, given: ReturnType<typeof command>) => Promise<unknown>) {
  const { ours, theirs } = twoSides()
  const bullmq = theirs.queues.queue(queueNameOf(TENANT), theirs.tag)
  const taker = new Worker(queueNameOf(TENANT), null, { connection: redis, prefix: theirs.tag, autorun: false })
  taker.on('error', () => {})
  closing.push(() => taker.close())
  for (const text of ['one', 'two', 'three']) {
    const given = command(text)
    await add(ours, given)
    await bullmq.add(given.endpoint, given, { ...jobOptions, jobId: given.requestId })
    for (const { jobIds } of [ours, theirs]) jobIds.push(given.requestId)
  }
  return { ours, theirs, queue: ours.queues.tenantQueue(TENANT), taker }
}

const WAYS = {
  'a claim': claim,
  'the queueing of a lost command': ({ queues }: Side, given: ReturnType<typeof command>) =>
    queues.enqueue(given, given.requestId),
}

for (const [way, add] of Object.entries(WAYS))
  test.serial(`${way} queues a command as BullMQ’s own add does`, async t => {
    const { ours, theirs } = await threeCommands(add)
    const mine = await tenantKeys(ours)
    t.deepEqual(Object.keys(mine).sort(), ['JOB0', 'JOB1', 'JOB2', 'wait'])
    t.deepEqual(mine, without(t, await tenantKeys(theirs), [...NOT_OF_TENANTS, ...idsOf('JOB0', 'JOB1', 'JOB2')]))
  })

test.serial('commands are taken, put back and finished as BullMQ’s own calls do', async t => {
  const { ours, theirs, queue, taker } = await threeCommands(claim)
  const take = async () => {
    await queue.take(2)
    return [await taker.getNextJob(TOKEN, { block: false }), await taker.getNextJob(TOKEN, { block: false })]
  }
  /** The lease on a tenant is that of its ready job; what a command's own job tells of its run nobody asks. */
  const ofRuns = ['JOB0', 'JOB1'].flatMap(job => [`${job}.value.processedOn`, `${job}.value.ats`])
  const same = async (leftOut: readonly string[]) =>
    t.deepEqual(await tenantKeys(ours), without(t, await tenantKeys(theirs), [...NOT_OF_TENANTS, ...leftOut]))

  const jobs = await take()
  const ids = idsOf('JOB0', 'JOB1', 'JOB2')
  await same([...ids, ...ofRuns, 'JOB0:lock', 'JOB1:lock'])
  await queue.putBack(ours.jobIds.slice(0, 2))
  for (const job of jobs.toReversed()) await job?.moveToWait(TOKEN)
  await same([...ids, ...ofRuns])
  const again = await take()
  await queue.finish(ours.jobIds.slice(0, 2))
  for (const job of again) await job?.moveToCompleted(undefined, TOKEN, false)
  await same(idsOf('JOB2'))
})

test.serial('a command is taken back as BullMQ removes a job', async t => {
  const { ours, theirs } = await threeCommands(claim)
  const [, second = ''] = ours.jobIds
  const taken = { ...command('two'), requestId: second }
  t.deepEqual(await new Claims(redis, () => ours.tag).takeBack(taken, second), [])
  await theirs.queues.queue(queueNameOf(TENANT), theirs.tag).remove(second)
  t.deepEqual(
    await tenantKeys(ours),
    without(t, await tenantKeys(theirs), [...NOT_OF_TENANTS, ...idsOf('JOB0', 'JOB2')]),
  )
})
