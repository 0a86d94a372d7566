/**
 * Random steps of servers and workers on one shard: in every state a tenant whose commands wait is ready or being drained, and each
 * tenant's commands are handed out in their order. In half of the runs each call of a script is sent twice, as a connection does whose
 * answer was lost.
 */
import type { ExecutionContext } from 'ava'
import { randomSource } from '../../bench/grow/plan.ts'
import { Claims } from '../../lib/pipeline/claims.ts'
import type { Lease } from '../../lib/pipeline/end-commands.ts'
import { ReadyQueue } from '../../lib/pipeline/ready-queue.ts'
import type { QueuedCommand } from '../../lib/pipeline/taken.ts'
import { CommandQueues } from '../../lib/pipeline/tenant-queues.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { eventually } from '../support/eventually.ts'
import { ofTests } from '../support/of-file.ts'
import { noteCommand } from '../support/pipeline.ts'
import { ownRedis } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const TENANTS = ['11', '12', '13']
const STEPS = 250
const RUNS = 8

const server = ofTests(test, ownRedis)
let redis: ReturnType<typeof connectRedis>
test.before(() => {
  redis = connectRedis(server.url, 'worker', 'test')
})
test.after.always(() => closeRedis(redis))

type Held = { readonly lease: Lease; readonly queued: readonly QueuedCommand[]; isLost: boolean }

/** A shard with two workers. */
class Shard {
  readonly queues = new CommandQueues(redis, 1)
  readonly tag = this.queues.tagOf('1')
  readonly ready = `${this.tag}:ready`
  readonly claims = new Claims(redis, () => this.tag)
  readonly workers = ['a', 'b'].map(name => new ReadyQueue({ redis, tag: this.tag, name }))
  readonly held: Held[] = []
  readonly claimed = new Map<string, string[]>(TENANTS.map(tenantId => [tenantId, []]))
  readonly handedOut = new Map<string, string[]>(TENANTS.map(tenantId => [tenantId, []]))

  async open(): Promise<void> {
    this.queues.readyQueue(this.tag)
    await eventually(() => redis.exists(`${this.ready}:meta`))
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map(worker => worker.close()))
    await redis.flushdb()
  }

  async claim(tenantId: string, count: number): Promise<void> {
    const commands = Array.from({ length: count }, (_, at) => noteCommand(tenantId, 'server', `note ${at}`))
    await this.claims.claimAll(commands, { runningTtlMs: 600_000 })
    this.claimed.get(tenantId)?.push(...commands.map(({ requestId }) => requestId))
  }

  /** Commands that were handed out before belong to a dead holder. */
  note(tenantId: string, queued: readonly QueuedCommand[]): void {
    const before = this.handedOut.get(tenantId) ?? []
    before.push(...queued.map(({ jobId }) => jobId).filter(jobId => !before.includes(jobId)))
  }

  async take(worker: number, tenants: number, commands: number): Promise<number> {
    // Takes as a worker does that the marker woke.
    await redis.zpopmin(`${this.ready}:marker`)
    const taken = (await this.workers[worker]?.take(tenants, commands)) ?? []
    for (const { lease, taken: first } of taken) {
      this.held.push({ lease, queued: first.queued, isLost: false })
      this.note(lease.tenantId, first.queued)
    }
    return taken.length
  }

  /** Ends the batch as a drain does. What a dead holder left is opened before it runs, as a drain does. */
  async end(held: Held, max: number, isPutBack: boolean): Promise<void> {
    this.held.splice(this.held.indexOf(held), 1)
    const { lease } = held
    const queue = this.queues.tenantQueue(lease.tenantId)
    const jobIds = held.queued.map(({ jobId }) => jobId)
    if (isPutBack && !held.isLost) await queue.putBack(jobIds)
    const abandoned = held.queued.some(({ attempt }) => attempt > 1) ? 'peek' : 'skip'
    const ending = isPutBack
      ? { lease, next: { max: 0, abandoned: 'peek' as const } }
      : { jobIds, lease, next: { max, abandoned } as const }
    const { taken } = await queue.end(ending)
    if (held.isLost && taken.queued.length > 0) throw new Error('a lost lease took commands')
    if (taken.queued.length === 0) return
    this.held.push({ lease, queued: taken.queued, isLost: false })
    this.note(lease.tenantId, taken.queued)
  }

  /** Keeps the leases, however slow this machine is. */
  async keep(): Promise<void> {
    await this.workers[0]?.keep(this.held.filter(({ isLost }) => !isLost).map(({ lease }) => lease))
  }

  /** The worker that holds the lease freezes: two checks by others find no lease. */
  async lose(held: Held): Promise<void> {
    held.isLost = true
    await redis.del(`${this.ready}:${held.lease.jobId}:lock`)
    await this.keep()
    for (let look = 0; look < 2; look++) {
      await redis.del(`${this.ready}:stalled-check`)
      await this.workers[1]?.lookAfterLost()
    }
  }

  async check(t: ExecutionContext, step: string): Promise<void> {
    const [wait, active] = await Promise.all(
      ['wait', 'active'].map(list => redis.lrange(`${this.ready}:${list}`, 0, -1)),
    )
    const jobs = [...(wait ?? []), ...(active ?? [])]
    t.is(new Set(jobs).size, jobs.length, `${step}: a job stands twice`)
    for (const tenantId of TENANTS) {
      const queue = `${this.tag}:t${tenantId}`
      const waiting = (await redis.llen(`${queue}:wait`)) + (await redis.llen(`${queue}:active`))
      const job = await redis.get(`${this.ready}:de:${tenantId}`)
      if (waiting > 0) t.true(job !== null && jobs.includes(job), `${step}: ${tenantId} is forgotten`)
      if (job !== null)
        t.is(await redis.exists(`${this.ready}:${job}`), 1, `${step}: ${tenantId} waits for a job that is gone`)
    }
    if ((wait ?? []).length > 0) t.is(await redis.zcard(`${this.ready}:marker`), 1, `${step}: nobody is woken`)
  }
}

