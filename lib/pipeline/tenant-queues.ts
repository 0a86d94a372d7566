/**
 * The queues of the pipeline on BullMQ: one queue for each tenant, and one ready queue for each shard whose jobs name tenants with
 * commands. Only this file and workers/ use BullMQ. Exactness never depends on BullMQ.
 */

import { createRedisBackend, Queue, type RedisQueueBackend } from 'bullmq'
import { setBounded } from '../platform/bounded-map.ts'
import { inCell } from '../platform/cells.ts'
import { defineScript, type Redis, type Script, texts } from '../platform/redis/redis.ts'
import type { Command, Refused } from './command.ts'
import { type EndCommands, endCommands } from './end-commands.ts'
import { queuedKey, queueNameOf, READY_QUEUE, shardOf, shardTag } from './redis-keys.ts'
import type { Abandoned, Taken } from './taken.ts'

/** Finished jobs are removed: the command log in PostgreSQL records them. */
export const jobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const
/** Nothing reads event streams of these jobs, so none is kept. */
const silent = { events: { maxLen: 0 } } as const

const QUEUED_PAGE = 500
const QUEUES_MAX = 20_000
const PASS_KEY = `${shardTag(0)}:sweep:passed`

/** A job of the ready queue: this tenant's queue must be drained. */
export type ReadyJob = { readonly tenantId: string }

/** Ready jobs never reuse an id: BullMQ may still know a finished job when the next is added. */
let readyCount = 0
const readyJobId = (tenantId: string): string =>
  `r${tenantId}-${process.pid.toString(36)}-${Date.now().toString(36)}-${(readyCount++).toString(36)}`

/** A tenant that is being drained needs no second job: the end of the drain looks for commands once more (end-commands.lua). */
const readyOptions = (tenantId: string) => ({ ...jobOptions, deduplication: { id: tenantId } })

/**
 * All queues over one shared Redis connection, to queue commands (server) and to read queues (workers). 5,000 tenants use one connection.
 */
export class CommandQueues {
  readonly #redis: Redis
  readonly #shards: number
  readonly #backend: RedisQueueBackend
  readonly #scanQueues: Script<string[]>
  readonly #enqueue: Script
  readonly #withCommands: Script<string[]>
  readonly #putBack: Script
  readonly #end: EndCommands
  /**
   * Each new queue object sets the empty event stream once, so the objects are cached. The size of the cache is limited: the oldest object
   * is removed first.
   */
  readonly #queues = new Map<string, Queue>()

