/**
 * Gauges of the pipeline that are read when Prometheus asks: ready queue depth and age by shard, waiting requests, pool use.
 */

import { shardTag } from '../lib/pipeline/shard.ts'
import { gauge } from '../lib/telemetry/metrics.ts'
import type { Services } from './services.ts'

export function watchQueues(services: Services): void {
  const shards = Array.from({ length: services.queues.shards }, (_, shard) => shard)
  gauge('millrace_ready_tenants', 'Tenants whose queue waits to be drained, by shard', ['shard'], async set => {
    for (const shard of shards)
      set({ shard: String(shard) }, await services.queues.readyQueue(shardTag(shard)).getWaitingCount())
  })
  gauge('millrace_draining_tenants', 'Tenants whose queue is being drained, by shard', ['shard'], async set => {
    for (const shard of shards)
      set({ shard: String(shard) }, await services.queues.readyQueue(shardTag(shard)).getActiveCount())
  })
  gauge('millrace_ready_oldest_seconds', 'Age of the tenant that waits longest, by shard', ['shard'], async set => {
    for (const shard of shards) {
      const [oldest] = await services.queues.readyQueue(shardTag(shard)).getWaiting(0, 0)
      set({ shard: String(shard) }, oldest ? (Date.now() - oldest.timestamp) / 1000 : 0)
    }
  })
  gauge('millrace_http_waiting_commands', 'Requests of this process that wait for their command', [], set =>
    set({}, services.replies.waiting),
  )
  gauge('millrace_event_streams', 'Event streams of this process', [], set => set({}, services.streams.size))
  gauge('millrace_postgres_connections', 'Connections of the pool by state', ['state'], set => {
    const own = services.pool.state()
    const reads = services.readPool.state
    set({ state: 'active' }, own.acquiredConnections + reads.active)
    set({ state: 'idle' }, own.idleConnections + reads.idle)
    set({ state: 'waiting' }, own.waitingClients + reads.waiting + services.readShares.waiting)
  })
}