/** The content of Redis without the notes of calls and without what expires soon. */
const held = (): Promise<unknown> =>
  redis.eval(
    `local found = {}
    local keys = redis.call('KEYS', '*')
    table.sort(keys)
    local read = { string = { 'GET' }, list = { 'LRANGE', 0, -1 }, hash = { 'HGETALL' }, set = { 'SMEMBERS' }, zset = { 'ZRANGE', 0, -1 } }
    for _, key in ipairs(keys) do
      local how = read[redis.call('TYPE', key).ok]
      if how and not (key:find(':call:') or key:find(':memory$') or key:find(':stalled%-check$')) then
        local value = redis.call(how[1], key, unpack(how, 2))
        if how[1] == 'HGETALL' or how[1] == 'SMEMBERS' then table.sort(value) end
        found[#found + 1] = { key, value }
      end
    end
    return found`,
    0,
  )

/** The answer without the number of waiting commands if none was taken: nothing reads that number, since the lease has ended. */
const taken = (answer: unknown): unknown => {
  if (!Array.isArray(answer)) return answer
  return answer.length === 2 && answer.every(each => typeof each === 'number') ? 'none' : answer.map(taken)
}

/** Sends each call of a script twice. The second call must find the state of the first and give the same answer. */
function sendTwice(t: ExecutionContext): void {
  const { call, callBuffer } = redis
  for (const name of ['call', 'callBuffer'] as const) {
    const send = redis[name] as (...parts: unknown[]) => Promise<unknown>
    redis[name] = async (...parts: unknown[]) => {
      const first = await send.apply(redis, parts)
      const before = await held()
      const second = await send.apply(redis, parts)
      t.deepEqual(await held(), before, 'a second call changes nothing')
      // The second answer differs only for a claim (that the tenant may have to be made ready) and for what was put back (how many there
      // are now).
      if (name === 'call' && Array.isArray(first)) t.deepEqual(taken(second), taken(first))
      return second
    }
  }
  t.teardown(() => Object.assign(redis, { call, callBuffer }))
}

for (let run = 1; run <= RUNS; run++)
  test(`no tenant with commands is forgotten, and none is handed out of order (${run})`, async t => {
    if (run % 2 === 0) sendTwice(t)
    const random = randomSource(run)
    const shard = new Shard()
    await shard.open()
    const anyOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
    const upTo = (max: number) => 1 + Math.floor(random() * max)
    const steps: Record<string, () => Promise<unknown>> = {
      claim: () => shard.claim(anyOf(TENANTS) ?? '', upTo(3)),
      take: () => shard.take(upTo(2) - 1, upTo(3), upTo(3)),
      end: async () => {
        const held = anyOf(shard.held)
        if (held) await shard.end(held, upTo(3) - 1, random() < 0.1)
      },
      lose: async () => {
        const held = anyOf(shard.held.filter(({ isLost }) => !isLost))
        if (held && random() < 0.2) await shard.lose(held)
      },
      'make ready': () => shard.queues.makeReady(anyOf(TENANTS) ?? ''),
    }
    try {
      for (let step = 0; step < STEPS; step++) {
        const [name, does] = anyOf(Object.entries(steps)) ?? ['', async () => {}]
        await does()
        await shard.check(t, `step ${step}, ${name}`)
        await shard.keep()
      }
      while (shard.held.length > 0 || (await shard.take(0, 3, 3)) > 0)
        for (const held of [...shard.held]) await shard.end(held, 3, false)
      await shard.check(t, 'at the end')
      for (const tenantId of TENANTS) t.deepEqual(shard.handedOut.get(tenantId), shard.claimed.get(tenantId))
    } finally {
      await shard.close()
    }
  })
