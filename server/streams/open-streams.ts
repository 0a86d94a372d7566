/** Makes the event streams of a process at its start. It opens no connection of its own. */
import type { StreamSlots } from '../../lib/access/stream-slots.ts'
import type { ReadRouter } from '../../lib/pipeline/replica.ts'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import type { Redis } from '../../lib/platform/redis/redis.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { httpMetrics } from '../../lib/platform/telemetry/metrics.ts'
import { EventSignals } from '../../lib/webhooks/event-signals.ts'
import { type StoredPage, storedEvents } from '../../lib/webhooks/stream-queries.ts'
import type { ReadPool } from '../read-pool.ts'
import { EventStreams } from './event-streams.ts'
import { EventHub, type HubOptions } from './hub.ts'

type OpenStreamsOptions = {
  readonly cell: string
  readonly log: Log
  /** The primary, for quick statements. */
  readonly pool: Pool
  readonly subscriber: Redis
  readonly slots: StreamSlots
  /** Reads of stored events wait for the same slots as the tenant's other reads. */
  readonly reads: ReadRouter<ReadPool>
  readonly readPool: ReadPool
}

export function openStreams(options: OpenStreamsOptions): EventStreams {
  const { cell, log, pool, slots } = options
  const signals = new EventSignals(options.subscriber)
  const hub = new EventHub({
    pool,
    readStored: readerOf(options),
    onFollow: tenantId => signals.follow(tenantId),
    onUnfollow: tenantId => signals.unfollow(tenantId),
    onTrouble: error => log.warn({ err: error }, 'events could not be read for their streams'),
  })
  signals.onSignal(tenantId => hub.signal(tenantId))
  return new EventStreams({
    cell,
    pool,
    hub,
    slots,
    onEnd: ({ end = 'left' }) => httpMetrics.streamEnded(end),
  })
}

const readerOf =
  ({ reads, readPool }: OpenStreamsOptions): HubOptions['readStored'] =>
  async ({ tenantId, position: after, types }, { primary }): Promise<StoredPage | null> => {
    const from = primary ? readPool : await reads.poolFor(tenantId)
    return reads.read(from, pool => storedEvents(pool.readerOf(tenantId), { tenantId, after, types }))
  }