  /** @param answerTtlMs how long answers stay for replays; default: an hour */
  constructor(redis: Redis, shards: number, answerTtlMs?: number) {
    this.#redis = redis
    this.#shards = shards
    this.#scanQueues = defineScript(redis, new URL('./scan-queues.lua', import.meta.url), 1, texts)
    this.#enqueue = defineScript(redis, new URL('./enqueue.lua', import.meta.url), 3)
    this.#withCommands = defineScript(redis, new URL('./with-commands.lua', import.meta.url), 1, texts)
    this.#putBack = defineScript(redis, new URL('./put-back.lua', import.meta.url), 3)
    this.#end = endCommands(redis, { tagOf: tenantId => this.tagOf(tenantId), answerTtlMs })
    this.#backend = createRedisBackend('shared', {
      connection: redis,
      skipVersionCheck: true,
      skipWaitingForReady: true,
    })
    this.#backend.on('error', () => {}) // the connection's owner logs
  }

  get shards(): number {
    return this.#shards
  }

  tagOf(tenantId: string): string {
    return shardTag(shardOf(tenantId, this.#shards))
  }

  /** A queue of a shard by name, over the shared connection. */
  queue(name: string, tag: string): Queue {
    const key = `${tag}:${name}`
    const known = this.#queues.get(key)
    if (known) return known
    const queue = new Queue(
      name,
      { connection: this.#redis, prefix: tag, streams: silent, skipWaitingForReady: true },
      () => this.#backend.forQueue(name, tag) as RedisQueueBackend,
    )
    queue.on('error', () => {})
    setBounded(this.#queues, QUEUES_MAX, key, queue)
    return queue
  }

  readyQueue(tag: string): Queue<ReadyJob> {
    return this.queue(READY_QUEUE, tag) as Queue<ReadyJob>
  }

  /** Adds a lost command to its tenant's queue, and makes the tenant ready. New commands are added with their claim. */
  async enqueue(command: Command, jobId: string): Promise<void> {
    const { tenantId, endpoint } = command
    const tag = this.tagOf(tenantId)
    const queue = `${tag}:${queueNameOf(tenantId)}`
    await this.#enqueue(
      [`${queue}:wait`, `${queue}:${jobId}`, queuedKey(tag)],
      [jobId, endpoint, JSON.stringify(command), JSON.stringify(jobOptions), Date.now(), tenantId, tag],
    )
    await this.makeReady(tenantId)
  }

  /** Makes a tenant ready: after the sweeper found forgotten commands, or if the claim could not (claim.lua). */
  async makeReady(tenantId: string): Promise<void> {
    const queue = this.readyQueue(this.tagOf(tenantId))
    await queue.add('drain', { tenantId }, { ...readyOptions(tenantId), jobId: readyJobId(tenantId) })
  }

  /** Whether the queue has the job, waiting or running. */
  async holds(tenantId: string, jobId: string): Promise<boolean> {
    return (await this.#redis.exists(`${this.tagOf(tenantId)}:${queueNameOf(tenantId)}:${jobId}`)) === 1
  }

  /** A tenant's queue, for the worker that drains it. */
  tenantQueue(tenantId: string): TenantQueue {
    const prefix = `${this.tagOf(tenantId)}:${queueNameOf(tenantId)}`
    return new TenantQueue({ tenantId, prefix, end: this.#end, putBack: this.#putBack })
  }

  /** Frees the claim of a command that was refused. */
  async release(command: Command, refusal: Refused): Promise<void> {
    await this.#end({ tenantId: command.tenantId, settled: [{ command, outcome: refusal }] })
  }

  /** Whether this process may do a chore of a shard now: true for one of all processes every `everyMs`. */
  async mayI(chore: string, tag: string, everyMs: number): Promise<boolean> {
    return (await this.#redis.set(`${tag}:chore:${chore}`, process.pid, 'PX', Math.round(everyMs * 0.8), 'NX')) === 'OK'
  }

  /** The tenants whose queue is not empty, in the given order. One call for each shard checks two keys of each tenant. */
  async withCommands(tenantIds: readonly string[]): Promise<string[]> {
    const byTag = Map.groupBy(tenantIds, tenantId => this.tagOf(tenantId))
    const found = await Promise.all(
      Array.from(byTag, ([tag, ofShard]) =>
        this.#withCommands([queuedKey(tag)], [`${tag}:${queueNameOf('')}`, ...ofShard]),
      ),
    )
    const holding = new Set(found.flat())
    return tenantIds.filter(tenantId => holding.has(tenantId))
  }

  /** Tenants of a shard that got commands and were not found empty by `withCommands` since, a few hundred at a time. */
  async *queuedTenants(tag: string): AsyncGenerator<string[]> {
    let cursor = '0'
    do {
      const [next, tenantIds] = await this.#redis.sscan(queuedKey(tag), cursor, 'COUNT', QUEUED_PAGE)
      yield tenantIds
      cursor = next
    } while (cursor !== '0')
  }

  /** The last tenant that the pass over all tenants of a cell has reached. If this note is lost the pass starts again. */
  async passedTenant(cell?: string): Promise<string> {
    return (await this.#redis.get(inCell(cell, PASS_KEY))) ?? '0'
  }

  async notePassedTenant(tenantId: string, cell?: string): Promise<void> {
    await this.#redis.set(inCell(cell, PASS_KEY), tenantId)
  }

  /**
   * Tenants of a shard whose queue is not empty, including those that PostgreSQL does not know, at most `max`. It scans all keys of the
   * server, including an hour's answers: for operators (`doctor`), not for regular work.
   */
  async tenantsWithCommands(tag: string, max: number): Promise<string[]> {
    const tenants = new Set<string>()
    const pattern = /:t(-?\d+):(?:wait|active)$/
    let cursor = '0'
    do {
      const [next = '0', ...keys] = await this.#scanQueues([`${tag}:${READY_QUEUE}`], [cursor, `${tag}:t*:*`])
      for (const key of keys) {
        const tenantId = pattern.exec(key)?.[1]
        if (tenantId !== undefined) tenants.add(tenantId)
      }
      cursor = next
    } while (cursor !== '0' && tenants.size < max)
    return [...tenants]
  }
}

type TenantQueueOptions = {
  readonly tenantId: string
  /** The prefix of the queue's keys. */
  readonly prefix: string
  readonly end: EndCommands
  readonly putBack: Script
}

/**
 * One tenant's commands, read without blocking and without a connection or lock of its own. The ready job decides which worker may drain a
 * tenant, and the row lock which one may write. A batch is taken and removed in one step each. That saves 20 % of Redis's and the worker's
 * processor time per command, because BullMQ runs a script for each job.
 */
export class TenantQueue {
  readonly #options: TenantQueueOptions

  constructor(options: TenantQueueOptions) {
    this.#options = options
  }

  /** Takes the oldest abandoned command; if there is none, the oldest waiting ones. The attempt is counted. */
  resume(max: number): Promise<Taken> {
    return this.#next(max, 'resume')
  }

  /** The same as `resume`, without counting the attempt. */
  peek(max: number): Promise<Taken> {
    return this.#next(max, 'peek')
  }

  /**
   * Takes the oldest waiting commands. If `max` would end inside a bulk, the rest of the bulk's entries are taken too. `max` 0 only counts.
   */
  take(max: number): Promise<Taken> {
    return this.#next(max, 'skip')
  }

  /** Ends commands and, if asked, takes the next ones. A command that is already gone (another worker was quicker) is no error. */
  end(ending: Omit<Parameters<EndCommands>[0], 'tenantId'>): ReturnType<EndCommands> {
    const { tenantId, end } = this.#options
    return end({ tenantId, ...ending })
  }

  /**
   * Puts commands that were taken and not run back before all waiting ones. `slowForMs`: the tenant is slow for this long from now on; 0:
   * no longer slow; undefined: the mark keeps its time.
   */
  async putBack(jobIds: readonly string[], slowForMs?: number): Promise<void> {
    const { prefix, putBack } = this.#options
    await putBack([`${prefix}:wait`, `${prefix}:active`, `${prefix}:slow`], [slowForMs ?? '', ...jobIds])
  }

  async #next(max: number, abandoned: Abandoned): Promise<Taken> {
    const { taken } = await this.end({ next: { max, abandoned } })
    return taken
  }
}
