/**
 * Drains a ready tenant: takes its commands in order and in batches, has them run (run-batch.ts) and answers each after its commit, until
 * the queue is empty or the quantum is over. ready-tenants.ts decides which tenant is drained when.
 */
import type { Endpoint } from '../../lib/kit/api/endpoint.ts'
import { due, endpoints } from '../../lib/nouns.ts'
import {
  commandsById,
  type Ended,
  endedWith,
  internalError,
  type Outcome,
  outcomeName,
  tooLate,
} from '../../lib/pipeline/command.ts'
import { Answers, type Lease, type Next } from '../../lib/pipeline/end-commands.ts'
import type { ReadyTenant } from '../../lib/pipeline/ready-queue.ts'
import type { Abandoned, QueuedCommand, Taken } from '../../lib/pipeline/taken.ts'
import { CommandQueues, type TenantQueue } from '../../lib/pipeline/tenant-queues.ts'
import type { Config } from '../../lib/platform/config.ts'
import { Slots } from '../../lib/platform/limits/slots.ts'
import { mayBeLost } from '../../lib/platform/may-be-lost.ts'
import type { Redis } from '../../lib/platform/redis/redis.ts'
import { configuredSecretBox } from '../../lib/platform/secret-box.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { commandMetrics } from '../../lib/platform/telemetry/metrics.ts'
import { signalFollowers } from '../../lib/webhooks/event-signals.ts'
import { signalTenant } from '../../lib/webhooks/tenant-signals.ts'
import type { Cells } from '../worker-process.ts'
import type { startDueSweeps } from './due-sweep.ts'
import { type EndedStep, type PutBack, runBatch } from './run-batch.ts'
import { WorkerCells } from './units.ts'

/** How long one drain may keep its slot while other tenants wait. */
const QUANTUM_MS = 250

/**
 * A tenant whose batch was slow (SLOW_MS of run-batch.ts) is slow for this long, or until a command that ran alone was quick. Its commands
 * run alone, and few such tenants run at the same time. Otherwise a few tenants with slow commands would take all slots. Only a slow batch
 * starts the time again. If waiting for a slot did so, tenants that were slow together (for a lock on a table) would keep each other slow.
 */
const SLOW_FOR_MS = 30_000
/** The most slow tenants that are drained at the same time: half of the slots for tenants that run alone (ALONE_MAX of transactions.ts). */
const SLOW_MAX = 2
/** A slow tenant that found no slot is tried again after this time. */
const SLOW_AGAIN_MS = 500

/** Commands are tried again after this time while their tenant moves to another cell, or while clocks differ. */
const AGAIN_MS = { moving: 100, 'clock skew': 1_000 }

/** At this attempt a command is refused without being run: each earlier attempt may have killed a process. */
const ATTEMPTS_MAX = 3

/** After this time the next abandoned command may run: if this one still takes longer, it waits for a silent node of Redis. */
const ABANDONED_MS_MAX = 15_000

export type DrainServices = {
  readonly config: Config
  /** The pools of the cells serve the sweepers and the directory. Units of work have connections of their own. */
  readonly cells: Cells
  /** A connection that waits (`maxRetriesPerRequest: null`). */
  readonly redis: Redis
  readonly log: Log
  /** The full list of endpoints, except in tests of the pipeline. */
  readonly endpoints?: readonly Endpoint[]
}

export class Drainer {
  readonly queues: CommandQueues
  readonly #services: DrainServices
  readonly #answers: Answers
  readonly #cells: WorkerCells
  readonly #hint = mayBeLost()
  #stopping = false
  /**
   * One abandoned command at a time, of all tenants. If others ran beside a command that kills the process, they would be suspected too.
   */
  readonly #oneAbandoned = new Slots({ size: 1, heldMsMax: ABANDONED_MS_MAX })
  /** How many more slow tenants may be drained. */
  #slowSlots = SLOW_MAX

