/**
 * The scripts of the pipeline leave in Redis what BullMQ's own calls leave there: every key with its type, fields and time to live. The
 * test names what they leave out on purpose. Nothing else may differ.
 */
import type { ExecutionContext } from 'ava'
import { type Job, Worker } from 'bullmq'
import { Claims } from '../../lib/pipeline/claims.ts'
import { ReadyQueue } from '../../lib/pipeline/ready-queue.ts'
import { queueNameOf } from '../../lib/pipeline/redis-keys.ts'
import { CommandQueues, jobOptions } from '../../lib/pipeline/tenant-queues.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { noteCommand } from '../support/pipeline.ts'
import { column } from '../support/records.ts'
import { ownRedis } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const TENANT = '1'
const TOKEN = 'token'
/** The counter numbers jobs without an id, and all jobs here have one. The stream of events stays empty, since nothing reads it. */
const NEVER_OURS = ['id', 'events']

const server = ofTests(test, ownRedis)
let redis: ReturnType<typeof connectRedis>
test.before(() => {
  redis = connectRedis(server.url, 'worker', 'test')
})
const closing: (() => Promise<void>)[] = []
test.afterEach.always(async () => {
  for (const close of closing.splice(0)) await close()
  await redis.flushdb()
})
test.after.always(() => closeRedis(redis))

/** The content of a queue by key, without the prefix that all keys of the queue share. */
type Keys = Record<string, { readonly type: string; readonly expires: boolean; readonly value: unknown }>

async function contentOf(key: string, type: string): Promise<unknown> {
  if (type === 'string') return redis.get(key)
  if (type === 'list') return redis.lrange(key, 0, -1)
  if (type === 'zset') return redis.zrange(key, '0', '-1', 'WITHSCORES')
  if (type !== 'hash') return null
  const { opts, ...fields } = await redis.hgetall(key)
  return opts === undefined ? fields : { ...fields, opts: JSON.parse(opts) }
}

/** All keys of a queue. The first of `jobIds` is replaced by JOB0, and each time by TIME. */
async function keysOf(queue: string, jobIds: readonly string[]): Promise<Keys> {
  const names = (await redis.keys('*')).filter(name => name.startsWith(`${queue}:`))
  const keys: Keys = {}
  for (const name of names) {
    const type = await redis.type(name)
    const expires = (await redis.pttl(name)) >= 0
    keys[name.slice(queue.length + 1)] = { type, expires, value: await contentOf(name, type) }
  }
  // Ids are replaced first: the digits of one may look like a time.
  const named = jobIds.reduce((all, id, at) => all.replaceAll(id, `JOB${at}`), JSON.stringify(keys))
  return JSON.parse(named.replace(/(?<!\d)\d{13}(?!\d)/g, 'TIME'))
}

/** BullMQ's keys without those named in `leftOut`: `key`, or `key.value.field`. Each named one must exist. */
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

/** A shard that no worker serves. */
function sideOf(shards: number): Side {
  const queues = new CommandQueues(redis, shards)
  return { tag: queues.tagOf(TENANT), queues, jobIds: [] }
}

/** The same tenant in two shards: this code's scripts work in one, and BullMQ in the other. */
function twoSides(): { readonly ours: Side; readonly theirs: Side } {
  const [ours, theirs] = [sideOf(1), sideOf(64)]
  if (ours.tag === theirs.tag) throw new Error('one shard')
  return { ours, theirs }
}

const command = (text: string) => noteCommand(TENANT, 'test-server', text)
const claim = async ({ tag }: Side, given = command('a note')) =>
  new Claims(redis, () => tag).claim(given, { dailyDocuments: 10, runningTtlMs: 600_000 })

const readyKeys = (side: Side) => keysOf(`${side.tag}:ready`, side.jobIds)

/** Prepared as a worker prepares it. */
async function prepared({ tag, queues }: Side): Promise<void> {
  queues.readyQueue(tag)
  await eventually(() => redis.exists(`${tag}:ready:meta`))
}

