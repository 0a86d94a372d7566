/** Builds the security telemetry of a tenant's window. The rules judge; this file reads and arranges. */
import type { Connection } from '../platform/postgres/postgres.ts'
import {
  countsByDayAndKey,
  countsByRoute,
  type KeyDay,
  keyChangesByDay,
  networksByKey,
  operatorActions,
} from './queries.ts'
import {
  addCounts,
  BASELINE_DAYS,
  type Counts,
  type DayCounts,
  deniedOf,
  GROUP_MIN,
  groupOf,
  metricsOf,
  noCounts,
  requestsOf,
} from './rules.ts'
import { spanOf } from './span.ts'

/** The most keys in one answer: those with the most requests. */
const KEYS_MAX = 1_000
/** The key id of counts that belong to no key. */
const NO_KEY = '0'

type WindowOf = {
  readonly tenantId: string
  /** Bounds as the caller gave them, `2026-11-21T05:00:00.000Z`. */
  readonly windowStart: string
  readonly windowEnd: string
  readonly now: string
}

/** The document of `GET /security/telemetry`. */
export async function securityReport(connection: Connection, asked: WindowOf) {
  const of = { tenantId: asked.tenantId, span: spanOf(asked.windowStart) }
  // One query after the other: a report uses one connection at a time, like any other read.
  const keyDays = await countsByDayAndKey(connection, of)
  const routes = await countsByRoute(connection, of)
  const networks = await networksByKey(connection, of)
  const keyChanges = await keyChangesByDay(connection, of)
  const actions = await operatorActions(connection, of)
  const changesOf = new Map(keyChanges.map(({ day, ...changes }) => [day, changes]))
  const days = Array.from({ length: BASELINE_DAYS + 1 }, (_, day): DayCounts => {
    const counts = totalOf(keyDays.filter(keyDay => keyDay.day === day))
    return { ...counts, requests: requestsOf(counts), ...changesOf.get(day) }
  })
  return {
    window_start: asked.windowStart,
    window_end: asked.windowEnd,
    baseline_start: new Date(Date.parse(asked.windowStart) - BASELINE_DAYS * 86_400_000).toISOString(),
    baseline_end: asked.windowStart,
    generated_at: asked.now,
    metrics: metricsOf(days),
    by_key: byKey(keyDays, networks),
    by_route: routes,
    operator_actions: actions,
    privacy: { minimum_group: GROUP_MIN },
  }
}

function totalOf(keyDays: readonly KeyDay[]): Counts {
  return keyDays.reduce((total, { counts }) => addCounts(total, counts), noCounts)
}

function byKey(keyDays: readonly KeyDay[], networks: ReadonlyMap<string, number>) {
  return keyDays
    .filter(({ day, keyId }) => day === BASELINE_DAYS && keyId !== NO_KEY)
    .map(({ keyId, counts }) => ({
      key_id: keyId,
      requests: requestsOf(counts),
      denied: deniedOf(counts),
      distinct_networks: groupOf(networks.get(keyId) ?? 0),
    }))
    .sort((a, b) => b.requests - a.requests || Number(BigInt(a.key_id) - BigInt(b.key_id)))
    .slice(0, KEYS_MAX)
}
