/**
 * The ready queue of one shard, for workers. Its jobs name tenants that have commands. A worker takes several tenants at a time with their
 * commands, and keeps their leases. If none is ready it waits on a connection of its own, which blocks.
 */
import { randomUUID } from 'node:crypto'
import { createRedisBackend, type RedisQueueBackend } from 'bullmq'
import { defineScript, type Redis, type Script } from '../platform/redis/redis.ts'
import type { Lease } from './end-commands.ts'
import { READY_QUEUE } from './redis-keys.ts'
import { readTaken, type Taken } from './taken.ts'

/** How long a lease on a tenant lasts, and how often lost leases are looked for. */
export const LEASE_MS = 4_000
const LEASE_CHECK_MS = 1_500
const WAIT_SECONDS = 5

/** A tenant that this process may drain, with its oldest commands. */
export type ReadyTenant = { readonly lease: Lease; readonly taken: Taken }

export class ReadyQueue {
  readonly #tag: string
  readonly #name: string
  readonly #backend: RedisQueueBackend
  /**
   * BullMQ's blocking connection is not used: after a cluster node was silent, BullMQ waits for ever for the connection that it opens
   * again.
   */
  readonly #blocking: Redis
  readonly #take: Script<[string, string, unknown[]][]>

  /**
   * @param options.redis a connection that waits while Redis cannot be reached (`maxRetriesPerRequest: null`); `name`: the worker, as the
   * board shows it
   */
  constructor({ redis, tag, name }: { readonly redis: Redis; readonly tag: string; readonly name: string }) {
    this.#tag = tag
    this.#name = name
    this.#take = defineScript(
      redis,
      new URL('./take-tenants.lua', import.meta.url),
      1,
      raw => raw as [string, string, unknown[]][],
    )
    const options = {
      connection: redis,
      prefix: tag,
      name,
      skipVersionCheck: true,
      // A tenant must never be removed from the queue because its workers died.
      maxStalledCount: 1_000_000,
      stalledInterval: LEASE_CHECK_MS,
    }
    this.#backend = createRedisBackend(READY_QUEUE, options) as RedisQueueBackend
    this.#blocking = redis.duplicate() as Redis
    this.#blocking.on('error', () => {}) // the connection's owner logs
    this.#backend.on('error', () => {}) // the connection's owner logs
  }

  /** Takes the tenants that have waited longest, each with its oldest commands, as in take.lua. */
  async take(tenantsMax: number, commandsMax: number): Promise<ReadyTenant[]> {
    const token = randomUUID()
    const taken = await this.#take(
      [`${this.#tag}:${READY_QUEUE}:wait`],
      [this.#tag, tenantsMax, commandsMax, token, LEASE_MS, this.#name, Date.now()],
    )
    return taken.map(([tenantId, jobId, commands]) => ({
      lease: { tenantId, jobId, token },
      taken: readTaken(commands),
    }))
  }

  /** Waits until tenants may be ready, for a few seconds at most. */
  async wait(): Promise<void> {
    await this.#blocking.bzpopmin(`${this.#tag}:${READY_QUEUE}:marker`, WAIT_SECONDS)
  }

  /** Renews leases. A lost lease stays lost. */
  async keep(leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return
    await this.#backend.extendLocks(
      leases.map(({ jobId }) => jobId),
      leases.map(({ token }) => token),
      LEASE_MS,
    )
  }

  /** Makes tenants ready again whose worker died: two successive checks found no lease. */
  async lookAfterLost(): Promise<void> {
    await this.#backend.moveStalledJobsToWait()
  }

  /** Ends `wait`. */
  wake(): void {
    this.#blocking.disconnect()
  }

  async close(): Promise<void> {
    this.#blocking.disconnect()
    await this.#backend.close()
  }
}

/** How often a worker keeps its leases and looks for lost ones. */
export const LOOK_AFTER_LEASES_MS = LEASE_CHECK_MS
