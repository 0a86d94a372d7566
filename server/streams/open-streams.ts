/** Puts the event streams of a process together, once at its start. It opens no connection of its own. */
import type { StreamPlaces } from '../../lib/access/stream-places.ts'
import type { Config } from '../../lib/config.ts'
import type { ReadRouter } from '../../lib/pipeline/replica.ts'
import type { Pool } from '../../lib/postgres/postgres.ts'
import type { Redis } from '../../lib/redis/redis.ts'
import type { Log } from '../../lib/telemetry/log.ts'
import { httpMetrics } from '../../lib/telemetry/metrics.ts'
import { EventSignals } from '../../lib/webhooks/event-signals.ts'
import { type StoredPage, storedEvents } from '../../lib/webhooks/stream-queries.ts'
import type { ReadPool } from '../read-pool.ts'
import { EventStreams } from './event-streams.ts'
import { EventHub, type HubOptions } from './hub.ts'

/** Of the connections that a process takes, so many times less may be streams: requests find room beside them. */
const CONNECTIONS_PER_STREAM = 2

export type OpenStreamsOptions = {
  readonly config: Config
  readonly log: Log
  /** The primary, for statements that are quick. */
  readonly pool: Pool
  readonly subscriber: Redis
  readonly places: StreamPlaces
  /** Where and in which turn stored events are read: they are a tenant's reads like any other. */
  readonly reads: ReadRouter<ReadPool>
  readonly readPool: ReadPool
}

export function openStreams(options: OpenStreamsOptions): EventStreams {
  const { config, log, pool, places } = options
  const signals = new EventSignals(options.subscriber)
  const hub = new EventHub({
    pool,
    readStored: readerOf(options),
    onFollow: tenantId => signals.follow(tenantId),
    onUnfollow: tenantId => signals.unfollow(tenantId),
    onTrouble: error => log.warn({ err: error }, 'events could not be read for their streams'),
  })
  signals.onSignal(tenantId => hub.tell(tenantId))
  return new EventStreams({
    pool,
    hub,
    places,
    streamsMax: Math.floor(config.httpConnectionsMax / CONNECTIONS_PER_STREAM),
    onEnd: ({ end = 'left' }) => httpMetrics.streamEnded(end),
  })
}

const readerOf =
  ({ reads, readPool }: OpenStreamsOptions): HubOptions['readStored'] =>
  async ({ tenantId, position: after, type }, { primary }): Promise<StoredPage | null> => {
    const from = primary ? readPool : await reads.poolFor(tenantId)
    return reads.read(from, pool => storedEvents(pool.readerOf(tenantId), { tenantId, after, type }))
  }