  constructor(services: DrainServices) {
    this.#services = services
    const { config, cells, redis, log } = services
    this.queues = new CommandQueues(redis, config.queueShards, config.replayCacheSeconds * 1_000)
    const secrets = configuredSecretBox(config)
    this.#answers = new Answers(redis, {
      secrets,
      onFault: (error, requestId) => log.error({ err: error, request_id: requestId }, 'a sealed answer'),
    })
    const units = {
      endpointById: commandsById(services.endpoints ?? endpoints),
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

  /** Does the due work of the tenants of a cell. */
  dueIn(cell: string): Pick<Parameters<typeof startDueSweeps>[0], 'doDue' | 'publish'> {
    const units = this.#cells.unitsOf(cell)
    return {
      doDue: async (tenantIds, options) => (await units?.doDue(tenantIds, options)) ?? new Map(),
      publish: (tenantId, { hasEvents, hasWebhooks }) => this.#publishOf(tenantId, { cell, hasEvents, hasWebhooks }),
    }
  }

  /** From now on a drain ends with its batch and leaves the rest to other workers. */
  stop(): void {
    this.#stopping = true
  }

  /**
   * Drains one tenant until its queue is empty or its quantum is over, and ends the lease in the same step. Never throws. @returns after
   * how many ms the tenant must be drained again, while the lease continues; undefined: the drain is done
   */
  async drain({ lease, taken }: ReadyTenant): Promise<number | undefined> {
    const queue = this.queues.tenantQueue(lease.tenantId)
    try {
      if (!taken.isSlow) return await this.#drainFrom(taken, lease, queue)
      if (this.#slowSlots > 0 || isAbandoned(taken.queued)) return await this.#drainSlow(taken, lease, queue)
      await queue.putBack(notEnded(taken.queued, []))
      return SLOW_AGAIN_MS
    } catch (error) {
      // Redis failed meanwhile. The commands that are left run when the tenant is ready again.
      this.#services.log.warn({ err: error, tenant_id: lease.tenantId }, 'drain interrupted')
      return 0
    }
  }

  async #drainSlow(taken: Taken, lease: Lease, queue: TenantQueue): Promise<number | undefined> {
    this.#slowSlots--
    try {
      return await this.#drainFrom(taken, lease, queue)
    } finally {
      this.#slowSlots++
    }
  }

  async #drainFrom(taken: Taken, lease: Lease, queue: TenantQueue): Promise<number | undefined> {
    const quantumEnds = performance.now() + QUANTUM_MS
    const drained: Drained = {
      lease,
      queue,
      max: () => (this.#stopping || performance.now() > quantumEnds ? 0 : this.#services.config.commandBatchMax),
    }
    // A ready tenant may have no commands any more.
    let next: Taken | number = taken.queued.length > 0 ? taken : await nextOf(drained, 'peek')
    while (typeof next !== 'number' && next.queued.length > 0) {
      if (isAbandoned(next.queued)) {
        // First checks that the tenant's node of Redis answers, so that nothing waits for the slot and then for a silent node.
        await queue.peek(0)
        next = await this.#oneAbandoned.in(() => this.#runAbandoned(drained))
      } else next = await this.#runBatch(drained, next.queued, taken.isSlow)
    }
    return typeof next === 'number' ? next : undefined
  }

  /** Runs an abandoned command in a unit of its own: the command may have killed its last worker. */
  async #runAbandoned(drained: Drained): Promise<Taken | number> {
    if (this.#stopping) return nextOf(drained, 'peek')
    const { queued } = await drained.queue.resume(1)
    return queued.length > 0 ? this.#runBatch(drained, queued, true) : nextOf(drained, 'peek')
  }

  /**
   * Runs one batch and answers each command after its commit. The last answers also take the next batch or end the lease.
   * @returns the next batch, or after how many ms the tenant must be drained again
   */
  async #runBatch(drained: Drained, queued: readonly QueuedCommand[], alone: boolean): Promise<Taken | number> {
    const { lease, queue } = drained
    const { tenantId } = lease
    const began = performance.now()
    const [first] = queued
    const attempt = first?.attempt ?? 1
    const forcedRefusal = attempt < ATTEMPTS_MAX ? undefined : internalError
    const batch = { tenantId, commands: queued.map(({ command }) => command), forcedRefusal, isSlow: alone }
    const ended: Ended[] = []
    const answering: Promise<unknown>[] = []
    let last: readonly Ended[] = []
    let back: PutBack | undefined
    let isQuick = alone
    for await (const step of runBatch(batch, this.#cells)) {
      if (step.is === 'put back') {
        back = step.why
        continue
      }
      this.#logFault(tenantId, step)
      this.#publishOf(tenantId, step)
      isQuick &&= step.isQuick === true
      ended.push(...step.ended)
      if (ended.length === queued.length) last = step.ended
      else {
        const answer = this.#answers.send(queue, queued, step.ended)
        answer.catch(() => {}) // awaited below
        answering.push(answer)
      }
    }
    if (first && attempt > 1) this.#logAttempt(first, ended[0]?.outcome)
    for (const each of ended.flatMap(endedWith)) {
      const { acceptedAt } = each.command
      commandMetrics.ended({ endpoint: each.command.endpoint, acceptedAt }, outcomeName(each))
      this.#logIfTooLate(each)
    }
    const left = notEnded(queued, ended)
    if (back === 'slow') {
      const seconds = (performance.now() - began) / 1000
      const of = { tenant_id: tenantId, seconds, commands: queued.length }
      this.#services.log.warn(of, 'a slow batch: they run alone now')
    }
    if (back !== undefined) await queue.putBack(left, back === 'slow' ? SLOW_FOR_MS : undefined)
    else if (isQuick) await queue.putBack([], 0)
    const again = back === 'moving' || back === 'clock skew' ? AGAIN_MS[back] : undefined
    const next: Next | undefined =
      again === undefined
        ? { lease, max: back ? 0 : drained.max(), abandoned: attempt > 1 ? 'peek' : 'skip' }
        : undefined
    const [taken] = await Promise.all([this.#answers.send(queue, queued, last, next), ...answering])
    return again ?? taken
  }

  /** A log line for operators: the process was suspended for minutes, or the clock of a web process is wrong. */
  #logIfTooLate({ command: { requestId, tenantId, acceptedAt }, outcome }: Ended): void {
    if (outcome.kind !== 'refused' || outcome.refusal !== tooLate.refusal) return
    const of = { request_id: requestId, tenant_id: tenantId, accepted_at: new Date(acceptedAt).toISOString() }
    this.#services.log.warn(of, 'a command came too late and was not run')
  }

  #logFault(tenantId: string, { ended, fault }: EndedStep): void {
    if (fault === undefined) return
    for (const { command } of ended) {
      const of = { request_id: command.requestId, tenant_id: tenantId, endpoint: command.endpoint }
      this.#services.log.error({ err: fault, ...of }, 'command failed')
    }
  }

  /** Signals new events. Nothing waits for that: signals are sent with the answers, and a sweep finds the events of a lost signal. */
  #publishOf(
    tenantId: string,
    { cell, hasEvents, hasWebhooks }: Pick<EndedStep, 'cell' | 'hasEvents' | 'hasWebhooks'>,
  ): void {
    const { redis } = this.#services
    if (!hasEvents) return
    if (hasWebhooks) this.#hint(() => signalTenant(redis, tenantId, cell))
    this.#hint(() => signalFollowers(redis, tenantId))
  }

  /** A log line for operators: the worker of a command died. */
  #logAttempt({ command, attempt }: QueuedCommand, outcome: Outcome | undefined): void {
    const of = { request_id: command.requestId, tenant_id: command.tenantId, endpoint: command.endpoint, attempt }
    if (attempt < ATTEMPTS_MAX) {
      this.#services.log.warn(of, 'a process that held this command died: it ran alone')
    } else if (outcome?.kind === 'refused') {
      commandMetrics.givenUp()
      this.#services.log.error(of, 'each process that held this command died: it was refused')
    }
  }
}

/** A tenant that is being drained. `max`: how many commands may be taken next. */
type Drained = { readonly lease: Lease; readonly queue: TenantQueue; readonly max: () => number }

/** Takes the next commands, or ends the lease if there are none. */
async function nextOf({ lease, queue, max }: Drained, abandoned: Abandoned): Promise<Taken> {
  const { taken } = await queue.end({ lease, next: { max: max(), abandoned } })
  return taken
}

/** The jobs of commands without an outcome. */
function notEnded(queued: readonly QueuedCommand[], ended: readonly Ended[]): string[] {
  const requestIds = new Set(ended.map(({ command }) => command.requestId))
  return queued.filter(({ command }) => !requestIds.has(command.requestId)).map(({ jobId }) => jobId)
}

/** An abandoned command always comes alone. */
const isAbandoned = ([first]: readonly QueuedCommand[]): boolean => first !== undefined && first.attempt > 1