/** BullMQ's own worker. */
function bullmqTaker({ tag }: Side): Worker {
  const worker = new Worker('ready', null, { connection: redis, prefix: tag, name: 'test', autorun: false })
  worker.on('error', () => {})
  closing.push(() => worker.close())
  return worker
}

function readyTaker({ tag }: Side): ReadyQueue {
  const taker = new ReadyQueue({ redis, tag, name: 'test' })
  closing.push(() => taker.close())
  return taker
}

/** Adds the id of the tenant's current job. */
async function nameJob(side: Side): Promise<void> {
  const id = await redis.get(`${side.tag}:ready:de:${TENANT}`)
  if (id !== null && !side.jobIds.includes(id)) side.jobIds.push(id)
}

/** Both sides have the same keys, except for those named. */
async function sameReadyKeys(
  t: ExecutionContext,
  { ours, theirs }: { readonly ours: Side; readonly theirs: Side },
  leftOut: readonly string[] = [],
): Promise<Keys> {
  for (const side of [ours, theirs]) await nameJob(side)
  const [mine = {}, bullmqs = {}] = await Promise.all(
    [ours, theirs].map(async side => {
      const { id: _id, events: _events, ...rest } = await readyKeys(side)
      return rest
    }),
  )
  t.deepEqual(mine, without(t, bullmqs, leftOut))
  return mine
}

/** Takes all commands of the tenant's queue, so that the next claim finds it empty. */
async function drained({ queues }: Side): Promise<void> {
  const queue = queues.tenantQueue(TENANT)
  const { queued } = await queue.take(9)
  await queue.end({ jobIds: queued.map(({ jobId }) => jobId) })
}

/** Nothing reads the number of a job's attempts. */
const ATTEMPTS = ['JOB0.value.ats']

test('a claim makes a tenant ready as BullMQ’s own add does, also while its job is active', async t => {
  const { ours, theirs } = twoSides()
  for (const side of [ours, theirs]) await prepared(side)
  t.deepEqual(await claim(ours), { kind: 'fresh', isUnready: false })
  await theirs.queues.makeReady(TENANT)
  const added = await sameReadyKeys(t, { ours, theirs })
  t.deepEqual(Object.keys(added).sort(), ['JOB0', `de:${TENANT}`, 'marker', 'meta', 'wait'])

  const takers = [ours, theirs].map(bullmqTaker)
  const take = () => Promise.all(takers.map(taker => taker.getNextJob(TOKEN, { block: false })))
  const complete = async (jobs: readonly (Job | undefined)[]) => {
    for (const job of jobs) await job?.moveToCompleted(undefined, TOKEN, false)
  }
  const first = await take()
  const active = await sameReadyKeys(t, { ours, theirs })
  await drained(ours)
  t.deepEqual(await claim(ours), { kind: 'fresh', isUnready: false })
  await theirs.queues.makeReady(TENANT)
  t.deepEqual(
    await sameReadyKeys(t, { ours, theirs }),
    active,
    'it is ready already: whoever drains it looks once more',
  )
  await complete(first)
  t.deepEqual(
    Object.keys(await readyKeys(ours)).filter(key => !['id', 'events', 'marker', 'stalled-check'].includes(key)),
    ['meta'],
  )
})

