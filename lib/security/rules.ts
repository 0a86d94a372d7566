/** Judges the counts of eight days: the window against its baseline of seven days. Pure. */
import { type CountedMetric, countedMetrics } from './counted.ts'

export const DAY_MS = 86_400_000
export const BASELINE_DAYS = 7
/** A smaller number of networks could identify one person. */
export const GROUP_MIN = 5
const ELEVATED_RATIO = 3
const HIGH_RATIO = 10
/** Without a count in the baseline there is no ratio. From this count on the metric is elevated. */
const ELEVATED_COUNT = 10
/** The same for a tenant without any request in the baseline, whose ordinary traffic would otherwise be elevated. */
const ELEVATED_COUNT_FIRST_DAYS = 100

export const levels = {
  NORMAL: 'as on the days before',
  ELEVATED: 'clearly more than on the days before',
  HIGH: 'many times what it was on the days before',
} as const
export type Level = keyof typeof levels

/** The metrics in the order of the answer. */
export const metrics = {
  requests: 'all requests of the tenant',
  responses_2xx: 'answered with success',
  responses_4xx: 'refused',
  responses_5xx: 'failed',
  unauthorized: 'with a revoked or expired key',
  forbidden: 'without the scope',
  not_found: 'for what is not there',
  rate_limited: 'refused for the rate',
  quota_exceeded: 'refused for the daily documents',
  idempotency_replays: 'answered with what was recorded',
  idempotency_conflicts: 'with a key that was used for another request',
  foreign_references: 'refused for a reference to a record that is not in this tenant',
  keys_created: 'keys issued',
  keys_revoked: 'keys revoked',
  webhook_failures: 'failed attempts to deliver',
} as const

type MetricName = keyof typeof metrics
export const metricNames = Object.keys(metrics) as readonly MetricName[]
export type Counts = Readonly<Record<CountedMetric, number>>
/** The counts of one day: days 0 to 6 are the baseline, day 7 is the window. */
export type DayCounts = Readonly<Partial<Record<MetricName, number>>>

export type Metric = {
  readonly name: MetricName
  readonly count: number
  readonly baseline_daily_mean: number
  readonly baseline_daily_max: number
  readonly ratio: number | null
  readonly level: Level
}

/** Every answer has one class. */
export const requestsOf = (counts: Counts): number => counts.responses_2xx + counts.responses_4xx + counts.responses_5xx
/** 401, 403 and 429. */
export const deniedOf = (counts: Counts): number =>
  counts.unauthorized + counts.forbidden + counts.rate_limited + counts.quota_exceeded

export const noCounts: Counts = Object.fromEntries(countedMetrics.map(metric => [metric, 0])) as Record<
  CountedMetric,
  number
>

export function addCounts(one: Counts, other: Counts): Counts {
  return Object.fromEntries(countedMetrics.map(metric => [metric, one[metric] + other[metric]])) as Record<
    CountedMetric,
    number
  >
}

/** Each metric of day 7 beside days 0 to 6. A missing day counted nothing. */
export function metricsOf(days: readonly DayCounts[]): Metric[] {
  const hasHistory = days.slice(0, BASELINE_DAYS).some(day => (day.requests ?? 0) > 0)
  return metricNames.map(name => {
    const baseline = Array.from({ length: BASELINE_DAYS }, (_, day) => days[day]?.[name] ?? 0)
    const count = days[BASELINE_DAYS]?.[name] ?? 0
    const sum = baseline.reduce((total, value) => total + value, 0)
    const mean = sum / BASELINE_DAYS
    return {
      name,
      count,
      baseline_daily_mean: mean,
      baseline_daily_max: Math.max(...baseline),
      ratio: sum === 0 ? null : count / mean,
      level: levelOf(count, sum, hasHistory),
    }
  })
}

/**
 * Compares whole numbers: 30 against a mean of 10 is a ratio of exactly 3.
 * @param hasHistory whether the tenant had any request in the baseline
 */
export function levelOf(count: number, baselineSum: number, hasHistory: boolean): Level {
  if (baselineSum === 0)
    return count >= (hasHistory ? ELEVATED_COUNT : ELEVATED_COUNT_FIRST_DAYS) ? 'ELEVATED' : 'NORMAL'
  if (count * BASELINE_DAYS >= HIGH_RATIO * baselineSum) return 'HIGH'
  return count * BASELINE_DAYS >= ELEVATED_RATIO * baselineSum ? 'ELEVATED' : 'NORMAL'
}

/** The number of networks, or null if it is small enough to identify a person. */
export const groupOf = (networks: number): number | null => (networks < GROUP_MIN ? null : networks)
