/**
 * Closed loops and their figures: so many lanes, each sending its next request when the last is answered, for a time or a
 * count. It must not know what is measured.
 */
import { setTimeout as delay } from 'node:timers/promises'

export type Figures = {
  readonly perSecond: number
  readonly count: number
  readonly errors: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** All of them, in no order; a process that prints its figures leaves them out. */
  readonly latencies: readonly number[]
}

/** When loops end: after a time, after so many rounds in all, or when told; and how long a lane rests after each round. */
export type Limit = ({ readonly ms: number } | { readonly count: number } | { readonly signal: AbortSignal }) & {
  readonly pauseMs?: number
}

export type Work = (lane: number, round: number) => Promise<boolean>

/** Runs `lanes` loops to the limit; `work` tells whether the round went well. */
export async function closedLoops(lanes: number, limit: Limit, work: Work): Promise<Figures> {
  const began = performance.now()
  const ends = 'ms' in limit ? began + limit.ms : Number.POSITIVE_INFINITY
  const max = 'count' in limit ? limit.count : Number.POSITIVE_INFINITY
  const signal = 'signal' in limit ? limit.signal : undefined
  const latencies: number[] = []
  let started = 0
  let errors = 0
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (performance.now() < ends && started < max && !signal?.aborted) {
        const round = started++
        const sent = performance.now()
        if (!(await work(lane, round))) errors++
        latencies.push(performance.now() - sent)
        if (limit.pauseMs !== undefined) await delay(limit.pauseMs)
      }
    }),
  )
  const seconds = (performance.now() - began) / 1_000
  return {
    perSecond: latencies.length / seconds,
    count: latencies.length,
    errors,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    latencies,
  }
}

/** The value below which this share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