test('a tenant is taken, its lease kept and ended as BullMQ’s own calls do', async t => {
  const { ours, theirs } = twoSides()
  for (const side of [ours, theirs]) await prepared(side)
  const given = command('first')
  await claim(ours, given)
  await theirs.queues.makeReady(TENANT)
  const mine = readyTaker(ours)
  const bullmqs = bullmqTaker(theirs)
  const [taken] = await mine.take(5, 9)
  const job = await bullmqs.getNextJob(TOKEN, { block: false })
  t.like(taken, { lease: { tenantId: TENANT }, taken: { waiting: 0, isSlow: false } })
  t.deepEqual(column(taken?.taken.queued ?? [], 'command'), [given])
  if (taken === undefined || job === undefined) throw new Error('nothing was taken')
  const { lease } = taken
  for (const side of [ours, theirs]) await nameJob(side)
  ours.jobIds.push(lease.token)
  theirs.jobIds.push(TOKEN)
  // The marker exists as long as tenants wait. BullMQ's own exists once more.
  await sameReadyKeys(t, { ours, theirs }, [...ATTEMPTS, 'marker'])
  t.deepEqual(await mine.take(5, 9), [], 'nobody else gets it')

  // A check for lost leases marks the active jobs. Keeping their leases removes the marks.
  for (const side of [mine, readyTaker(theirs)]) await side.lookAfterLost()
  t.true('stalled' in (await readyKeys(ours)))
  await mine.keep([lease])
  await bullmqs.extendJobLocks([job.id ?? ''], [TOKEN], 4_000)
  await sameReadyKeys(t, { ours, theirs }, [...ATTEMPTS, 'marker'])

  // A command arrived meanwhile, and the quantum has ended: the tenant waits after all others.
  const queue = ours.queues.tenantQueue(TENANT)
  const second = command('second')
  await claim(ours, second)
  await redis.lpush(`${ours.tag}:ready:wait`, 'other')
  const jobIds = taken.taken.queued.map(({ jobId }) => jobId)
  const over = await queue.end({ jobIds, lease, next: { max: 0, abandoned: 'skip' } })
  t.deepEqual(over.taken, { queued: [], waiting: 1, isSlow: false })
  t.deepEqual(await redis.lrange(`${ours.tag}:ready:wait`, 0, -1), [lease.jobId, 'other'])
  await redis.lrem(`${ours.tag}:ready:wait`, 1, 'other')
  await job.moveToWait(TOKEN)
  await sameReadyKeys(t, { ours, theirs }, ATTEMPTS)

  const [again] = await mine.take(5, 9)
  const jobAgain = await bullmqs.getNextJob(TOKEN, { block: false })
  if (again === undefined || jobAgain === undefined) throw new Error('nothing was taken')
  const lost = await queue.end({ lease, next: { max: 9, abandoned: 'skip' } })
  t.deepEqual(lost.taken, { queued: [], waiting: 0, isSlow: false }, 'an earlier lease takes and ends nothing')
  t.deepEqual(await redis.lrange(`${ours.tag}:ready:active`, 0, -1), [lease.jobId])
  const end = { jobIds: again.taken.queued.map(({ jobId }) => jobId), lease: again.lease }
  await queue.end({ ...end, next: { max: 9, abandoned: 'skip' } })
  await jobAgain.moveToCompleted(undefined, TOKEN, false)
  const left = await sameReadyKeys(t, { ours, theirs }, ['marker'])
  t.deepEqual(Object.keys(left).sort(), ['meta', 'stalled-check'])
})

test('the tenants that have waited longest are taken, each with its commands, and those that wait wake another', async t => {
  const side = sideOf(1)
  await prepared(side)
  const claims = new Claims(redis, () => side.tag)
  const options = { dailyDocuments: 100, runningTtlMs: 600_000 }
  const given = ['11', '12', '13'].flatMap(tenant =>
    ['a', 'b'].map(text => noteCommand(tenant, 'test-server', `${tenant} ${text}`)),
  )
  t.deepEqual(
    column(await Promise.all(given.map(each => claims.claim(each, options))), 'kind'),
    given.map(() => 'fresh'),
  )
  const taker = readyTaker(side)
  const first = await taker.take(2, 1)
  t.deepEqual(
    first.map(({ lease, taken }) => [lease.tenantId, taken.queued.map(({ command }) => command.body), taken.waiting]),
    [
      ['11', [given[0]?.body], 1],
      ['12', [given[2]?.body], 1],
    ],
  )
  t.is(await redis.zcard(`${side.tag}:ready:marker`), 1)
  t.deepEqual(
    (await taker.take(2, 9)).map(({ taken }) => taken.queued.length),
    [2],
  )
  t.is(await redis.zcard(`${side.tag}:ready:marker`), 0)
})

