/**
 * The Prometheus metrics of a process. Labels are route templates, statuses and shards. Tenants and keys are never labels, because their
 * number is unbounded.
 */
import { setImmediate } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client'
import type { ThrownAway } from '../answer-limit.ts'
import type { Config } from '../config.ts'
import { listMigrations } from '../postgres/migrate.ts'
import { VERSION } from '../version.ts'
import { within } from '../within.ts'

/** prom-client's default registry. */
export const registry = register

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

const requestSeconds = new Histogram({
  name: 'millrace_http_request_duration_seconds',
  help: 'Time from request to answer by route template',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: LATENCY_BUCKETS_S,
})
const replays = new Counter({
  name: 'millrace_idempotent_replays_total',
  help: 'Answers that were replays, by where they were found',
  labelNames: ['source'] as const,
})
const reads = new Counter({
  name: 'millrace_reads_total',
  help: 'Reads by where they went: the replica, or the primary because the replica was behind or away',
  labelNames: ['from'] as const,
})
const streamsEnded = new Counter({
  name: 'millrace_event_streams_ended_total',
  help: 'Event streams that ended: the reader left, took nothing (slow), its key or events are gone, its tenant moved, the process stopped',
  labelNames: ['cause'] as const,
})
const connectionsRefused = new Counter({
  name: 'millrace_http_connections_refused_total',
  help: 'Connections closed at once because the process had HTTP_CONNECTIONS_MAX of them',
})
const batchSize = new Histogram({
  name: 'millrace_command_batch_size',
  help: 'Commands of one unit of work, which is one Postgres transaction',
  buckets: [1, 2, 4, 8, 16, 32],
})
const batchSeconds = new Histogram({
  name: 'millrace_command_batch_duration_seconds',
  help: 'Time of one unit of work, from its first statement to its commit',
  buckets: LATENCY_BUCKETS_S,
})
const commandSeconds = new Histogram({
  name: 'millrace_command_latency_seconds',
  help: 'Time from acceptance by the server to commit, by endpoint and outcome',
  labelNames: ['endpoint', 'outcome'] as const,
  buckets: LATENCY_BUCKETS_S,
})

const commandsGivenUp = new Counter({
  name: 'millrace_commands_given_up_total',
  help: 'Commands refused because each process that ran them died',
})

const securityDropped = new Counter({
  name: 'millrace_security_telemetry_dropped_total',
  help: 'Counts of the security telemetry that found no room or were refused by Postgres',
})

const connectionsThrownAway = new Counter({
  name: 'millrace_connections_thrown_away_total',
  help: 'Connections to PostgreSQL and Redis closed because an answer did not come (silent), or idle beside such a one (beside)',
  labelNames: ['store', 'reason'] as const,
})
for (const store of ['postgres', 'redis'] as const)
  for (const reason of ['silent', 'beside']) connectionsThrownAway.inc({ store, reason }, 0)

export const connectionMetrics = {
  thrownAway: ({ store, idle }: ThrownAway) => {
    connectionsThrownAway.inc({ store, reason: 'silent' })
    connectionsThrownAway.inc({ store, reason: 'beside' }, idle)
  },
}

export const securityMetrics = {
  dropped: (count: number) => securityDropped.inc(count),
}

export const httpMetrics = {
  request: (labels: { method: string; route: string; status: number }, seconds: number) =>
    requestSeconds.observe({ ...labels, status: String(labels.status) }, seconds),
  /** `redis`: the claim answered; `log`: the server found the answer in the command log. */
  replay: (source: 'redis' | 'log') => replays.inc({ source }),
  /** Counted only with a replica. */
  read: (from: 'replica' | 'primary') => reads.inc({ from }),
  streamEnded: (cause: string) => streamsEnded.inc({ cause }),
  connectionRefused: () => connectionsRefused.inc(),
}

export const commandMetrics = {
  givenUp: () => commandsGivenUp.inc(),
  /** A unit of work, committed or not. */
  unit: ({ commands, seconds }: { readonly commands: number; readonly seconds: number }) => {
    batchSize.observe(commands)
    batchSeconds.observe(seconds)
  },
  /** `acceptedAt`: in ms since 1970. `outcome`: done, replayed, dry_run, or the code of the refusal. */
  ended: ({ endpoint, acceptedAt }: { readonly endpoint: string; readonly acceptedAt: number }, outcome: string) =>
    commandSeconds.observe({ endpoint, outcome }, Math.max(0, Date.now() - acceptedAt) / 1000),
}

/** A gauge that takes longer is left out of the answer. */
const GAUGE_TIMEOUT_MS = 1_000

/** Gauges that are being read now. */
const reading = new Set<Promise<void>>()
const gaugeUp = new Gauge({
  name: 'millrace_gauge_up',
  help: 'Whether a gauge that asks PostgreSQL or Redis was read; one that was not is left out',
  labelNames: ['gauge'] as const,
  async collect() {
    await setImmediate() // lets gauges start that are collected after this one
    await Promise.all(reading)
  },
})

type Value = { readonly labels: Record<string, string>; readonly value: number }

/** A gauge that is read when Prometheus asks. It is left out where its reader fails or takes longer than a second. */
export function gauge(
  name: string,
  help: string,
  labelNames: readonly string[],
  collect: (set: (labels: Record<string, string>, value: number) => void) => Promise<void> | void,
): void {
  registry.removeSingleMetric(name) // in tests a service starts again in the same process, with gauges of its own
  let underWay: Promise<readonly Value[]> | undefined
  const read = async (): Promise<readonly Value[]> => {
    const values: Value[] = []
    await collect((labels, value) => values.push({ labels, value }))
    return values
  }
  const show = async (): Promise<void> => {
    // A reader that still waits is not started again: each start would take a connection.
    underWay ??= read().finally(() => {
      underWay = undefined
    })
    const values = await within(GAUGE_TIMEOUT_MS, underWay).catch(() => undefined)
    metric.reset()
    if (labelNames.length === 0) metric.remove() // prom-client sets it to 0
    for (const { labels, value } of values ?? []) metric.set(labels, value)
    gaugeUp.set({ gauge: name }, values === undefined ? 0 : 1)
  }
  const metric = new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    collect() {
      const shown = show().finally(() => reading.delete(shown))
      reading.add(shown)
      return shown
    },
  })
}

/** How often the event loop's delay is sampled. Each sample wakes the process, and shows this much more than the delay. */
const LOOP_SAMPLE_MS = 50

/** The names are those of the Procfile. */
export type ProcessKind = 'web' | 'worker' | 'webhook'

/** Process metrics: memory, event loop, garbage collection, and which program it is. */
export function collectProcessMetrics(
  kind: ProcessKind,
  { processName, build }: Pick<Config, 'processName' | 'build'>,
): void {
  registry.setDefaultLabels({ process: processName })
  collectDefaultMetrics({ eventLoopMonitoringPrecision: LOOP_SAMPLE_MS })
  const labels = ['kind', 'version', 'build', 'migration', 'node']
  // Between two releases the version does not change. The newest migration and the build tell programs apart.
  let migration: string | undefined
  gauge('millrace_build_info', 'Which program this is; always 1', labels, async set => {
    migration ??= (await listMigrations()).at(-1)?.name.slice(0, 6) ?? ''
    set({ kind, version: VERSION, build, migration, node: process.version }, 1)
  })
}
