/**
 * The command worker: takes ready tenants and drains their queues in order and in batches. How commands are run is
 * the business of jobs.ts, how they are answered that of answers.ts.
 */

import type { Worker } from 'bullmq'
import type { Endpoint } from '../../lib/kit/api/endpoint.ts'
import { due, endpoints } from '../../lib/nouns.ts'
import {
  byQueuedName,
  type Ended,
  endedWith,
  endpointOf,
  internalError,
  type Outcome,
  outcomeName,
} from '../../lib/pipeline/command.ts'
import { shardTag } from '../../lib/pipeline/shard.ts'
import {
  CommandQueues,
  type QueuedCommand,
  type ReadyJob,
  readyWorker,
  type Taken,
  type TenantQueue,
} from '../../lib/pipeline/tenant-queues.ts'
import type { Config } from '../../lib/platform/config.ts'
import type { Redis } from '../../lib/platform/redis/redis.ts'
import { configuredSecretBox } from '../../lib/platform/secret-box.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { commandMetrics } from '../../lib/platform/telemetry/metrics.ts'
import { tellFollowers } from '../../lib/webhooks/event-signals.ts'
import { tellReadyTenant } from '../../lib/webhooks/ready-tenants.ts'
import { gateFor, turnsByKey } from '../turns.ts'
import type { Cells } from '../worker-process.ts'
import { Answers } from './answers.ts'
import { WorkerCells } from './cells.ts'
import { startDueSweep } from './due-sweep.ts'
import { type EndedStep, type PutBack, runJobs } from './jobs.ts'
import { startSweeper } from './sweeper.ts'

/** How long one drain may keep its place while other tenants wait. */
const QUANTUM_MS = 250

/**
 * A tenant whose batch was slow (SLOW_MS of jobs.ts) is slow for this long after it last was, or last found no room: its
 * commands run alone, and few of them at once. Else a few tenants with slow commands take all places.
 */
const SLOW_FOR_MS = 30_000
/** Slow tenants that are drained at once: half of those that can run by themselves (ALONE_MAX of transactions.ts). */
const SLOW_MAX = 2
/** A slow tenant that found no room is looked at again after this time. */
const SLOW_AGAIN_MS = 500

/** Commands are tried again after this time while their tenant is moved to another cell, or while clocks are apart. */
const AGAIN_MS = { moving: 100, apart: 1_000 }

/** A command whose holders died so many times less one is not run any more: each time may have killed a process. */
const ATTEMPTS_MAX = 3

/**
 * Tenants that a worker takes from one shard at once. All shards together may take more than it drains at once, so that an
 * uneven spread leaves no place empty; what is over waits at the gate, for a quantum or two.
 */
const concurrencyOfShard = ({ workerConcurrency, queueShards }: Config): number =>
  Math.min(workerConcurrency, Math.max(2, Math.ceil((2 * workerConcurrency) / queueShards)))

type CommandWorkerServices = {
  readonly config: Config
  /** Their pools are for the sweepers and the directory; units of work have connections of their own. */
  readonly cells: Cells
  /** A connection that waits (`maxRetriesPerRequest: null`). */
  readonly redis: Redis
  readonly log: Log
  /** THE list, but for tests of the pipeline itself. */
  readonly endpoints?: readonly Endpoint[]
}

/** Starts draining; `close` lets running batches finish. */
export function startCommandWorker(services: CommandWorkerServices): { readonly close: () => Promise<void> } {
  const drainer = new Drainer(services)
  const { config, cells, redis, log } = services
  const workers: Worker<ReadyJob>[] = []
  const gate = gateFor(config.workerConcurrency)
  const turns = turnsByKey()
  for (let shard = 0; shard < config.queueShards; shard++) {
    const worker = readyWorker(
      { redis, tag: shardTag(shard), concurrency: concurrencyOfShard(config), name: config.processName },
      // Redis may hand out a tenant that is being drained here: a second drain would take the first one's commands for left behind.
      tenantId => turns(tenantId, () => gate(() => drainer.drain(tenantId))),
    )
    worker.on('error', error => log.warn({ err: error }, 'ready queue'))
    // Has BullMQ note that its event stream is to stay empty: claims add to the queue without that.
    drainer.queues.readyQueue(shardTag(shard))
    worker.run().catch(error => log.error({ err: error }, 'ready queue stopped'))
    workers.push(worker)
  }
  const sweepers = cells.flatMap(({ name, pool }) => [
    startSweeper({ cell: name, pool, queues: drainer.queues, log }),
    startDueSweep({ pool, log, ...drainer.dueIn(name) }),
  ])
  return {
    close: async () => {
      drainer.stop()
      await Promise.all(sweepers.map(sweeper => sweeper.close()))
      await Promise.all(workers.map(worker => worker.close()))
      await drainer.close()
    },
  }
}