test('a tenant whose holder died is ready again at the second look without its lease', async t => {
  const side = sideOf(1)
  await prepared(side)
  await claim(side)
  const taker = readyTaker(side)
  const [taken] = await taker.take(1, 9)
  await taker.lookAfterLost()
  await redis.del(`${side.tag}:ready:${taken?.lease.jobId}:lock`, `${side.tag}:ready:stalled-check`)
  await taker.lookAfterLost()
  const [again] = await taker.take(1, 9)
  t.is(again?.lease.tenantId, TENANT)
  t.not(again?.lease.token, taken?.lease.token)
  t.deepEqual(column(again?.taken.queued ?? [], 'attempt'), [2], 'what the dead one had comes first')
})

test('a claim makes a tenant ready behind those that wait', async t => {
  const { ours, theirs } = twoSides()
  for (const side of [ours, theirs]) {
    await prepared(side)
    await side.queues.readyQueue(side.tag).add('drain', { tenantId: '2' }, { ...jobOptions, jobId: 'before' })
  }
  await claim(ours)
  await theirs.queues.makeReady(TENANT)
  for (const side of [ours, theirs]) {
    await nameJob(side)
    t.deepEqual((await readyKeys(side))['wait']?.value, ['JOB0', 'before'])
  }
})

test('a claim leaves a paused ready queue to BullMQ, and nobody takes a tenant there', async t => {
  const side = sideOf(1)
  await prepared(side)
  await side.queues.makeReady(TENANT)
  await side.queues.readyQueue(side.tag).pause()
  const before = await readyKeys(side)
  t.deepEqual(await claim(side), { kind: 'fresh', isUnready: true })
  t.deepEqual(await readyTaker(side).take(1, 9), [])
  t.deepEqual(await readyKeys(side), before)
})

const tenantKeys = (side: Side) => keysOf(`${side.tag}:${queueNameOf(TENANT)}`, side.jobIds)
/**
 * Nothing blocks on a tenant's queue, so it needs no marker. All such queues have the same settings, which only the board and a pause
 * write.
 */
const NOT_OF_TENANTS = [...NEVER_OURS, 'marker', 'meta']
/** The key of a job contains its id. */
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
  test(`${way} queues a command as BullMQ’s own add does`, async t => {
    const { ours, theirs } = await threeCommands(add)
    const mine = await tenantKeys(ours)
    t.deepEqual(Object.keys(mine).sort(), ['JOB0', 'JOB1', 'JOB2', 'wait'])
    t.deepEqual(mine, without(t, await tenantKeys(theirs), [...NOT_OF_TENANTS, ...idsOf('JOB0', 'JOB1', 'JOB2')]))
  })

test('commands are taken, put back and finished as BullMQ’s own calls do', async t => {
  const { ours, theirs, queue, taker } = await threeCommands(claim)
  const take = async () => {
    await queue.take(2)
    return [await taker.getNextJob(TOKEN, { block: false }), await taker.getNextJob(TOKEN, { block: false })]
  }
  /** The lease on a tenant is that of its ready job. Nothing reads what a command's own job says of its run. */
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
  await queue.end({ jobIds: ours.jobIds.slice(0, 2) })
  for (const job of again) await job?.moveToCompleted(undefined, TOKEN, false)
  await same(idsOf('JOB2'))
})

test('a command is taken back as BullMQ removes a job', async t => {
  const { ours, theirs } = await threeCommands(claim)
  const [, second = ''] = ours.jobIds
  const taken = { ...command('two'), requestId: second }
  t.deepEqual(await new Claims(redis, () => ours.tag).cancel(taken, second), [])
  await theirs.queues.queue(queueNameOf(TENANT), theirs.tag).remove(second)
  t.deepEqual(
    await tenantKeys(ours),
    without(t, await tenantKeys(theirs), [...NOT_OF_TENANTS, ...idsOf('JOB0', 'JOB2')]),
  )
})
