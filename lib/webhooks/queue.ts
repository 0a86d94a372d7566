/**
 * The webhook queue on BullMQ: a job names a subscription with due deliveries. PostgreSQL has the schedule. The sweep finds jobs that Redis
 * lost.
 */
import { DelayedError, type Job, type JobsOptions, Queue, Worker } from 'bullmq'
import { inCell, MAIN } from '../platform/cells.ts'
import type { Redis } from '../platform/redis/redis.ts'
import type { SubscriptionRef } from './pending.ts'

const WEBHOOK_QUEUE = 'webhooks'
/** The hash tag puts all keys of the queue into one slot of a cluster. */
export const WEBHOOK_QUEUE_TAG = '{webhooks}'
/** The channel for subscriptions with a new due delivery. A running sender then looks again at once. */
const WAKE_CHANNEL = 'webhooks:wake'

/** How long the lease on a subscription lasts, and the interval of checks for lost leases. */
const LEASE_MS = 5_000
const LEASE_CHECK_MS = 2_000
/** When a subscription that found no slot is tried again if the process that should recall it is gone. */
const PUT_OFF_MS = 30_000
/** When a subscription is tried again whose tenant has reached its deliveries per second. */
const OVER_RATE_MS = 1_000
/** How long a subscription pauses if its outcomes could not be stored. Each further pause is twice as long, up to the maximum. */
const PAUSE_MS_MIN = 10_000
const PAUSE_MS_MAX = 300_000

/** At most one process at a time sends the deliveries of a subscription. `pauses`: how often in a row it has paused. */
type JobData = SubscriptionRef & { readonly pauses?: number }

const noTrace: JobsOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true }

let jobCount = 0
/** Job ids are never used again: BullMQ may still know a finished job when the next one is added. */
const jobIdOf = (subscriptionId: string): string =>
  `l${subscriptionId}-${process.pid.toString(36)}-${Date.now().toString(36)}-${(jobCount++).toString(36)}`

/** The name of a cell's queue. BullMQ's names may not contain a colon. */
export const webhookQueueName = (cell: string): string => (cell === MAIN ? WEBHOOK_QUEUE : `${WEBHOOK_QUEUE}-${cell}`)

export class WebhookQueue {
  readonly #redis: Redis
  readonly cell: string
  readonly queue: Queue<JobData>

  constructor(redis: Redis, cell = MAIN) {
    this.#redis = redis
    this.cell = cell
    this.queue = new Queue<JobData>(webhookQueueName(cell), {
      connection: redis,
      prefix: WEBHOOK_QUEUE_TAG,
      streams: { events: { maxLen: 0 } },
      skipWaitingForReady: true,
    })
    this.queue.on('error', () => {}) // the connection's owner logs
  }

  /**
   * Makes workers send these subscriptions. A waiting job stays as it is. The sender of a running job looks again, and its subscription is
   * sent once more afterwards.
   */
  async wake(subscriptions: readonly SubscriptionRef[]): Promise<void> {
    if (subscriptions.length === 0) return
    await Promise.all([
      ...subscriptions.map(subscription =>
        this.queue.add('send', subscription, {
          ...noTrace,
          jobId: jobIdOf(subscription.subscriptionId),
          deduplication: { id: subscription.subscriptionId, keepLastIfActive: true },
        }),
      ),
      this.#redis.publish(
        inCell(this.cell, WAKE_CHANNEL),
        subscriptions.map(({ subscriptionId }) => subscriptionId).join(' '),
      ),
    ])
  }

  /** Whether a worker is sending a subscription of the tenant, as Redis has it. */
  async isSending(tenantId: string): Promise<boolean> {
    return (await this.queue.getActive()).some(job => job?.data.tenantId === tenantId)
  }

  /** Removes jobs of deleted subscriptions. A running job stays: its sender finds nothing and ends. */
  async forget(subscriptions: readonly SubscriptionRef[]): Promise<void> {
    for (const { subscriptionId } of subscriptions) {
      const jobId = await this.queue.getDeduplicationJobId(subscriptionId)
      if (jobId === null) continue
      const job = await this.queue.getJob(jobId)
      // BullMQ refuses this for a job that a worker runs.
      await job?.remove().catch(() => {})
    }
  }

  /** Whether this process may do a chore now: true for one of all processes every `everyMs`. */
  async mayI(chore: string, everyMs: number): Promise<boolean> {
    const key = inCell(this.cell, `${WEBHOOK_QUEUE_TAG}:chore:${chore}`)
    return (await this.#redis.set(key, process.pid, 'PX', Math.round(everyMs * 0.8), 'NX')) === 'OK'
  }

  async close(): Promise<void> {
    await this.queue.close()
  }
}

