/**
 * Runs lanes: takes subscriptions that have something due from the webhook queue and lets each send on its own, many at a
 * time and a bounded part of them of one tenant. Receivers that hang delay nobody else: a lane that waits for an answer gives
 * its place to others after a second, and who let a request end without an answer shares few places until it answers again.
 */

import type { Redis } from '../../lib/redis/redis.ts'
import { hearWakes, type Lane, type LaneEnd, webhookWorker } from '../../lib/webhooks/queue.ts'
import { type Place, Places } from './sender-slots.ts'
import { LaneRun, type LaneServices } from './subscription-sender.ts'

/** Subscriptions that one process serves at once. Each costs up to five sockets while its receiver is slow. */
const LANES_MAX = 500
/** Of one tenant: a lane with a hanging receiver counts as its tenant's for up to 25 s (its quantum, and the last timeout). */
const LANES_PER_TENANT_MAX = 50
/** Lanes beside them, whose receivers have been silent for a second. */
const SILENT_LANES_MAX = 1_000
/** Lanes of receivers that were silent to the end the last time, and of one tenant; each sends one request at a time. */
const MUTE_LANES_MAX = 100
const MUTE_LANES_PER_TENANT_MAX = 5

type LanePlace = Place & { readonly mayBeReleased: boolean }

/** Starts taking lanes; `close` lets requests in flight end. */
export async function startLanes(
  services: LaneServices & { readonly subscriber: Redis; readonly name: string },
): Promise<{ readonly running: () => number; readonly close: () => Promise<void> }> {
  const { redis, subscriber, name, queue, log } = services
  const running = new Map<string, LaneRun>()
  const answering = new Places({ max: LANES_MAX, perTenantMax: LANES_PER_TENANT_MAX })
  const mute = new Places({ max: MUTE_LANES_MAX, perTenantMax: MUTE_LANES_PER_TENANT_MAX })
  const placesFor = ({ subscriptionId }: Lane) => (services.silence.has(subscriptionId) ? mute : answering)
  let silentLanes = 0
  let isStopping = false

  const enter = (lane: Lane): LanePlace | undefined => {
    const places = placesFor(lane)
    const place = places.enter(lane.tenantId)
    return place && { ...place, mayBeReleased: places === answering }
  }

  const run = async (
    lane: Lane,
    { place, isAfterPause }: { readonly place: LanePlace; readonly isAfterPause: boolean },
  ): Promise<LaneEnd> => {
    let isReleased = false
    const onSilent = () => {
      if (isReleased || !place.mayBeReleased || silentLanes >= SILENT_LANES_MAX) return
      isReleased = true
      silentLanes++
      place.release()
    }
    const lanes = new LaneRun(services, lane, { isAfterPause, onSilent })
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
      if (isReleased) silentLanes--
      place.leave()
    }
    return lanes.end
  }

  const worker = webhookWorker(
    { redis, concurrency: LANES_MAX + SILENT_LANES_MAX + MUTE_LANES_MAX, name, queue },
    {
      enter,
      run,
      onPutOff: (lane, recall) =>
        placesFor(lane).wait({ tenantId: lane.tenantId, laneId: lane.subscriptionId }, recall),
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
      await Promise.all([answering.recallAll(), mute.recallAll()])
    },
  }
}
