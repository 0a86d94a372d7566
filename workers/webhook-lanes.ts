/**
 * Runs lanes: takes subscriptions that have something due from the webhook queue and lets each send on its own, many at a
 * time, so that a hanging receiver delays nobody else.
 */
import { hearWakes, type Lane, webhookWorker } from '../lib/store/queues-webhooks.ts'
import type { Redis } from '../lib/store/redis.ts'
import { LaneRun, type LaneServices } from './webhook-lane.ts'

/** Subscriptions that one process serves at once. Each costs up to five sockets while its receiver is slow. */
const LANES_MAX = 500

/** Starts taking lanes; `close` lets requests in flight end. */
export async function startLanes(
  services: LaneServices & { readonly redis: Redis; readonly subscriber: Redis; readonly name: string },
): Promise<{ readonly running: () => number; readonly close: () => Promise<void> }> {
  const { redis, subscriber, name, queue, log } = services
  const running = new Map<string, LaneRun>()
  let isStopping = false

  const run = async (lane: Lane): Promise<void> => {
    const lanes = new LaneRun(services, lane)
    // After a lost lease an older run may still be there; it ends with what it has in flight.
    running.get(lane.subscriptionId)?.stop()
    running.set(lane.subscriptionId, lanes)
    if (isStopping) lanes.stop()
    try {
      await lanes.run()
    } catch (error) {
      // Postgres or Redis failed in between. The sweep finds what is due.
      log.warn({ err: error, tenant_id: lane.tenantId, subscription_id: lane.subscriptionId }, 'lane interrupted')
    } finally {
      if (running.get(lane.subscriptionId) === lanes) running.delete(lane.subscriptionId)
    }
  }

  const worker = webhookWorker({ redis, concurrency: LANES_MAX, name, queue }, run)
  worker.on('error', error => log.warn({ err: error }, 'webhook queue'))
  worker.run().catch(error => log.error({ err: error }, 'webhook queue stopped'))
  // A Redis that is away must not keep the process from starting: ioredis subscribes when it is back.
  hearWakes(subscriber, subscriptionId => running.get(subscriptionId)?.poke()).catch(error =>
    log.warn({ err: error }, 'wakes are not heard'),
  )
  return {
    running: () => running.size,
    close: async () => {
      isStopping = true
      for (const lane of running.values()) lane.stop()
      await worker.close()
    },
  }
}
