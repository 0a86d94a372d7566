/**
 * Takes ready tenants and has them drained, as many at the same time as the worker may, and keeps their leases. drain.ts drains a tenant.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Lease } from '../../lib/pipeline/end-commands.ts'
import { LOOK_AFTER_LEASES_MS, ReadyQueue, type ReadyTenant } from '../../lib/pipeline/ready-queue.ts'
import { shardTags } from '../../lib/pipeline/redis-keys.ts'
import type { CommandQueues } from '../../lib/pipeline/tenant-queues.ts'
import type { Config } from '../../lib/platform/config.ts'
import { ShardSlots, WorkerSlots } from '../../lib/platform/limits/shard-slots.ts'
import { turnsByKey } from '../../lib/platform/limits/turns.ts'
import type { Redis } from '../../lib/platform/redis/redis.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { within } from '../../lib/platform/within.ts'
import { repeat } from '../repeat.ts'

/** The pause after a failed call; short, because tenants wait. */
const TRY_AGAIN_MS = 500
const CLOSE_PATIENCE_MS = 1_000

type Services = { readonly config: Config; readonly redis: Redis; readonly log: Log }

/** `drain` is that of Drainer. It never throws. */
type Drainer = {
  readonly queues: CommandQueues
  readonly drain: (tenant: ReadyTenant) => Promise<number | undefined>
}

/** Starts on all shards. `close` waits for running drains. */
export function drainReady(services: Services, drainer: Drainer): { readonly close: () => Promise<void> } {
  const { config } = services
  const all = new WorkerSlots(config.workerConcurrency)
  const shards = shardTags(config.queueShards).map(tag => new ReadyShard(tag, services, { drainer, all }))
  return {
    close: async () => {
      await Promise.all(shards.map(shard => shard.close()))
    },
  }
}

class ReadyShard {
  readonly #ready: ReadyQueue
  readonly #services: Services
  readonly #drainer: Drainer
  readonly #slots: ShardSlots
  /**
   * One drain of a tenant at a time: Redis may hand out a tenant that this process still drains. A second drain would take the commands of
   * the first for abandoned.
   */
  readonly #turns = turnsByKey()
  readonly #leases = new Set<Lease>()
  readonly #draining = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  readonly #loop: Promise<void>
  readonly #lookingAfter: ReturnType<typeof repeat>

  constructor(
    tag: string,
    services: Services,
    { drainer, all }: { readonly drainer: Drainer; readonly all: WorkerSlots },
  ) {
    const { redis, config } = services
    this.#services = services
    this.#drainer = drainer
    this.#slots = new ShardSlots(all)
    this.#ready = new ReadyQueue({ redis, tag, name: config.processName })
    // Makes BullMQ note that its event stream stays empty: claims add jobs without BullMQ.
    drainer.queues.readyQueue(tag)
    this.#loop = this.#take()
    this.#lookingAfter = repeat(() => this.#lookAfterLeases(), { pauseMs: () => LOOK_AFTER_LEASES_MS })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#ready.wake()
    // While Redis cannot be reached, a call that waits for it never returns.
    await within(CLOSE_PATIENCE_MS, this.#loop).catch(() => {})
    await Promise.all(this.#draining)
    await this.#lookingAfter.close()
    await this.#ready.close()
  }

  async #take(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const free = await this.#slots.some()
      let taken: readonly ReadyTenant[] = []
      let fault: unknown
      try {
        if (!signal.aborted)
          taken = await this.#slots.answerOf(this.#ready.take(free, this.#services.config.commandBatchMax))
      } catch (error) {
        fault = error
      }
      this.#slots.give(free - taken.length)
      if (fault !== undefined) await this.#rest(fault)
      for (const tenant of taken) {
        const draining = this.#drain(tenant).finally(() => this.#draining.delete(draining))
        this.#draining.add(draining)
      }
      // Fewer tenants were ready than slots are free, so none waits. A new ready tenant ends this wait.
      if (taken.length < free && !signal.aborted) await this.#ready.wait().catch(error => this.#rest(error))
    }
  }

  async #drain(tenant: ReadyTenant): Promise<void> {
    const { lease } = tenant
    this.#leases.add(lease)
    try {
      const againMs = await this.#turns(lease.tenantId, () => this.#drainer.drain(tenant))
      this.#slots.give(1)
      if (againMs === undefined) return
      await delay(againMs, undefined, { signal: this.#closing.signal }).catch(() => {})
      await this.#drainer.queues.tenantQueue(lease.tenantId).end({ lease, next: { max: 0, abandoned: 'peek' } })
    } catch (error) {
      this.#services.log.warn({ err: error, tenant_id: lease.tenantId }, 'a lease is left to end by itself')
    } finally {
      this.#leases.delete(lease)
    }
  }

  async #lookAfterLeases(): Promise<void> {
    try {
      await this.#slots.answerOf(Promise.all([this.#ready.keep([...this.#leases]), this.#ready.lookAfterLost()]))
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#services.log.warn({ err: error }, 'ready queue')
    }
  }

  async #rest(error: unknown): Promise<void> {
    const { signal } = this.#closing
    if (signal.aborted) return
    this.#services.log.warn({ err: error }, 'ready queue')
    await delay(TRY_AGAIN_MS, undefined, { signal }).catch(() => {})
  }
}