class Drainer {
  readonly queues: CommandQueues
  readonly #services: CommandWorkerServices
  readonly #answers: Answers
  readonly #cells: WorkerCells
  #stopping = false
  /** One of all tenants at a time: else those that stand beside what ends the process would be taken for it, too. */
  readonly #oneLeft = gateFor(1)
  /** How many slow tenants more may be drained. */
  #slowRoom = SLOW_MAX

  constructor(services: CommandWorkerServices) {
    this.#services = services
    const { config, cells, redis, log } = services
    this.queues = new CommandQueues(redis, config.queueShards)
    const secrets = configuredSecretBox(config)
    this.#answers = new Answers({
      redis,
      tagOf: tenantId => this.queues.tagOf(tenantId),
      replayCacheSeconds: config.replayCacheSeconds,
      replyOptions: {
        secrets,
        onFault: (error, requestId) => log.error({ err: error, request_id: requestId }, 'a sealed answer'),
      },
    })
    const units = {
      endpointById: byQueuedName(services.endpoints ?? endpoints),
      due,
      settings: {
        freePlanVariantsMax: config.freePlanVariantsMax,
        webhookSubscriptionsMax: config.webhookSubscriptionsMax,
        secrets,
      },
    }
    this.#cells = new WorkerCells({ cells, log, units, processName: config.processName })
  }

  close(): Promise<void> {
    return this.#cells.close()
  }

  /** How the tenants of a cell do what is due. */
  dueIn(cell: string): Pick<Parameters<typeof startDueSweep>[0], 'doDue' | 'tell'> {
    const units = this.#cells.unitsOf(cell)
    return {
      doDue: async tenantIds => (await units?.doDue(tenantIds)) ?? new Map(),
      tell: (tenantId, { hasEvents, hasWebhooks }) => this.#tellOf(tenantId, { cell, hasEvents, hasWebhooks }),
    }
  }

  /** After this, a drain ends with its batch and leaves the rest to other workers. */
  stop(): void {
    this.#stopping = true
  }

  /** Drains one tenant until its queue is empty or its quantum is over. Never throws: a ready job must not fail. */
  async drain(tenantId: string): Promise<void> {
    try {
      const queue = this.queues.tenantQueue(tenantId)
      const taken = await queue.look(this.#services.config.commandBatchMax)
      if (!taken.isSlow) await this.#drainFrom(taken, tenantId, queue)
      else if (this.#slowRoom > 0 || isLeft(taken.queued)) await this.#drainSlow(taken, tenantId, queue)
      else {
        await queue.putBack(notEnded(taken.queued, []), SLOW_FOR_MS)
        await this.queues.makeReady(tenantId, SLOW_AGAIN_MS)
      }
    } catch (error) {
      // Redis failed in between. The sweeper finds the queue that is left.
      this.#services.log.warn({ err: error, tenant_id: tenantId }, 'drain interrupted')
    }
  }

  async #drainSlow(taken: Taken, tenantId: string, queue: TenantQueue): Promise<void> {
    this.#slowRoom--
    try {
      await this.#drainFrom(taken, tenantId, queue)
    } finally {
      this.#slowRoom++
    }
  }

  async #drainFrom(taken: Taken, tenantId: string, queue: TenantQueue): Promise<void> {
    const quantumEnds = performance.now() + QUANTUM_MS
    const isOver = () => this.#stopping || performance.now() > quantumEnds
    let { queued, waiting } = taken
    while (queued.length > 0)
      ({ queued, waiting } = isLeft(queued)
        ? await this.#oneLeft(() => this.#runLeft(tenantId, queue, isOver))
        : await this.#runBatch(tenantId, queue, queued, { isOver, alone: taken.isSlow }))
    if (waiting > 0) await this.queues.makeReady(tenantId)
  }

  /** A command that a dead holder left, in no unit with others: it may be what the holder died of. */
  async #runLeft(tenantId: string, queue: TenantQueue, isOver: () => boolean): Promise<Taken> {
    if (this.#stopping) return queue.look(0)
    const { queued } = await queue.open(1)
    return this.#runBatch(tenantId, queue, queued, { isOver, alone: true })
  }

  /** Runs one batch and answers each command as it is committed; takes the next batch in the same round trip, unless the drain is over. */
  async #runBatch(
    tenantId: string,
    queue: TenantQueue,
    queued: readonly QueuedCommand[],
    { isOver, alone }: { readonly isOver: () => boolean; readonly alone: boolean },
  ): Promise<Taken> {
    const began = performance.now()
    const [first] = queued
    const attempt = first?.attempt ?? 1
    const instead = attempt < ATTEMPTS_MAX ? undefined : internalError
    const batch = { tenantId, commands: queued.map(({ command }) => command), instead, isSlow: alone }
    const ended: Ended[] = []
    const answering: Promise<void>[] = []
    let back: PutBack | undefined
    for await (const step of runJobs(batch, this.#cells)) {
      if (step.is === 'put back') {
        back = step.why
        continue
      }
      this.#logFault(tenantId, step)
      this.#tellOf(tenantId, step)
      ended.push(...step.ended)
      const answer = this.#answers.send(queue, queued, step.ended)
      answer.catch(() => {}) // awaited below
      answering.push(answer)
    }
    if (first && attempt > 1) this.#tellAttempt(first, ended[0]?.outcome)
    for (const each of ended.flatMap(endedWith)) {
      const { acceptedAt } = each.command
      commandMetrics.ended({ endpoint: endpointOf(each.command), acceptedAt }, outcomeName(each))
    }
    const left = notEnded(queued, ended)
    if (back === 'slow') {
      const seconds = (performance.now() - began) / 1000
      const of = { tenant_id: tenantId, seconds, commands: queued.length }
      this.#services.log.warn(of, 'a slow batch: they run alone now')
      answering.push(queue.putBack(left, SLOW_FOR_MS))
    }
    if (back === 'moving' || back === 'apart') {
      await Promise.all([queue.putBack(left), ...answering])
      await this.queues.makeReady(tenantId, AGAIN_MS[back])
      return { queued: [], waiting: 0, isSlow: false }
    }
    const max = isOver() || back ? 0 : this.#services.config.commandBatchMax
    const [next] = await Promise.all([attempt > 1 ? queue.look(max) : queue.take(max), ...answering])
    return next
  }

  #logFault(tenantId: string, { ended, fault }: EndedStep): void {
    if (fault === undefined) return
    for (const { command } of ended) {
      const of = { request_id: command.requestId, tenant_id: tenantId, endpoint: command.endpoint }
      this.#services.log.error({ err: fault, ...of }, 'command failed')
    }
  }

  /** Tells of new events. Nobody waits for these: they go out with the answers, and what is lost the others find. */
  #tellOf(
    tenantId: string,
    { cell, hasEvents, hasWebhooks }: Pick<EndedStep, 'cell' | 'hasEvents' | 'hasWebhooks'>,
  ): void {
    const { redis } = this.#services
    if (!hasEvents) return
    if (hasWebhooks) tellReadyTenant(redis, tenantId, cell).catch(() => {})
    tellFollowers(redis, tenantId).catch(() => {})
  }

  /** Tells operators of a command whose process died. */
  #tellAttempt({ command, attempt }: QueuedCommand, outcome: Outcome | undefined): void {
    const of = { request_id: command.requestId, tenant_id: command.tenantId, endpoint: command.endpoint, attempt }
    if (attempt < ATTEMPTS_MAX) {
      this.#services.log.warn(of, 'a process that held this command died: it ran alone')
    } else if (outcome?.kind === 'refused') {
      commandMetrics.givenUp()
      this.#services.log.error(of, 'each process that held this command died: it was refused')
    }
  }
}

/** The jobs of the commands that have no outcome yet. */
function notEnded(queued: readonly QueuedCommand[], ended: readonly Ended[]): string[] {
  const requestIds = new Set(ended.map(({ command }) => command.requestId))
  return queued.filter(({ command }) => !requestIds.has(command.requestId)).map(({ jobId }) => jobId)
}

/** What a holder that died left active comes alone. */
const isLeft = ([first]: readonly QueuedCommand[]): boolean => first !== undefined && first.attempt > 1
