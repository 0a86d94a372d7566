/**
 * A tally cut into batches of rows as Postgres takes them: plain JSON, networks hashed. Pure, so that a batch that must be
 * sent again is the same one.
 */
import { countedMetrics } from './counted.ts'
import { hashNetwork } from './network.ts'
import type { KeyMinute, RouteMinute, Sighting, Tally } from './tally.ts'
import { readCell } from './tally.ts'

/** Rows of one statement: some 20 ms of Postgres. */
const BATCH_ROWS_MAX = 2_000

type Row = Readonly<Record<string, unknown>>
export type Batch = {
  readonly keyMinutes: readonly Row[]
  readonly routeMinutes: readonly Row[]
  readonly networks: readonly Row[]
}

/** The key of a day (days since 1970) by which networks are hashed. @throws for a day whose key was not fetched */
export type NetworkKeys = (day: number) => Buffer

/** Seconds since 1970 as Postgres reads them. */
const timestamp = (second: number): string => new Date(second * 1000).toISOString()

/** The rows of a tally in batches; each row stands in one batch, once. */
export function batchesOf(tally: Tally, keyOfDay: NetworkKeys): Batch[] {
  const keyMinutes = [...tally.keyMinutes.values()].map(keyMinuteRow)
  const routeMinutes = [...tally.routeMinutes.values()].map(routeMinuteRow)
  const networks = [...tally.sightings.values()].map(sighting => networkRow(sighting, keyOfDay))
  const batches: Batch[] = []
  const count = Math.max(keyMinutes.length, routeMinutes.length, networks.length)
  for (let at = 0; at < count; at += BATCH_ROWS_MAX) {
    const slice = (rows: readonly Row[]) => rows.slice(at, at + BATCH_ROWS_MAX)
    batches.push({ keyMinutes: slice(keyMinutes), routeMinutes: slice(routeMinutes), networks: slice(networks) })
  }
  return batches
}

function keyMinuteRow({ tenantId, keyId, minute, cells }: KeyMinute): Row {
  const totals = countedMetrics.map(() => 0)
  const seconds: number[] = []
  const metrics: number[] = []
  const counts: number[] = []
  for (const [cell, count] of cells) {
    const { second, metric } = readCell(cell)
    totals[metric] = (totals[metric] ?? 0) + count
    seconds.push(second)
    metrics.push(metric)
    counts.push(count)
  }
  const named = Object.fromEntries(countedMetrics.map((metric, code) => [metric, totals[code]]))
  return { tenant_id: tenantId, minute: timestamp(minute * 60), key_id: keyId, ...named, seconds, metrics, counts }
}

function routeMinuteRow({ tenantId, minute, method, route, cells }: RouteMinute): Row {
  const all = [...cells]
  const sum = (of: 'requests' | 'errors') => all.reduce((total, [, cell]) => total + cell[of], 0)
  return {
    tenant_id: tenantId,
    minute: timestamp(minute * 60),
    method,
    route,
    requests: sum('requests'),
    errors: sum('errors'),
    seconds: all.map(([second]) => second),
    second_requests: all.map(([, cell]) => cell.requests),
    second_errors: all.map(([, cell]) => cell.errors),
  }
}

function networkRow(sighting: Sighting, keyOfDay: NetworkKeys): Row {
  return {
    tenant_id: sighting.tenantId,
    day: timestamp(sighting.day * 86_400).slice(0, 10),
    key_id: sighting.keyId,
    network: hashNetwork(keyOfDay(sighting.day), sighting),
    network_before: hashNetwork(keyOfDay(sighting.day - 1), sighting),
    first_seen: timestamp(sighting.first),
    last_seen: timestamp(sighting.last),
  }
}
