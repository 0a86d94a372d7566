/**
 * The webhook queue on BullMQ: lanes (this subscription has something due: send it). Postgres knows the schedule: what Redis
 * loses, the sweep finds there.
 */
import { DelayedError, type Job, type JobsOptions, Queue, Worker } from 'bullmq'
import type { Redis } from '../redis/redis.ts'

export const WEBHOOK_QUEUE = 'webhooks'
/** All keys of the queue in one slot of a cluster. */
export const WEBHOOK_QUEUE_TAG = '{webhooks}'
/** Told when a subscription has something due: a lane that runs already looks again at once. */
const WAKE_CHANNEL = 'webhooks:wake'

/** How long the lease on a lane lasts, and how often the lost ones are looked for. */
const LEASE_MS = 5_000
const LEASE_CHECK_MS = 2_000
/** A lane that was put off comes back after this time, should the process that was to recall it be gone. */
const PUT_OFF_MS = 30_000
/** When a lane comes back whose tenant has sent all that it may in a second. */
const OVER_RATE_MS = 1_000
/** How long a lane pauses whose outcomes could not be stored: twice as long each time, up to the longest. */
const PAUSE_MS_MIN = 10_000
const PAUSE_MS_MAX = 300_000

/** A lane is one subscription's deliveries: at most one process sends them at a time. */
export type Lane = { readonly tenantId: string; readonly subscriptionId: string }

/** `pauses`: how often in a row it has paused. */
type LaneData = Lane & { readonly pauses?: number }

const noTrace: JobsOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true }

let laneCount = 0
/** Lane jobs never repeat an id, since a finished one may still be known while the next is added. */
const laneJobId = (subscriptionId: string): string =>
  `l${subscriptionId}-${process.pid.toString(36)}-${Date.now().toString(36)}-${(laneCount++).toString(36)}`

export class WebhookQueue {
  readonly #redis: Redis
  readonly queue: Queue<LaneData>

  constructor(redis: Redis) {
    this.#redis = redis
    this.queue = new Queue<LaneData>(WEBHOOK_QUEUE, {
      connection: redis,
      prefix: WEBHOOK_QUEUE_TAG,
      streams: { events: { maxLen: 0 } },
      skipWaitingForReady: true,
    })
    this.queue.on('error', () => {}) // the connection's owner logs
  }

  /** Makes lanes run. One that waits already stays; one that runs looks again, and runs once more when it has ended. */
  async wake(lanes: readonly Lane[]): Promise<void> {
    if (lanes.length === 0) return
    await Promise.all([
      ...lanes.map(lane =>
        this.queue.add('lane', lane, {
          ...noTrace,
          jobId: laneJobId(lane.subscriptionId),
          deduplication: { id: lane.subscriptionId, keepLastIfActive: true },
        }),
      ),
      this.#redis.publish(WAKE_CHANNEL, lanes.map(lane => lane.subscriptionId).join(' ')),
    ])
  }

  /** Whether this process may do a chore now: true for one process of the fleet every `everyMs`. */
  async mayI(chore: string, everyMs: number): Promise<boolean> {
    const key = `${WEBHOOK_QUEUE_TAG}:chore:${chore}`
    return (await this.#redis.set(key, process.pid, 'PX', Math.round(everyMs * 0.8), 'NX')) === 'OK'
  }

  async close(): Promise<void> {
    await this.queue.close()
  }
}

/** Hears of woken subscriptions; `subscriber` is a connection of its own. */
export async function hearWakes(subscriber: Redis, onWake: (subscriptionId: string) => void): Promise<void> {
  subscriber.on('message', (channel, text) => {
    if (channel === WAKE_CHANNEL) for (const subscriptionId of text.split(' ')) onWake(subscriptionId)
  })
  await subscriber.subscribe(WAKE_CHANNEL)
}

/**
 * How a lane ended. `unstored`: what it sent could not be noted and would be sent again, or nothing could be sent, and so it
 * pauses. `over`: its tenant has sent all that it may for now.
 */
export type LaneEnd = 'done' | 'unstored' | 'over'

/** What takes lanes. `run` must not throw. */
export type LaneTaker<Place> = {
  /** A place for the lane, where it may run now. */
  readonly enter: (lane: Lane) => Place | undefined
  readonly run: (lane: Lane, given: { readonly place: Place; readonly isAfterPause: boolean }) => Promise<LaneEnd>
  /** Told of a lane that might not run and has left its place; `recall` puts it back behind those that wait. */
  readonly onPutOff: (lane: Lane, recall: () => Promise<void>) => void
}

/** The blocking worker of the queue; it has connections of its own. */
export function webhookWorker<Place>(
  options: { readonly redis: Redis; readonly concurrency: number; readonly name: string; readonly queue: WebhookQueue },
  { enter, run, onPutOff }: LaneTaker<Place>,
): Worker<LaneData> {
  /** It keeps its job, so that waking it meanwhile costs nothing and no other process runs it. */
  const comeBack = (job: Job<LaneData>, token: string | undefined, waitMs: number) =>
    job.moveToDelayed(Date.now() + waitMs, token)

  const process = async (job: Job<LaneData>, token?: string): Promise<void> => {
    const { pauses = 0, ...lane } = job.data
    // One delayed job per retry, as earlier versions made them.
    if (job.name === 'retry') return options.queue.wake([lane])
    const place = enter(lane)
    if (place === undefined) {
      await comeBack(job, token, PUT_OFF_MS)
      onPutOff(lane, () => job.promote())
      throw new DelayedError()
    }
    const end = await run(lane, { place, isAfterPause: pauses > 0 })
    if (end === 'done') return
    if (end === 'unstored') await job.updateData({ ...lane, pauses: pauses + 1 })
    await comeBack(job, token, end === 'over' ? OVER_RATE_MS : Math.min(PAUSE_MS_MIN * 2 ** pauses, PAUSE_MS_MAX))
    throw new DelayedError()
  }
  return new Worker<LaneData>(WEBHOOK_QUEUE, process, {
    connection: options.redis,
    prefix: WEBHOOK_QUEUE_TAG,
    name: options.name,
    concurrency: options.concurrency,
    autorun: false,
    lockDuration: LEASE_MS,
    stalledInterval: LEASE_CHECK_MS,
    // A lane must never fail out of the queue because its process died.
    maxStalledCount: 1_000_000,
    runRetryDelay: 500,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  })
}
