/** Gauges of the pipeline, read when Prometheus asks: depth and age of the ready queues by shard, waiting requests, use of pools. */

import { shardTags } from '../lib/pipeline/redis-keys.ts'
import { gauge } from '../lib/platform/telemetry/metrics.ts'
import { within } from '../lib/platform/within.ts'
import type { CellServices } from './cell-services.ts'
import type { Services } from './services.ts'

/** Shorter than the time limit of a gauge. */
const PATIENCE_MS = 750

export function watchQueues(services: Services): void {
  const ofShards = (
    name: string,
    help: string,
    read: (ready: ReturnType<Services['queues']['readyQueue']>) => Promise<number>,
  ) =>
    gauge(name, help, ['shard'], async set => {
      // On a cluster the shards of a silent node have no values.
      const values = shardTags(services.queues.shards).map((tag, shard) =>
        within(PATIENCE_MS, read(services.queues.readyQueue(tag))).then(value => set({ shard: String(shard) }, value)),
      )
      const outcomes = await Promise.allSettled(values)
      const [first] = outcomes
      if (first?.status === 'rejected' && outcomes.every(({ status }) => status === 'rejected')) throw first.reason
    })
  ofShards('millrace_ready_tenants', 'Tenants whose queue waits to be drained, by shard', ready =>
    ready.getWaitingCount(),
  )
  ofShards('millrace_draining_tenants', 'Tenants whose queue is being drained, by shard', ready =>
    ready.getActiveCount(),
  )
  ofShards('millrace_ready_oldest_seconds', 'Age of the tenant that waits longest, by shard', async ready => {
    const [oldest] = await ready.getWaiting(0, 0)
    return oldest ? (Date.now() - oldest.timestamp) / 1000 : 0
  })
  gauge('millrace_http_waiting_commands', 'Requests of this process that wait for their command', [], set =>
    set({}, services.replies.waiting),
  )
  const overCells = (count: (of: CellServices) => number) => services.cells.reduce((sum, of) => sum + count(of), 0)
  gauge('millrace_event_streams', 'Event streams of this process', [], set =>
    set(
      {},
      overCells(({ streams }) => streams.size),
    ),
  )
  gauge(
    'millrace_replica_lag_seconds',
    'How long the primary has had what the replica lacks, up to 5 s too much; it grows while the replica is away',
    ['cell'],
    set => {
      for (const { name: cell, reads } of services.cells) {
        const seconds = reads.lagSeconds()
        if (seconds !== undefined) set({ cell }, seconds)
      }
    },
  )
  gauge('millrace_postgres_connections', 'Connections of the pools by state', ['state'], set => {
    const states = {
      active: overCells(({ pool, readPool }) => pool.state().acquiredConnections + readPool.state.active),
      idle: overCells(({ pool, readPool }) => pool.state().idleConnections + readPool.state.idle),
      waiting: overCells(
        ({ pool, readPool, readShares }) => pool.state().waitingClients + readPool.state.waiting + readShares.waiting,
      ),
    }
    for (const [state, count] of Object.entries(states)) set({ state }, count)
  })
}
