/** What is counted of a request, and the metrics of an answer. Pure: it keeps no count. */
import type { Refusal } from '../kit/api/errors.ts'

/** The metrics, stored by their place in this list. New ones are added at the end. `requests` and `denied` are sums of them. */
export const countedMetrics = [
  'responses_2xx',
  'responses_4xx',
  'responses_5xx',
  'unauthorized',
  'forbidden',
  'not_found',
  'rate_limited',
  'quota_exceeded',
  'idempotency_replays',
  'idempotency_conflicts',
  'foreign_references',
  'webhook_failures',
] as const

export type CountedMetric = (typeof countedMetrics)[number]
/** A place in `countedMetrics`. */
export type MetricCode = number

export const codeOf: Readonly<Record<CountedMetric, MetricCode>> = Object.fromEntries(
  countedMetrics.map((metric, code) => [metric, code]),
) as Record<CountedMetric, MetricCode>

const byRefusal: Readonly<Partial<Record<Refusal['refusal'], MetricCode>>> = {
  unauthorized: codeOf.unauthorized,
  forbidden: codeOf.forbidden,
  not_found: codeOf.not_found,
  rate_limited: codeOf.rate_limited,
  document_quota_exceeded: codeOf.quota_exceeded,
  conflict: codeOf.idempotency_conflicts,
}

/** How a request was answered. */
export type Answered = {
  readonly status: number
  /** The refusal, if any. */
  readonly refusal: Pick<Refusal, 'refusal' | 'reason'> | undefined
  readonly replayed: boolean
}

/** The class of an answer. Every answer has one. */
export function classOf(status: number): MetricCode {
  return status >= 500 ? codeOf.responses_5xx : status >= 400 ? codeOf.responses_4xx : codeOf.responses_2xx
}

/** The metric of an answer beside its class; at most one. */
export function causeOf({ refusal, replayed }: Answered): MetricCode | undefined {
  if (refusal === undefined) return replayed ? codeOf.idempotency_replays : undefined
  return refusal.reason === 'reference' ? codeOf.foreign_references : byRefusal[refusal.refusal]
}