/** Calls `onWake` for each woken subscription. `subscriber` is a connection of its own. */
export async function hearWakes(
  subscriber: Redis,
  { cell }: WebhookQueue,
  onWake: (subscriptionId: string) => void,
): Promise<void> {
  const wakes = inCell(cell, WAKE_CHANNEL)
  subscriber.on('message', (channel, text) => {
    if (channel === wakes) for (const subscriptionId of text.split(' ')) onWake(subscriptionId)
  })
  await subscriber.subscribe(wakes)
}

/**
 * How the sending of a subscription ended. `unstored`: outcomes could not be stored, so deliveries would be sent again, or nothing could be
 * sent; the subscription pauses. `over`: its tenant has reached its deliveries per second.
 */
export type SendingEnd = 'done' | 'unstored' | 'over'

/** The sending side. `run` must not throw. */
type SubscriptionTaker<Slot> = {
  /** A slot for the subscription; undefined if it must wait. */
  readonly enter: (subscription: SubscriptionRef) => Slot | undefined
  readonly run: (
    subscription: SubscriptionRef,
    given: { readonly slot: Slot; readonly isAfterPause: boolean },
  ) => Promise<SendingEnd>
  /** Called for a subscription that found no slot. `recall` adds it to the queue again, as the last one. */
  readonly onPutOff: (subscription: SubscriptionRef, recall: () => Promise<void>) => void
}

/** The queue's worker. It has blocking connections of its own. */
export function webhookWorker<Slot>(
  options: { readonly redis: Redis; readonly concurrency: number; readonly name: string; readonly queue: WebhookQueue },
  { enter, run, onPutOff }: SubscriptionTaker<Slot>,
): Worker<JobData> {
  /** The subscription keeps its job. So waking it meanwhile costs nothing, and no other process runs it. */
  const comeBack = (job: Job<JobData>, token: string | undefined, waitMs: number) =>
    job.moveToDelayed(Date.now() + waitMs, token)

  const process = async (job: Job<JobData>, token?: string): Promise<void> => {
    const { pauses = 0, ...subscription } = job.data
    const slot = enter(subscription)
    if (slot === undefined) {
      await comeBack(job, token, PUT_OFF_MS)
      onPutOff(subscription, () => job.promote())
      throw new DelayedError()
    }
    const end = await run(subscription, { slot, isAfterPause: pauses > 0 })
    if (end === 'done') return
    if (end === 'unstored') await job.updateData({ ...subscription, pauses: pauses + 1 })
    await comeBack(job, token, end === 'over' ? OVER_RATE_MS : Math.min(PAUSE_MS_MIN * 2 ** pauses, PAUSE_MS_MAX))
    throw new DelayedError()
  }
  return new Worker<JobData>(webhookQueueName(options.queue.cell), process, {
    connection: options.redis,
    prefix: WEBHOOK_QUEUE_TAG,
    name: options.name,
    concurrency: options.concurrency,
    autorun: false,
    lockDuration: LEASE_MS,
    stalledInterval: LEASE_CHECK_MS,
    // A job must not count as failed because its process died, however often.
    maxStalledCount: 1_000_000,
    runRetryDelay: 500,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  })
}
