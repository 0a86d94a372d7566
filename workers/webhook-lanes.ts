/**
 * Runs lanes: takes subscriptions that have something due from the webhook queue and lets each send on its own, many at a
 * time and a bounded part of them of one tenant: hanging receivers delay no other tenant, however many one tenant has.
 */
import { hearWakes, type Lane, webhookWorker } from '../lib/store/queues-webhooks.ts'
import type { Redis } from '../lib/store/redis.ts'
import { LaneRun, type LaneServices } from './webhook-lane.ts'
import { Places } from './webhook-places.ts'

/** Subscriptions that one process serves at once. Each costs up to five sockets while its receiver is slow. */
const LANES_MAX = 500
/** Of one tenant: a lane with a hanging receiver keeps its place for up to 25 s (its quantum, and the last attempt's timeout). */
const LANES_PER_TENANT_MAX = 50

/** Starts taking lanes; `close` lets requests in flight end. */
export async function startLanes(
  services: LaneServices & { readonly subscriber: Redis; readonly name: string },
): Promise<{ readonly running: () => number; readonly close: () => Promise<void> }> {
  const { redis, subscriber, name, queue, log } = services
  const running = new Map<string, LaneRun>()
  const places = new Places(LANES_PER_TENANT_MAX)
  let isStopping = false

  const run = async (lane: Lane, given: { readonly isAfterPause: boolean }): Promise<boolean> => {
    const lanes = new LaneRun(services, lane, given)
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
      places.leave(lane.tenantId)
    }
    return lanes.couldStore
  }

  const worker = webhookWorker(
    { redis, concurrency: LANES_MAX, name, queue },
    {
      mayRun: lane => places.enter(lane.tenantId),
      run,
      onPutOff: ({ tenantId, subscriptionId }, recall) => places.wait({ tenantId, laneId: subscriptionId }, recall),
    },
  )
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
      await places.recallAll()
    },
  }
}
